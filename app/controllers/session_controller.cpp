// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/session_controller.h"

#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "views/common/format.h"
#include "views/ranks/rank_map_dialog.h"
#include "views/rows/timeline_layout.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/banner.h"

#include <QFile>
#include <QFileInfo>
#include <QMainWindow>

#include <algorithm>
#include <cassert>
#include <utility>

namespace collscope {

namespace {

constexpr int keepAfterMs = 1500; ///< idle time: a drag is one change, not a hundred

std::optional<std::int64_t> wallClockZeroOf(const TraceModel& model)
{
    return model.hasWallClock ? std::optional(model.axisZeroNs) : std::nullopt;
}

Session::OfRank ofRank(const Timeline& timeline)
{
    return {timeline.rank, timeline.kind == SourceKind::Nsys};
}

} // namespace

SessionController::SessionController(WindowContext& context, TimelineView& timeline)
    : Controller(context)
    , m_timeline(timeline)
{
    context.actions->bind(QStringLiteral("ranks"), this, [this] { chooseRanks(); });
    context.actions->bind(QStringLiteral("saveSession"), this, [this] { saveBeside(); });
    context.actions->bind(QStringLiteral("startOver"), this, [this] { startOver(); });
    connectChanges();
}

void SessionController::connectChanges()
{
    m_keepTimer.setSingleShot(true);
    m_keepTimer.setInterval(keepAfterMs);
    connect(&m_keepTimer, &QTimer::timeout, this, &SessionController::keep);
    const auto later = [this] {
        if (isUsed())
            m_keepTimer.start();
    };
    connect(state().run().edits(), &RunEdits::changed, this, later);
    connect(&state().viewport(), &Viewport::visibleRangeChanged, this, later);
    connect(&state().selection(), &ViewSelection::rangeChanged, this, later);
    connect(&state().preferences(), &ViewPreferences::hiddenRanksChanged, this, later);
    connect(&state().preferences(), &ViewPreferences::rowFilterChanged, this, later);
    connect(&state().preferences(), &ViewPreferences::timeFormatChanged, this, later);
    connect(&state().run(), &RunContext::clocksChanged, this, later);
    connect(&m_timeline, &TimelineView::rowsChanged, this, later);
    connect(context().tabs, &QTabWidget::currentChanged, this, later);
}

bool SessionController::isUsed() const
{
    return context().settings == UserSettings::Use;
}

Session SessionController::session() const
{
    assert(state().run().model());
    Session session;
    const TraceModel& model = *state().run().model();
    session.annotations = state().run().edits()->annotations();
    session.hiddenRanks = state().preferences().hiddenRanks();
    const LayoutChoices& choices = m_timeline.rows().choices();
    session.collapsedRanks = choices.collapsedRanks;
    for (const std::uint32_t timeline : choices.openThreads)
        session.openThreads.insert(ofRank(model.timelines[timeline]));
    session.openGroups = choices.openGroups;
    session.rowScale = choices.scale;
    session.rowFilter = state().preferences().rowFilter();
    session.visible = state().viewport().visibleRange();
    session.selected = state().selection().range();
    session.timeFormat = state().preferences().timeFormat();
    session.clocks = state().run().clockChoice();
    session.ranks = m_ranks;
    session.tab = context().tabs->currentWidget()->objectName();
    session.wallClockZeroNs = wallClockZeroOf(model);
    return session;
}

void SessionController::restore(const Session& kept)
{
    const TraceModel& model = *state().run().model();
    const Session session = movedTo(wallClockZeroOf(model), kept);
    state().setClockChoice(session.clocks);
    state().preferences().setTimeFormat(session.timeFormat);
    state().run().edits()->reset(session.annotations);
    std::set<std::int32_t> hidden;
    for (const std::int32_t rank : model.ranks()) {
        if (session.hiddenRanks.contains(rank))
            hidden.insert(rank);
    }
    state().preferences().setHiddenRanks(std::move(hidden));
    std::set<std::uint32_t> openThreads;
    for (std::uint32_t i = 0; i < model.timelines.size(); ++i) {
        if (session.openThreads.contains(ofRank(model.timelines[i])))
            openThreads.insert(i);
    }
    m_timeline.rows().setOpen(session.collapsedRanks, openThreads, session.openGroups, session.rowScale);
    state().preferences().setRowFilter(session.rowFilter);
    if (session.visible)
        state().viewport().setVisibleRange(*session.visible);
    const TimeRange run = state().run().range();
    if (session.selected)
        state().selection().setRange(TimeRange{std::max(session.selected->beginNs, run.beginNs),
                                               std::min(session.selected->endNs, run.endNs)});
    else
        state().selection().setRange(std::nullopt);
    if (auto* const tab = context().tabs->findChild<QWidget*>(session.tab))
        context().chooseTab(tab);
    m_wantedView = session.visible;
    m_viewRestored = state().viewport().visibleRange();
}

void SessionController::setCollectives(const RunCollectivesPtr& collectives, const LaidOutGroupsPtr& groups)
{
    const bool wasKept = session() == m_kept;
    state().setCollectives(collectives, groups);
    restoreViewOnClocks();
    if (wasKept)
        m_kept = session();
}

/// Restores the view once more: if the clocks differ, the axis has its full length only now.
void SessionController::restoreViewOnClocks()
{
    const auto wanted = std::exchange(m_wantedView, std::nullopt);
    if (wanted && state().viewport().visibleRange() == m_viewRestored)
        state().viewport().setVisibleRange(*wanted);
}

void SessionController::keep()
{
    m_keepTimer.stop();
    if (!isUsed() || !state().run().model() || context().run.isPreview)
        return;
    const Session now = session();
    if (now == m_kept)
        return;
    if (const Status saved = m_store.save(m_file, now); !saved)
        // A short notice is enough: measured data is not lost.
        context().tell(toText(saved.error().message));
    m_kept = now;
}

std::optional<Session> SessionController::bringBack()
{
    m_wantedView.reset();
    m_status = {};
    m_ranks = context().run.opened.options.ranks;
    m_file = m_store.fileOf(*state().run().model());
    if (!isUsed())
        return std::nullopt;
    auto [kept, isBeside, status] = m_store.load(*state().run().model());
    m_status = std::move(status);
    if (kept && !isBeside)
        leavePlace(*kept);
    if (kept)
        restore(*kept);
    if (kept && m_ranks.empty())
        m_ranks = kept->ranks;
    m_kept = session();
    return kept;
}

/// Removes from the user's own session where they were: a run opens with what costs time in all of it, since
/// the metrics of a range that was selected some days ago would be taken for those of the run.
void SessionController::leavePlace(Session& own)
{
    const Session moved = movedTo(wallClockZeroOf(*state().run().model()), own);
    if (moved.visible && *moved.visible != state().viewport().visibleRange())
        state().viewport().offerBack(*moved.visible);
    own.visible.reset();
    own.selected.reset();
    own.tab.clear();
}

void SessionController::followReload()
{
    if (m_ranks.empty())
        m_file = m_store.fileOf(*state().run().model());
}

void SessionController::showNotices()
{
    Banner& banner = *context().banner;
    banner.retract(QStringLiteral("session"));
    if (!m_status)
        banner.showMessage(
            {BannerTone::Warning, toText(m_status.error().message), QStringLiteral("session")});
    banner.retract(QStringLiteral("ranks"));
    const auto& problems = state().run().model()->problems.entries();
    const auto unsure = std::find_if(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == "duplicate_rank"
            || (problem.code == "rank_guessed" && problem.severity != Severity::Info);
    });
    if (unsure != problems.end())
        banner.showMessage({BannerTone::Warning, tr("Some files do not state their rank."),
                            QStringLiteral("ranks"), tr("Assign ranks\u2026"), [this] { chooseRanks(); }});
}

