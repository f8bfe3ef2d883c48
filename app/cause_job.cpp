// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cause_job.h"

namespace collscope {

void CauseJob::start(TraceModelPtr model, const MetricOptions& options, const CauseQuestion& question)
{
    m_answer.ask([model = std::move(model), options, question](QPromise<CauseAnswerPtr>& promise) {
        MetricOptions cancellable = options;
        cancellable.cancelled = [&] { return promise.isCanceled(); };
        Analysis analysis(*model, cancellable);
        auto answer = std::make_shared<CauseAnswer>(answerWhy(analysis, question));
        if (!promise.isCanceled())
            promise.addResult(std::move(answer));
    });
}

} // namespace collscope
