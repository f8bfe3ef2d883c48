// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The moment from which ranks can be compared: they end a collective in which all ranks wait for all at the
// same moment, whatever their clocks show.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// A collective that a rank ended together with (preferably at least half of) its peers, and these peers.
struct LeftTogether
{
    std::optional<std::uint32_t> instance; ///< into Analysis::run().matching.instances; nullopt: none
    std::vector<CallRef> peers; ///< their calls of the explained collective
    std::vector<CallRef>
        before; ///< calls of the collective that they ended: the peers', then the late rank's
};
/// Finds the last collective that the late rank ended by `beforeNs` of its own time together with peers.
/// `late` and `peers` (sorted by rank): calls of the explained collective. O(members of the calls examined,
/// at most 4096 calls).
LeftTogether findLeftTogether(Analysis& analysis, CallRef late, const std::vector<CallRef>& peers,
                              std::int64_t beforeNs);

/// Start of the step in which a call starts, else of the file; in the timeline's own time.
std::int64_t stepBeginNs(const Call& call);

} // namespace collscope
