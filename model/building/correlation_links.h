// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/timeline.h"

#include <vector>

namespace collscope {

/// Links to the slices on tracks [begin, end) of one kind, one per correlation id, sorted by id. O(n log n)
/// at worst, nearly linear if ids increase with time.
std::vector<LaunchLink> correlationLinks(const std::vector<Track>& tracks, std::size_t begin, std::size_t end,
                                         TrackKind kind);

} // namespace collscope
