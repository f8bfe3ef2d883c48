// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/summary_controller.h"

#include "app/controllers/metrics_controller.h"
#include "app/parts/actions.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "metrics/analysis/analysis.h"
#include "metrics/summary/summarized_findings.h"

#include <QAction>
#include <QSettings>

namespace collscope {

namespace {

const QString stripKey = QStringLiteral("findingStrip");

} // namespace

SummaryController::SummaryController(WindowContext& context, const MetricsController& metrics,
                                     FindingStrip& strip, RankTree& ranks, Minimap& overview)
    : Controller(context)
    , m_metrics(metrics)
    , m_strip(strip)
    , m_ranks(ranks)
    , m_overview(overview)
    , m_view(new SummaryView(&context.state, context.tabs))
    , m_gaps(new GapsView(&context.state, context.tabs))
{
    setHelpPlace(m_view, "views_other#summary");
    setHelpPlace(&m_strip, "views_other#summary");
    setHelpPlace(m_gaps, "views_other#gaps");
    connectStrip();
    connect(&metrics, &MetricsController::begun, this, &SummaryController::find);
    connect(m_view, &SummaryView::whyWanted, this, &SummaryController::explain);
}

void SummaryController::explain(const Finding& finding)
{
    switch (whyPlaceOf(finding)) {
    case WhyPlace::Gaps:
        context().showTab(m_gaps);
        m_gaps->showCause(*finding.idleCause);
        break;
    case WhyPlace::CauseChain:
        context().actions->action(QStringLiteral("explainHere"))->trigger();
        break;
    case WhyPlace::Collectives:
    case WhyPlace::Job:
    case WhyPlace::Network:
    case WhyPlace::None:
        if (const auto tab = m_tabs.find(whyPlaceOf(finding)); tab != m_tabs.end())
            context().showTab(tab->second);
        break;
    }
}

void SummaryController::connectStrip()
{
    QAction* shown = context().actions->action(stripKey);
    shown->setChecked(context().settings == UserSettings::Ignore
                      || QSettings().value(stripKey, true).toBool());
    m_strip.setWanted(shown->isChecked());
    context().actions->bind(stripKey, this, [this, shown] {
        m_strip.setWanted(shown->isChecked());
        if (context().settings == UserSettings::Use)
            QSettings().setValue(stripKey, shown->isChecked());
    });
    connect(&m_strip, &FindingStrip::closed, shown, &QAction::trigger);
    connect(&m_strip, &FindingStrip::allWanted, this, [this] { context().showTab(m_view); });
}

/// With the options of the metrics, and whenever they are computed.
void SummaryController::find()
{
    m_job.start(state().run().model(), m_metrics.options(),
                [shared = m_metrics.straggler()](const TraceModel& model, const MetricOptions& options) {
                    Analysis analysis(model, options);
                    if (shared)
                        shared->lendTo(analysis);
                    auto answer = std::make_shared<Answer>();
                    answer->findings = std::make_shared<const Result<Findings>>(findCostsOfRun(analysis));
                    answer->gaps = std::make_shared<const Result<GapTable>>(listGaps(analysis));
                    answer->lanes = gapLanes(analysis);
                    return AnswerPtr(std::move(answer));
                });
}

} // namespace collscope
