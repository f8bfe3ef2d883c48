// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "model/ids.h"
#include "model/units.h"

#include <map>
#include <memory>
#include <vector>

namespace collscope {

/// Work of GPUs in a scenario: the range of each row of a track, on the timeline's own clock. Each step
/// begins where it was recorded.
struct GhostLanes
{
    std::map<TrackId, std::vector<TimeRange>> ranges;
};
using GhostLanesPtr = std::shared_ptr<const GhostLanes>;

} // namespace collscope
