// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sessions of the main window: when they are saved and how they are restored.

#include "app/main_window.h"
#include "views/format.h"
#include "views/ranks/rank_map_dialog.h"
#include "views/timeline/timeline_layout.h"
#include "views/timeline/timeline_view.h"

#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QTabWidget>

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

void MainWindow::connectSession()
{
    m_keepTimer.setSingleShot(true);
    m_keepTimer.setInterval(keepAfterMs);
    connect(&m_keepTimer, &QTimer::timeout, this, &MainWindow::keepSession);
    const auto later = [this] {
        if (m_settings == UserSettings::Use)
            m_keepTimer.start();
    };
    connect(m_state.edits(), &RunEdits::changed, this, later);
    connect(&m_state, &ViewState::visibleRangeChanged, this, later);
    connect(&m_state, &ViewState::selectedRangeChanged, this, later);
    connect(&m_state, &ViewState::hiddenRanksChanged, this, later);
    connect(&m_state, &ViewState::rowFilterChanged, this, later);
    connect(&m_state, &ViewState::timeFormatChanged, this, later);
    connect(&m_state, &ViewState::clocksChanged, this, later);
    connect(m_timeline, &TimelineView::rowsChanged, this, later);
    connect(m_tabs, &QTabWidget::currentChanged, this, later);
}

Session MainWindow::session() const
{
    assert(m_state.model());
    Session session;
    const TraceModel& model = *m_state.model();
    session.annotations = m_state.edits()->annotations();
    session.hiddenRanks = m_state.hiddenRanks();
    const LayoutChoices& choices = m_timeline->choices();
    session.collapsedRanks = choices.collapsedRanks;
    for (const std::uint32_t timeline : choices.openThreads)
        session.openThreads.insert(ofRank(model.timelines[timeline]));
    session.openGroups = choices.openGroups;
    session.rowScale = choices.scale;
    session.rowFilter = m_state.rowFilter();
    session.visible = m_state.visibleRange();
    session.selected = m_state.selectedRange();
    session.timeFormat = m_state.timeFormat();
    session.clocks = m_state.clockChoice();
    session.ranks = m_manualRanks;
    session.tab = m_tabs->currentWidget()->objectName();
    session.wallClockZeroNs = wallClockZeroOf(model);
    return session;
}

void MainWindow::restore(const Session& kept)
{
    const TraceModel& model = *m_state.model();
    const Session session = movedTo(wallClockZeroOf(model), kept);
    m_state.setClockChoice(session.clocks);
    m_state.setTimeFormat(session.timeFormat);
    m_state.edits()->reset(session.annotations);
    std::set<std::int32_t> hidden;
    for (const std::int32_t rank : model.ranks()) {
        if (session.hiddenRanks.contains(rank))
            hidden.insert(rank);
    }
    m_state.setHiddenRanks(std::move(hidden));
    std::set<std::uint32_t> openThreads;
    for (std::uint32_t i = 0; i < model.timelines.size(); ++i) {
        if (session.openThreads.contains(ofRank(model.timelines[i])))
            openThreads.insert(i);
    }
    m_timeline->setOpen(session.collapsedRanks, openThreads, session.openGroups, session.rowScale);
    m_state.setRowFilter(session.rowFilter);
    if (session.visible)
        m_state.setVisibleRange(*session.visible);
    const TimeRange run = m_state.runRange();
    if (session.selected)
        m_state.setSelectedRange(TimeRange{std::max(session.selected->beginNs, run.beginNs),
                                           std::min(session.selected->endNs, run.endNs)});
    else
        m_state.setSelectedRange(std::nullopt);
    if (auto* tab = m_tabs->findChild<QWidget*>(session.tab); tab && m_tabs->indexOf(tab) >= 0)
        m_tabs->setCurrentWidget(tab);
    m_wantedView = session.visible;
    m_viewRestored = m_state.visibleRange();
}

/// Restores the view once more: if the clocks differ, the axis has its full length only now.
void MainWindow::restoreViewOnClocks()
{
    const auto wanted = m_wantedView;
    m_wantedView.reset();
    if (wanted && m_state.visibleRange() == m_viewRestored)
        m_state.setVisibleRange(*wanted);
}

