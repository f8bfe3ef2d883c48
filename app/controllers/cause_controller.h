// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "metrics/causes/cause_answer.h"

namespace collscope {

class CauseView;
class MetricsController;

/// Answers the questions of the tab "Why slow?".
class CauseController : public Controller
{
    Q_OBJECT

public:
    CauseController(WindowContext& context, const MetricsController& metrics);

    CauseView* view() const { return m_view; }
    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

signals:
    void ready();

private:
    void explainHere();
    void explain(const CauseQuestion& question);
    void onExplained(const CauseAnswerPtr& answer);

    const MetricsController& m_metrics;
    CauseView* m_view;
    AnalysisJob<CauseAnswerPtr> m_job{[this](const auto& answer) { onExplained(answer); }};
};

} // namespace collscope
