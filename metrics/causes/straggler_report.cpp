// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/straggler_report.h"

#include <algorithm>

namespace collscope {

namespace {

/// Describes one collective. Call::step refers to the steps of the selection.
WorstCollective describe(Analysis& analysis, const Arrival& arrival)
{
    const Matching& matching = analysis.matching();
    const auto members = matching.membersOf(*arrival.instance);
    const CallRef firstMember = members[arrival.times.first];
    const Call& first = analysis.callOf(firstMember);
    const Call& last = analysis.callOf(members[arrival.times.awaited]);
    WorstCollective worst;
    worst.slice = last.slice;
    worst.name = callName(analysis.model(), last);
    worst.group = matching.groupOf(*arrival.instance).text;
    const Step* const step = stepOf(analysis.communicating().ranks[firstMember.rank], first);
    if (step && !analysis.options().range && first.timeline->stepSource != StepSource::WholeTrace)
        worst.step = step->number;
    worst.range = arrival.times.arrivals;
    worst.imposedNs = arrival.times.waitNs;
    worst.kind = last.kind;
    return worst;
}

void addWorst(Analysis& analysis, const Arrivals& arrivals, StragglerReport& report)
{
    std::vector<std::vector<const Arrival*>> ofRank(report.ranks.size());
    for (const Arrival& arrival : arrivals.matched) {
        if (!arrival.isSignificant || !arrival.isLastKnown)
            continue;
        const auto members = analysis.matching().membersOf(*arrival.instance);
        ofRank[members[arrival.times.awaited].rank].push_back(&arrival);
    }
    for (std::size_t rank = 0; rank < ofRank.size(); ++rank) {
        auto& all = ofRank[rank];
        const std::size_t kept = std::min(StragglerReport::worstKept, all.size());
        // Ties are sorted by time, so that the list is deterministic.
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                          [](const Arrival* a, const Arrival* b) {
                              return a->times.waitNs != b->times.waitNs ? a->times.waitNs > b->times.waitNs
                                                                        : a < b;
                          });
        for (std::size_t i = 0; i < kept; ++i)
            report.ranks[rank].worst.push_back(describe(analysis, *all[i]));
    }
}

} // namespace

void tellArrivals(Analysis& analysis, const Arrivals& arrivals, const ClockAlignment& clocks,
                  const std::vector<std::int64_t>& collectivesOfGroup, StragglerReport& report)
{
    report.clocks = clocks.summary(analysis.options().clocks);
    report.verdict = arrivals.verdict();
    report.verdictText = arrivals.verdictText();
    if (const RankWait* const straggler = arrivals.straggler(); straggler && !arrivals.isOnlyEarly())
        report.straggler = straggler->rank;
    for (const RankWait& wait : arrivals.ranks)
        report.ranks.push_back({wait, {}});
    for (std::size_t i = 0; i < arrivals.groups.size(); ++i) {
        const GroupSkew& group = arrivals.groups[i];
        report.groups.push_back({group.group, group.skewNs, group.longestNs, collectivesOfGroup[i]});
    }
    report.collectives = arrivals.counted;
    MetricResult said;
    addClockWarnings(analysis, clocks, &arrivals, said);
    report.warnings = std::move(said.warnings);
}

StragglerReport reportStragglers(Analysis& analysis)
{
    StragglerReport report;
    const Selection& selection = analysis.communicating();
    report.window = selection.window;
    if (const auto failure = needsTwoRanks(analysis, selection)) {
        report.reason = failure->reason;
        return report;
    }
    const Arrivals& arrivals = measureArrivals(analysis);
    report.clocks = analysis.run().clocks.summary(analysis.options().clocks);
    if (const auto failure = needsArrivals(analysis, arrivals)) {
        report.reason = failure->reason;
        return report;
    }
    std::vector<std::int64_t> collectivesOfGroup;
    for (const GroupSkew& group : arrivals.groups)
        collectivesOfGroup.push_back(static_cast<std::int64_t>(group.arrivals.size()));
    tellArrivals(analysis, arrivals, analysis.run().clocks, collectivesOfGroup, report);
    addWorst(analysis, arrivals, report);
    return report;
}

} // namespace collscope
