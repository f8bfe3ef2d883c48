// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why a rank arrives later than the ranks that wait for it: what it spends more time on since they last met.

#include "metrics/findings/finding_groups.h"
#include "metrics/findings/way_spending.h"

namespace collscope {

struct LateReason
{
    std::string cause; ///< word for the finding; empty: unknown
    std::string text; ///< "its GPU is idle longer: ..."
    bool isOneOfTwo = false; ///< `cause` is, and `text` names both
    /// Than the ranks that wait, over all steps; 0: not known, or it varies.
    std::int64_t moreNs = 0;
    double share = 0; ///< of the waits, 0 to 1
    double computeShare = 0; ///< of the waits, that more compute explains
};

/// What a late rank spends more time on than the ranks that wait for it: compared from one collective of the
/// group to the next, arrival to arrival, where all do the same part of the program. A reason is what it
/// spends more time on in the steps in which others wait, and on the ways on which it becomes later: what it
/// does after others waited is not one, and neither is what the others did earlier. Communication is not a
/// reason. Where nothing is left over a step, or over all steps, the reason says that it varies.
///
/// Why its GPU is idle longer, or its CPU launches late, is what its CPU does more than theirs between the
/// launches of two collectives: what all CPUs do alike is none, even where only this GPU waits for it.
///
/// Compute and copies are not reasons where the rank has no more of them to do (then they only run beside
/// what makes it late), where its CPU launches late (then what that does and the others' do not is), and
/// between the stages of a pipeline. Waits for other ranks that this rank holds up are not judged. `ways`: of
/// the late rank, which is in the partition. O(calls of these ranks).
LateReason reasonOf(const FindingInput& input, const std::vector<SlowRank>& slow, const ComparedWays& ways,
                    const LateGroup& group);

} // namespace collscope
