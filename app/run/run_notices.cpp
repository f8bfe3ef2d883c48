// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/run_notices.h"

#include "app/controllers/metrics_controller.h"
#include "app/controllers/session_controller.h"
#include "app/parts/window_context.h"
#include "app/run/run_controller.h"
#include "model/building/run_findings.h"
#include "views/common/format.h"
#include "views/widgets/banner.h"

#include <algorithm>
#include <utility>

namespace collscope {

RunNotices::RunNotices(WindowContext& context, RunController& run, SessionController& session,
                       MetricsController& metrics, QWidget& problems)
    : Controller(context)
    , m_run(run)
    , m_problems(problems)
{
    // The banner shows the latest message first.
    connect(&run, &RunController::opened, this, [this, &session, &metrics] {
        showUnrecognised();
        showExclusions();
        metrics.definitions().reload(); // the user may have changed them before reopening a run
        session.showNotices();
        showFindings();
        offerExport();
    });
    connect(&run, &RunController::loadFailed, this, &RunNotices::offerExport);
}

/// No kernel was recognised as communication, but the run may still communicate.
void RunNotices::showUnrecognised()
{
    context().banner->retract(QStringLiteral("communication"));
    const auto& problems = state().run().model()->problems.entries();
    const auto unknown = std::find_if(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == "communication_not_recognised";
    });
    if (unknown != problems.end())
        context().banner->showMessage(
            {BannerTone::Warning, toText(unknown->explanation), QStringLiteral("communication")});
}

/// Events in the files that the model excludes.
void RunNotices::showExclusions()
{
    const std::vector<Diagnostic>& problems = state().run().model()->problems.entries();
    const bool isComplete = std::none_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.severity >= Severity::DataLoss;
    });
    if (isComplete)
        return;
    const std::uint64_t lost = state().run().model()->problems.excludedEvents();
    context().banner->showMessage(
        {BannerTone::Warning,
         lost == 0       ? tr("Some files of this run could not be used completely.")
             : lost == 1 ? tr("One event of this run is excluded.")
                         : tr("%1 events of this run are excluded.").arg(formatCount(lost)),
         QStringLiteral("run"), tr("Details"), [this] { context().showTab(&m_problems); }});
}

/// Inconsistencies within the run.
void RunNotices::showFindings()
{
    context().banner->retract(QStringLiteral("findings"));
    QStringList sentences;
    for (const Diagnostic& problem : state().run().model()->problems.entries()) {
        if (isRunFinding(problem.code) && problem.severity >= Severity::DataLoss)
            sentences << toText(problem.explanation);
    }
    if (!sentences.isEmpty())
        context().banner->showMessage({BannerTone::Warning, sentences.join(QLatin1Char('\n')),
                                       QStringLiteral("findings"), tr("Details"),
                                       [this] { context().showTab(&m_problems); }});
}

/// Offers to run nsys export on reports, if there are any.
void RunNotices::offerExport()
{
    const QString about = QStringLiteral("reports");
    const int reports = m_run.exportableReports();
    context().banner->retract(about);
    if (reports == 0)
        return;
    RunRequest exporting = context().run.pending;
    exporting.options.exportsReports = true;
    context().banner->showMessage(
        {BannerTone::Information,
         tr("%n Nsight Systems report(s) (.nsys-rep) must be exported by nsys before they can be shown.",
            nullptr, reports),
         about, tr("Run nsys export"), [this, exporting] { m_run.load(exporting); }});
}

} // namespace collscope
