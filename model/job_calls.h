// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the communication calls of a timeline tell about the job that it is of: the calls that it shares with
// other ranks, counted, and the times of some of them. See model/queries/recordings.h.

#include "model/ids.h"
#include "model/kernels/kernel_class.h"
#include "model/units.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace collscope {

/// Calls of one kind on a process group.
struct JobCallKind
{
    KernelClass kind = KernelClass::OtherCommunication;
    StringId
        name; ///< "barrier"; only of OtherCommunication, whose calls have nothing else that tells them apart
    std::optional<std::int64_t>
        elements; ///< nullopt: not stated, or may differ between the ranks of the group
    std::int64_t count = 0;
};

/// Calls that have a number of their own in the group, and end on all ranks at about the same time, column by
/// column; all columns have the same length. Ascending by number. Of many calls only some.
struct NumberedJobCalls
{
    std::vector<std::int64_t> number; ///< Seq
    std::vector<std::uint32_t> kind; ///< into JobGroupCalls::kinds
    std::vector<std::int64_t> beginNs;
    std::vector<std::int64_t> durationNs;

    std::size_t size() const { return number.size(); }
    TimeRange range(std::size_t i) const { return {beginNs[i], beginNs[i] + durationNs[i]}; }
};

/// A timeline's calls on one process group that states its ranks.
struct JobGroupCalls
{
    StringId group; ///< its name; none if not stated
    StringId ranks; ///< text of its list of ranks, possibly abbreviated
    StringId description;
    TimeRange range; ///< from the first begin to the last end; empty: no times
    std::vector<JobCallKind> kinds;
    NumberedJobCalls numbered; ///< empty if the list of ranks is abbreviated
};

/// What tells the groups of a timeline apart: name and list of ranks.
using JobGroupKey = std::pair<StringId, StringId>;

/// All of a timeline. Times are those of the timeline, as its range.
struct JobCalls
{
    std::vector<JobGroupCalls> groups;
    bool hasUnlistedRanks = false; ///< a kernel's call does not state the ranks of its group
};

} // namespace collscope
