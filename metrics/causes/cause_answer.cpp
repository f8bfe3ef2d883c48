// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/cause_answer.h"

#include "metrics/causes/cause_text.h"
#include "metrics/causes/explain.h"

#include <cassert>

namespace collscope {

CauseAnswer answerWhy(Analysis& analysis, const CauseQuestion& question)
{
    assert(!question.isEmpty());
    CauseAnswer answer;
    answer.question = question;
    if (question.step) {
        answer.subject = "Step " + std::to_string(*question.step);
        auto explained = explainStep(analysis, *question.step);
        if (!explained) {
            answer.status = explained.error();
            return answer;
        }
        answer.chain = std::move(explained->chain);
        answer.clocks = std::move(explained->clocks);
    } else {
        answer.subject = collectiveText(analysis, *question.instance);
        if (analysis.model().isReduced()) {
            answer.status = Error{Error::Kind::Unsupported, std::string(causesNeedOperators)};
            return answer;
        }
        answer.chain = explainArrival(analysis, *question.instance);
        answer.clocks = analysis.run().clocks.summary(analysis.options().clocks);
    }
    answer.verdict = verdictSentence(answer.chain);
    return answer;
}

} // namespace collscope
