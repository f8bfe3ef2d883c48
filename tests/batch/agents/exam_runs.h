// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The runs that the exam asks about, and the truth about them: counted from what was planned, event by event,
// and never by the program.

#include "tests/support/runs/hung_example.h"
#include "tests/support/workloads/planted_run.h"
#include "tests/support/workloads/run_writer.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace collscope {

/// A planned collective with all of its calls.
struct ExamCollective
{
    std::string group, name;
    std::vector<const PlannedActivity*> calls; ///< by rank
    std::vector<int> ranks;
    std::int64_t bytes = 0;

    /// Index of the call that starts last.
    std::size_t last() const
    {
        const auto later
            = [](const PlannedActivity* a, const PlannedActivity* b) { return a->startNs < b->startNs; };
        return static_cast<std::size_t>(std::max_element(calls.begin(), calls.end(), later) - calls.begin());
    }
    std::int64_t firstBeginNs() const
    {
        std::int64_t first = calls.front()->startNs;
        for (const PlannedActivity* call : calls)
            first = std::min(first, call->startNs);
        return first;
    }
    std::int64_t skewNs() const { return calls[last()]->startNs - firstBeginNs(); }
    std::int64_t waitedNs() const
    {
        std::int64_t sum = 0;
        for (const PlannedActivity* call : calls)
            sum += call->collective->transferBeginNs - call->startNs;
        return sum;
    }
    /// The rank that came last did not wait.
    std::int64_t transferNs() const { return calls[last()]->durationNs; }
};

/// All collectives of a plan.
inline std::vector<ExamCollective> collectivesOf(const RunPlan& plan)
{
    std::map<std::pair<std::string, std::int64_t>, ExamCollective> all;
    for (const PlannedRank& rank : plan.ranks) {
        for (const PlannedActivity& activity : rank.activities) {
            if (!activity.collective)
                continue;
            const PlannedCollective& call = *activity.collective;
            ExamCollective& own = all[{call.groupName, call.sequence}];
            own.group = call.groupName;
            own.name = call.name;
            own.calls.push_back(&activity);
            own.ranks.push_back(rank.rank);
            const std::int64_t elementBytes = call.elementType == "Float" ? 4 : 2;
            own.bytes = std::max(call.inElements, call.outElements) * elementBytes;
        }
    }
    std::vector<ExamCollective> list;
    for (const auto& [key, collective] : all)
        list.push_back(collective);
    return list;
}

/// The stretches of a step in which nothing runs on the GPU of a rank.
inline std::vector<std::pair<std::int64_t, std::int64_t>> gapsOf(const PlannedRank& rank,
                                                                 const PlannedStep& step)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> spans, gaps;
    for (const PlannedActivity& activity : rank.activities)
        spans.emplace_back(activity.startNs, activity.endNs());
    std::sort(spans.begin(), spans.end());
    std::int64_t free = step.startNs;
    const std::int64_t end = step.startNs + step.durationNs;
    for (const auto& [from, to] : spans) {
        if (std::min(from, end) > free)
            gaps.emplace_back(free, std::min(from, end));
        free = std::max(free, to);
    }
    if (free < end)
        gaps.emplace_back(free, end);
    return gaps;
}

/// The folders of the exam.
class ExamRuns
{
public:
    explicit ExamRuns(const std::filesystem::path& folder)
    {
        WorkloadDescription description;
        description.steps = 5;
        description.gapNs = 1'200;
        description.stragglerRank = 1;
        description.lateNs = 200'000;
        late = planRun(description);
        description.lateNs = 0;
        even = planRun(description);
        RunFiles files;
        writeRun(late, folder / "late", files);
        writeRun(even, folder / "even", files);

        caused.ranks = 4;
        caused.cause = PlantedCause::SlowCpu;
        caused.culprit = 2;
        caused.extraUs = 600;
        caused.offsetUs[1] = 5000.125;
        std::filesystem::create_directories(folder / "caused");
        writePlanted(caused, (folder / "caused").string());

        incomplete = caused;
        incomplete.cause = PlantedCause::LateInput;
        incomplete.culprit = 1;
        incomplete.missing = {3};
        std::filesystem::create_directories(folder / "incomplete");
        writePlanted(incomplete, (folder / "incomplete").string());

        writeHungExample(folder / "hung");
    }

    RunPlan late, even;
    PlantedPlan caused, incomplete;
};

} // namespace collscope
