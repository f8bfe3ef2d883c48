// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Handling of folders that contain several runs, in the main window.

#include "app/main_window.h"
#include "app/runs_window.h"
#include "model/readers/run/found_runs.h"
#include "model/text/wall_clock_text.h"
#include "views/format.h"
#include "views/run_chooser.h"
#include "views/welcome_page.h"

#include <QFile>
#include <QLabel>
#include <QStackedWidget>

#include <utility>

namespace collscope {

void MainWindow::buildChooser()
{
    m_chooser = new RunChooser(this);
    m_pages->addWidget(m_chooser);
    connect(m_chooser, &RunChooser::runChosen, this, [this](const QStringList& paths) { openPaths(paths); });
    connect(m_chooser, &RunChooser::comparisonChosen, this,
            [this](const QStringList& baseline, const QStringList& test) {
                openPaths(baseline);
                compareWith(test);
            });
    connect(m_chooser, &RunChooser::tableChosen, this, [this](const QString& folder) {
        showRunsTable();
        m_runs->openFolders({folder});
    });
    connect(m_chooser, &RunChooser::oneRunChosen, this, [this](const QString& folder) {
        LoadOptions options;
        options.asOneRun = true;
        openPaths({folder}, options);
    });
    connect(m_chooser, &RunChooser::left, this, &MainWindow::leaveChooser);
}

void MainWindow::offerRuns(const std::vector<FoundRun>& runs)
{
    QList<RunChoice> choices;
    for (const FoundRun& run : runs) {
        RunChoice choice;
        choice.name = toText(run.name);
        choice.ranks = toText(ranksText(run));
        choice.recordedNs = run.beginNs.value_or(run.changedNs);
        const QString time = toText(wallClockText(choice.recordedNs));
        choice.recorded = run.beginNs ? time : tr("file dated %1").arg(time);
        choice.bytes = run.bytes;
        for (const std::string& path : run.paths)
            choice.paths << QFile::decodeName(QByteArray::fromStdString(path));
        choices << std::move(choice);
    }
    const QString folder = m_pending.paths.value(0);
    m_chooser->setRuns(folder, choices);
    m_pages->setCurrentWidget(m_chooser);
    m_chooser->setFocus();
    rememberRun(folder);
    emit runsOffered();
}

void MainWindow::leaveChooser()
{
    m_pages->setCurrentWidget(m_state.model() ? m_runPage : m_welcome);
    if (m_state.model())
        focusTimeline();
}

} // namespace collscope
