// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which counters of a timeline are those of network cards and switches. Nsight Systems samples them together
// with the GPUs, on the clock of the traces, so they are CounterSeries of a timeline and not a record beside
// it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// What a counter of the network counts. It is a rate where the export says so, for instance per ms.
struct NetworkCounter
{
    enum class Kind : std::uint8_t
    {
        Card, ///< a network card (NIC, HCA) of the host
        Switch ///< a switch of InfiniBand, which all hosts share
    };
    Kind kind = Kind::Card;
    std::string device; ///< "mlx5_0", "mlx5_0 port 1"
    std::string quantity; ///< as the export names it: "IB: Bytes sent"
    std::string unit; ///< "GB/s" (1e9 bytes), or as the export states it: "ticks/ms"
};

/// The CounterSeries::name that stands for a counter. CounterSeries::device is -1: it belongs to no GPU.
std::string networkCounterName(const NetworkCounter& counter);
/// The counter of such a name; nullopt for any other name.
std::optional<NetworkCounter> networkCounterOf(std::string_view name);
/// The unit of rates in bytes that NetworkCounter::unit has, whatever unit the export states.
inline constexpr std::string_view networkTrafficUnit = "GB/s";

} // namespace collscope
