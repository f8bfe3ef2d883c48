// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// From which moment ranks can be compared: when they left a collective that waits for everybody, they left it
// at the same moment, whatever their clocks say.

#include "metrics/analysis.h"

namespace collscope {

/// A collective that a rank left together with (at least half of) its peers, and those peers.
struct LeftTogether
{
    std::optional<std::uint32_t> instance; ///< into Analysis::run().matching.instances; nullopt: none
    std::vector<CallRef> peers; ///< their calls of the collective that is explained
    std::vector<CallRef> before; ///< their calls, and last the late rank's, of the one they left
};
/// The last one that the late rank left by `beforeNs` of its own time. `late` and `peers` (by rank): calls of
/// the collective that is explained. O(members of the calls looked at, at most 4096 of them).
LeftTogether findLeftTogether(Analysis& analysis, CallRef late, const std::vector<CallRef>& peers,
                              std::int64_t beforeNs);

/// Where the step begins that a call begins in, else the file; in the timeline's own time.
std::int64_t stepBeginNs(const Call& call);

} // namespace collscope
