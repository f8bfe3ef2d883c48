// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/step_costs.h"

#include "metrics/findings/finding.h"
#include "metrics/findings/hardware_clauses.h"

namespace collscope {

namespace {

constexpr std::size_t mostCosts = 5;

CauseClause clauseOf(const Finding& finding)
{
    CauseClause clause;
    clause.text = finding.title;
    clause.ns = finding.ns;
    for (const FindingPlace& place : finding.places.all()) {
        if (clause.range.isEmpty()) {
            clause.range = place.range;
            clause.rank = place.rank;
        }
        // The slices of one rank only: the sentence leads to the worst place.
        if (place.slice && place.rank == clause.rank)
            clause.slices.push_back(place.slice);
    }
    return clause;
}

void addCosts(Analysis& analysis, std::int64_t step, CauseChain& chain)
{
    const bool isOpen
        = chain.verdict == CauseVerdict::NobodyLate || chain.verdict == CauseVerdict::Inconclusive;
    if (!isOpen || !chain.links.empty() || analysis.options().cancelled())
        return;
    MetricOptions options = analysis.options();
    options.steps = {StepChoice::Mode::Range, step, step};
    options.range.reset();
    // Not owned: it lives as long as `analysis`.
    options.collectives = std::shared_ptr<const RunCollectives>(std::shared_ptr<void>(), &analysis.run());
    Analysis ofStep(analysis.model(), options);
    const Result<Findings> findings = findCosts(ofStep);
    if (!findings)
        return;
    std::size_t said = 0;
    for (const Finding& finding : findings->all) {
        if (said == mostCosts || shareOf(*findings, finding) < smallShare)
            continue;
        if (said++ == 0 && shareOf(*findings, finding) > matteringShare)
            chain.largestCost = finding.title;
        chain.clauses.push_back(clauseOf(finding));
    }
}

} // namespace

Result<StepExplanation> explainStepAndCosts(Analysis& analysis, std::int64_t number)
{
    auto explanation = explainStep(analysis, number);
    if (explanation) {
        addHardware(analysis, number, explanation->range, explanation->chain);
        addCosts(analysis, number, explanation->chain);
    }
    return explanation;
}

CauseAnswer answerWhyAndCosts(Analysis& analysis, const CauseQuestion& question)
{
    CauseAnswer answer = answerWhy(analysis, question);
    if (!answer.status)
        return answer;
    // The first sentence is about the whole step or collective.
    const TimeRange range = answer.chain.clauses.empty() ? TimeRange() : answer.chain.clauses.front().range;
    addHardware(analysis, question.step, range, answer.chain);
    if (question.step)
        addCosts(analysis, *question.step, answer.chain);
    answer.verdict = verdictSentence(answer.chain);
    return answer;
}

} // namespace collscope
