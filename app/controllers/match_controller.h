// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/jobs/groups_job.h"
#include "app/parts/controller.h"
#include "metrics/matching/run_collectives.h"

namespace collscope {

class MetricsController;
class SessionController;

/// What is known of a run together, so that its rows on the timeline change once.
struct MatchedRun
{
    RunCollectivesPtr collectives;
    LaidOutGroupsPtr groups;
};

/// Matches the collectives of the run, aligns its clocks and lays out its process groups. All that depends on
/// collectives and clocks waits for matched().
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
    void onMatched(const MatchedRun& found);

    SessionController& m_session;
    const MetricsController& m_metrics;
    AnalysisJob<std::shared_ptr<const MatchedRun>> m_job{[this](const auto& found) { onMatched(*found); }};
    GroupsJob m_groups;
};

} // namespace collscope
