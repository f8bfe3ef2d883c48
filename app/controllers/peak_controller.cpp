// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/peak_controller.h"

#include "app/parts/help_window.h"
#include "app/parts/window_context.h"

namespace collscope {

PeakController::PeakController(WindowContext& context)
    : Controller(context)
    , m_view(new KernelTable(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_other#peak-kernels");
    connect(m_view, &KernelTable::kernelsWanted, this, &PeakController::list);
}

void PeakController::list(const KernelQuestion& question)
{
    m_job.start(state().run().model(), MetricOptions(),
                [question](const TraceModel& model, const MetricOptions&) {
                    return std::make_shared<const std::vector<KernelOverlap>>(kernelsOf(model, question));
                });
}

} // namespace collscope
