// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Exposed communication by type and group, of ranks that are known by their sums.

#include "metrics/calls/alike_groups.h"
#include "metrics/findings/exposed_groups.h"
#include "metrics/partition/rank_sums.h"

#include <algorithm>

namespace collscope {

namespace {

/// The process groups that the timelines of a partition state, by the names that ExposedKey has of them.
class StatedGroups
{
public:
    explicit StatedGroups(const FindingInput& input)
    {
        for (const RankShare& rank : input.partition.ranks) {
            RankCalls& calls = m_calls.emplace_back();
            calls.rank = rank.rank;
            for (const Timeline* const timeline : rank.timelines) {
                for (const CollectiveCall& stated : timeline->collectives) {
                    const TraceModel& model = input.analysis.model();
                    if (model.text(stated.group).empty() && model.text(stated.groupRanks).empty())
                        continue;
                    calls.calls.push_back({.slice = {},
                                           .range = {},
                                           .kind = stated.kind,
                                           .meta = &stated,
                                           .bytes = {},
                                           .groupSize = stated.groupSize.value_or(0),
                                           .timeline = timeline});
                }
            }
        }
        const GroupedCalls grouped = groupCalls(input.analysis.model(), m_calls);
        m_names = sharedNamesOf(grouped.groups);
        for (const RankCalls& rank : m_calls)
            m_groupOf.emplace_back(rank.calls.size(), none);
        for (std::uint32_t group = 0; group < grouped.groups.size(); ++group) {
            for (const ProcessGroup::Lane& lane : grouped.groups[group].lanes) {
                for (const std::uint32_t call : lane.calls)
                    m_groupOf[lane.rank][call] = group;
            }
        }
    }

    /// One name for all groups that do the same; empty: the trace names no group. `rank`: into the partition.
    std::string_view nameOf(std::size_t rank, const Timeline& timeline, const ExposedKey& key) const
    {
        const std::vector<Call>& calls = m_calls[rank].calls;
        const auto found = std::find_if(calls.begin(), calls.end(), [&](const Call& call) {
            return call.timeline == &timeline && call.meta->group == key.group
                && call.meta->groupRanks == key.groupRanks;
        });
        if (found == calls.end())
            return {};
        const std::uint32_t group = m_groupOf[rank][static_cast<std::size_t>(found - calls.begin())];
        return group != none ? std::string_view(m_names[group]) : std::string_view();
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    std::vector<RankCalls> m_calls; ///< one for each group of a rank
    std::vector<std::vector<std::uint32_t>> m_groupOf; ///< by rank and call
    std::vector<std::string> m_names; ///< by group
};

/// The names of the keys of a timeline.
std::vector<ExposedGroups::Key> keysOf(const FindingInput& input, const StatedGroups& groups,
                                       std::size_t rank, const Timeline& timeline)
{
    std::vector<ExposedGroups::Key> keys;
    if (!timeline.summary)
        return keys;
    for (const ExposedKey& key : timeline.summary->partition.exposed)
        keys.push_back(
            {.group = groups.nameOf(rank, timeline, key), .name = input.analysis.model().text(key.name)});
    return keys;
}

} // namespace

void addSummarizedCommunication(const FindingInput& input)
{
    const TraceModel& model = input.analysis.model();
    const StatedGroups groups(input);
    ExposedGroups found;
    for (std::size_t i = 0; i < input.partition.ranks.size(); ++i) {
        const RankShare& rank = input.partition.ranks[i];
        std::vector<std::vector<ExposedGroups::Key>> keys;
        for (const Timeline* const timeline : rank.timelines)
            keys.push_back(keysOf(input, groups, i, *timeline));
        const RankSums sums(rank);
        for (const StepShare& step : rank.steps) {
            const PartitionSummary* const summary = sums.of(step);
            if (!summary)
                continue;
            const std::size_t timeline = model.indexOf(*rank.timelines[step.part]);
            for (const ExposedSummary& own : summary->exposed) {
                ExposedGroups::Exposed& exposed = found[keys[step.part][own.key]];
                exposed.finding.pay(rank.rank, own.ns);
                exposed.finding.count += own.calls - (step.followsLast ? own.continued : 0);
                exposed.doubtfulNs += own.ns;
                const TimeRange place = own.longest.in(step.step.range);
                exposed.finding.places.add({rank.rank, input.analysis.clocks().toAxis(timeline, place), {}});
            }
        }
    }
    found.finish(input);
}

} // namespace collscope
