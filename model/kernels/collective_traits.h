// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Properties of each type of communication, one row per type. Matching, metrics, reports, filters and colours
// use them. A new type needs only its KernelClass and a row in collective_traits.cpp.

#include "model/kernels/kernel_class.h"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace collscope {

/// Rule for which ranks of a collective wait for which others.
enum class WaitRule : std::uint8_t
{
    AllForAll, ///< no rank can leave before all ranks have arrived
    AllForRoot, ///< broadcast, scatter: the others wait for the root, which can leave early
    RootForAll, ///< reduce, gather: the root waits for the others, which can leave early
    Unknown
};

/// Relation between the number of elements that a rank passes in and the number that it gets back.
enum class SizeRule : std::uint8_t
{
    Same,
    Gathers, ///< out = in x ranks
    Scatters, ///< out = in / ranks
    Unknown ///< differs between the root and the other ranks
};

struct CollectiveTraits
{
    KernelClass kernelClass = KernelClass::OtherCommunication;
    std::string_view name; ///< for legends and tables: "AllReduce"
    std::string_view word; ///< for filters and kernel name rules: "allreduce"
    /// Parts of kernel and function names, without '_' and '-', in lower case. The first row with a match
    /// counts.
    std::array<std::string_view, 4> nameParts{};
    WaitRule waitRule = WaitRule::Unknown;
    /// Whether all ranks take part and none can finish before the last one has arrived.
    bool synchronises = false;
    /// Whether every rank passes and gets the same number of elements as the other ranks.
    bool isSizedAlike = false;
    /// Whether NCCL's `count` is the share of one rank: the message is the count times the ranks of the
    /// communicator.
    bool countsOneRank = false;
    SizeRule sizeRule = SizeRule::Same;
    /// Number of times that each of n ranks exchanges (n - 1) / n of the message: bus bandwidth = algorithm
    /// bandwidth x rounds x (n - 1) / n. 0: the bus bandwidth equals the algorithm bandwidth (nccl-tests,
    /// doc/PERFORMANCE.md).
    int rounds = 0;
    std::uint32_t lightColor = 0, darkColor = 0; ///< 0xAARRGGBB on a light and on a dark background
};

/// One row per communication class, in the order of the enumeration. Legends and reports keep this order.
std::span<const CollectiveTraits> allCollectiveTraits();
/// The row of a communication class; nullptr for other classes.
const CollectiveTraits* collectiveTraits(KernelClass kernelClass);

/// Whether all ranks take part and none can finish before the last one has arrived.
bool synchronises(KernelClass kernelClass);
/// Whether every rank passes the same number of elements. The sizes of all-to-all with splits, and of types
/// with a root, may differ between the ranks.
bool isSizedAlike(KernelClass kernelClass);
/// Whether every rank passes and gets back the same number of elements, as in an all-reduce.
bool passesOneSize(KernelClass kernelClass);
/// Number of times that a rank passes the message on: 2 for an all-reduce (reduce-scatter, then all-gather),
/// else 1.
int roundsOf(KernelClass kernelClass);
/// Ratio of bus bandwidth to algorithm bandwidth for this number of ranks; nullopt for fewer than two ranks,
/// which transfer nothing.
std::optional<double> busFactor(KernelClass kernelClass, std::int32_t ranks);

} // namespace collscope
