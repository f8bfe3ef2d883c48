// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/metric_job.h"

#include "app/runtime/stop_request.h"
#include "app/runtime/thread_pool.h"
#include "metrics/analysis/analysis.h"

namespace collscope {

const MetricResult* MetricJob::Question::wholeFile(const std::string& name) const
{
    if (!results)
        return nullptr;
    for (const auto& [request, result] : *results) {
        if (request.name == name && result.state == MetricState::Value && result.window == "whole file")
            return &result;
    }
    return nullptr;
}

MetricJob::MetricJob(QObject* parent)
    : QObject(parent)
    , m_answer([this](const std::shared_ptr<Results>& results) {
        m_last.results = results;
        emit finished(results);
    })
{ }

void MetricJob::start(TraceModelPtr model, const MetricOptions& options, std::vector<MetricRequest> requests,
                      SharedStragglerPtr straggler)
{
    const bool reusable = m_last.model == model && m_last.rank == options.rank && !options.wantEvidence
        && !options.wantReferences;
    Question last = reusable ? m_last : Question();
    m_last = {model, options.rank, last.results};
    m_answer.ask([model = std::move(model), options, last = std::move(last), requests = std::move(requests),
                  straggler = std::move(straggler)](QPromise<std::shared_ptr<Results>>& promise,
                                                    const std::stop_token& stop) {
        auto results = std::make_shared<Results>();
        MetricOptions cancellable = options;
        cancellable.cancelled = asksWhetherToStop(stop);
        cancellable.parallel = threadPool(0);
        Analysis analysis(*model, cancellable);
        if (straggler)
            straggler->lendTo(analysis);
        for (const MetricRequest& request : requests) {
            const MetricResult* known = last.wholeFile(request.name);
            results->emplace_back(request, known ? *known : evaluate(analysis, request));
            if (stop.stop_requested())
                return;
        }
        promise.addResult(std::move(results));
    });
}

} // namespace collscope
