// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the times in which no stream of a rank's GPU works, each with its cause.
// See idle-causes.md.

#include "metrics/findings/gpu_gap.h"

#include <functional>

namespace collscope {

/// Finds and judges the gaps of a timeline. `windows` outside its range are covered, too. O(slices of the
/// timeline), without an allocation per slice.
TimelineGaps findGaps(const TraceModel& model, const Timeline& timeline, const std::vector<Step>& windows,
                      const std::function<bool()>& cancelled);

} // namespace collscope
