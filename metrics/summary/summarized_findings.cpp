// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/summarized_findings.h"

#include "metrics/summary/summarized_straggler.h"
#include "model/text/rank_ranges.h"

#include <algorithm>

namespace collscope {

namespace {

/// The clocks of the run, for an analysis that finds no calls in the model.
RunCollectivesPtr foldedCollectives(Analysis& analysis, const FoldedStraggler& folded)
{
    const TraceModel& model = analysis.model();
    auto run = std::make_shared<RunCollectives>();
    run->profileMode = analysis.options().profileMode;
    run->clocks = folded.clocks;
    run->clocks.fits.assign(model.timelines.size(), {});
    const std::vector<RankWindows>& ranks = analysis.communicating().ranks;
    for (std::size_t i = 0; i < std::min(ranks.size(), folded.clocks.fits.size()); ++i)
        run->clocks.fits[model.indexOf(*ranks[i].parts.front().timeline)] = folded.clocks.fits[i];
    return run;
}

void addStraggler(const Arrivals& arrivals, Findings& findings)
{
    if (arrivals.verdict() != StragglerVerdict::OneRank)
        return;
    Finding finding;
    finding.kind = FindingKind::Straggler;
    finding.title = arrivals.verdictText();
    finding.ranks = {arrivals.straggler()->rank};
    finding.count = arrivals.straggler()->timesLast;
    const auto firstWithCost = std::find_if(findings.all.begin(), findings.all.end(),
                                            [](const Finding& own) { return isAboutTime(own.kind); });
    findings.all.insert(firstWithCost, std::move(finding));
}

/// The ranks whose traces would tell most, as plan takes them: those beside the straggler, which mostly share
/// a node; without one, those beside the first rank.
std::string rankChoice(const Findings& findings)
{
    const auto late = std::find_if(findings.all.begin(), findings.all.end(), [](const Finding& finding) {
        return finding.kind == FindingKind::Straggler;
    });
    constexpr std::int32_t ofNode = 8;
    const std::int32_t chosen
        = late != findings.all.end() ? late->ranks.front() : findings.ranks.front().rank;
    std::vector<std::int32_t> ranks;
    for (const RankParts& rank : findings.ranks) {
        if (rank.rank / ofNode == chosen / ofNode)
            ranks.push_back(rank.rank);
    }
    std::string text;
    for (const RankRange range : rankRanges(ranks))
        text += (text.empty() ? "" : ",") + std::to_string(range.first)
            + (range.last > range.first ? "-" + std::to_string(range.last) : std::string());
    return text;
}

void sayWhatIsMissing(Findings& findings)
{
    std::string kinds;
    for (const FindingKind kind : findings.notLookedFor)
        kinds += (kinds.empty() ? "" : ", ") + std::string(findingId(kind));
    if (!kinds.empty())
        findings.warnings.push_back(
            "Not looked for, because sums do not show them: " + kinds
            + ". They can be looked for among some ranks, with their events: plan RUN "
              "--tasks 1 --keep all --ranks "
            + rankChoice(findings) + ".");
}

/// The findings, with the clocks that the calls of all ranks show.
Result<Findings> findCostsOnClocks(Analysis& analysis, Analysis& ofAll, const FoldedStraggler* folded)
{
    MetricOptions options = analysis.options();
    // A summarized model has no calls to match: the clocks are those of the fold.
    options.collectives = folded ? foldedCollectives(ofAll, *folded) : nullptr;
    Analysis withClocks(analysis.model(), std::move(options));
    return findCosts(withClocks);
}

} // namespace

Result<Findings> findCostsOfRun(Analysis& analysis)
{
    if (!analysis.model().isSummarized())
        return findCosts(analysis);
    // All ranks show the clocks, even if one is chosen.
    std::optional<Analysis> others;
    if (analysis.options().rank) {
        MetricOptions options = analysis.options();
        options.rank.reset();
        others.emplace(analysis.model(), std::move(options));
    }
    Analysis& ofAll = others ? *others : analysis;
    const bool areSeveral = ofAll.communicating().ranks.size() > 1;
    const Result<FoldedStraggler>* const folded = areSeveral ? &stragglerOfSummaries(ofAll) : nullptr;
    Result<Findings> findings = findCostsOnClocks(analysis, ofAll, folded && *folded ? &**folded : nullptr);
    if (!findings)
        return findings;
    if (folded && *folded && !analysis.options().rank)
        addStraggler((*folded)->arrivals, *findings);
    else if (folded && !*folded)
        findings->warnings.push_back("Late ranks and clocks are not known: " + folded->error().message
                                     + " Places are on the clocks as recorded.");
    sayWhatIsMissing(*findings);
    return findings;
}

} // namespace collscope
