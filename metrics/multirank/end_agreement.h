// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether calls of two ranks ended at the same moments: what confirms or refutes that their order makes them
// pairs. The clocks of the two may be apart by any offset and drift, which follow from the calls themselves:
// a line through the differences of their ends, by medians, so that a minority of wrong pairs moves nothing.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// Kernels of one collective end this close together on one clock, whatever else is known.
constexpr std::int64_t closeEndsNs = 100'000;
/// And no further apart than this, however much they scatter.
constexpr std::int64_t farthestEndsNs = 500'000;

/// Wall clocks of synchronised hosts are no further apart.
constexpr std::int64_t farClocksNs = 20'000'000;

/// One call, as far as its end tells.
struct EndingCall
{
    std::uint64_t signature = 0; ///< equal for calls that may be one collective
    std::int64_t endNs = 0; ///< of its own clock
    std::optional<std::int64_t> step; ///< number of the step that it begins in
    /// By how much it may end apart from its partner on their common clock, where a group is a guess.
    std::int64_t barNs = farthestEndsNs;
};

/// How far the second clock is ahead of the first one.
struct EndFit
{
    double offsetNs = 0; ///< at the pivot
    double drift = 0; ///< and how much further ahead per ns
    double pivotNs = 0; ///< of the second clock
    double spreadNs = 0; ///< median distance of the differences from the line
    double aheadNs(std::int64_t ns) const { return offsetNs + drift * (static_cast<double>(ns) - pivotNs); }
};

enum class EndVerdict : std::uint8_t
{
    Confirmed, ///< they end together, and no other order of the calls fits as well
    Unclear, ///< too few calls, or so regular ones that other pairs would fit as well
    Contradicted ///< they do not end together on any clock
};

struct EndAgreement
{
    EndVerdict verdict = EndVerdict::Unclear;
    EndFit fit;
    std::int64_t barNs = closeEndsNs; ///< a pair whose ends are further apart is not one collective
};

/// Of pairs: the k-th call of either list. isOrdered: the calls are those of one named group, equally many on
/// all ranks, whose order is a rule: two or three that end together are enough, and another order would have
/// to fit better. O(n).
EndAgreement judgePairs(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                        bool isOrdered);

/// Pairs among calls that nothing else puts together.
struct EndPairs
{
    std::vector<std::size_t> partner; ///< by call of the second list; notAligned: none
    EndFit fit;
    std::int64_t barNs = 0;
    std::size_t count = 0; ///< of pairs; 0 = none that chance would not make as well
};

/// Both lists by end. A pair is made where exactly one call of either list ends within the error bar of the
/// other, and the bar is so small that chance makes none. farthestNs: how far the clocks may be apart, both
/// being wall clocks or those of one file; nullopt: by any offset, which must follow from most of the calls.
/// O(n log n).
EndPairs pairByEnds(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                    std::optional<std::int64_t> farthestNs);

/// Whether more than a tenth of the second list's calls in the time of the first one (both by end) have no
/// call like them there that ended with them on the clocks of a fit that others agree on: then two ranks
/// share some of their calls and not others. O(n log n).
bool shareOnlySome(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                   const EndFit& fit);

} // namespace collscope
