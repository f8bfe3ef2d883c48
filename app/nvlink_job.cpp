// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/nvlink_job.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr int peaksPerGpu = 64;

void addUp(QPromise<NvlinkJob::Curves>& promise, const TraceModel& model)
{
    auto curves = std::make_shared<NvlinkCurves>();
    for (const NvlinkDevice& device : model.nvlink) {
        if (promise.isCanceled())
            return;
        NvlinkCurves::Device& sums = curves->devices.emplace_back();
        sums.tx = aggregateThroughput(device, LinkDirection::Tx);
        sums.rx = aggregateThroughput(device, LinkDirection::Rx);
        for (const StepFunction* sum : {&sums.tx, &sums.rx}) {
            for (const double value : sum->value)
                sums.highest = std::max(sums.highest, value);
        }
    }
    if (!promise.isCanceled() && !model.nvlink.empty())
        curves->peaks = findPeaks(model, peaksPerGpu * static_cast<int>(model.nvlink.size()));
    promise.addResult(NvlinkJob::Curves(std::move(curves)));
}

} // namespace

void NvlinkJob::start(TraceModelPtr model)
{
    m_answer.ask([model = std::move(model)](QPromise<Curves>& promise) { addUp(promise, *model); });
}

} // namespace collscope
