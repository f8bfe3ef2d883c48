// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/straggler_report.h"

#include <algorithm>

namespace collscope {

namespace {

/// The number of a step of the window; the selection's steps are those that Call::step counts.
std::optional<std::int64_t> stepNumber(const Selection& selection, const Timeline* timeline,
                                       std::int32_t index)
{
    for (const RankWindows& rank : selection.ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            const bool isIt = part.timeline == timeline && index >= 0
                && static_cast<std::size_t>(index) < part.steps.size();
            if (isIt && timeline->stepSource != StepSource::WholeTrace)
                return part.steps[static_cast<std::size_t>(index)].number;
        }
    }
    return std::nullopt;
}

WorstCollective describe(Analysis& analysis, const Arrival& arrival, std::int64_t imposedNs)
{
    const Matching& matching = analysis.matching();
    const auto members = matching.membersOf(*arrival.instance);
    const Call& first = analysis.callOf(members[arrival.first]);
    const Call& last = analysis.callOf(members[arrival.last]);
    WorstCollective worst;
    worst.slice = last.slice;
    worst.name = last.meta ? analysis.model().text(last.meta->name) : std::string_view();
    if (worst.name.empty())
        worst.name = kernelClassName(last.kind);
    worst.group = matching.groupOf(*arrival.instance).text;
    if (!analysis.options().range)
        worst.step = stepNumber(analysis.selection(), first.timeline, arrival.step);
    worst.range = {analysis.onAxis(first).beginNs, analysis.onAxis(last).beginNs};
    worst.imposedNs = imposedNs;
    worst.kind = last.kind;
    return worst;
}

std::int64_t waitOfAll(Analysis& analysis, const Arrival& arrival)
{
    const auto members = analysis.matching().membersOf(*arrival.instance);
    const std::int64_t lastNs = analysis.onAxis(analysis.callOf(members[arrival.last])).beginNs;
    std::int64_t all = 0;
    for (const CallRef member : members)
        all += lastNs - analysis.onAxis(analysis.callOf(member)).beginNs;
    return all;
}

/// The collectives that counted for RankWait::imposedNs, the worst of each rank.
void addWorst(Analysis& analysis, const Arrivals& arrivals, StragglerReport& report)
{
    std::vector<std::vector<std::pair<std::int64_t, const Arrival*>>> ofRank(report.ranks.size());
    for (const Arrival& arrival : arrivals.matched) {
        if (arrival.skewNs <= arrivals.significantNs)
            continue;
        const auto members = analysis.matching().membersOf(*arrival.instance);
        ofRank[members[arrival.last].rank].emplace_back(waitOfAll(analysis, arrival), &arrival);
    }
    for (std::size_t rank = 0; rank < ofRank.size(); ++rank) {
        auto& all = ofRank[rank];
        const std::size_t kept = std::min(StragglerReport::worstKept, all.size());
        // Of equal ones the earlier comes first, whatever the sort does: the list stays the same.
        std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                          [](const auto& a, const auto& b) {
                              return a.first != b.first ? a.first > b.first : a.second < b.second;
                          });
        for (std::size_t i = 0; i < kept; ++i)
            report.ranks[rank].worst.push_back(describe(analysis, *all[i].second, all[i].first));
    }
}

} // namespace

StragglerReport reportStragglers(Analysis& analysis)
{
    StragglerReport report;
    const Selection& selection = analysis.selection();
    report.window = selection.window;
    if (const auto failure = needsTwoRanks(analysis, selection)) {
        report.reason = failure->reason;
        return report;
    }
    const Arrivals arrivals = measureArrivals(analysis);
    report.clocks = analysis.run().clocks.summary(analysis.options().clocks);
    if (const auto failure = needsArrivals(analysis, arrivals)) {
        report.reason = failure->reason;
        return report;
    }
    report.verdict = arrivals.verdict();
    report.verdictText = arrivals.verdictText();
    if (const RankWait* const straggler = arrivals.straggler())
        report.straggler = straggler->rank;
    for (const RankWait& wait : arrivals.ranks)
        report.ranks.push_back({wait, {}});
    for (const GroupSkew& group : arrivals.groups)
        report.groups.push_back(
            {group.group, group.skewNs, group.longestNs, static_cast<std::int64_t>(group.arrivals.size())});
    report.collectives = static_cast<std::int64_t>(arrivals.matched.size());
    MetricResult said;
    addClockWarnings(analysis, &arrivals, said);
    report.warnings = std::move(said.warnings);
    addWorst(analysis, arrivals, report);
    return report;
}

} // namespace collscope
