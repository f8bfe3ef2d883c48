// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/comparison_controller.h"

#include "app/comparison/comparison_window.h"
#include "app/controllers/match_controller.h"
#include "app/controllers/metrics_controller.h"
#include "app/files/comparison_files.h"
#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "app/run/run_controller.h"
#include "model/text/needs_events.h"
#include "views/common/format.h"
#include "views/widgets/banner.h"

#include <QFile>

#include <utility>

namespace collscope {

ComparisonController::ComparisonController(WindowContext& context, const RunController& run,
                                           const MatchController& match, MetricsController& metrics)
    : Controller(context)
    , m_run(run)
    , m_metrics(metrics)
{
    context.actions->bind(QStringLiteral("compare"), this, [this] { chooseTest(); });
    connect(&run, &RunController::notOpened, this, [this] { m_wantedTests.clear(); });
    connect(&match, &MatchController::matched, this, &ComparisonController::openWanted);
}

ComparisonController::~ComparisonController()
{
    for (const QPointer<ComparisonWindow>& one : m_all)
        delete one.data();
}

ComparisonWindow* ComparisonController::window() const
{
    return m_window;
}

void ComparisonController::chooseTest()
{
    const QString folder = chooseRunFolder(&context().window, tr("Choose the run to compare with"),
                                           context().run.opened.paths.value(0));
    if (!folder.isEmpty())
        compareWith({folder}, {});
}

void ComparisonController::compareWith(const QStringList& paths, const LoadOptions& options)
{
    RunRequest test{paths, options};
    test.options.kernelRules = m_metrics.definitions().kernelRules();
    m_wantedTests.push_back(std::move(test));
    if (!m_run.isLoading() && !context().run.isMatching)
        openWanted();
}

void ComparisonController::openWanted()
{
    if (m_wantedTests.empty() || !state().run().model())
        return;
    if (state().run().model()->isSummarized()) {
        m_wantedTests.clear();
        context().banner->showMessage(
            {BannerTone::Warning, toText(needsEventsText()), QStringLiteral("run")});
        return;
    }
    // A window whose baseline is not the current run stays open, unchanged.
    if (!m_window || m_window->baseline() != state().run().model()) {
        const QString path = context().run.opened.paths.value(0);
        ComparisonRun baseline{state().run().model(), state().run().collectives(),
                               fullPath(QFile::encodeName(path).toStdString()), nullptr};
        // No parent: the window would always stay above it.
        m_window = new ComparisonWindow(std::move(baseline), m_metrics.runOptions());
        m_window->setAttribute(Qt::WA_DeleteOnClose);
        m_all.push_back(m_window);
        for (RunPane* pane : {m_window->view()->basePane(), m_window->view()->testPane()})
            pane->state()->preferences().setWheelZooms(state().preferences().wheelZooms());
    }
    m_window->show();
    m_window->raise();
    m_window->activateWindow();
    for (const RunRequest& test : std::exchange(m_wantedTests, {}))
        m_window->addTest(test.paths, test.options);
}

} // namespace collscope
