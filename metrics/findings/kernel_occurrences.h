// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All runs of a few kernels on each rank, to compare the ranks.

#include "metrics/findings/finding_groups.h"

#include <array>
#include <compare>
#include <map>
#include <vector>

namespace collscope {

/// Kernels that should take equally long: a larger grid is more work.
struct NameAndGrid
{
    std::uint32_t name = 0; ///< StringId
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the default's 0 for a pointer
    friend auto operator<=>(const NameAndGrid&, const NameAndGrid&) = default;
};

/// One run of a kernel.
struct Occurrence
{
    TrackId track;
    TimeRange range; ///< in the step, in the timeline's own time
};

/// The runs of one kernel on one rank, by step.
struct OnRank
{
    std::size_t rank = 0; ///< into Partition::ranks
    std::vector<Occurrence> all;

    /// Mean duration of some of them, in ns. Precondition: begin < end.
    double meanNs(std::size_t begin, std::size_t end) const;
    double meanNs() const { return meanNs(0, all.size()); }
};

/// Reads the kernels of some names in the windows of all ranks. `names`: sorted. O(slices).
std::map<NameAndGrid, std::vector<OnRank>> occurrencesOf(const FindingInput& input,
                                                         const std::vector<std::uint32_t>& names);

/// The time by which the computing of a rank would be shorter if these runs took only a share of their time:
/// a part beside which a kernel of another stream computes does not count. In ns. O(runs x streams x log n).
double savedNs(const FindingInput& input, const OnRank& runs, double share);

} // namespace collscope
