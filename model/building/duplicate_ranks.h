// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Several Kineto files of the same rank: one of them is shown.

#include "model/building/fragment.h"

namespace collscope {

/// Keeps one file for each rank and iteration, empties the others, and adds a problem for each. Call this
/// after the ranks are assigned.
void setDuplicatesAside(std::vector<TraceFragment>& fragments, Diagnostics& problems);

} // namespace collscope