void MainWindow::keepSession()
{
    m_keepTimer.stop();
    if (m_settings == UserSettings::Ignore || !m_state.model() || m_isPreview)
        return;
    const Session now = session();
    if (now == m_kept)
        return;
    if (const Status saved = m_sessions.save(m_sessionFile, now); !saved)
        tellInPassing(m_bar,
                      toText(saved.error().message)); // a short notice is enough: measured data is not lost
    m_kept = now;
}

/// Restores the saved session of a run that was opened before.
std::optional<Session> MainWindow::bringSessionBack()
{
    m_wantedView.reset();
    m_sessionStatus = {};
    m_manualRanks = m_opened.options.ranks;
    m_sessionFile = m_sessions.fileOf(*m_state.model());
    if (m_settings == UserSettings::Ignore)
        return std::nullopt;
    auto [kept, status] = m_sessions.load(*m_state.model());
    m_sessionStatus = std::move(status);
    if (kept)
        restore(*kept);
    if (kept && m_manualRanks.empty())
        m_manualRanks = kept->ranks;
    m_kept = session();
    return kept;
}

void MainWindow::showSessionStatus()
{
    m_banner->retract(QStringLiteral("session"));
    if (!m_sessionStatus)
        m_banner->showMessage(
            {BannerTone::Warning, toText(m_sessionStatus.error().message), QStringLiteral("session")});
    m_banner->retract(QStringLiteral("ranks"));
    const auto& problems = m_state.model()->problems.entries();
    const auto unsure = std::find_if(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == "duplicate_rank"
            || (problem.code == "rank_guessed" && problem.severity != Severity::Info);
    });
    if (unsure != problems.end())
        m_banner->showMessage({BannerTone::Warning, tr("Some files do not state their rank."),
                               QStringLiteral("ranks"), tr("Assign ranks\u2026"), [this] { chooseRanks(); }});
}

/// Asks for the rank of each file and reloads the run.
void MainWindow::chooseRanks()
{
    if (!m_state.model() || m_isPreview)
        return;
    auto* dialog = new RankMapDialog(*m_state.model(), m_manualRanks, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(&m_state, &ViewState::modelChanged, dialog, &QWidget::close); // the dialog is about this run
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        if (dialog->ranks() != m_manualRanks)
            loadWithRanks(dialog->ranks());
    });
    dialog->open();
}

void MainWindow::loadWithRanks(const LoadOptions::Ranks& ranks)
{
    m_manualRanks = ranks;
    Request request = m_opened;
    request.options.ranks = ranks;
    start(std::move(request));
}

void MainWindow::saveSessionBeside()
{
    if (!m_state.model() || m_isPreview)
        return;
    const QString path = SessionStore::fileBeside(*m_state.model());
    Status saved
        = Error{Error::Kind::Usage,
                tr("A run opened from several paths has no folder to save a session in").toStdString()};
    if (!path.isEmpty())
        saved = SessionStore::saveTo(path, session());
    tellSaved(m_bar, *m_banner, path, saved);
}

void MainWindow::startOver()
{
    const TraceModelPtr model = m_state.model();
    if (!model || m_isPreview)
        return;
    Session fresh;
    fresh.visible = m_state.initialView();
    fresh.tab = m_tabs->currentWidget()->objectName();
    fresh.wallClockZeroNs = wallClockZeroOf(*model);
    restore(fresh);
    m_manualRanks.clear();
    m_kept = session();
    // A session file next to the run is not removed here: a newer session in the store takes precedence.
    if (m_settings == UserSettings::Use && QFileInfo::exists(SessionStore::fileBeside(*model)))
        // keepSession() reports a folder that cannot be written.
        static_cast<void>(m_sessions.save(m_sessionFile, m_kept));
    else if (m_settings == UserSettings::Use)
        QFile::remove(m_sessionFile);
    if (!m_opened.options.ranks.empty())
        loadWithRanks({});
}

} // namespace collscope
