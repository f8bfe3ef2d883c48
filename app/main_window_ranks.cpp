// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tabs of the main window that compare ranks: Collectives, Lateness, Stragglers, Why slow?

#include "app/main_window.h"
#include "views/collectives/cause_view.h"
#include "views/collectives/collectives_table.h"
#include "views/collectives/lateness_map.h"
#include "views/collectives/straggler_panel.h"

#include <QTabWidget>

namespace collscope {

void MainWindow::buildRankTabs()
{
    m_collectives = new CollectivesTable(&m_state, m_tabs);
    m_lateness = new LatenessMap(&m_state, m_tabs);
    m_stragglers = new StragglerPanel(&m_state, m_tabs);
    m_causes = new CauseView(&m_state, m_tabs);
    m_tabs->addTab(m_collectives, tr("Collectives"));
    m_tabs->addTab(m_lateness, tr("Lateness"));
    m_tabs->addTab(m_stragglers, tr("Stragglers"));
    m_tabs->addTab(m_causes, tr("Why slow?"));
    connect(&m_rowsJob, &CollectiveRowsJob::listed, this, [this](const CollectiveRowsPtr& collectives) {
        m_rowsPending = false;
        m_collectives->setCollectives(collectives);
        m_lateness->setCollectives(collectives);
        emit ranksCompared();
    });
    connect(m_lateness, &LatenessMap::gridWanted, this,
            [this](const CollectiveRowsPtr& collectives, const LatenessRequest& request) {
                m_gridPending = true;
                m_rowsJob.layOut(collectives, request);
            });
    connect(&m_rowsJob, &CollectiveRowsJob::laidOut, this, [this](const LatenessGridPtr& grid) {
        m_gridPending = false;
        m_lateness->setGrid(grid);
        emit ranksCompared();
    });
    connect(m_causes, &CauseView::answerWanted, this, &MainWindow::explain);
}

void MainWindow::findStragglers()
{
    m_stragglersPending = true;
    m_stragglerJob.start(m_state.model(), metricOptions(),
                         [](const TraceModel& model, const MetricOptions& options) {
                             Analysis analysis(model, options);
                             return std::make_shared<const StragglerReport>(reportStragglers(analysis));
                         });
}

void MainWindow::onStragglersFound(const StragglerReportPtr& report)
{
    m_stragglersPending = false;
    m_stragglers->setReport(report);
    emit ranksCompared();
}

/// Explains over the whole run: the late rank need not be the selected rank.
void MainWindow::explain(const CauseQuestion& question)
{
    m_causesPending = true;
    m_causeJob.start(m_state.model(), runOptions(),
                     [question](const TraceModel& model, const MetricOptions& options) {
                         Analysis analysis(model, options);
                         return std::make_shared<const CauseAnswer>(answerWhy(analysis, question));
                     });
}

void MainWindow::onExplained(const CauseAnswerPtr& answer)
{
    m_causesPending = false;
    m_causes->setAnswer(answer);
    emit ranksCompared();
}

void MainWindow::explainHere()
{
    showTab(m_causes);
    m_causes->explainHere();
}

void MainWindow::listCollectives()
{
    if (!m_state.model() || !m_state.collectives() || m_collectivesPending)
        return;
    m_rowsPending = true;
    m_gridPending = false; // a new list makes it obsolete
    m_rowsJob.list(m_state.model(), m_state.collectives(), m_state.clockChoice());
}

void MainWindow::cancelRankJobs()
{
    m_rowsJob.cancel();
    m_stragglerJob.cancel();
    m_causeJob.cancel();
    m_rowsPending = m_gridPending = m_stragglersPending = m_causesPending = false;
}

} // namespace collscope
