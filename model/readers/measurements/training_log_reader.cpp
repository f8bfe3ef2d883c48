// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads logs of TorchTitan: "step: 10  loss: 4.63  grad_norm: 1.2  memory: 37.12GiB(46.93%)  tps: 1,234 mfu:
// 3.4%", with or without colours, among any other lines.

#include "model/readers/text/measurement_text.h"
#include "model/readers/trace_names.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace collscope {

namespace {

constexpr std::size_t longestLine = std::size_t{64} * 1024; ///< longer lines are not step lines
constexpr std::uint64_t barrenLogBytes = std::uint64_t{4} << 30; ///< limit between two steps; beyond it, the
                                                                 ///< file is not a log of steps
constexpr std::string_view stepKey = "step:";

bool isNameCharacter(char c)
{
    return isDigit(c) || c == '_' || c == '.' || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The line without terminal escape sequences (ESC [ ... letter).
std::string withoutColours(std::string_view line)
{
    std::string plain;
    plain.reserve(line.size());
    for (std::size_t i = 0; i < line.size();) {
        if (line[i] != '\x1b' || i + 1 >= line.size() || line[i + 1] != '[') {
            plain += line[i++];
            continue;
        }
        i += 2;
        while (i < line.size() && (line[i] < '@' || line[i] > '~'))
            ++i;
        i = std::min(i + 1, line.size());
    }
    return plain;
}

/// The text after `key` as a separate word, from the first character that is not a blank; empty if the key is
/// not found.
std::string_view valueOf(std::string_view line, std::string_view key)
{
    for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
        if (at > 0 && isNameCharacter(line[at - 1]))
            continue; // "global_step:", "max_loss:"
        const std::size_t value = line.find_first_not_of(" \t", at + key.size());
        return value == std::string_view::npos ? std::string_view() : line.substr(value);
    }
    return {};
}

/// Length of an integer with thousands separated by commas ("12,345") at the front; 0 if there is none.
std::size_t groupedLength(std::string_view text)
{
    std::size_t length = 0;
    while (length < text.size() && isDigit(text[length]))
        ++length;
    const std::size_t first = length;
    const auto isGroup = [&](std::size_t comma) {
        const std::string_view digits = text.substr(comma + 1, 4);
        return text[comma] == ',' && digits.size() >= 3
            && std::all_of(digits.begin(), digits.begin() + 3, isDigit)
            && (digits.size() == 3 || !isDigit(digits[3]));
    };
    while (first > 0 && first <= 3 && length < text.size() && isGroup(length))
        length += 4;
    return length > first ? length : 0;
}

/// A number at the front of a text, and the text after it.
struct Number
{
    std::optional<double> value; ///< may be nan or inf
    std::string_view rest;
};

Number numberAt(std::string_view text)
{
    constexpr std::size_t longest = 40;
    const std::size_t grouped = groupedLength(text);
    std::string plain(text.substr(0, grouped));
    std::erase(plain, ',');
    const std::size_t commas = grouped - plain.size();
    plain.append(text.substr(grouped, longest));
    double value = 0;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
    if (error != std::errc())
        return {};
    return {value, text.substr(static_cast<std::size_t>(end - plain.data()) + commas)};
}

std::optional<double> finite(const Number& number)
{
    return number.value && std::isfinite(*number.value) ? number.value : std::nullopt;
}

/// Converts "37.12GiB(46.93%)" to bytes.
std::optional<double> bytesOf(std::string_view text)
{
    const Number number = numberAt(text);
    const auto value = finite(number);
    constexpr std::pair<std::string_view, double> units[]
        = {{"GiB", 1073741824.0}, {"MiB", 1048576.0}, {"GB", 1e9}, {"MB", 1e6}};
    for (const auto& [unit, bytes] : units) {
        if (value && *value >= 0 && number.rest.starts_with(unit))
            return *value * bytes;
    }
    return std::nullopt;
}

/// The number in "[rank3]: ..." at the front of a line; -1 if there is none.
std::int32_t writerOf(std::string_view line)
{
    constexpr std::string_view prefix = "[rank";
    std::int32_t writer = -1;
    if (!line.starts_with(prefix))
        return writer;
    const char* const last = line.data() + line.size();
    const auto [end, error] = std::from_chars(line.data() + prefix.size(), last, writer);
    return error == std::errc() && end != last && *end == ']' && writer >= 0 ? writer : -1;
}

std::optional<LoggedStep> loggedStep(std::string_view raw)
{
    if (raw.find(stepKey) == std::string_view::npos)
        return std::nullopt;
    const std::string line = withoutColours(raw);
    const Number number = numberAt(valueOf(line, stepKey));
    constexpr double largest = 1e15;
    if (!number.value || !(*number.value >= 0) || *number.value > largest
        || *number.value != std::floor(*number.value))
        return std::nullopt;
    const std::string_view figures = number.rest; // the figures of a step follow its number
    const Number loss = numberAt(valueOf(figures, "loss:"));
    if (!loss.value)
        return std::nullopt;
    const auto figure = [&](std::string_view key) { return finite(numberAt(valueOf(figures, key))); };
    const auto either = [](std::optional<double> a, std::optional<double> b) { return a ? a : b; };
    LoggedStep step;
    step.step = static_cast<std::int64_t>(*number.value);
    step.writer = writerOf(line);
    step.loss = finite(loss);
    step.lossIsFinite = step.loss.has_value();
    step.gradientNorm = figure("grad_norm:");
    step.learningRate = either(figure("lr:"), figure("learning_rate:"));
    step.memoryBytes = bytesOf(valueOf(figures, "memory:"));
    step.tokensPerSecond = either(figure("tps:"), figure("wps:")); // wps in older versions
    if (const Number mfu = numberAt(valueOf(figures, "mfu:")); mfu.rest.starts_with('%'))
        step.mfuPercent = finite(mfu);
    return step;
}

/// Splits a stream into lines (at \n or \r: progress bars) and passes each to `take`.
class Lines
{
public:
    template<typename Take>
    void add(std::string_view text, const Take& take)
    {
        while (true) {
            const std::size_t end = text.find_first_of("\r\n");
            const std::string_view part = text.substr(0, end);
            if (m_open.size() + part.size() <= longestLine)
                m_open.append(part);
            else
                m_tooLong = true;
            if (end == std::string_view::npos)
                return;
            if (!m_tooLong)
                take(std::string_view(m_open));
            m_open.clear();
            m_tooLong = false;
            text.remove_prefix(end + 1);
        }
    }

private:
    std::string m_open;
    bool m_tooLong = false;
};

Sniff sniffTrainingLog(std::string_view fileName, std::string_view head)
{
    const bool named = fileName.ends_with(".log") || fileName.ends_with(".out") || fileName.ends_with(".err");
    if (!named || head.find(stepKey) == std::string_view::npos)
        return Sniff::No;
    bool found = false;
    Lines lines;
    lines.add(head, [&](std::string_view line) { found = found || loggedStep(line).has_value(); });
    lines.add("\n", [&](std::string_view line) { found = found || loggedStep(line).has_value(); });
    return found ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readTrainingLog(const SourceFile& file, const ReadContext& context)
{
    auto source = ByteSource::open(file.path);
    if (!source)
        return source.error();
    TraceFragment fragment = fragmentOf(file, SourceKind::TrainingLog);
    TrainingLog log;
    std::uint64_t notFinite = 0;
    const auto take = [&](std::string_view line) {
        if (auto step = loggedStep(line)) {
            notFinite += step->lossIsFinite ? 0u : 1u;
            log.steps.push_back(*step);
        }
    };
    Lines lines;
    std::vector<char> buffer(std::size_t{1} << 20);
    std::uint64_t offset = 0;
    std::uint64_t lastStepAt = 0;
    while (const std::size_t got = (*source)->read(buffer)) {
        const std::size_t before = log.steps.size();
        lines.add({buffer.data(), got}, take);
        offset += got;
        lastStepAt = log.steps.size() > before ? offset : lastStepAt;
        context.progress((*source)->diskBytesRead());
        if (context.mustStop())
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path, 0};
        if (offset - lastStepAt > barrenLogBytes) {
            fragment.problems.add(Severity::DataLoss, "no_steps", file.path, offset,
                                  "The log contains 4 GiB of text without a step; reading stopped there, and "
                                  "the steps before it are used.");
            break;
        }
    }
    lines.add("\n", take);
    noteDamage(**source, file.path, offset, fragment.problems);
    if (log.steps.empty())
        return Error{Error::Kind::Format, "The log contains no line \"step: N loss: X\".", file.path, 0};
    if (notFinite > 0)
        fragment.problems.add(Severity::Notice, "loss_not_finite", file.path, 0,
                              "The log states a loss of nan or inf on " + std::to_string(notFinite)
                                  + " lines: those steps have no loss here.");
    fragment.measurements.trainingLogs.push_back(std::move(log));
    return fragment;
}

} // namespace

extern const ReaderDescriptor trainingLogReader;
const ReaderDescriptor trainingLogReader{"training_log", "Training log (TorchTitan)", SourceKind::TrainingLog,
                                         sniffTrainingLog, readTrainingLog};

} // namespace collscope
