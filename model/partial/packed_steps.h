// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The sums of the steps of a summarized timeline, packed and back. See reduce-and-merge.md.

#include "model/timeline_summary.h"

#include <optional>

namespace collscope {

/// Whether others can rely on a window that was read from a part.
bool isSound(const WindowSummary& window);

/// Packs the windows of the steps; their names are those of the fragment.
PackedSteps packSteps(std::vector<WindowSummary> windows);
/// The windows, on the axis and with the names of the timeline; nullopt if the bytes are damaged. Throws
/// LostBytes.
std::optional<std::vector<WindowSummary>> unpackSteps(const PackedSteps& steps);

} // namespace collscope
