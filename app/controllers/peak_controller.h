// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "views/tables/kernel_table.h"

namespace collscope {

/// Lists the kernels that ran during the selected peak, for the tab "Peak kernels".
class PeakController : public Controller
{
    Q_OBJECT

public:
    explicit PeakController(WindowContext& context);

    KernelTable* view() const { return m_view; }
    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

private:
    void list(const KernelQuestion& question);

    KernelTable* m_view;
    AnalysisJob<KernelOverlapsPtr> m_job{[this](const auto& kernels) { m_view->setKernels(kernels); }};
};

} // namespace collscope
