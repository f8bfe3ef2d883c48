// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/slow_end.h"

#include "metrics/core/statistics.h"

#include <algorithm>

namespace collscope {

std::optional<SlowEnd> slowEndOf(std::span<const double> level, double median, double spread, double least)
{
    const double limit = median + std::max(6 * spread, least * median);
    std::size_t run = 0, longest = 0;
    for (const double value : level) {
        if (value > limit) {
            ++run;
            continue;
        }
        longest = std::max(longest, run);
        run = 0;
    }
    if (run == 0 || run <= longest || 2 * run >= level.size())
        return std::nullopt;
    const auto split = level.end() - static_cast<std::ptrdiff_t>(run);
    return SlowEnd{run, medianOf({level.begin(), split}), medianOf({split, level.end()})};
}

} // namespace collscope
