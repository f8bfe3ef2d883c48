// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "metrics/partition/exposure.h"

namespace collscope {

class MetricsController;
class SummaryController;

/// Measures how much of each communication kernel is exposed, for the columns of the tables. Only after the
/// summary, which people read first.
class ExposureController : public Controller
{
    Q_OBJECT

public:
    ExposureController(WindowContext& context, const MetricsController& metrics,
                       const SummaryController& summary);

    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

private:
    /// Once for each run and choice of clocks.
    void measure();

    const MetricsController& m_metrics;
    AnalysisJob<ExposurePtr> m_job;
};

} // namespace collscope
