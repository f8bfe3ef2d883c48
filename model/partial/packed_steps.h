// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The sums of the steps of a summarized timeline, packed and back. See reduce-and-merge.md.

#include "model/timeline_summary.h"

#include <limits>
#include <optional>
#include <vector>

namespace collscope {

/// Packs the windows of the steps; their names are those of the fragment.
PackedSteps packSteps(std::vector<WindowSummary> windows);
/// The windows of a timeline's steps, on its axis and with its names; nullopt if the bytes are damaged, or
/// would take more than `mostBytes` of memory. Throws LostBytes.
std::optional<std::vector<WindowSummary>> unpackSteps(const TimelineSummary& summary,
                                                      std::uint64_t mostBytes
                                                      = std::numeric_limits<std::uint64_t>::max());

} // namespace collscope
