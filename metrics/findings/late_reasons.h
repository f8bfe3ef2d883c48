// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why a rank arrives later than the ranks that wait for it: what it spends more time on since they last met.

#include "metrics/findings/finding_groups.h"

namespace collscope {

struct LateReason
{
    std::string cause; ///< word for the finding; empty: unknown
    std::string text; ///< "its GPU is idle longer: ..."
    std::int64_t moreNs
        = 0; ///< than the ranks that wait, over all steps; at most their mean wait; 0: it varies
    bool isCut = false; ///< `moreNs` is cut to that wait
    double share = 0; ///< of the waits, 0 to 1
    double computeShare = 0; ///< of the waits, that more compute explains
};

/// What a late rank spends more time on than the ranks that wait for it: compared from one collective of the
/// group to the next, arrival to arrival, where all do the same part of the program, up to the last
/// collective of a step that others wait at. What a rank does after it arrived there is not a reason, and
/// neither is communication. Compute and copies are not reasons where the rank has no more of them to do
/// (then they only run beside what makes it late), where it arrives as soon as its call is launched (then
/// what the CPU did before the launch is), and between the stages of a pipeline. A part in which the rank
/// does not become later has no reasons. Waits for other ranks that this rank holds up are not judged.
/// O(calls + slices of the late rank and of up to four ranks that wait).
LateReason reasonOf(const FindingInput& input, const std::vector<SlowRank>& slow, std::int32_t late,
                    const LateGroup& group);

} // namespace collscope
