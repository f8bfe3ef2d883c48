// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "metrics/matching/run_collectives.h"

namespace collscope {

class MetricsController;
class SessionController;

/// Matches the collectives of the run and aligns its clocks. All that depends on them waits for matched().
class MatchController : public Controller
{
    Q_OBJECT

public:
    MatchController(WindowContext& context, SessionController& session, MetricsController& metrics);

    void start() override;
    void cancel() override;
    bool isComputing() const override;

signals:
    void matched();

private:
    void onMatched(const RunCollectivesPtr& collectives);

    SessionController& m_session;
    const MetricsController& m_metrics;
    AnalysisJob<RunCollectivesPtr> m_job{[this](const auto& run) { onMatched(run); }};
};

} // namespace collscope
