// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What the lanes of process groups say in words.

#include "views/timeline/group_lanes.h"

#include <QString>

namespace collscope {

/// Ranks for a narrow place: "0\u20133", "0 \u00b7 2", "0 \u00b7 8 \u2026 56".
QString shortRankList(const std::vector<std::int32_t>& ranks);
/// "TP", "DP", "global"; "ranks" where the purpose is unknown.
QString parallelismTitle(ParallelismKind parallelismKind);
/// "TP 0\u20133", of what the lane's ranks communicate for.
QString laneTitle(const GroupLane& lane);
/// "mesh_tp, 4 ranks"
QString laneNote(const GroupLane& lane, const ProcessGroup& group);
/// Everything that is known of the group, as rich text.
QString laneToolTip(const GroupLane& lane, const ProcessGroup& group);
/// "AllReduce  4.19 MB"
QString collectiveTitle(const RunCollectives& run, std::uint32_t instance);
/// Size, ranks, who was last, transfer, bandwidths and how it was matched, as rich text.
QString collectiveToolTip(const ViewState& state, const GroupLanes& groups, std::uint32_t instance);

} // namespace collscope
