// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/curves_controller.h"

#include "app/parts/window_context.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"

namespace collscope {

namespace {

std::shared_ptr<const NvlinkNeeds> needsOf(const TraceModel& model, const MetricOptions& options)
{
    Analysis analysis(model, options);
    return nvlinkNeeds(analysis);
}

} // namespace

CurvesController::CurvesController(WindowContext& context, NvlinkChart& nvlink, GpuCounterChart& gpus)
    : Controller(context)
    , m_nvlink(nvlink)
    , m_gpus(gpus)
    , m_needs([this](const auto& needs) {
        m_nvlink.setNeeds(needs);
        emit ready();
    })
{
    connect(&m_job, &NvlinkJob::finished, this, [this](const NvlinkJob::Curves& curves) {
        m_nvlink.setCurves(curves.nvlink);
        m_gpus.setCounters(curves.gpus);
        if (!state().run().model()->nvlink.empty())
            m_needs.start(state().run().model(), MetricOptions(), needsOf);
        emit ready();
    });
}

void CurvesController::start()
{
    m_job.start(state().run().model());
}

void CurvesController::cancel()
{
    m_job.cancel();
    m_needs.cancel();
}

bool CurvesController::isComputing() const
{
    return m_nvlink.isComputing() || m_gpus.isComputing() || m_needs.isPending();
}

} // namespace collscope
