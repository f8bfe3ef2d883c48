// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// All commands of the main window in one table, and the updates of their actions.

#include "app/cause_controller.h"
#include "app/help_window.h"
#include "app/main_window.h"
#include "app/timeline_area.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"
#include "views/memory/memory_chart.h"
#include "views/metrics/metrics_panel.h"
#include "views/ranks/ranks_panel.h"
#include "views/search/search_bar.h"
#include "views/timeline/timeline_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QSettings>
#include <QTabWidget>

#include <array>

namespace collscope {

namespace {

const QString wheelKey = QStringLiteral("wheelZooms");

/// Returns the widget that takes the focus when a part of the window is requested.
QWidget* focusTarget(QWidget* part)
{
    const auto takesFocus = [part](const QWidget* widget) {
        return (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled()
            && (widget == part || widget->isVisibleTo(part));
    };
    if (takesFocus(part))
        return part;
    for (QWidget* child : part->findChildren<QWidget*>()) {
        if (takesFocus(child))
            return child;
    }
    return nullptr;
}

} // namespace

// NOLINTNEXTLINE(readability-function-size): a table, one or a few lines per command
std::vector<Command> MainWindow::commands()
{
    const auto theme = [this](ThemeChoice choice) { return [this, choice] { chooseTheme(choice); }; };
    return {
        {QStringLiteral("openFolder"), MenuId::File, tr("Open &run folder..."),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O), [this] { chooseFolder(); }},
        {QStringLiteral("openFiles"), MenuId::File, tr("&Open trace files..."), QKeySequence::Open,
         [this] { chooseFiles(); }},
        {QStringLiteral("openDemo"), MenuId::File, tr("Open &demo run"), {}, [this] { openDemo(); }},
        {QStringLiteral("reload"), MenuId::File, tr("Re&load"), QKeySequence(Qt::Key_F5),
         [this] { reload(); }},
        {QStringLiteral("ranks"), MenuId::File, tr("Assign ran&ks..."), {}, [this] { chooseRanks(); }},
        {QStringLiteral("runsTable"), MenuId::File, tr("Table of &many runs..."),
         QKeySequence(Qt::CTRL | Qt::Key_T), [this] { showRunsTable(); }},
        {QStringLiteral("compare"), MenuId::File, tr("Com&pare with another run..."),
         QKeySequence(Qt::CTRL | Qt::Key_D), [this] { chooseTest(); }},
        {QStringLiteral("exportCsv"), MenuId::File, tr("&Export metrics as CSV..."),
         QKeySequence(Qt::CTRL | Qt::Key_E),
         [this] { saveExport(QStringLiteral("metrics.csv"), tr("CSV (*.csv)"), metricsCsv()); }, true},
        {QStringLiteral("exportJson"),
         MenuId::File,
         tr("Export metrics as &JSON..."),
         {},
         [this] { saveExport(QStringLiteral("metrics.json"), tr("JSON (*.json)"), metricsJson()); }},
        {QStringLiteral("saveSession"),
         MenuId::File,
         tr("&Save session next to the run"),
         {},
         [this] { saveSessionBeside(); },
         true},
        {QStringLiteral("startOver"),
         MenuId::File,
         tr("Discard session and st&art over"),
         {},
         [this] { startOver(); }},
        {QStringLiteral("newWindow"), MenuId::File, tr("&New window"), QKeySequence::New,
         [this] { openWindow(); }, true},
        {QStringLiteral("close"), MenuId::File, tr("&Close window"), QKeySequence::Close,
         [this] { close(); }},
        {QStringLiteral("quit"), MenuId::File, tr("&Quit"), QKeySequence::Quit,
         [] { QApplication::closeAllWindows(); }},
        {QStringLiteral("undo"), MenuId::Edit, tr("&Undo"), QKeySequence::Undo,
         [this] { m_state.edits()->undoStack()->undo(); }},
        {QStringLiteral("redo"), MenuId::Edit, tr("&Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z),
         [this] { m_state.edits()->undoStack()->redo(); }},
        {QStringLiteral("find"), MenuId::Edit, tr("&Find slices"), QKeySequence::Find,
         [this] { m_search->focusLine(); }, true},
        {QStringLiteral("findSame"), MenuId::Edit, tr("Find slices with the &same name"),
         QKeySequence(Qt::CTRL | Qt::Key_F3), [this] { findSame(); }},
        {QStringLiteral("nextMatch"), MenuId::Edit, tr("Nex&t match"), QKeySequence(Qt::Key_F3),
         [this] { m_search->step(1); }},
        {QStringLiteral("previousMatch"), MenuId::Edit, tr("&Previous match"),
         QKeySequence(Qt::SHIFT | Qt::Key_F3), [this] { m_search->step(-1); }},
        {QStringLiteral("longestMatch"), MenuId::Edit, tr("&Longest match"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F3), [this] { m_search->showLongest(); }},
        {QStringLiteral("listRange"), MenuId::Edit, tr("List slices in the selected ran&ge"),
         QKeySequence(Qt::CTRL | Qt::Key_L), [this] { listSelectedRange(); }},
        {QStringLiteral("copyLocation"), MenuId::Edit, tr("&Copy location"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] { copyLocation(); }, true},
        {QStringLiteral("keepMark"), MenuId::Edit, tr("Set &mark at the cursor"),
         QKeySequence(Qt::SHIFT | Qt::Key_M), [this] { m_timeline->keepMark(); }, true},
        {QStringLiteral("editNote"), MenuId::Edit, tr("Edit &note of the mark..."),
         QKeySequence(Qt::CTRL | Qt::Key_M), [this] { m_timeline->editNote(); }},
        {QStringLiteral("removeMark"),
         MenuId::Edit,
         tr("Remove the current mar&k"),
         {},
         [this] { m_timeline->removeMark(); }},
        {QStringLiteral("zoomIn"), MenuId::View, tr("Zoom &in"), QKeySequence::ZoomIn,
         [this] { m_timeline->zoomIn(); }},
        {QStringLiteral("zoomOut"), MenuId::View, tr("Zoom &out"), QKeySequence::ZoomOut,
         [this] { m_timeline->zoomOut(); }},
        {QStringLiteral("fitAll"), MenuId::View, tr("Fit &whole run"), QKeySequence(Qt::CTRL | Qt::Key_0),
         [this] { m_timeline->fitAll(); }},
        {QStringLiteral("fit"), MenuId::View, tr("&Fit selection"), QKeySequence(Qt::CTRL | Qt::Key_J),
         [this] { m_timeline->fitSelection(); }},
        {QStringLiteral("openThreads"),
         MenuId::View,
         tr("E&xpand CPU threads"),
         {},
         [this] { m_timeline->setThreadsOpen(true); },
         true},
        {QStringLiteral("closeThreads"),
         MenuId::View,
         tr("&Collapse CPU threads"),
         {},
         [this] { m_timeline->setThreadsOpen(false); }},
        {QStringLiteral("toggleThreads"), MenuId::View, tr("Expand or collapse all CPU threads"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Asterisk),
         [this] { m_timeline->setThreadsOpen(!m_timeline->areThreadsOpen()); }},
        {QStringLiteral("pin"), MenuId::View, tr("&Pin or unpin row"), QKeySequence(Qt::Key_P),
         [this] { m_timeline->togglePin(); }, true},
        {QStringLiteral("filterRows"), MenuId::View, tr("Filter rows &by name"),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), [this] { m_timeline->editFilter(); }},
        {QStringLiteral("collapseRanks"),
         MenuId::View,
         tr("Collapse ra&nks"),
         {},
         [this] { m_timeline->setRanksCollapsed(true); }},
        {QStringLiteral("expandRanks"),
         MenuId::View,
         tr("Expand ran&ks"),
         {},
         [this] { m_timeline->setRanksCollapsed(false); }},
        {QStringLiteral("rawClocks"),
         MenuId::View,
         tr("&Raw clocks"),
         {},
         [this] {
             const bool raw = m_actions->action(QStringLiteral("rawClocks"))->isChecked();
             m_state.setClockChoice(raw ? ClockChoice::Raw : ClockChoice::Auto);
         },
         true,
         true},
        {QStringLiteral("grid"), MenuId::View, tr("&Grid lines"), QKeySequence(Qt::Key_G),
         [this] { m_timeline->setGridShown(m_actions->action(QStringLiteral("grid"))->isChecked()); }, false,
         true},
        {QStringLiteral("wheelZooms"),
         MenuId::View,
         tr("&Zoom with the wheel, as in Tracy"),
         {},
         [this] { m_state.setWheelZooms(m_actions->action(QStringLiteral("wheelZooms"))->isChecked()); },
         false,
         true},
        {QStringLiteral("timeRelative"),
         MenuId::View,
         tr("Ti&me: relative to start"),
         {},
         [this] { m_state.setTimeFormat(TimeFormat::Relative); },
         true,
         true},
        {QStringLiteral("timeWallClock"),
         MenuId::View,
         tr("Time: time of da&y (UTC)"),
         {},
         [this] { m_state.setTimeFormat(TimeFormat::WallClock); },
         false,
         true},
        {QStringLiteral("timeNanoseconds"),
         MenuId::View,
         tr("Time: nanos&econds"),
         {},
         [this] { m_state.setTimeFormat(TimeFormat::Nanoseconds); },
         false,
         true},
        {QStringLiteral("themeSystem"),
         MenuId::View,
         tr("Theme: &system"),
         {},
         theme(ThemeChoice::System),
         true,
         true},
        {QStringLiteral("themeLight"),
         MenuId::View,
         tr("Theme: &light"),
         {},
         theme(ThemeChoice::Light),
         false,
         true},
        {QStringLiteral("themeDark"),
         MenuId::View,
         tr("Theme: &dark"),
         {},
         theme(ThemeChoice::Dark),
         false,
         true},
        {QStringLiteral("fullScreen"), MenuId::View, tr("F&ull screen"), QKeySequence(Qt::Key_F11),
         [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); }, true},
        {QStringLiteral("resetLayout"), MenuId::View, tr("Rese&t layout"), {}, [this] { resetLayout(); }},
        {QStringLiteral("back"), MenuId::Go, tr("&Back"), QKeySequence::Back, [this] { m_state.goBack(); }},
        {QStringLiteral("forward"), MenuId::Go, tr("&Forward"), QKeySequence::Forward,
         [this] { m_state.goForward(); }},
        {QStringLiteral("goToTrack"), MenuId::Go, tr("&Go to track..."), QKeySequence(Qt::CTRL | Qt::Key_P),
         [this] { goToTrack(); }, true},
        {QStringLiteral("nextRank"), MenuId::Go, tr("Same &collective on the next rank"),
         QKeySequence(Qt::Key_C), [this] { m_timeline->walkCollective(1); }, true},
        {QStringLiteral("previousRank"), MenuId::Go, tr("Same collective on the &previous rank"),
         QKeySequence(Qt::SHIFT | Qt::Key_C), [this] { m_timeline->walkCollective(-1); }},
        {QStringLiteral("parent"), MenuId::Go, tr("&Enclosing slice"), QKeySequence(Qt::ALT | Qt::Key_Up),
         [this] { m_timeline->selectInStack(-1); }, true},
        {QStringLiteral("child"), MenuId::Go, tr("First &inner slice"), QKeySequence(Qt::ALT | Qt::Key_Down),
         [this] { m_timeline->selectInStack(1); }},
        {QStringLiteral("nextMark"), MenuId::Go, tr("&Next mark"), QKeySequence(Qt::Key_N),
         [this] { m_timeline->walkMarks(1); }, true},
        {QStringLiteral("previousMark"), MenuId::Go, tr("Pre&vious mark"),
         QKeySequence(Qt::SHIFT | Qt::Key_N), [this] { m_timeline->walkMarks(-1); }},
        {QStringLiteral("nextView"), MenuId::Go, tr("Next p&art of the window"), QKeySequence(Qt::Key_F6),
         [this] { focusNextView(1); }, true},
        {QStringLiteral("previousView"), MenuId::Go, tr("Previous part of the &window"),
         QKeySequence(Qt::SHIFT | Qt::Key_F6), [this] { focusNextView(-1); }},
        {QStringLiteral("explainHere"), MenuId::Go, tr("E&xplain selected collective or step"),
         QKeySequence(Qt::Key_E), [this] { m_causes->explainHere(); }, true},
        {QStringLiteral("guide"), MenuId::Help, tr("&Guide"), QKeySequence::HelpContents,
         [this] { openGuide(helpPlaceOfFocus()); }},
        {QStringLiteral("keys"), MenuId::Help, tr("&Keys and gestures"), QKeySequence(Qt::Key_Question),
         [this] { showKeyOverview(this, *m_actions); }},
        {QStringLiteral("allCommands"), MenuId::Help, tr("&All commands..."),
         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] { showCommands(); }},
    };
}

