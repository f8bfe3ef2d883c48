// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why what collectives send over NVLink cannot be told.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace collscope {

/// Why the traffic of a call cannot be told.
enum class TrafficDoubt : std::uint8_t
{
    None,
    NoCounters, ///< no NVLink file is known to be of its rank
    NoWallClock,
    RoleUnknown, ///< a send, receive, broadcast or reduce: bytes depend on the rank's role and the algorithm
    OneRank, ///< nothing leaves the GPU
    CpuBackend, ///< a call of the CPU: what it sends goes another way, or by copies
    Unsized, ///< no message size, or no group size
    Uneven, ///< an all-to-all with different parts: its size does not tell what stays on the GPU
    SeveralNodes, ///< how much crosses NVLink depends on the algorithm
    NodesUnknown,
    Overlapping, ///< another call ran on the GPU at the same time, or a copy between GPUs of its node
    NotCounted, ///< its file has no bytes sent of a link
    Unreadable, ///< NVML could not read a counter of its GPU at all
    Reset, ///< a counter may have begun anew in it
    TooShort, ///< no sample lies within it
    NotSampled ///< the counters do not cover it
};
constexpr std::size_t trafficDoubtCount = static_cast<std::size_t>(TrafficDoubt::NotSampled) + 1;
/// As a clause: "no sample of the counters lies within them".
std::string_view trafficDoubtText(TrafficDoubt doubt);
/// For JSON: "too_short".
std::string_view trafficDoubtName(TrafficDoubt doubt);

} // namespace collscope
