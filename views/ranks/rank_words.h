// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words of the list of ranks: names of its groupings, and those that the user types to filter it.

#include "metrics/calls/rank_mesh.h"
#include "model/trace_model.h"

#include <QString>

#include <vector>

namespace collscope {

/// What is known about a rank, as a tool tip: node, GPUs, files and its place in the mesh.
QString rankFacts(const TraceModel& model, const RankMesh& mesh, const RankPlace& place,
                  const std::vector<const Timeline*>& timelines);
QString groupingName(MeshDimension dimension);
/// Whether a filter word matches a rank: "12" is rank 12, "8-15" a range, anything else part of the text.
bool rankMatches(const QString& word, int rank, const QString& text);

} // namespace collscope
