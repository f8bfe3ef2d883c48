// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Files of one run have clocks of their own: how each is put on the run's axis.

#include "model/fragment.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// Shift from each fragment's own clock to the axis, and the axis' zero in wall-clock time.
class FragmentClocks
{
public:
    /// Notes in `problems` where not all files have a wall clock.
    FragmentClocks(const std::vector<TraceFragment>& fragments, Diagnostics& problems);

    std::vector<std::int64_t> shifts; ///< of each fragment
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
