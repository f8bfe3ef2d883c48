// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Comparing the current run with other runs.

#include "app/comparison_files.h"
#include "app/comparison_window.h"
#include "app/main_window.h"
#include "app/metrics_controller.h"

#include <QFile>

namespace collscope {

ComparisonWindow* MainWindow::comparison() const
{
    return m_comparison;
}

void MainWindow::chooseTest()
{
    const QString folder
        = chooseRunFolder(this, tr("Choose the run to compare with"), m_opened.paths.value(0));
    if (!folder.isEmpty())
        compareWith({folder});
}

void MainWindow::compareWith(const QStringList& paths, const LoadOptions& options)
{
    Request test{paths, options};
    test.options.kernelRules = m_numbers->definitions().kernelRules();
    m_wantedTests.push_back(std::move(test));
    if (!m_loadJob.isRunning() && !m_collectivesPending)
        startComparison();
}

void MainWindow::startComparison()
{
    if (m_wantedTests.empty() || !m_state.model())
        return;
    // A window whose baseline is not the current run stays open, unchanged.
    if (!m_comparison || m_comparison->baseline() != m_state.model()) {
        ComparisonRun baseline{m_state.model(), m_state.collectives(),
                               fullPath(QFile::encodeName(m_opened.paths.value(0)).toStdString()), nullptr};
        // No parent: the window would always stay above it.
        m_comparison = new ComparisonWindow(std::move(baseline), m_numbers->runOptions());
        m_comparison->setAttribute(Qt::WA_DeleteOnClose);
        m_comparisons.push_back(m_comparison);
        for (RunPane* pane : {m_comparison->view()->basePane(), m_comparison->view()->testPane()})
            pane->state()->setWheelZooms(m_state.wheelZooms());
    }
    m_comparison->show();
    m_comparison->raise();
    m_comparison->activateWindow();
    for (const Request& test : std::exchange(m_wantedTests, {}))
        m_comparison->addTest(test.paths, test.options);
}

} // namespace collscope
