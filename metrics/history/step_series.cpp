// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/step_series.h"

#include "metrics/core/statistics.h"
#include "metrics/history/step_attempts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

namespace collscope {

namespace {

/// The lines of one writer in one log, in the order of the file.
struct LogWriter
{
    std::vector<const LoggedTime*> lines;
    std::size_t withDuration = 0;
};

using LogWriterKey = std::tuple<std::uint32_t, LogDialect, std::int32_t>;
using WrittenLogs = std::map<LogWriterKey, LogWriter>;

/// The least difference that shows that two logs do not tell of the same steps.
constexpr double otherJobShare = 0.03;

/// What one or more files say of steps.
struct LogFile
{
    std::map<std::int64_t, std::vector<StatedStep>> steps;
    std::int64_t firstNs = 0, lastNs = 0; ///< of the clocks; 0: not stated

    void addTimes(std::int64_t first, std::int64_t last)
    {
        firstNs = firstNs == 0 ? first : std::min(firstNs, first);
        lastNs = std::max(lastNs, last);
    }
};

double medianOfStep(const std::vector<StatedStep>& stated)
{
    std::vector<double> values;
    values.reserve(stated.size());
    for (const StatedStep& own : stated)
        values.push_back(own.ns);
    return medianOf(std::move(values));
}

/// Notes steps that the series does not have.
void noteOther(const std::vector<std::pair<std::int64_t, double>>& dropped, bool isEarlier,
               std::vector<OtherSteps>& others)
{
    if (dropped.empty())
        return;
    std::vector<double> values;
    for (const auto& [step, ns] : dropped)
        values.push_back(ns);
    others.push_back({dropped.front().first, dropped.back().first, dropped.size(),
                      medianOf(std::move(values)), isEarlier});
}

/// Puts the steps of a later attempt in the place of those from its first step on.
template<typename Steps>
void replaceFrom(Steps& steps, const Steps& later, std::vector<OtherSteps>& others)
{
    if (later.empty())
        return;
    const auto from = steps.lower_bound(later.begin()->first);
    std::vector<std::pair<std::int64_t, double>> dropped;
    for (auto own = from; own != steps.end(); ++own) {
        if constexpr (std::is_same_v<Steps, StatedSteps>)
            dropped.emplace_back(own->first, own->second.ns);
        else
            dropped.emplace_back(own->first, medianOfStep(own->second));
    }
    noteOther(dropped, true, others);
    steps.erase(from, steps.end());
    steps.insert(later.begin(), later.end());
}

/// Whether two logs tell of the same steps: those that both have mostly take as long.
bool logsAgree(const LogFile& a, const LogFile& b)
{
    std::vector<double> differences;
    for (const auto& own : a.steps) {
        const auto other = b.steps.find(own.first);
        if (other == b.steps.end())
            continue;
        const double x = medianOfStep(own.second), y = medianOfStep(other->second);
        differences.push_back(std::abs(x - y) / std::min(x, y));
    }
    return differences.empty() || medianOf(std::move(differences)) <= otherJobShare;
}

/// One file after the other: attempts of one job, ranks that say the same, or other jobs.
void joinFile(LogFile& all, LogFile&& file, StepSeries& series)
{
    const bool isLater = all.lastNs > 0 && file.firstNs >= all.lastNs;
    if (isLater) {
        if (!all.steps.empty() && !file.steps.empty()
            && file.steps.begin()->first <= all.steps.rbegin()->first)
            ++series.restarts;
        replaceFrom(all.steps, file.steps, series.others);
    } else if (logsAgree(all, file)) {
        for (auto& own : file.steps) {
            std::vector<StatedStep>& stated = all.steps[own.first];
            stated.insert(stated.end(), own.second.begin(), own.second.end());
        }
    } else {
        if (file.steps.size() > all.steps.size())
            std::swap(all, file);
        std::vector<std::pair<std::int64_t, double>> dropped;
        for (const auto& own : file.steps)
            dropped.emplace_back(own.first, medianOfStep(own.second));
        noteOther(dropped, false, series.others);
        return;
    }
    if (file.firstNs > 0)
        all.addTimes(file.firstNs, file.lastNs);
}

/// The last attempt of a writer at each step.
StatedSteps lastAttempts(const LogWriter& writer, StepSeries& series, std::size_t& restarts,
                         std::vector<OtherSteps>& others)
{
    StatedSteps steps;
    const std::vector<StatedSteps> attempts = stepAttempts(writer.lines, series.isDerived);
    restarts = std::max(restarts, attempts.size() - 1);
    for (const StatedSteps& attempt : attempts)
        replaceFrom(steps, attempt, others);
    for (const LoggedTime* const line : writer.lines) {
        series.clockIsUtc = series.clockIsUtc && line->clockIsUtc;
        series.isJoined = series.isJoined || (series.isDerived && !line->clockNs && line->elapsedNs);
    }
    return steps;
}

/// The files of the dialect, in the order of their times, as far as they state them.
std::vector<LogFile> logFilesOf(const WrittenLogs& writers, StepSeries& series)
{
    std::map<std::uint32_t, LogFile> files;
    std::map<std::uint32_t, std::size_t> restarts;
    for (const auto& [key, writer] : writers) {
        const std::uint32_t source = std::get<0>(key);
        if (std::get<1>(key) != series.dialect) {
            series.unusedLines += writer.lines.size();
            series.unusedDialect = std::get<1>(key);
            continue;
        }
        // Ranks of one log restart together: the first one tells of the earlier attempts.
        std::vector<OtherSteps> ignored;
        const bool isFirst = files.count(source) == 0;
        LogFile& file = files[source];
        for (const auto& own :
             lastAttempts(writer, series, restarts[source], isFirst ? series.others : ignored))
            file.steps[own.first].push_back(own.second);
        for (const LoggedTime* const line : writer.lines) {
            if (line->clockNs)
                file.addTimes(*line->clockNs, *line->clockNs);
        }
    }
    std::vector<LogFile> all;
    for (auto& own : files) {
        series.restarts += restarts[own.first];
        all.push_back(std::move(own.second));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const LogFile& a, const LogFile& b) { return a.firstNs < b.firstNs; });
    series.logs = all.size();
    return all;
}

/// Of the dialects in a log, that which states durations, then that with the most lines.
void chooseDialect(const WrittenLogs& writers, StepSeries& series)
{
    std::map<LogDialect, std::pair<std::size_t, std::size_t>> dialects;
    for (const auto& [key, writer] : writers) {
        auto& [withDuration, lines] = dialects[std::get<1>(key)];
        withDuration = std::max(withDuration, writer.withDuration);
        lines = std::max(lines, writer.lines.size());
    }
    const auto best = std::max_element(dialects.begin(), dialects.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    series.dialect = best->first;
    series.isDerived = best->second.first == 0;
}

} // namespace

StepSeries stepSeries(const JobHistory& history)
{
    WrittenLogs writers;
    for (const LoggedTime& line : history.steps) {
        LogWriter& writer = writers[{line.source.value, line.dialect, line.writer}];
        writer.lines.push_back(&line);
        writer.withDuration += line.durationNs ? 1u : 0u;
    }
    StepSeries series;
    if (writers.empty())
        return series;
    chooseDialect(writers, series);
    series.clockIsUtc = true;
    std::vector<LogFile> files = logFilesOf(writers, series);
    LogFile all = std::move(files.front());
    for (std::size_t i = 1; i < files.size(); ++i)
        joinFile(all, std::move(files[i]), series);
    std::vector<double> gaps;
    for (const auto& [step, stated] : all.steps) {
        if (!series.steps.empty())
            gaps.push_back(static_cast<double>(step - series.steps.back()));
        series.steps.push_back(step);
        series.ns.push_back(medianOfStep(stated));
        series.clockNs.push_back(stated.front().clockNs);
    }
    if (!gaps.empty()) {
        series.leastInterval = std::llround(*std::min_element(gaps.begin(), gaps.end()));
        series.mostInterval = std::llround(*std::max_element(gaps.begin(), gaps.end()));
        series.interval = std::max<std::int64_t>(1, std::llround(medianOf(std::move(gaps))));
    }
    return series;
}

bool statesClocks(const StepSeries& series)
{
    const auto known = static_cast<std::size_t>(std::count_if(series.clockNs.begin(), series.clockNs.end(),
                                                              [](std::int64_t clock) { return clock > 0; }));
    return known >= 2 && known * 2 >= series.size();
}

std::optional<LogClock> logClock(const StepSeries& series, std::int64_t firstNs, std::int64_t lastNs)
{
    constexpr std::int64_t minute = 60'000'000'000;
    std::vector<std::int64_t> known;
    for (const std::int64_t clock : series.clockNs) {
        if (clock > 0)
            known.push_back(clock);
    }
    if (!statesClocks(series))
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
