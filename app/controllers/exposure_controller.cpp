// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/exposure_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/controllers/summary_controller.h"
#include "views/state/view_state.h"

namespace collscope {

ExposureController::ExposureController(WindowContext& context, const MetricsController& metrics,
                                       const SummaryController& summary)
    : Controller(context)
    , m_metrics(metrics)
    , m_job([this](const ExposurePtr& exposure) { state().setExposure(exposure); })
{
    connect(&summary, &SummaryController::ready, this, &ExposureController::measure);
    connect(&state().run(), &RunContext::clocksChanged, this, [this] { m_job.cancel(); });
}

void ExposureController::measure()
{
    if (state().run().exposure() || m_job.isPending())
        return;
    MetricOptions options = m_metrics.options();
    options.rank.reset();
    m_job.start(state().run().model(), options, measureExposure);
}

} // namespace collscope
