// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The last values of a series that are slower, but too few to be a level.

#include <cstddef>
#include <optional>
#include <span>

namespace collscope {

struct SlowEnd
{
    std::size_t count = 0; ///< last values, all of them slow
    double before = 0, slow = 0; ///< medians of the values before and of these
};

/// `level`: the values of the last level, with median `median` and robust standard deviation `spread`. A
/// value is slow above the median by six spreads and by the share `least`. nullopt: the last value is not
/// slow, the slow values are half of the level or more, or as many slow ones in a row occurred before.
std::optional<SlowEnd> slowEndOf(std::span<const double> level, double median, double spread, double least);

} // namespace collscope
