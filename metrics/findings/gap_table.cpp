// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/gap_table.h"

#include <algorithm>
#include <tuple>

namespace collscope {

namespace {

/// A gap of the partition, before its texts are made.
struct FoundGap
{
    const RankShare* rank = nullptr;
    const StepShare* step = nullptr;
    const GpuGap* gap = nullptr;
    TimeRange inside; ///< in the timeline's own time

    bool isLonger(const FoundGap& other) const
    {
        const auto key = [](const FoundGap& found) {
            return std::tuple(-found.inside.lengthNs(), found.rank->rank, found.inside.beginNs);
        };
        return key(*this) < key(other);
    }
};

/// The longest gaps of one cause: a heap whose front is the shortest.
class LongestGaps
{
public:
    void add(const FoundGap& found)
    {
        const auto isLonger = [](const FoundGap& a, const FoundGap& b) { return a.isLonger(b); };
        if (m_heap.size() == GapTable::mostPerCause) {
            if (!found.isLonger(m_heap.front()))
                return;
            std::pop_heap(m_heap.begin(), m_heap.end(), isLonger);
            m_heap.pop_back();
        }
        m_heap.push_back(found);
        std::push_heap(m_heap.begin(), m_heap.end(), isLonger);
    }
    const std::vector<FoundGap>& all() const { return m_heap; }

private:
    std::vector<FoundGap> m_heap;
};

ListedGap listed(Analysis& analysis, const FoundGap& found)
{
    const TraceModel& model = analysis.model();
    const Timeline& timeline = *found.rank->timelines[found.step->part];
    const GpuGap& gap = *found.gap;
    return {.rank = found.rank->rank,
            .step = found.step->step.number,
            .cause = gap.cause,
            .range = analysis.clocks().toAxis(model.indexOf(timeline), found.inside),
            .name = gap.name ? std::string(model.text(gap.name)) : std::string(),
            .shown = gap.shown ? gap.shown : gap.next};
}

} // namespace

GapLanes gapLanes(Analysis& analysis)
{
    GapLanes lanes(analysis.model().timelines.size());
    for (const RankShare& rank : partitionOf(analysis).ranks) {
        for (std::size_t part = 0; part < rank.timelines.size(); ++part) {
            std::vector<LaneGap> lane;
            for (const GpuGap& gap : rank.gaps[part].gaps) {
                if (gap.cause != IdleCause::LaunchOverhead)
                    lane.push_back({gap.range, gap.name, gap.cause});
            }
            lanes[analysis.model().indexOf(*rank.timelines[part])]
                = std::make_shared<const std::vector<LaneGap>>(std::move(lane));
        }
    }
    return lanes;
}

Result<GapTable> listGaps(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (selection.failure)
        return Error{Error::Kind::NotFound, selection.failure->reason};
    const Partition& partition = partitionOf(analysis);
    GapTable table;
    static_cast<CountedTime&>(table) = countedTimeOf(analysis);
    table.idleNs = partition.parts.of(Part::Idle);
    table.windowNs = partition.windowNs;
    std::array<CauseGaps, idleCauseCount> causes;
    std::array<LongestGaps, idleCauseCount> longest;
    for (const RankShare& rank : partition.ranks) {
        for (const StepShare& step : rank.steps) {
            rank.gaps[step.part].forEachIn(step.step.range, [&](const GpuGap& gap, TimeRange inside) {
                const auto cause = static_cast<std::size_t>(gap.cause);
                causes[cause].cause = gap.cause;
                ++causes[cause].count;
                causes[cause].ns += inside.lengthNs();
                causes[cause].longestNs = std::max(causes[cause].longestNs, inside.lengthNs());
                longest[cause].add({&rank, &step, &gap, inside});
            });
        }
    }
    std::vector<FoundGap> all;
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
        table.count += causes[cause].count;
        if (causes[cause].count > 0)
            table.causes.push_back(causes[cause]);
        all.insert(all.end(), longest[cause].all().begin(), longest[cause].all().end());
    }
    std::stable_sort(table.causes.begin(), table.causes.end(),
                     [](const CauseGaps& a, const CauseGaps& b) { return a.ns > b.ns; });
    std::sort(all.begin(), all.end(), [](const FoundGap& a, const FoundGap& b) { return a.isLonger(b); });
    table.longest.reserve(all.size());
    for (const FoundGap& found : all)
        table.longest.push_back(listed(analysis, found));
    return table;
}

} // namespace collscope
