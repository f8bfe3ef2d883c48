// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the profiler itself changed about the times.

#include "metrics/core/duration_text.h"
#include "metrics/findings/finding_groups.h"
#include "metrics/partition/step_facts.h"

#include <algorithm>

namespace collscope {

namespace {

void add(const FindingInput& input, std::string title)
{
    Finding& finding = input.findings.all.emplace_back();
    finding.kind = FindingKind::ProfilerOverhead;
    finding.title = std::move(title);
    finding.count = 1;
}

} // namespace

void addProfilerOverhead(const FindingInput& input)
{
    const TraceModel& model = input.analysis.model();
    const Partition& partition = input.partition;
    const auto costs = [&](std::int64_t ns, double share) {
        return ns > 0 && static_cast<double>(ns) >= share * static_cast<double>(partition.windowNs);
    };
    const auto idleNs = [&](IdleCause cause) { return partition.idle[static_cast<std::size_t>(cause)]; };
    std::int64_t ownNs = 0;
    for (const RankShare& rank : partition.ranks)
        ownNs += overheadNs(model, rank);
    // Where GPUs wait for the profiler, that is a finding with a cost.
    if (costs(ownNs, smallShare) && !costs(idleNs(IdleCause::Profiles), smallShare))
        add(input,
            "The profiler itself works for " + percentText(ownNs, partition.windowNs)
                + " of the time (events of its category \"overhead\"): the run may be faster without it.");
    const std::int64_t boundNs = idleNs(IdleCause::CpuBound);
    const auto isSlowed = [&](const RankShare& rank) { return hasPython(model, rank); };
    if (costs(boundNs, matteringShare)
        && std::any_of(partition.ranks.begin(), partition.ranks.end(), isSlowed))
        add(input,
            "Python functions were recorded, which slows Python down: without that, GPUs may wait less for "
            "the CPU than the "
                + percentText(boundNs, partition.windowNs)
                + " found here. The files do not show by how much.");
}

} // namespace collscope
