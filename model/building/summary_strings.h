// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The names in the summary of a timeline.

#include "model/timeline_summary.h"

namespace collscope {

/// Calls f on each string id, to map the ids to another table.
template<typename F>
void forEachString(PartitionSummary& partition, const F& f)
{
    for (IdleSummary& idle : partition.idle) {
        for (auto& [name, ns] : idle.names)
            f(name);
        f(idle.words.repeated);
        f(idle.words.under);
        f(idle.words.driverCall);
    }
    for (CopySummary& copies : partition.copies)
        f(copies.name);
}

template<typename F>
void forEachString(JobCalls& calls, const F& f)
{
    for (JobGroupCalls& group : calls.groups) {
        for (StringId* id : {&group.group, &group.ranks, &group.description})
            f(*id);
        for (JobCallKind& own : group.kinds)
            f(own.name);
    }
}

/// Those of the packed steps are among them.
template<typename F>
void forEachString(TimelineSummary& summary, const F& f)
{
    f(summary.thread);
    f(summary.steps.names);
    for (NameBreakdown& own : summary.whole.kernels.names)
        f(own.name);
    forEachString(summary.whole.partition, f);
    forEachString(summary.jobCalls, f);
    for (ExposedKey& key : summary.partition.exposed) {
        f(key.name);
        f(key.group);
        f(key.groupRanks);
    }
}

} // namespace collscope
