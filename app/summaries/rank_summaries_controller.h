// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/latest_only_job.h"
#include "app/parts/controller.h"
#include "metrics/causes/straggler_report.h"
#include "metrics/summary/step_lateness.h"

namespace collscope {

class FindingStrip;
class RankSummariesView;
class StragglerController;
class SummaryView;

/// Lays out the map of a run that was merged from summaries, without the ranks that are hidden. A finding
/// that is chosen elsewhere chooses its rank in the map.
class RankSummariesController : public Controller
{
    Q_OBJECT

public:
    RankSummariesController(WindowContext& context, const StragglerController& stragglers,
                            const SummaryView& findings, const FindingStrip& strip, RankSummariesView& view);

    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

private:
    void take(const StragglerReportPtr& report, const StepWaitsPtr& waits);
    void layOut();

    RankSummariesView& m_view;
    StepWaitsPtr m_waits; ///< nullptr: not known, or the run has events
    LatestOnlyJob<StepLatenessPtr> m_job;
};

} // namespace collscope
