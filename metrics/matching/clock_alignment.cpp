// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/clock_alignment.h"

#include "metrics/core/duration_text.h"
#include "metrics/matching/clock_fitting.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

/// The readings of the matched collectives of a model.
class MatchedReadings : public ClockReadings
{
public:
    MatchedReadings(const TraceModel& model, const std::vector<RankCalls>& ranks, const Matching& matching,
                    ClockEvidence evidence)
        : m_model(model)
        , m_ranks(ranks)
        , m_matching(matching)
        , m_evidence(evidence)
    {
        collect();
    }

    std::size_t groups() const override { return m_ofGroup.size(); }
    std::size_t collectives() const override { return m_used.size(); }
    void forEachFitted(std::size_t group, const Take& take) const override
    {
        const std::vector<std::uint32_t>& all = m_ofGroup[group];
        const std::size_t every = fittedEvery(all.size());
        for (std::size_t i = 0; i < all.size(); i += every)
            take(readingsOf(all[i]));
    }
    void forEach(const Take& take) const override
    {
        for (const std::uint32_t instance : m_used)
            take(readingsOf(instance));
    }

private:
    const Call& callOf(CallRef ref) const { return m_ranks[ref.rank].calls[ref.call]; }

    std::span<const ClockReading> readingsOf(std::uint32_t instance) const
    {
        m_readings.clear();
        for (const CallRef member : m_matching.membersOf(m_matching.instances[instance]))
            m_readings.push_back({m_model.indexOf(*callOf(member).timeline), callOf(member).range});
        return m_readings;
    }

    /// Collects the collectives with the largest number of members in their group, so that all medians cover
    /// the same ranks.
    void collect()
    {
        std::vector<std::uint32_t> most(m_matching.groups.size(), 0);
        const auto isUsable = [&](const CollectiveInstance& instance) {
            return instance.memberCount > 1 && instance.confidence != MatchConfidence::OrderAlone
                && (m_evidence == ClockEvidence::All || instance.confidence == MatchConfidence::Named)
                && endsTogether(m_model, callOf(m_matching.membersOf(instance).front()));
        };
        for (const CollectiveInstance& instance : m_matching.instances) {
            if (isUsable(instance))
                most[instance.group] = std::max(most[instance.group], instance.memberCount);
        }
        constexpr std::uint32_t noGroup = std::numeric_limits<std::uint32_t>::max();
        std::vector<std::uint32_t> index(m_matching.groups.size(), noGroup);
        for (std::uint32_t i = 0; i < m_matching.instances.size(); ++i) {
            const CollectiveInstance& instance = m_matching.instances[i];
            if (instance.memberCount < 2 || instance.memberCount != most[instance.group]
                || !isUsable(instance))
                continue;
            std::uint32_t& group = index[instance.group];
            if (group == noGroup) {
                group = static_cast<std::uint32_t>(m_ofGroup.size());
                m_ofGroup.emplace_back();
            }
            m_ofGroup[group].push_back(i);
            m_used.push_back(i);
        }
    }

    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    const Matching& m_matching;
    ClockEvidence m_evidence;
    std::vector<std::uint32_t> m_used; ///< instances
    std::vector<std::vector<std::uint32_t>> m_ofGroup; ///< the same by group
    mutable std::vector<ClockReading> m_readings; ///< of the instance on hand
};

} // namespace

std::int64_t ClockAlignment::largestAheadNs() const
{
    std::int64_t largest = 0;
    for (const ClockFit& fit : fits)
        largest = std::max(largest, std::abs(fit.offsetNs));
    return largest;
}

std::string ClockAlignment::summary(ClockChoice choice) const
{
    const std::string count
        = std::to_string(collectives) + (collectives == 1 ? " collective" : " collectives");
    if (collectives == 0 && ofSeveralRanks > 0)
        return "Clocks as recorded: the offsets cannot be measured, as no all-reduce, all-gather, "
               "reduce-scatter or equal-size all-to-all with a certain match was found ("
            + countText(ofSeveralRanks, "call") + " matched across ranks).";
    if (collectives == 0)
        return "Clocks as recorded: no collectives of several ranks were found to compare them.";
    if (!isTrusted)
        return "Clocks as recorded: no clock offsets fit the end times of " + count + ".";
    const std::string sets = components > 1 ? "; " + std::to_string(components)
            + " sets of ranks share no collective: times cannot be compared between these sets"
                                            : "";
    if (isUsed(choice))
        return "Clocks aligned on " + count + (hasDrift ? ", with drift" : "") + ", residual "
            + timeText(residualNs) + " (p95)" + sets + ".";
    if (choice == ClockChoice::Raw && isNeeded)
        return "Raw clocks, which differ: aligning them on " + count + " would reduce the residual from "
            + timeText(rawResidualNs) + " to " + timeText(residualNs) + " (p95)" + sets + ".";
    return "Clocks as recorded: they agree within " + timeText(rawResidualNs) + " (p95) in " + count + sets
        + ".";
}

bool endsTogether(const TraceModel& model, const Call& call)
{
    if (!synchronises(call.kind) || isPointToPoint(model, call))
        return false;
    const std::string_view name = call.meta ? model.text(call.meta->name) : std::string_view();
    return name != "all_to_allv" && name != "alltoallv";
}

ClockAlignment alignClocks(const TraceModel& model, const std::vector<RankCalls>& ranks,
                           const Matching& matching, ClockEvidence evidence,
                           const std::function<bool()>& cancelled)
{
    std::vector<TimeRange> ranges;
    for (const Timeline& timeline : model.timelines)
        ranges.push_back(timeline.range);
    ClockAlignment clocks = fitClocks(MatchedReadings(model, ranks, matching, evidence), ranges, cancelled);
    clocks.ofSeveralRanks
        = std::count_if(matching.instances.begin(), matching.instances.end(),
                        [](const CollectiveInstance& instance) { return instance.memberCount > 1; });
    return clocks;
}

} // namespace collscope
