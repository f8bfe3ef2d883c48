// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "views/ranks/rank_tree.h"
#include "views/summary/finding_strip.h"
#include "views/summary/gaps_view.h"
#include "views/summary/summary_view.h"
#include "views/timeline/minimap.h"

#include <map>

namespace collscope {

class MetricsController;

/// Finds what costs time, for the tabs "Summary" and "Gaps", the overview, the
/// strip above the timeline, and the list of ranks.
class SummaryController : public Controller
{
    Q_OBJECT

public:
    SummaryController(WindowContext& context, const MetricsController& metrics, FindingStrip& strip,
                      RankTree& ranks, Minimap& overview);

    SummaryView* view() const { return m_view; }
    GapsView* gaps() const { return m_gaps; }
    /// The tab that says more about findings, besides those of this controller.
    void leadTo(WhyPlace place, QWidget* tab) { m_tabs[place] = tab; }
    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

signals:
    void ready();

private:
    /// All are read from one partition, which is computed once.
    struct Answer
    {
        FindingsPtr findings;
        GapTablePtr gaps;
        GapLanes lanes;
    };
    using AnswerPtr = std::shared_ptr<const Answer>;

    void find();
    void connectStrip();
    void explain(const Finding& finding);

    const MetricsController& m_metrics;
    FindingStrip& m_strip;
    RankTree& m_ranks;
    Minimap& m_overview;
    SummaryView* m_view;
    GapsView* m_gaps;
    std::map<WhyPlace, QWidget*> m_tabs;
    AnalysisJob<AnswerPtr> m_job{[this](const AnswerPtr& answer) {
        m_view->setFindings(answer->findings);
        m_strip.setFindings(answer->findings);
        m_overview.setFindings(answer->findings);
        m_ranks.setFindings(answer->findings);
        m_gaps->setGaps(answer->gaps);
        state().setGaps(answer->lanes);
        emit ready();
    }};
};

} // namespace collscope
