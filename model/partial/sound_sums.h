// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which sums are taken from a part: those that events can have. A part may come from anywhere.

#include "model/timeline_summary.h"

namespace collscope {

/// Whether the sums of a window agree with its length and with each other, so that no sum of windows
/// overflows. `keys`: of its timeline.
bool isSound(const WindowSummary& window, const PartitionKeys& keys);

} // namespace collscope
