// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tabs of the main window that compare ranks: Collectives, Lateness, Stragglers.

#include "app/main_window.h"
#include "views/collectives_table.h"
#include "views/lateness_map.h"
#include "views/straggler_panel.h"

#include <QTabWidget>

namespace collscope {

void MainWindow::buildRankTabs()
{
    m_collectives = new CollectivesTable(&m_state, m_tabs);
    m_lateness = new LatenessMap(&m_state, m_tabs);
    m_stragglers = new StragglerPanel(&m_state, m_tabs);
    m_tabs->addTab(m_collectives, tr("Collectives"));
    m_tabs->addTab(m_lateness, tr("Lateness"));
    m_tabs->addTab(m_stragglers, tr("Stragglers"));
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
    m_rowsPending = m_gridPending = m_stragglersPending = false;
}

} // namespace collscope
