// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which times a part may contain.

#include "model/units.h"

#include <cstdint>

namespace collscope {

/// Whether the sum of two such times cannot overflow.
constexpr bool isSane(std::int64_t timeNs)
{
    constexpr std::int64_t most = std::int64_t{1} << 61; // wall-clock times exceed 2^60
    return timeNs >= -most && timeNs <= most;
}

constexpr bool isSane(TimeRange range)
{
    return isSane(range.beginNs) && isSane(range.endNs) && range.beginNs <= range.endNs;
}

} // namespace collscope
