// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds slices by name, over a complete run.

#include "model/queries/slice_matches.h"

#include <functional>
#include <stop_token>
#include <string_view>

namespace collscope {

/// Calls `isWanted` once for each name of a slice. nullptr if cancelled. O(slices).
SliceMatchesPtr findSlices(const TraceModel& model,
                           const std::function<bool(std::string_view name)>& isWanted,
                           const std::stop_token& stop = {});

} // namespace collscope
