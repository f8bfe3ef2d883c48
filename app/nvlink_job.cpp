// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/nvlink_job.h"

namespace collscope {

namespace {

constexpr int peaksPerGpu = 64;

void makeCurves(QPromise<NvlinkJob::Curves>& promise, const TraceModelPtr& model)
{
    const auto cancelled = [&] { return promise.isCanceled(); };
    NvlinkJob::Curves curves{nvlinkCurves(model, peaksPerGpu, cancelled),
                             sampledGpus(model, peaksPerGpu, cancelled)};
    if (!cancelled())
        promise.addResult(std::move(curves));
}

} // namespace

void NvlinkJob::start(TraceModelPtr model)
{
    m_answer.ask([model = std::move(model)](QPromise<Curves>& promise) { makeCurves(promise, model); });
}

} // namespace collscope
