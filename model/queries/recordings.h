// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which timelines can belong to one job. Clocks of hosts differ by seconds or minutes. Recordings that do not
// overlap even with this tolerance are from different times, and nothing in one of them waits for anything in
// the other.

#include "model/trace_model.h"

namespace collscope {

/// Clocks alone do not explain larger differences than this.
constexpr std::int64_t farApartNs = 5LL * 60 * 1'000'000'000;

/// Sets Timeline::recording, from 0 on in the order of time, and Timeline::apart. Timelines of the same
/// source kind and profiler iteration are compared. Separate recordings are: timelines with a wall clock
/// whose times are more than farApartNs apart, timelines whose files state different world sizes, ranks
/// beyond the world size, timelines whose ranks are not members of the groups that they call
/// (member_evidence.h), and timelines whose work, or its times, cannot belong to one job (job_evidence.h,
/// end_evidence.h). A copy of another rank (rank_copies.h) is a recording by itself, because nothing in it
/// waits for anything. Takes TimelineSummary::jobCalls, which nobody else needs. O(events).
void findRecordings(TraceModel& model);

/// Timeline::recording of each timeline.
std::vector<std::int32_t> recordingsOf(const TraceModel& model);

/// One of several recordings of a run.
struct Recording
{
    std::vector<std::int32_t> ranks; ///< ascending
    TimeRange range; ///< on the axis
    bool hasWallClock = false;
    std::int32_t worldSize = 0; ///< 0: its files do not state it
    JobEvidence apart = JobEvidence::None; ///< evidence against the first recording
};
/// The recordings of a source kind and iteration that has several, in the order of time, without copies of
/// ranks; empty if there is only one.
std::vector<Recording> severalRecordings(const TraceModel& model);
/// Explains in a few sentences why values over all of these recordings are unavailable.
std::string recordingsText(const TraceModel& model, const std::vector<Recording>& recordings);

} // namespace collscope
