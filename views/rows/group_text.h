// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Texts for the lanes of process groups.

#include "views/rows/group_lanes.h"

#include <QString>

namespace collscope {

/// List of ranks for narrow places: "0\u20133", "0 \u00b7 2", "0 \u00b7 8 \u2026 56".
QString shortRankList(const std::vector<std::int32_t>& ranks);
/// "TP", "DP", "global"; "ranks" if the kind of parallelism is unknown.
QString parallelismTitle(ParallelismKind parallelismKind);
/// "TP 0\u20133": kind of parallelism and ranks of the lane.
QString laneTitle(const GroupLane& lane);
/// "mesh_tp, 4 ranks"
QString laneNote(const GroupLane& lane, const ProcessGroup& group);
/// All known properties of the group, as rich text.
QString laneToolTip(const GroupLane& lane, const ProcessGroup& group);
/// "AllReduce  4.19 MB"
QString collectiveTitle(const RunCollectives& run, std::uint32_t instance);
/// Size, ranks, last rank, transfer, bandwidths and match rule, as rich text.
QString collectiveToolTip(const ViewState& state, const GroupLanes& groups, std::uint32_t instance);

} // namespace collscope
