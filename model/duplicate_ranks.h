// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Several Kineto files of one rank: one of them is shown.

#include "model/fragment.h"

namespace collscope {

/// Keeps one file for each rank and iteration, and empties the others, with a problem for each. To be called
/// when ranks are settled.
void setDuplicatesAside(std::vector<TraceFragment>& fragments, Diagnostics& problems);

} // namespace collscope
