// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a rank does between the collectives of its groups: to compare a late rank with those that wait for it.

#include "metrics/findings/finding_groups.h"

#include <functional>
#include <map>
#include <optional>
#include <set>

namespace collscope {

/// What a rank does between its arrivals at the last call of a group and at the next one: all ranks do the
/// same part of the program in it.
struct Way
{
    const Timeline* timeline = nullptr;
    TimeRange range; ///< in the timeline's own time; without a last call from the begin of the step
    std::int64_t stepNs = 0; ///< begin of the step, which is in the range or its begin

    /// Before or in the step.
    TimeRange part(bool isInStep) const
    {
        return isInStep ? TimeRange{stepNs, range.endNs} : TimeRange{range.beginNs, stepNs};
    }
};

/// One rank between the collectives of its groups. Many threads may ask it at once.
class RankBetweenCalls
{
public:
    RankBetweenCalls(const FindingInput& input, const RankShare& rank);

    std::int32_t rank() const { return m_rank->rank; }
    const RankShare& share() const { return *m_rank; }
    /// Whether they are different stages of a pipeline.
    bool handsWorkTo(std::int64_t other) const { return m_partners.contains(other); }
    /// One of its calls that was matched.
    struct Matched
    {
        std::uint32_t instance = 0;
        CallRef call;
        std::int64_t arrivalNs = 0; ///< in the timeline's own time
        std::optional<std::size_t> last; ///< index into matched(): the call before it in the group
    };
    /// By their instance.
    const std::vector<Matched>& matched() const { return m_matched; }
    /// Its call of a collective; nullptr if it has none. O(log n).
    const Matched* find(std::uint32_t instance) const;
    const Call& callOf(const Matched& own) const;
    /// The CPU slice that launched a call; none-slice if the trace does not say.
    SliceRef launchOf(const Call& call) const;
    /// In the timeline's own time.
    std::int64_t arrivalNs(const Call& call) const
    {
        return m_input->analysis.model().rangeOf(call.slice).beginNs;
    }
    /// The way to the rank's call of a collective; nullopt outside the steps, and if it has none.
    std::optional<Way> before(std::uint32_t instance) const;
    using CountsRow = std::function<bool(const SliceColumns& slices, std::size_t row)>;
    struct Events
    {
        std::int64_t count = 0; ///< of those that begin in it
        std::int64_t ns = 0; ///< sum of their durations, clipped to it
    };
    /// The GPU events of all streams in a part of a way.
    Events eventsOf(const Way& way, bool isInStep, const CountsRow& counts) const;
    /// Whether the rank's call of a collective starts as soon as it is launched.
    bool startsAtLaunch(std::uint32_t instance) const;
    const StepShare* stepOf(const Call& call) const
    {
        return m_rank->stepAt(*call.timeline, arrivalNs(call));
    }

private:
    using Arrivals = std::vector<std::pair<std::int64_t, std::uint32_t>>; ///< in ns, and the instance
    void noteArrivals(Arrivals ofGroup);
    std::size_t indexOf(std::uint32_t instance) const;

    const FindingInput* m_input;
    const RankShare* m_rank;
    std::vector<Matched> m_matched; ///< sorted by instance, each once
    std::map<const Timeline*, std::vector<std::int64_t>> m_receives; ///< of work, their ends, sorted
    std::set<std::int64_t> m_partners; ///< ranks that it gets work from or hands work to
};

} // namespace collscope
