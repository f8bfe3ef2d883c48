// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/step_explanation.h"

#include "metrics/causes/explain.h"
#include "metrics/export/findings_report.h"
#include "model/text/printable_text.h"

namespace collscope {

namespace {

Value rankValue(std::int32_t rank)
{
    return rank >= 0 ? Value(rank) : Value();
}

} // namespace

std::string explanationText(const StepExplanation& explanation)
{
    std::string text = "Step " + std::to_string(explanation.step) + ": "
        + printableLine(verdictSentence(explanation.chain)) + "\n";
    std::size_t number = 0;
    for (const CauseClause& clause : explanation.chain.clauses)
        text += std::to_string(++number) + ". " + printableLine(clause.text) + "\n";
    return text + explanation.clocks + "\n";
}

Value explanationValue(const TraceModel& model, const StepExplanation& explanation)
{
    const CauseChain& chain = explanation.chain;
    Value::Array alsoLate;
    for (const std::int32_t rank : chain.alsoLate)
        alsoLate.push_back(rankValue(rank));
    Value::Array early;
    for (const std::int32_t rank : chain.early)
        early.push_back(rankValue(rank));
    Value::Array clauses;
    for (const CauseClause& clause : chain.clauses) {
        Value::Array slices;
        for (const SliceRef slice : clause.slices)
            slices.emplace_back(model.nameOf(slice));
        const FindingPlace place{clause.rank, clause.range,
                                 clause.slices.empty() ? SliceRef() : clause.slices.front()};
        clauses.emplace_back(Value::Object{{"text", clause.text},
                                           {"rank", rankValue(clause.rank)},
                                           {"begin_us", nsToUs(clause.range.beginNs)},
                                           {"end_us", nsToUs(clause.range.endNs)},
                                           {"slices", std::move(slices)},
                                           {"duration_us", nsToUs(clause.ns)},
                                           {"location", locationOf(model, place)}});
    }
    return Value::Object{
        {"step", explanation.step},
        {"duration_us", nsToUs(explanation.durationNs)},
        {"other_steps", static_cast<std::int64_t>(explanation.others)},
        {"other_steps_median_us", explanation.others > 0 ? Value(nsToUs(explanation.othersNs)) : Value()},
        {"verdict", causeVerdictName(chain.verdict)},
        {"verdict_text", verdictSentence(chain)},
        {"cause", causeName(chain.cause)},
        {"also", chain.alsoCause ? Value(causeName(*chain.alsoCause)) : Value()},
        {"also_late", std::move(alsoLate)},
        {"early", std::move(early)},
        {"rank", rankValue(chain.rank)},
        {"late_us", nsToUs(chain.lateNs)},
        {"clauses", std::move(clauses)},
        {"clocks", explanation.clocks}};
}

} // namespace collscope
