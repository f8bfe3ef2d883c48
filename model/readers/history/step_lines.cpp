// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The writers: training_log() of NVIDIA/Megatron-LM (megatron/training/training.py); the progress printer and
// bars of NVIDIA/NeMo (train_step_timing); ThroughputTimer of DeepSpeed (deepspeed/utils/timer.py);
// Trainer.log() and tqdm bars of huggingface/transformers (src/transformers/trainer_callback.py); the console
// logger of verl (verl/utils/logger/aggregate_logger.py).

#include "model/readers/history/step_lines.h"

#include "model/text/lower_case.h"
#include "model/text/printable_text.h"
#include "model/text/trimmed.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>

namespace collscope {

namespace {

constexpr std::int64_t largestLoggedStep = 1'000'000'000'000;
constexpr double longestStepSeconds = 1e7; // four months

/// One way of writing a step. A key counts where it is not the end of a longer name.
struct DialectRow
{
    LogDialect dialect = LogDialect::Megatron;
    std::string_view marker; ///< a line without it is of another dialect
    std::string_view stepKeys[2]; ///< the number follows, after blanks
    std::string_view timeKeys[2]; ///< none: only the time at which the line was written
    double secondsPerUnit = 1;
};

constexpr DialectRow stepDialects[] = {
    {LogDialect::Megatron,
     "elapsed time per iteration (ms):",
     {"iteration", {}},
     {"elapsed time per iteration (ms):", {}},
     1e-3},
    {LogDialect::Nemo,
     "train_step_timing in s",
     {"global_step:", "global_step="},
     {"train_step_timing in s:", "train_step_timing in s="}},
    {LogDialect::Verl, "timing_s/step:", {"training/global_step:", "step:"}, {"timing_s/step:", {}}},
    {LogDialect::Verl,
     "perf/time_per_step:",
     {"training/global_step:", "step:"},
     {"perf/time_per_step:", {}}},
    {LogDialect::DeepSpeed, "RunningAvgSamplesPerSec=", {"/global_step=", {}}, {}},
};

bool isKeyCharacter(char c)
{
    return isDigit(c) || c == '_' || c == '/' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The text after the key, without blanks at its front; empty if the line does not have the key as a name of
/// its own.
std::string_view textAfter(std::string_view line, std::string_view key)
{
    if (key.empty())
        return {};
    for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
        if (at > 0 && key.front() != '/' && isKeyCharacter(line[at - 1]))
            continue;
        const std::size_t value = line.find_first_not_of(" \t", at + key.size());
        if (value != std::string_view::npos)
            return line.substr(value);
    }
    return {};
}

std::optional<double> statedNumber(std::string_view text)
{
    for (const std::string_view wrapper : {"np.float64(", "np.float32(", "np.int32(", "np.int64("}) {
        if (text.starts_with(wrapper))
            text.remove_prefix(wrapper.size());
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> statedStep(std::string_view text)
{
    const auto value = statedNumber(text);
    const bool isStep = value && *value >= 0 && *value <= static_cast<double>(largestLoggedStep)
        && *value == std::floor(*value);
    return isStep ? std::optional(static_cast<std::int64_t>(*value)) : std::nullopt;
}

/// "3: ..." of `srun --label`: the task that wrote the line.
std::optional<std::int32_t> writingTask(std::string_view line)
{
    constexpr std::size_t mostDigits = 6;
    line = trimmed(line.substr(0, std::min<std::size_t>(line.size(), 16)));
    const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
    if (digits == 0 || digits > mostDigits || !line.substr(digits).starts_with(": "))
        return std::nullopt;
    std::int32_t task = 0;
    std::from_chars(line.data(), line.data() + digits, task);
    return task;
}

std::int32_t writingRank(std::string_view line)
{
    constexpr std::int32_t largest = 1'000'000;
    if (const auto task = writingTask(line))
        return *task;
    for (const std::string_view prefix : {"[rank", "[Rank "}) {
        const std::size_t at = line.find(prefix);
        if (at == std::string_view::npos)
            continue;
        std::int32_t rank = -1;
        const char* const last = line.data() + line.size();
        const auto [end, error] = std::from_chars(line.data() + at + prefix.size(), last, rank);
        if (error == std::errc() && end != last && *end == ']' && rank >= 0 && rank <= largest)
            return rank;
    }
    return -1;
}

/// A number of exactly this many digits.
std::optional<int> digitsAt(std::string_view text, std::size_t at, std::size_t count)
{
    if (at + count > text.size())
        return std::nullopt;
    int value = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        if (!isDigit(text[i]))
            return std::nullopt;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/// Seconds of "01:25" or "1:01:25", as tqdm writes the duration before "<", at the front of a text.
std::optional<std::int64_t> barSeconds(std::string_view text)
{
    std::int64_t total = 0;
    std::size_t at = 0, parts = 0;
    while (parts < 3) {
        std::int64_t part = 0;
        const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), part);
        constexpr std::int64_t most = 100'000;
        if (error != std::errc() || part < 0 || part > most)
            return std::nullopt;
        total = total * 60 + part;
        ++parts;
        at = static_cast<std::size_t>(end - text.data());
        if (at >= text.size() || text[at] != ':')
            break;
        ++at;
    }
    return parts >= 2 && at < text.size() && text[at] == '<' ? std::optional(total) : std::nullopt;
}

void setClock(LoggedTime& step, std::string_view line)
{
    if (const auto clock = lineClock(line)) {
        step.clockNs = clock->ns;
        step.clockIsUtc = clock->isUtc;
    }
}

/// The older form of DeepSpeed: "[timer.py:198:stop] 0/20, RunningAvgSamplesPerSec=".
std::optional<std::int64_t> oldDeepSpeedStep(std::string_view line)
{
    const std::size_t marker = line.find(", RunningAvgSamplesPerSec=");
    const std::size_t slash = line.rfind('/', marker);
    return marker == std::string_view::npos || slash == std::string_view::npos
        ? std::nullopt
        : statedStep(line.substr(slash + 1, marker - slash - 1));
}

} // namespace

std::optional<LineClock> lineClock(std::string_view line)
{
    constexpr std::size_t front = 160; // of a line, where loggers write the time
    const std::size_t last = std::min(line.size(), front);
    for (std::size_t at = 0; at + 19 <= last; ++at) {
        if (line[at] != '2' || (at > 0 && isDigit(line[at - 1])) || line[at + 4] != '-' || line[at + 7] != '-'
            || (line[at + 10] != ' ' && line[at + 10] != 'T') || line[at + 13] != ':' || line[at + 16] != ':')
            continue;
        const auto year = digitsAt(line, at, 4), month = digitsAt(line, at + 5, 2),
                   day = digitsAt(line, at + 8, 2);
        const auto hour = digitsAt(line, at + 11, 2), minute = digitsAt(line, at + 14, 2);
        const auto second = digitsAt(line, at + 17, 2);
        if (!year || !month || !day || !hour || !minute || !second || *hour > 23 || *minute > 59
            || *second > 60)
            continue;
        const std::chrono::year_month_day date{std::chrono::year{*year},
                                               std::chrono::month{static_cast<unsigned>(*month)},
                                               std::chrono::day{static_cast<unsigned>(*day)}};
        if (!date.ok() || *year < 2001 || *year > 2095)
            continue;
        const std::int64_t days = std::chrono::sys_days{date}.time_since_epoch().count();
        LineClock clock;
        clock.ns = ((days * 24 + *hour) * 3600 + *minute * 60 + *second) * 1'000'000'000;
        std::size_t end = at + 19;
        if (end < line.size() && (line[end] == ',' || line[end] == '.')) {
            std::int64_t unit = 100'000'000;
            for (++end; end < line.size() && isDigit(line[end]); ++end) {
                clock.ns += unit * (line[end] - '0');
                unit /= 10;
            }
        }
        if (end < line.size() && line[end] == 'Z')
            clock.isUtc = true;
        const bool isSigned = end < line.size() && (line[end] == '+' || line[end] == '-');
        const auto zoneHour = isSigned ? digitsAt(line, end + 1, 2) : std::nullopt;
        const bool hasColon = zoneHour && end + 3 < line.size() && line[end + 3] == ':';
        const auto zoneMinute = zoneHour ? digitsAt(line, end + (hasColon ? 4 : 3), 2) : std::nullopt;
        if (zoneHour && zoneMinute && *zoneHour <= 14 && *zoneMinute < 60) {
            const std::int64_t zone = (*zoneHour * 60 + *zoneMinute) * std::int64_t{60'000'000'000};
            clock.ns -= line[end] == '+' ? zone : -zone;
            clock.isUtc = true;
        }
        return clock;
    }
    return std::nullopt;
}

void StepLines::keep(LoggedTime step)
{
    if (!step.durationNs && !step.clockNs && !step.elapsedNs)
        ++m_timeless;
    else if (m_steps.size() < m_most)
        m_steps.push_back(step);
    else
        ++m_leftOut;
}

/// The bar of the training among those that moved since the last figures: generating and evaluating have bars
/// of their own, but only that of the training goes on from figures to figures. `end()`: cannot be told.
StepLines::Bars::iterator StepLines::trainingBar()
{
    const auto rises = [](const Bars::value_type& own) {
        return own.second.isNew && own.second.stepBefore && own.second.last.step > *own.second.stepBefore;
    };
    const auto rising = std::find_if(m_bars.begin(), m_bars.end(), rises);
    if (rising != m_bars.end() && std::find_if(std::next(rising), m_bars.end(), rises) == m_bars.end()) {
        m_trainingTotal = rising->first;
        return rising;
    }
    const auto isNew = [](const Bars::value_type& own) { return own.second.isNew; };
    if (m_trainingTotal) {
        const auto own = m_bars.find(*m_trainingTotal);
        return own != m_bars.end() && isNew(*own) ? own : m_bars.end();
    }
    if (std::count_if(m_bars.begin(), m_bars.end(), isNew) == 1)
        return std::find_if(m_bars.begin(), m_bars.end(), isNew);
    // At the first figures, what was loaded before the training is complete.
    const auto goesOn
        = [isNew](const Bars::value_type& own) { return isNew(own) && own.second.last.step < own.first; };
    return std::count_if(m_bars.begin(), m_bars.end(), goesOn) == 1
        ? std::find_if(m_bars.begin(), m_bars.end(), goesOn)
        : m_bars.end();
}

/// "{'loss': 0.87, ... 'epoch': 0.08}" states neither step nor time. A progress bar before it does.
bool StepLines::takeTrainerFigures(std::string_view line)
{
    if (line.find("{'loss':") == std::string_view::npos || line.find("'epoch':") == std::string_view::npos)
        return false;
    if (const auto bar = trainingBar(); bar != m_bars.end()) {
        LoggedTime step = bar->second.last;
        setClock(step, line);
        step.writer = writingRank(line);
        keep(step);
    } else {
        ++m_timeless;
    }
    std::erase_if(m_bars, [](const Bars::value_type& own) { return !own.second.isNew; });
    for (auto& [total, bar] : m_bars) {
        bar.stepBefore = bar.last.step;
        bar.isNew = false;
    }
    return true;
}

/// " 50%|███ | 100/200 [01:25<01:24,  1.19it/s]".
void StepLines::takeProgressBar(std::string_view line)
{
    constexpr std::size_t mostBars = 64; // between two lines with figures
    const std::size_t bracket = line.rfind(" [");
    const std::size_t front = bracket == std::string_view::npos ? bracket : line.rfind('|', bracket);
    if (front == std::string_view::npos)
        return;
    const auto seconds = barSeconds(line.substr(bracket + 2));
    const std::string_view figures = trimmed(line.substr(front + 1, bracket - front - 1));
    const std::size_t slash = figures.find('/');
    if (!seconds || slash == std::string_view::npos)
        return;
    const auto step = statedStep(figures), total = statedStep(figures.substr(slash + 1));
    if (!step || !total || (m_bars.size() >= mostBars && m_bars.count(*total) == 0))
        return;
    Bar& bar = m_bars[*total];
    bar.isNew = true;
    bar.last.step = *step;
    bar.last.elapsedNs = *seconds * 1'000'000'000;
    bar.last.dialect = LogDialect::HuggingFace;
}

void StepLines::take(std::string_view raw)
{
    const std::string coloured
        = raw.find('\x1b') == std::string_view::npos ? std::string() : withoutTerminalColours(raw);
    const std::string_view line = coloured.empty() ? raw : std::string_view(coloured);
    for (const DialectRow& row : stepDialects) {
        if (line.find(row.marker) == std::string_view::npos)
            continue;
        LoggedTime step;
        step.dialect = row.dialect;
        std::optional<std::int64_t> number;
        for (const std::string_view key : row.stepKeys)
            number = number ? number : statedStep(textAfter(line, key));
        if (!number && row.dialect == LogDialect::DeepSpeed)
            number = oldDeepSpeedStep(line);
        std::optional<double> value;
        for (const std::string_view key : row.timeKeys)
            value = value ? value : statedNumber(textAfter(line, key));
        const double seconds = value.value_or(0) * row.secondsPerUnit;
        if (!number)
            continue;
        if (value && (seconds <= 0 || seconds > longestStepSeconds)) {
            ++m_impossible;
            return;
        }
        step.step = *number;
        if (value)
            step.durationNs = std::llround(seconds * 1e9);
        setClock(step, line);
        step.writer = writingRank(line);
        keep(step);
        return;
    }
    if (!takeTrainerFigures(line))
        takeProgressBar(line);
}

void StepLines::takeTorchTitan(const LoggedStep& step, std::string_view raw)
{
    const std::string line = withoutTerminalColours(raw);
    LoggedTime own;
    own.step = step.step;
    own.writer = writingTask(line).value_or(step.writer);
    own.dialect = LogDialect::TorchTitan;
    setClock(own, line);
    if (own.clockNs && own.step <= largestLoggedStep)
        keep(own);
}

bool holdsStepLines(std::string_view text)
{
    constexpr std::size_t longestLine = 65536;
    StepLines steps;
    for (std::size_t begin = 0; begin < text.size() && steps.count() == 0;) {
        const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
        if (end - begin <= longestLine)
            steps.take(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return steps.count() > 0;
}

} // namespace collscope
