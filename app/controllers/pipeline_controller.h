// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "metrics/analysis/pipeline_bubbles.h"

namespace collscope {

class MatchController;
class MetricsController;
class PipelineView;

/// Measures the bubbles of the pipeline for the tab "Pipeline".
class PipelineController : public Controller
{
    Q_OBJECT

public:
    PipelineController(WindowContext& context, const MatchController& match,
                       const MetricsController& metrics);

    PipelineView* view() const { return m_view; }
    void cancel() override { m_job.cancel(); }
    bool isComputing() const override;

private:
    void measure();
    void onMeasured(const BubbleTablePtr& bubbles);

    const MetricsController& m_metrics;
    PipelineView* m_view;
    AnalysisJob<BubbleTablePtr> m_job{[this](const auto& bubbles) { onMeasured(bubbles); }};
};

} // namespace collscope
