// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "views/summary/summary_view.h"

namespace collscope {

class MetricsController;

/// Finds what costs time, for the tab "Summary".
class SummaryController : public Controller
{
    Q_OBJECT

public:
    SummaryController(WindowContext& context, const MetricsController& metrics);

    SummaryView* view() const { return m_view; }
    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

signals:
    void ready();

private:
    void find();

    const MetricsController& m_metrics;
    SummaryView* m_view;
    AnalysisJob<FindingsPtr> m_job{[this](const auto& findings) {
        m_view->setFindings(findings);
        emit ready();
    }};
};

} // namespace collscope
