// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/curves_controller.h"

#include "app/parts/window_context.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"

namespace collscope {

CurvesController::CurvesController(WindowContext& context, NvlinkChart& nvlink, GpuCounterChart& gpus)
    : Controller(context)
    , m_nvlink(nvlink)
    , m_gpus(gpus)
{
    connect(&m_job, &NvlinkJob::finished, this, [this](const NvlinkJob::Curves& curves) {
        m_nvlink.setCurves(curves.nvlink);
        m_gpus.setCounters(curves.gpus);
        emit ready();
    });
}

void CurvesController::start()
{
    m_job.start(state().run().model());
}

bool CurvesController::isComputing() const
{
    return m_nvlink.isComputing() || m_gpus.isComputing();
}

} // namespace collscope
