// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Places the files of a run, which have separate clocks, on the time axis of the run.

#include "model/building/fragment.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// Shift from each fragment's own clock to the axis, and the zero of the axis in wall-clock time.
class FragmentClocks
{
public:
    /// Adds a notice to `problems` if the files lack a common clock.
    FragmentClocks(const std::vector<TraceFragment>& fragments, Diagnostics& problems);

    std::vector<std::int64_t> shifts; ///< one per fragment
    std::int64_t zeroNs = 0;
    bool hasWall = false;

private:
    enum class Of
    {
        Timelines,
        Counters,
        Memory
    };
    static std::optional<std::int64_t> earliestWall(const std::vector<TraceFragment>& fragments, Of what);
    static std::optional<std::int64_t> sharedOwnClock(const std::vector<TraceFragment>& fragments);
};

} // namespace collscope
