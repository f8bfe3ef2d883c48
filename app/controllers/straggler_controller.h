// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "metrics/causes/straggler_report.h"
#include "metrics/summary/step_lateness.h"

namespace collscope {

class MetricsController;
class StragglerPanel;

/// Finds the stragglers for the tab "Stragglers", and for the map of a run that was merged from summaries.
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
    /// `waits`: of a summarized run; else nullptr.
    void found(const collscope::StragglerReportPtr& report, const collscope::StepWaitsPtr& waits);

private:
    struct Answer
    {
        StragglerReportPtr report;
        StepWaitsPtr waits;
    };
    using AnswerPtr = std::shared_ptr<const Answer>;

    static AnswerPtr answer(Analysis& analysis);
    void find();
    void onFound(const AnswerPtr& answer);

    const MetricsController& m_metrics;
    StragglerPanel* m_view;
    AnalysisJob<AnswerPtr> m_job{[this](const auto& answer) { onFound(answer); }};
};

} // namespace collscope
