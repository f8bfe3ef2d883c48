// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "metrics/whatif/what_if_answer.h"

namespace collscope {

class CauseView;
class MetricsController;
class RankTree;
class SummaryView;
class WhatIfView;

/// Replays the run for the tab "What would help?", and plays the scenarios that the user tries.
class WhatIfController : public Controller
{
    Q_OBJECT

public:
    WhatIfController(WindowContext& context, const MetricsController& metrics);

    WhatIfView* view() const { return m_view; }
    /// Answers what these ask for.
    void serve(SummaryView& summary, CauseView& causes, RankTree& ranks);
    void cancel() override;
    bool isComputing() const override;

signals:
    void ready();
    void gainKnown(const std::shared_ptr<const collscope::ScenarioAnswer>& answer);

private:
    using WhatIfAnswerPtr = std::shared_ptr<const WhatIfAnswer>;
    using ScenarioAnswerPtr = std::shared_ptr<const ScenarioAnswer>;

    QString scenarioAt(SliceRef slice) const;
    QString bandwidthOf(SliceRef slice) const;
    void replay();
    void play(const Scenario& scenario);
    void showGhost(const std::optional<Scenario>& scenario);
    /// Answers with gainKnown(), if the run can be replayed. Replays a run of usual size if it was not.
    void wantGain(const Scenario& scenario);
    void findNextGain();
    /// Shows a scenario among the others.
    void tryOut(const Scenario& scenario);

    const MetricsController& m_metrics;
    WhatIfView* m_view;
    AnalysisJob<WhatIfAnswerPtr> m_replay;
    AnalysisJob<ScenarioAnswerPtr> m_play;
    AnalysisJob<GhostLanesPtr> m_ghost;
    AnalysisJob<ScenarioAnswerPtr> m_gain;
    std::vector<Scenario> m_wanted; ///< whose gains are to be found
};

} // namespace collscope
