// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/timeline.h"

#include <vector>

namespace collscope {

/// Slices of one kind of track by correlation id, sorted, one per id, of tracks [begin, end). O(n log n) at
/// worst, nearly linear where ids rise with time.
std::vector<LaunchLink> correlationLinks(const std::vector<Track>& tracks, std::size_t begin, std::size_t end,
                                         TrackKind kind);

} // namespace collscope
