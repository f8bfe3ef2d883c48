// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which timelines can be of one job. Clocks of hosts are apart by seconds or minutes; recordings that do not
// even overlap with that are of another time, and nothing in one of them waits for anything in the other.

#include "model/trace_model.h"

namespace collscope {

/// Clocks that are further apart than this are not explained by clocks alone.
constexpr std::int64_t farApartNs = 5LL * 60 * 1'000'000'000;

/// Sets Timeline::recording, from 0 on in the order of time, and Timeline::apart. Timelines of one source
/// kind and profiler iteration are compared: those with a wall clock whose times lie more than farApartNs
/// apart are of different recordings, and so are those whose files say different world sizes, ranks beyond
/// the world size, those whose ranks are not members of the groups that they call (member_evidence.h), and
/// those whose work or its times cannot be of one job (job_evidence.h, end_evidence.h). A copy of another
/// rank (rank_copies.h) is alone in its recording: nothing in it waits for anything. O(events).
void findRecordings(TraceModel& model);

/// Timeline::recording of each timeline.
std::vector<std::int32_t> recordingsOf(const TraceModel& model);

/// One of several recordings of a run.
struct Recording
{
    std::vector<std::int32_t> ranks; ///< ascending
    TimeRange range; ///< on the axis
    bool hasWallClock = false;
    std::int32_t worldSize = 0; ///< 0: its files do not say
    JobEvidence apart = JobEvidence::None; ///< from the first recording
};
/// The recordings of a kind of source and an iteration of which there are several, in the order of time,
/// without copies of ranks; empty if there are none.
std::vector<Recording> severalRecordings(const TraceModel& model);
/// Why there are no numbers over all of these: a few sentences.
std::string recordingsText(const TraceModel& model, const std::vector<Recording>& recordings);

} // namespace collscope
