// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words of the list of ranks: names of its groupings, and those that the user types to filter it.

#include "metrics/calls/rank_mesh.h"

#include <QString>

namespace collscope {

QString groupingName(MeshDimension dimension);
/// Whether a filter word matches a rank: "12" is rank 12, "8-15" a range, anything else part of the text.
bool rankMatches(const QString& word, int rank, const QString& text);

} // namespace collscope
