// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/chooser_controller.h"

#include "app/comparison/runs_window.h"
#include "app/controllers/metrics_controller.h"
#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "app/run/comparison_controller.h"
#include "app/run/run_controller.h"
#include "model/text/wall_clock_text.h"
#include "views/common/format.h"
#include "views/run_chooser.h"

#include <QFile>
#include <QMainWindow>

#include <utility>

namespace collscope {

ChooserController::ChooserController(WindowContext& context, RunChooser& chooser, RunController& run,
                                     MetricsController& metrics, ComparisonController& comparison)
    : Controller(context)
    , m_chooser(chooser)
    , m_run(run)
    , m_metrics(metrics)
{
    context.actions->bind(QStringLiteral("runsTable"), this, [this] { showTable(); });
    connect(&m_run, &RunController::runsFound, this, &ChooserController::offer);
    connect(&m_chooser, &RunChooser::runChosen, this,
            [this](const QStringList& paths) { m_run.openPaths(paths); });
    connect(&m_chooser, &RunChooser::comparisonChosen, this,
            [this, &comparison](const QStringList& baseline, const QStringList& test) {
                m_run.openPaths(baseline);
                comparison.compareWith(test, {});
            });
    connect(&m_chooser, &RunChooser::tableChosen, this, [this](const QString& folder) {
        showTable();
        m_table->openFolders({folder});
    });
    connect(&m_chooser, &RunChooser::oneRunChosen, this, [this](const QString& folder) {
        LoadOptions options;
        options.asOneRun = true;
        m_run.openPaths({folder}, options);
    });
}

void ChooserController::offer(const std::vector<FoundRun>& runs)
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
    m_chooser.setRuns(context().run.pending.paths.value(0), choices);
    emit offered();
}

void ChooserController::showTable()
{
    QMainWindow& window = context().window;
    MetricDefinitions& definitions = m_metrics.definitions();
    if (!m_table) {
        m_table = new RunsWindow(definitions.catalog().usual(), m_metrics.hardware(), &window);
        m_table->setObjectName(QStringLiteral("runsWindow"));
        connect(m_table, &RunsWindow::runActivated, this, [this, &window](const QStringList& paths) {
            m_run.openPaths(paths);
            window.raise();
            window.activateWindow();
        });
    }
    m_table->setKernelRules(definitions.kernelRules());
    m_table->show();
    m_table->raise();
}

} // namespace collscope
