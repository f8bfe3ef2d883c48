// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/cpu_sheets.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

struct OperatorSums
{
    std::int64_t selfNs = 0, calls = 0;
};
using OperatorsByName = std::map<std::string_view, OperatorSums>;

/// Steps by start time; they do not overlap.
std::vector<TimeRange> marksOf(const RankWindows::Part& part)
{
    std::vector<TimeRange> marks;
    if (part.timeline->stepSource == StepSource::WholeTrace)
        return marks;
    for (const Step& step : part.steps)
        marks.push_back(step.range);
    std::sort(marks.begin(), marks.end(),
              [](const TimeRange& a, const TimeRange& b) { return a.beginNs < b.beginNs; });
    return marks;
}

bool beginsInAny(const std::vector<TimeRange>& marks, std::int64_t ns)
{
    const auto after
        = std::upper_bound(marks.begin(), marks.end(), ns,
                           [](std::int64_t at, const TimeRange& mark) { return at < mark.beginNs; });
    return after != marks.begin() && std::prev(after)->contains(ns);
}

/// Adds the operators of a thread. Slices nest and arrive in the order of their start times, outer slices
/// first.
void addThread(const TraceModel& model, const SliceColumns& slices, const std::vector<TimeRange>& marks,
               OperatorsByName& sums)
{
    struct Open
    {
        std::int64_t endNs = 0;
        OperatorSums* own = nullptr; ///< nullptr outside the steps
    };
    std::vector<Open> open;
    for (std::size_t row = 0; row < slices.size(); ++row) {
        if (slices.category[row] != SliceCategory::CpuOp)
            continue;
        const TimeRange range = slices.range(row);
        while (!open.empty() && open.back().endNs <= range.beginNs)
            open.pop_back();
        if (!open.empty() && open.back().own)
            open.back().own->selfNs -= range.lengthNs();
        OperatorSums* own = nullptr;
        if (beginsInAny(marks, range.beginNs)) {
            own = &sums[model.text(slices.name[row])];
            own->selfNs += range.lengthNs();
            ++own->calls;
        }
        open.push_back({range.endNs, own});
    }
}

} // namespace

std::vector<RankStepParts> markedSteps(Analysis& analysis)
{
    std::vector<RankStepParts> steps;
    for (const RankWindows& rank : analysis.allRanks().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps) {
                if (part.timeline->stepSource != StepSource::WholeTrace)
                    steps.push_back({rank.rank, step.number, step.range});
            }
        }
    }
    return steps;
}

Sheet stepTimesSheet(const std::vector<RankStepParts>& steps)
{
    using Row = RankStepParts;
    return sheetOf<Row>("Step_Times",
                        {{"rank", [](const Row& row) { return Value(row.rank); }},
                         {"step", [](const Row& row) { return Value(row.step); }},
                         {"step ms", [](const Row& row) { return Value(nsToMs(row.range.lengthNs())); }},
                         {"window", [](const Row&) { return Value("step"); }}},
                        steps);
}

std::vector<OperatorRow> operatorRows(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    if (model.isReduced())
        return {};
    OperatorsByName sums;
    double steps = 0;
    for (const RankWindows& rank : analysis.allRanks().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            const std::vector<TimeRange> marks = marksOf(part);
            steps += static_cast<double>(marks.size());
            for (const TrackId id : part.timeline->tracks) {
                if (analysis.options().cancelled())
                    return {};
                if (const Track& track = model.track(id);
                    track.kind == TrackKind::CpuThread && !marks.empty())
                    addThread(model, track.slices, marks, sums);
            }
        }
    }
    std::vector<std::pair<std::string_view, OperatorSums>> order(sums.begin(), sums.end());
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.second.selfNs > b.second.selfNs; });
    std::vector<OperatorRow> rows;
    for (const auto& [name, own] : order)
        rows.push_back({std::string(name), static_cast<double>(own.calls) / steps, nsToMs(own.selfNs) / steps,
                        nsToUs(own.selfNs) / static_cast<double>(own.calls)});
    return rows;
}

Sheet operatorsSheet(const std::vector<OperatorRow>& operators)
{
    using Row = OperatorRow;
    return sheetOf<Row>("Operators",
                        {{"name", [](const Row& row) { return Value(row.name); }},
                         {"calls per step", [](const Row& row) { return numberCell(row.calls); }},
                         {"self ms per step", [](const Row& row) { return numberCell(row.selfMs); }},
                         {"mean self us", [](const Row& row) { return Value(row.meanSelfUs); }}},
                        operators);
}

} // namespace collscope
