// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether calls of two ranks ended at the same moments, which confirms or refutes pairs made by order. The
// two clocks may differ by any offset and drift, which follow from the calls themselves: a line through the
// differences of their ends, by medians, so that a minority of wrong pairs has no effect.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// Distance up to which ends on one clock are always accepted as those of one collective.
constexpr std::int64_t closeEndsNs = 100'000;
/// Largest distance between ends of one collective's kernels, however much they scatter.
constexpr std::int64_t farthestEndsNs = 500'000;

/// Largest offset between wall clocks of synchronised hosts.
constexpr std::int64_t farClocksNs = 20'000'000;

/// The properties of a call that matching by ends uses.
struct EndingCall
{
    std::uint64_t signature = 0; ///< equal for calls that may be one collective
    std::int64_t endNs = 0; ///< on its own clock
    std::optional<std::int64_t> step; ///< number of the step in which it starts
    /// If the group is a guess: largest distance from the end of its partner on their common clock.
    std::int64_t barNs = farthestEndsNs;
};

/// Lead of the second clock over the first.
struct EndFit
{
    double offsetNs = 0; ///< at the pivot
    double drift = 0; ///< additional lead per ns
    double pivotNs = 0; ///< on the second clock
    double spreadNs = 0; ///< median distance of the differences from the line
    double aheadNs(std::int64_t ns) const { return offsetNs + drift * (static_cast<double>(ns) - pivotNs); }
};

enum class EndVerdict : std::uint8_t
{
    Confirmed, ///< they end together, and no alternative order fits as well
    Unclear, ///< too few calls, or so regular that other pairs fit as well
    Contradicted ///< they do not end together with any offset
};

struct EndAgreement
{
    EndVerdict verdict = EndVerdict::Unclear;
    EndFit fit;
    std::int64_t barNs
        = closeEndsNs; ///< a pair with a larger distance between its ends is not one collective
};

/// Judges pairs of the k-th calls of both lists. isOrdered: the calls belong to one named group with equal
/// counts on all ranks, whose order is reliable: two or three calls that end together suffice, and an
/// alternative order must fit better to refute it. O(n).
EndAgreement judgePairs(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                        bool isOrdered);

/// Pairs of calls that only their ends connect.
struct EndPairs
{
    std::vector<std::size_t> partner; ///< by call of the second list; notAligned: none
    EndFit fit;
    std::int64_t barNs = 0;
    std::size_t count = 0; ///< number of pairs; 0: none beyond chance
};

/// Pairs the calls of two lists, both sorted by end. Two calls form a pair if each is the only candidate
/// within the error bar of the other; the bar is so small that pairs do not arise by chance. farthestNs:
/// largest clock offset, for wall clocks or one file; nullopt: any offset, which must follow from most of the
/// calls. O(n log n).
EndPairs pairByEnds(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                    std::optional<std::int64_t> farthestNs);

/// Whether the two ranks share only some of their calls: more than a tenth of the second list's calls within
/// the time of the first (both sorted by end) lack an equal call there that ended at the same time on the
/// clocks of `fit`. O(n log n).
bool shareOnlySome(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                   const EndFit& fit);

} // namespace collscope
