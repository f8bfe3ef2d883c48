// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tabs of the main window that compare ranks: Collectives, Lateness, Stragglers, Why slow?

#include "app/main_window.h"
#include "views/cause_view.h"
#include "views/collectives_table.h"
#include "views/lateness_map.h"
#include "views/straggler_panel.h"

#include <QDockWidget>
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
    connect(&m_stragglerJob, &StragglerJob::finished, this, [this](const StragglerReportPtr& report) {
        m_stragglersPending = false;
        m_stragglers->setReport(report);
        emit ranksCompared();
    });
    connect(m_causes, &CauseView::answerWanted, this, [this](const CauseQuestion& question) {
        MetricOptions options; // of the whole run: who is late need not be who was chosen
        options.knowledge = m_knowledge;
        options.collectives = m_state.collectives();
        options.clocks = question.clocks;
        m_causesPending = true;
        m_causeJob.start(m_state.model(), options, question);
    });
    connect(&m_causeJob, &CauseJob::finished, this, [this](const CauseAnswerPtr& answer) {
        m_causesPending = false;
        m_causes->setAnswer(answer);
        emit ranksCompared();
    });
}

void MainWindow::explainHere()
{
    for (QWidget* dock = m_tabs->parentWidget(); dock; dock = dock->parentWidget()) {
        if (auto* const own = qobject_cast<QDockWidget*>(dock))
            own->show();
    }
    m_tabs->setCurrentWidget(m_causes);
    m_causes->explainHere();
}

void MainWindow::listCollectives()
{
    if (!m_state.model() || !m_state.collectives() || m_collectivesPending)
        return;
    m_rowsPending = true;
    m_gridPending = false; // a new list makes it void
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
