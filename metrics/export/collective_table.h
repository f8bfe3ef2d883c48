// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Collectives of the window by type, per rank and over all ranks: count, size and speed. Used by the network
// sections of the text report.

#include "metrics/analysis/analysis.h"

#include <map>

namespace collscope {

/// Calls of one type. Times in ns, bandwidths in decimal GB/s (bus bandwidth as in transfers.h).
struct CollectiveTypeSums
{
    std::int64_t calls = 0;
    std::int64_t unsized = 0; ///< calls without a size in the trace; excluded from bytes and bandwidths
    double bytes = 0; ///< message bytes S of the others
    std::int64_t durationNs = 0; ///< of the kernels, including waiting for late ranks
    std::int64_t rooted = 0; ///< calls whose durations do not yield a bandwidth (hasRoot())
    std::vector<double> bandwidths; ///< of each other sized call with a known group

    /// nullopt if no call has a size; unknown is not 0.
    std::optional<double> knownBytes() const
    {
        return calls > 0 && unsized == calls ? std::nullopt : std::optional(bytes);
    }
    CollectiveTypeSums& operator+=(const CollectiveTypeSums& other);
};

struct RankCollectives
{
    std::int32_t rank = 0;
    std::map<KernelClass, CollectiveTypeSums> types;
    double communicationSeconds = 0; ///< |C|

    CollectiveTypeSums sum() const; ///< over the types
    /// Mean bus bandwidth of each type that has one, weighted by its bytes; nullopt without a call of known
    /// size and group.
    std::optional<double> collectiveBandwidth() const;
    /// Message bytes over |C|; nullopt without communication, or if no call has a size.
    std::optional<double> simpleBandwidth() const;
};

/// One entry per rank of the selection. The transfer time of a call is the shortest among the participating
/// ranks: the last one to arrive does not wait.
std::vector<RankCollectives> collectivesByType(Analysis& analysis);

} // namespace collscope