/// Enables the time of day only if the files record it.
void MainWindow::connectTimeFormats()
{
    auto* formats = new QActionGroup(this);
    const std::pair<QString, TimeFormat> entries[]{
        {QStringLiteral("timeRelative"), TimeFormat::Relative},
        {QStringLiteral("timeWallClock"), TimeFormat::WallClock},
        {QStringLiteral("timeNanoseconds"), TimeFormat::Nanoseconds}};
    for (const auto& [id, format] : entries)
        formats->addAction(m_actions->action(id));
    const auto update = [this, entries = std::to_array(entries)] {
        for (const auto& [id, format] : entries)
            m_actions->action(id)->setChecked(m_state.timeFormat() == format);
        const bool known = m_state.model() && m_state.model()->hasWallClock;
        QAction* wallClock = m_actions->action(QStringLiteral("timeWallClock"));
        wallClock->setEnabled(known);
        wallClock->setToolTip(known ? QString() : tr("The files of this run do not record the time of day"));
    };
    connect(&m_state, &ViewState::timeFormatChanged, this, update);
    connect(&m_state, &ViewState::modelChanged, this, update);
    update();
}

/// Updates the checked theme when the menu opens, because another window may have changed it.
void MainWindow::connectThemes()
{
    auto* themes = new QActionGroup(this);
    const std::pair<QString, ThemeChoice> entries[]{{QStringLiteral("themeSystem"), ThemeChoice::System},
                                                    {QStringLiteral("themeLight"), ThemeChoice::Light},
                                                    {QStringLiteral("themeDark"), ThemeChoice::Dark}};
    for (const auto& [id, choice] : entries)
        themes->addAction(m_actions->action(id));
    connect(m_actions->menu(MenuId::View), &QMenu::aboutToShow, this,
            [this, entries = std::to_array(entries)] {
                for (const auto& [id, choice] : entries)
                    m_actions->action(id)->setChecked(appliedTheme() == choice);
            });
}

