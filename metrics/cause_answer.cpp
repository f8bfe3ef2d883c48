// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/cause_answer.h"

#include "metrics/cause_text.h"

namespace collscope {

std::string verdictSentence(const CauseChain& chain)
{
    std::string cause(causeText(chain.cause));
    if (chain.alsoCause)
        cause += " and " + std::string(causeText(*chain.alsoCause));
    switch (chain.verdict) {
    case CauseVerdict::NobodyLate:
        return "Nobody was late.";
    case CauseVerdict::LateRank:
        if (chain.links.empty())
            return "Nobody was late at a collective; rank " + std::to_string(chain.rank)
                + " took longer by itself: " + cause + ".";
        return (chain.rank >= 0 ? "Rank " + std::to_string(chain.rank) : "More than one rank")
            + " held the others up: " + cause + ".";
    case CauseVerdict::AllRanks:
        return chain.rank >= 0 ? "Rank " + std::to_string(chain.rank) + " took longer: " + cause + "."
                               : "Nobody was late; it took longer on all ranks: " + cause + ".";
    case CauseVerdict::Inconclusive:
        break;
    }
    return "Inconclusive: what was measured explains too little of the time.";
}

CauseAnswer answerWhy(Analysis& analysis, const CauseQuestion& question)
{
    CauseAnswer answer;
    answer.question = question;
    if (question.step) {
        answer.subject = "Step " + std::to_string(*question.step);
        auto explained = explainStep(analysis, *question.step);
        if (!explained) {
            answer.failure = explained.error().message;
            return answer;
        }
        answer.chain = std::move(explained->chain);
        answer.clocks = std::move(explained->clocks);
    } else {
        answer.subject = collectiveText(analysis, *question.instance);
        answer.chain = explainArrival(analysis, *question.instance);
        answer.clocks = analysis.run().clocks.summary(analysis.options().clocks);
    }
    answer.verdict = verdictSentence(answer.chain);
    return answer;
}

} // namespace collscope
