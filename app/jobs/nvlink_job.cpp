// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/nvlink_job.h"

#include "app/runtime/stop_request.h"

namespace collscope {

namespace {

constexpr int peaksPerGpu = 64;

void makeCurves(QPromise<NvlinkJob::Curves>& promise, const TraceModelPtr& model, const std::stop_token& stop)
{
    const auto cancelled = asksWhetherToStop(stop);
    NvlinkJob::Curves curves{nvlinkCurves(model, peaksPerGpu, cancelled),
                             sampledGpus(model, peaksPerGpu, cancelled)};
    if (!stop.stop_requested())
        promise.addResult(std::move(curves));
}

} // namespace

void NvlinkJob::start(TraceModelPtr model)
{
    m_answer.ask([model = std::move(model)](QPromise<Curves>& promise, const std::stop_token& stop) {
        makeCurves(promise, model, stop);
    });
}

} // namespace collscope
