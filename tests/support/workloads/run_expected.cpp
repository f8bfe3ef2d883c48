// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/workloads/run_description.h"

#include <algorithm>
#include <tuple>

namespace collscope {

namespace {

/// Inner steps: without the first and the last.
std::vector<PlannedStep> innerSteps(const RunPlan& plan)
{
    return {plan.steps.begin() + 1, plan.steps.end() - 1};
}

bool communicates(const PlannedActivity& activity)
{
    return activity.collective.has_value();
}

/// Walks over every start and end in time order and counts who is running: no unions, no interval sets.
double overlapPercent(const PlannedRank& rank, const std::vector<PlannedStep>& steps)
{
    std::int64_t communication = 0;
    std::int64_t hidden = 0;
    for (const PlannedStep& step : steps) {
        std::vector<std::tuple<std::int64_t, int, int>>
            edges; // time, change of communication, change of compute
        for (const PlannedActivity& a : rank.activities) {
            const std::int64_t begin = std::max(a.startNs, step.startNs);
            const std::int64_t end = std::min(a.endNs(), step.startNs + step.durationNs);
            if (!a.isKernel() || begin >= end)
                continue;
            edges.emplace_back(begin, communicates(a) ? 1 : 0, communicates(a) ? 0 : 1);
            edges.emplace_back(end, communicates(a) ? -1 : 0, communicates(a) ? 0 : -1);
        }
        std::sort(edges.begin(), edges.end());
        int running = 0;
        int computing = 0;
        std::int64_t last = 0;
        for (const auto& [time, communicationChange, computeChange] : edges) {
            communication += running > 0 ? time - last : 0;
            hidden += running > 0 && computing > 0 ? time - last : 0;
            running += communicationChange;
            computing += computeChange;
            last = time;
        }
    }
    return communication > 0 ? 100.0 * static_cast<double>(hidden) / static_cast<double>(communication) : 0.0;
}

double callsPerStep(const PlannedRank& rank, const std::vector<PlannedStep>& steps)
{
    int calls = 0;
    for (const PlannedStep& step : steps) {
        for (const PlannedActivity& a : rank.activities)
            calls
                += communicates(a) && a.startNs >= step.startNs && a.startNs < step.startNs + step.durationNs
                ? 1
                : 0;
    }
    return static_cast<double>(calls) / static_cast<double>(steps.size());
}

ExpectedNumbers::Link linkNumbers(const RunPlan& plan, const PlannedRank& rank)
{
    ExpectedNumbers::Link expected;
    std::map<std::pair<std::uint32_t, bool>, const PlannedSample*> before;
    std::int64_t durationUs = 0;
    for (const PlannedSample& sample : rank.samples) {
        const PlannedSample*& previous = before[{sample.link, !sample.transmit}];
        if (previous) {
            const std::uint64_t bytes = (sample.kib - previous->kib) * 1024;
            const std::int64_t interval = sample.timeUs - previous->timeUs;
            const double rate = static_cast<double>(bytes) / static_cast<double>(interval) / 1000.0;
            durationUs += interval;
            (sample.transmit ? expected.txBytes : expected.rxBytes) += bytes;
            if (rate > expected.maxGBps) {
                expected.maxGBps = rate;
                expected.maxLink = sample.link;
                expected.maxBeginUs = previous->timeUs;
                expected.maxEndUs = sample.timeUs;
            }
        }
        previous = &sample;
    }
    expected.averageGBps
        = static_cast<double>(expected.txBytes + expected.rxBytes) / static_cast<double>(durationUs) / 1000.0;

    std::vector<std::tuple<std::int64_t, std::int64_t, const PlannedActivity*>>
        overlapping; // -overlap, start
    for (const PlannedActivity& a : rank.activities) {
        const std::int64_t zero = plan.description.wallClockNs;
        const std::int64_t begin = std::max(a.startNs + zero, expected.maxBeginUs * 1000);
        const std::int64_t end = std::min(a.endNs() + zero, expected.maxEndUs * 1000);
        if (a.isKernel() && begin < end)
            overlapping.emplace_back(begin - end, a.startNs, &a);
    }
    std::sort(overlapping.begin(), overlapping.end());
    for (const auto& entry : overlapping) {
        expected.peakKernels.push_back(std::get<2>(entry)->name);
        expected.peakCollectives += communicates(*std::get<2>(entry)) ? 1 : 0;
    }
    return expected;
}

} // namespace

ExpectedNumbers expectedNumbers(const RunPlan& plan)
{
    ExpectedNumbers expected;
    const std::vector<PlannedStep> steps = innerSteps(plan);
    for (const PlannedStep& step : steps)
        expected.stepSeconds
            += static_cast<double>(step.durationNs) / 1e9 / static_cast<double>(steps.size());
    for (const PlannedRank& rank : plan.ranks) {
        expected.overlapPercent[rank.rank] = overlapPercent(rank, steps);
        expected.meanOverlapPercent
            += expected.overlapPercent[rank.rank] / static_cast<double>(plan.ranks.size());
        expected.links[rank.rank] = linkNumbers(plan, rank);
    }
    expected.callsPerStep = callsPerStep(plan.ranks.front(), steps);
    return expected;
}

} // namespace collscope
