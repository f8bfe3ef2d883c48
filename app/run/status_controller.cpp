// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run/status_controller.h"

#include "app/controllers/match_controller.h"
#include "app/parts/window_context.h"
#include "app/run/run_controller.h"
#include "views/common/format.h"
#include "views/tables/problems_view.h"

#include <QKeySequence>
#include <QLabel>
#include <QLocale>
#include <QTimer>

namespace collscope {

namespace {

/// Returns the clock summary for the status bar; ClockAlignment::summary has the details.
QString clocksText(const ClockAlignment& clocks, ClockChoice choice)
{
    if (clocks.isUsed(choice))
        return StatusController::tr("clocks aligned on %1 collectives, residual %2")
            .arg(QLocale().toString(qlonglong(clocks.collectives)), formatDuration(clocks.residualNs));
    if (choice == ClockChoice::Raw && clocks.isNeeded)
        return StatusController::tr("raw clocks, differ by up to %1")
            .arg(formatDuration(clocks.largestAheadNs()));
    return StatusController::tr("clocks as recorded, agree within %1")
        .arg(formatDuration(clocks.rawResidualNs));
}

} // namespace

StatusController::StatusController(WindowContext& context, const RunController& run,
                                   const MatchController& match, const ProblemsView& problems)
    : Controller(context)
    , m_problems(problems)
{
    connect(&run, &RunController::loaded, this, &StatusController::update);
    connect(&run, &RunController::notOpened, this, &StatusController::update);
    connect(&match, &MatchController::matched, this, &StatusController::update);
    connect(&state().run(), &RunContext::clocksChanged, this, &StatusController::update);
    // After a notice the status line describes the run again, unless another run is loading.
    connect(context.bar.notice, &QTimer::timeout, this, [this, &run] {
        if (!run.isLoading())
            update();
    });
    update();
}

void StatusController::update()
{
    context().bar.status->setText(
        state().run().model()
            ? runText()
            : tr("Drop a run folder onto the window, or press %1")
                  .arg(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O).toString(QKeySequence::NativeText)));
}

QString StatusController::runText() const
{
    const TraceModel& model = *state().run().model();
    QStringList parts;
    const auto ranks = model.ranks().size();
    if (ranks > 0)
        parts << (ranks == 1 ? tr("1 rank") : tr("%1 ranks").arg(ranks));
    parts << (model.isSummarized() ? tr("summaries of %1 events") : tr("%1 events"))
                 .arg(formatCount(model.eventCount()));
    if (const auto seconds = context().run.loadSeconds)
        parts << tr("loaded in %1 s").arg(QLocale().toString(*seconds, 'f', 2));
    const bool isSummarized = model.isSummarized(); // then the answer says which clocks it used
    if (model.isReduced() && !isSummarized)
        parts << tr("reduced, without most CPU operators");
    if (state().run().collectives() && state().run().collectives()->clocks.collectives > 0)
        parts << clocksText(state().run().collectives()->clocks, state().run().clockChoice());
    else if (!isSummarized)
        parts << (model.hasWallClock ? tr("clocks: wall clock as recorded")
                                     : tr("clocks: as recorded, no wall clock"));
    const int problems = m_problems.count();
    parts << (problems == 0 ? tr("no problems") : tr("%n problem(s)", nullptr, problems));
    const std::uint64_t lost = model.problems.excludedEvents();
    parts << (lost == 1 ? tr("1 event excluded") : tr("%1 events excluded").arg(formatCount(lost)));
    return parts.join(QStringLiteral(" \u00b7 "));
}

} // namespace collscope
