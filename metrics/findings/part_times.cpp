// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/part_times.h"

#include <numeric>

namespace collscope {

std::string_view partName(Part part)
{
    constexpr std::string_view names[partCount] = {"compute", "communication", "waiting", "copy", "idle"};
    return names[static_cast<std::size_t>(part)];
}

std::int64_t PartTimes::total() const
{
    return std::accumulate(ns.begin(), ns.end(), std::int64_t{0});
}

PartTimes& PartTimes::operator+=(const PartTimes& other)
{
    for (std::size_t part = 0; part < partCount; ++part)
        ns[part] += other.ns[part];
    return *this;
}

} // namespace collscope
