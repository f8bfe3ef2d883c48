// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs one function over the current run (its collectives, stragglers, bubbles ...) off the GUI thread. A
// newer request discards older answers.

#include "app/jobs/latest_only_job.h"
#include "app/runtime/stop_request.h"
#include "metrics/core/metric.h"

namespace collscope {

/// `Answer` is a shared pointer. Lives in the GUI thread and delivers there.
template<typename Answer>
class AnalysisJob
{
public:
    using Work = std::function<Answer(const TraceModel&, const MetricOptions&)>;

    explicit AnalysisJob(std::function<void(const Answer&)> deliver)
        : m_answer(std::move(deliver))
    { }

    /// `work` may return nullptr, or any value, once MetricOptions::cancelled returns true.
    void start(TraceModelPtr model, const MetricOptions& options, Work work)
    {
        m_answer.ask([model = std::move(model), options,
                      work = std::move(work)](QPromise<Answer>& promise, const std::stop_token& stop) {
            MetricOptions cancellable = options;
            cancellable.cancelled = asksWhetherToStop(stop);
            Answer answer = work(*model, cancellable);
            if (answer && !stop.stop_requested())
                promise.addResult(std::move(answer));
        });
    }
    void cancel() { m_answer.cancel(); }
    bool isPending() const { return m_answer.isPending(); }

private:
    LatestOnlyJob<Answer> m_answer;
};

} // namespace collscope
