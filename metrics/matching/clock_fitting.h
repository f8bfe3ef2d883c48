// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The fit of clocks to the ends of collectives, wherever these are kept: in memory, or in the summaries of
// the ranks. See clock-alignment.md.

#include "metrics/matching/clock_alignment.h"

#include <functional>
#include <span>
#include <vector>

namespace collscope {

/// Collectives of a group that suffice for its offsets.
constexpr std::size_t mostFitted = 1000;
/// n, if the fit of a group with this many collectives uses every n-th of them.
constexpr std::size_t fittedEvery(std::size_t collectives)
{
    return (collectives + mostFitted - 1) / mostFitted;
}

/// One member of a collective: when its call ran on the clock of its timeline.
struct ClockReading
{
    std::size_t timeline = 0;
    TimeRange range;
};

/// The collectives whose ends show the clocks. In each group, all have the same number of members.
class ClockReadings
{
public:
    using Take = std::function<void(std::span<const ClockReading>)>;
    using TakeDistance = std::function<void(double)>;
    using ForEachDistance = std::function<void(const TakeDistance&)>;

    virtual ~ClockReadings() = default;
    virtual std::size_t groups() const = 0;
    virtual std::size_t collectives() const = 0;
    /// The collectives that the fit uses: those of a group in time order, evenly spaced. Only the ends count.
    virtual void forEachFitted(std::size_t group, const Take& take) const = 0;
    /// All of them, in any order.
    virtual void forEach(const Take& take) const = 0;
    /// The 95th percentile, rounded. `forEachDistance` may be called several times. 0 if there are none.
    virtual std::int64_t percentile95(const ForEachDistance& forEachDistance) const;
};

/// Fits offsets, and drifts where they are clearly better. `ranges`: by timeline, the time of its file.
ClockAlignment fitClocks(
    const ClockReadings& readings, const std::vector<TimeRange>& ranges,
    const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
