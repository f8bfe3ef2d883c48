// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The time in which the gaps of a timeline are looked for.

#include "model/timeline.h"

#include <vector>

namespace collscope {

/// The file, all its steps and all windows: everything that a step can ask about. The gaps of a timeline
/// depend on nothing else of the windows.
TimeRange gapDomainOf(const Timeline& timeline, const std::vector<Step>& windows);

} // namespace collscope