void MainWindow::connectEdits()
{
    QUndoStack* stack = m_state.edits()->undoStack();
    QAction* undo = m_actions->action(QStringLiteral("undo"));
    QAction* redo = m_actions->action(QStringLiteral("redo"));
    const auto update = [this, stack, undo, redo] {
        undo->setEnabled(stack->canUndo());
        redo->setEnabled(stack->canRedo());
        undo->setText(stack->canUndo() ? tr("&Undo %1").arg(stack->undoText()) : tr("&Undo"));
        redo->setText(stack->canRedo() ? tr("&Redo %1").arg(stack->redoText()) : tr("&Redo"));
        undo->setToolTip(stack->canUndo() ? QString() : tr("Nothing to undo"));
        redo->setToolTip(stack->canRedo() ? QString() : tr("Nothing to redo"));
        const bool hasRun = m_state.model() != nullptr;
        const bool hasCurrent = m_state.edits()->currentMark().has_value();
        for (const auto& id : {QStringLiteral("keepMark"), QStringLiteral("copyLocation")}) {
            QAction* action = m_actions->action(id);
            action->setEnabled(hasRun);
            action->setToolTip(hasRun ? QString() : tr("Open a run first"));
        }
        for (const auto& id : {QStringLiteral("editNote"), QStringLiteral("removeMark")}) {
            QAction* action = m_actions->action(id);
            action->setEnabled(hasCurrent);
            action->setToolTip(hasCurrent ? QString() : tr("Set a mark first, or go to one with N"));
        }
    };
    m_actions->menu(MenuId::Edit)->setToolTipsVisible(true);
    connect(stack, &QUndoStack::indexChanged, this, update);
    connect(m_state.edits(), &RunEdits::changed, this, update);
    connect(&m_state, &ViewState::modelChanged, this, update);
    m_actions->action(QStringLiteral("grid"))->setChecked(true);
    QAction* wheel = m_actions->action(QStringLiteral("wheelZooms"));
    if (m_settings == UserSettings::Use) {
        wheel->setChecked(QSettings().value(wheelKey).toBool());
        connect(wheel, &QAction::toggled, this, [](bool zooms) { QSettings().setValue(wheelKey, zooms); });
    }
    m_state.setWheelZooms(wheel->isChecked());
    connectTimeFormats();
    connectThemes();
    connect(m_timeline, &TimelineView::wholeTraceWanted, this, [this](const std::string& path) {
        openWindow()->openPaths({QString::fromLocal8Bit(path.c_str())});
    });
    connect(m_timeline, &TimelineView::menuOpening, this, [this](QMenu* menu) {
        if (m_state.selectedSlice())
            menu->addAction(m_actions->action(QStringLiteral("findSame")));
        if (m_state.selectedRange())
            menu->addAction(m_actions->action(QStringLiteral("listRange")));
        if (isKernelSelected())
            menu->addAction(tr("Classify as communication\u2026"), this, &MainWindow::teachKernel)
                ->setObjectName(QStringLiteral("classifyKernel"));
        menu->addAction(m_actions->action(QStringLiteral("copyLocation")));
        if (!m_state.selectedInstance())
            return;
        menu->addSeparator();
        menu->addAction(m_actions->action(QStringLiteral("nextRank")));
        menu->addAction(m_actions->action(QStringLiteral("explainHere")));
    });
    update();
}

void MainWindow::focusNextView(int direction)
{
    QList<QWidget*> parts;
    for (QWidget* part :
         {static_cast<QWidget*>(m_timeline), static_cast<QWidget*>(m_area->nvlink()),
          static_cast<QWidget*>(m_area->gpuCounters()), static_cast<QWidget*>(m_area->memory()),
          m_tabs->currentWidget(), static_cast<QWidget*>(m_metrics), static_cast<QWidget*>(m_ranks),
          static_cast<QWidget*>(m_banner)}) {
        if (part->isVisible() && focusTarget(part))
            parts << part;
    }
    if (parts.isEmpty())
        return;
    const QWidget* focus = QApplication::focusWidget();
    const auto current = std::find_if(parts.cbegin(), parts.cend(), [focus](const QWidget* part) {
        return part == focus || (focus && part->isAncestorOf(focus));
    });
    const auto index = current == parts.cend() ? (direction > 0 ? -1 : 0) : current - parts.cbegin();
    focusTarget(parts[(index + direction + parts.size()) % parts.size()])->setFocus(Qt::TabFocusReason);
}

MainWindow* MainWindow::openWindow()
{
    auto* window = new MainWindow(m_settings);
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->show();
    return window;
}

} // namespace collscope
