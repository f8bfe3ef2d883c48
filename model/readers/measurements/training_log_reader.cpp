// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads logs of TorchTitan: "step: 10  loss: 4.63  grad_norm: 1.2  memory: 37.12GiB(46.93%)  tps: 1,234 mfu:
// 3.4%", with or without colours, among any other lines.

#include "model/readers/measurements/log_file.h"
#include "model/text/lower_case.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace collscope {

namespace {

constexpr std::string_view stepKey = "step:";

bool isNameCharacter(char c)
{
    return isDigit(c) || c == '_' || c == '.' || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
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

} // namespace

std::optional<LoggedStep> loggedStep(std::string_view raw)
{
    if (raw.find(stepKey) == std::string_view::npos)
        return std::nullopt;
    const std::string line = withoutTerminalColours(raw);
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

namespace {

Sniff sniffTrainingLog(std::string_view fileName, std::string_view head)
{
    const bool named = fileName.ends_with(".log") || fileName.ends_with(".out") || fileName.ends_with(".err");
    if (!named || head.find(stepKey) == std::string_view::npos)
        return Sniff::No;
    bool found = false;
    LogLines lines;
    const auto take = [&](std::string_view line) { found = found || loggedStep(line).has_value(); };
    lines.add(head, take);
    lines.add("\n", take);
    return found ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readTrainingLog(const SourceFile& file, const ReadContext& context)
{
    return readLog(file, context, SourceKind::TrainingLog);
}

} // namespace

extern const ReaderDescriptor trainingLogReader;
const ReaderDescriptor trainingLogReader{"training_log", "Training log (TorchTitan)", SourceKind::TrainingLog,
                                         sniffTrainingLog, readTrainingLog};

} // namespace collscope
