// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a reader of the findings has to know about the steps and ranks that are counted.

#include "metrics/analysis/gpu_ranks.h"
#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/findings/finding_groups.h"
#include "metrics/partition/step_facts.h"
#include "model/text/rank_ranges.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace {

/// By timeline of the rank: from the begin of its first counted step to the end of the last one.
std::vector<TimeRange> spansOf(const RankShare& rank)
{
    std::vector<TimeRange> spans(rank.timelines.size());
    for (const StepShare& step : rank.steps) {
        TimeRange& span = spans[step.part];
        span = span.isEmpty() ? step.step.range : span.united(step.step.range);
    }
    return spans;
}

/// Says where the GPU does less in the steps than is launched in them: these are steps of the CPU.
void addRunsAhead(const FindingInput& input)
{
    const TraceModel& model = input.analysis.model();
    std::int64_t allNs = 0;
    std::int64_t moreNs = 0;
    std::size_t timelines = 0;
    for (const RankShare& rank : input.partition.ranks) {
        const std::vector<TimeRange> spans = spansOf(rank);
        for (std::size_t part = 0; part < spans.size(); ++part) {
            allNs += spans[part].lengthNs();
            moreNs += fallsBehindNs(model, rank, part, spans[part]);
            ++timelines;
        }
    }
    constexpr std::int64_t few = 20; // 5 %
    if (timelines > 0 && allNs > 0 && few * moreNs > allNs)
        input.findings.warnings.push_back(
            "The CPU runs ahead of the GPU, which is "
            + timeText(moreNs / static_cast<std::int64_t>(timelines)) + " (" + percentText(moreNs, allNs)
            + " of the steps) further behind at the end of the counted steps than at their begin. "
              "The steps are those that the CPU marks; the GPU takes longer for them.");
}

} // namespace

bool addShiftedSteps(const FindingInput& input)
{
    const TraceModel& model = input.analysis.model();
    const RunCollectives& run = input.analysis.run();
    std::int64_t all = 0;
    std::int64_t shifted = 0;
    for (const CollectiveInstance& instance : run.matching.instances) {
        std::set<std::int64_t> numbers; // of counted steps
        std::int64_t inSteps = 0;
        std::int64_t launched = 0; // by known launches
        for (const CallRef member : run.matching.membersOf(instance)) {
            const Call& call = run.callOf(member);
            const RankShare* const rank = input.partition.shareOf(run.ranks[member.rank].rank);
            const std::uint32_t correlation
                = model.track(call.slice.track).slices.correlation[call.slice.row];
            const SliceRef launch = correlation != 0 ? call.timeline->launchOf(correlation) : SliceRef();
            if (!rank || !launch)
                continue;
            ++launched;
            const StepShare* const step = rank->stepAt(*call.timeline, model.rangeOf(launch).beginNs);
            if (!step)
                continue;
            numbers.insert(step->step.number);
            ++inSteps;
        }
        all += launched > 1 && inSteps > 0 ? 1 : 0;
        shifted += launched > 1 && (numbers.size() > 1 || (inSteps > 0 && inSteps < launched)) ? 1 : 0;
    }
    const bool areShifted = 2 * shifted > all;
    if (areShifted)
        input.findings.warnings.push_back(
            "In " + std::to_string(shifted) + " of " + countText(all, "collective")
            + " the ranks are in steps of different numbers, or only some of them are in counted steps: "
              "steps of one number are not the same steps, means over ranks mix them, and the kernels of "
              "ranks are not compared.");
    return !areShifted;
}

void addWarnings(const FindingInput& input)
{
    Findings& findings = input.findings;
    std::int64_t spanNs = 0;
    std::vector<std::int32_t> severalGpus;
    for (const RankShare& rank : input.partition.ranks) {
        for (const TimeRange span : spansOf(rank))
            spanNs += span.lengthNs();
        if (std::any_of(rank.timelines.begin(), rank.timelines.end(), [&](const Timeline* timeline) {
                return hasSeveralGpus(input.analysis.model(), *timeline);
            }))
            severalGpus.push_back(rank.rank);
    }
    if (findings.isPerStep && spanNs > 0)
        findings.coverage = static_cast<double>(input.partition.windowNs) / static_cast<double>(spanNs);
    if (findings.coverage < completeCoverage)
        findings.warnings.push_back(
            "The steps cover " + percentText(input.partition.windowNs, spanNs)
            + " of the time from the first to the last one. What happens between them "
              "is not counted.");
    findings.joinsGpus = !severalGpus.empty();
    if (findings.joinsGpus)
        findings.warnings.push_back("The trace of " + rankRangesText(severalGpus)
                                    + " contains work of several GPUs: it is measured as one GPU.");
    if (findings.isPerStep)
        addRunsAhead(input);
}

} // namespace collscope