/// Asks for the rank of each file and reloads the run.
void SessionController::chooseRanks()
{
    if (!state().run().model() || context().run.isPreview)
        return;
    auto* dialog = new RankMapDialog(*state().run().model(), m_ranks, &context().window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&state().run(), &RunContext::modelChanged, dialog,
            &QWidget::close); // the dialog is about this run
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (dialog->ranks() != m_ranks)
            assignRanks(dialog->ranks());
    });
    dialog->open();
}

void SessionController::assignRanks(const LoadOptions::Ranks& ranks)
{
    m_ranks = ranks;
    emit ranksAssigned();
}

void SessionController::saveBeside()
{
    if (!state().run().model() || context().run.isPreview)
        return;
    const QString path = SessionStore::fileBeside(*state().run().model());
    Status saved = Error{
        Error::Kind::Usage,
        tr("A run opened from several paths, or on another machine, has no folder to save a session in")
            .toStdString()};
    if (!path.isEmpty())
        saved = SessionStore::saveTo(path, session());
    tellSaved(context().bar, *context().banner, path, saved);
}

void SessionController::startOver()
{
    const TraceModelPtr model = state().run().model();
    if (!model || context().run.isPreview)
        return;
    Session fresh;
    fresh.visible = state().run().initialView();
    fresh.tab = context().tabs->currentWidget()->objectName();
    fresh.wallClockZeroNs = wallClockZeroOf(*model);
    restore(fresh);
    m_ranks.clear();
    m_kept = session();
    // A session file next to the run is not removed here: a newer session in the store takes precedence.
    if (isUsed() && QFileInfo::exists(SessionStore::fileBeside(*model)))
        static_cast<void>(m_store.save(m_file, m_kept)); // keep() reports a folder that cannot be written
    else if (isUsed())
        QFile::remove(m_file);
    if (!context().run.opened.options.ranks.empty())
        assignRanks({});
}

} // namespace collscope
