// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/step_series.h"

#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <tuple>

namespace collscope {

namespace {

/// A step as one writer of one log states it.
struct StatedStep
{
    double ns = 0;
    std::int64_t clockNs = 0;
};

/// The lines of one writer in one log, in the order of the file.
struct LogWriter
{
    std::vector<const LoggedTime*> lines;
    std::size_t withDuration = 0;
};

using LogWriterKey = std::tuple<std::uint32_t, LogDialect, std::int32_t>;

std::optional<std::int64_t> lineClockOf(const LoggedTime& line)
{
    return line.clockNs ? line.clockNs : line.elapsedNs;
}

/// Steps of one writer; later attempts replace earlier ones.
std::map<std::int64_t, StatedStep> statedSteps(const LogWriter& writer, bool isDerived, StepSeries& series)
{
    std::map<std::int64_t, StatedStep> steps;
    const LoggedTime* last = nullptr;
    for (const LoggedTime* const line : writer.lines) {
        const bool goesBack = last != nullptr && line->step <= last->step;
        series.restarts += goesBack && line->step < last->step ? 1u : 0u;
        const auto own = lineClockOf(*line);
        const auto before = last == nullptr || goesBack ? std::nullopt : lineClockOf(*last);
        std::optional<double> ns;
        if (!isDerived && line->durationNs)
            ns = static_cast<double>(*line->durationNs);
        else if (isDerived && own && before && *own > *before)
            ns = static_cast<double>(*own - *before) / static_cast<double>(line->step - last->step);
        if (goesBack)
            steps.erase(steps.upper_bound(line->step), steps.end());
        if (ns)
            steps[line->step] = {*ns, line->clockNs.value_or(0)};
        last = line;
    }
    return steps;
}

} // namespace

StepSeries stepSeries(const JobHistory& history)
{
    std::map<LogWriterKey, LogWriter> writers;
    for (const LoggedTime& line : history.steps) {
        LogWriter& writer = writers[{line.source.value, line.dialect, line.writer}];
        writer.lines.push_back(&line);
        writer.withDuration += line.durationNs ? 1u : 0u;
    }
    // Of the dialects in a log, that which states durations, then that with the most lines.
    std::map<LogDialect, std::pair<std::size_t, std::size_t>> dialects;
    for (const auto& [key, writer] : writers) {
        auto& [withDuration, lines] = dialects[std::get<1>(key)];
        withDuration = std::max(withDuration, writer.withDuration);
        lines = std::max(lines, writer.lines.size());
    }
    StepSeries series;
    if (dialects.empty())
        return series;
    const auto best = std::max_element(dialects.begin(), dialects.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    series.dialect = best->first;
    series.isDerived = best->second.first == 0;
    series.clockIsUtc = true;
    std::map<std::int64_t, std::vector<StatedStep>> all;
    for (const auto& [key, writer] : writers) {
        if (std::get<1>(key) != series.dialect)
            continue;
        ++series.logs;
        for (const LoggedTime* const line : writer.lines)
            series.clockIsUtc = series.clockIsUtc && line->clockIsUtc;
        for (const auto& [step, stated] : statedSteps(writer, series.isDerived, series))
            all[step].push_back(stated);
    }
    std::vector<double> gaps;
    for (const auto& [step, stated] : all) {
        std::vector<double> values;
        for (const StatedStep& own : stated)
            values.push_back(own.ns);
        if (!series.steps.empty())
            gaps.push_back(static_cast<double>(step - series.steps.back()));
        series.steps.push_back(step);
        series.ns.push_back(medianOf(std::move(values)));
        series.clockNs.push_back(stated.front().clockNs);
    }
    if (!gaps.empty())
        series.interval = std::max<std::int64_t>(1, std::llround(medianOf(std::move(gaps))));
    return series;
}

std::optional<LogClock> logClock(const StepSeries& series, std::int64_t firstNs, std::int64_t lastNs)
{
    constexpr std::int64_t minute = 60'000'000'000;
    std::vector<std::int64_t> known;
    for (const std::int64_t clock : series.clockNs) {
        if (clock > 0)
            known.push_back(clock);
    }
    if (known.size() < 2 || known.size() * 2 < series.size())
        return std::nullopt;
    if (series.clockIsUtc)
        return LogClock{};
    const auto [first, last] = std::minmax_element(known.begin(), known.end());
    constexpr std::int64_t quarter = 15 * minute;
    LogClock best{0, true};
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t mostQuarters = 14 * 4;
    for (std::int64_t quarters = -mostQuarters; quarters <= mostQuarters; ++quarters) {
        const std::int64_t offset = quarters * quarter;
        const std::int64_t error = std::abs(*first + offset - firstNs) + std::abs(*last + offset - lastNs);
        if (error < least) {
            least = error;
            best.offsetNs = offset;
        }
    }
    constexpr std::int64_t mostError = 12 * minute;
    return least <= mostError ? std::optional(best) : std::nullopt;
}

} // namespace collscope
