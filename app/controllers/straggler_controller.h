// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "metrics/causes/straggler_report.h"

namespace collscope {

class MetricsController;
class StragglerPanel;

/// Finds the stragglers for the tab "Stragglers".
class StragglerController : public Controller
{
    Q_OBJECT

public:
    StragglerController(WindowContext& context, const MetricsController& metrics);

    StragglerPanel* view() const { return m_view; }
    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

signals:
    void ready();

private:
    void find();
    void onFound(const StragglerReportPtr& report);

    const MetricsController& m_metrics;
    StragglerPanel* m_view;
    AnalysisJob<StragglerReportPtr> m_job{[this](const auto& report) { onFound(report); }};
};

} // namespace collscope
