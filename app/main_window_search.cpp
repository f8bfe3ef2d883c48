// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Search in the main window: the search line of the toolbar, its job, its tab.

#include "app/main_window.h"
#include "views/format.h"
#include "views/search/search_bar.h"
#include "views/search/search_results.h"
#include "views/timeline/timeline_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QTabWidget>

namespace collscope {

void MainWindow::connectSearch()
{
    m_actions->action(QStringLiteral("find"))
        ->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)});
    connect(m_search, &SearchBar::asked, &m_finder, &SliceFinder::ask);
    connect(m_search, &SearchBar::left, m_timeline, qOverload<>(&QWidget::setFocus));
    connect(m_found, &SearchResults::lastingWanted, &m_finder, &SliceFinder::narrow);
    connect(m_found, &SearchResults::cancelWanted, &m_finder, &SliceFinder::cancelReading);
    connect(m_found, &SearchResults::rangeWanted, this, &MainWindow::listSelectedRange);
    connect(&m_finder, &SliceFinder::begun, m_found, &SearchResults::begin);
    connect(&m_finder, &SliceFinder::found, m_found, &SearchResults::setListing);
    connect(&m_finder, &SliceFinder::progressChanged, m_found, &SearchResults::setProgress);
    const auto enable = [this](const QString& id, bool isPossible, const QString& whyNot) {
        m_actions->action(id)->setEnabled(isPossible);
        m_actions->action(id)->setToolTip(isPossible ? QString() : whyNot);
    };
    const auto update = [this, enable] {
        const bool hasSome = m_state.matches() && m_state.matches()->size() > 0;
        // A step requested before the answer is executed when the answer arrives.
        const bool canStep = hasSome || (m_finder.isRunning() && !m_search->isEmpty());
        enable(QStringLiteral("nextMatch"), canStep, tr("Search for a name first"));
        enable(QStringLiteral("previousMatch"), canStep, tr("Search for a name first"));
        enable(QStringLiteral("longestMatch"), hasSome, tr("Search for a name first"));
        enable(QStringLiteral("findSame"), static_cast<bool>(m_state.selectedSlice()),
               tr("Select a slice first"));
        enable(QStringLiteral("listRange"), m_state.selectedRange().has_value(),
               tr("Drag over the timeline to select a range first"));
    };
    connect(&m_finder, &SliceFinder::begun, this, update);
    connect(&m_finder, &SliceFinder::progressChanged, this, update);
    connect(&m_state, &ViewState::matchesChanged, this, update);
    connect(&m_state, &ViewState::selectedSliceChanged, this, update);
    connect(&m_state, &ViewState::selectedRangeChanged, this, update);
    connect(&m_state, &ViewState::modelChanged, this, update);
    update();
}

void MainWindow::findSame()
{
    if (!m_state.selectedSlice())
        return;
    m_search->ask(SliceQuestion::ofName(toText(m_state.model()->nameOf(m_state.selectedSlice()))));
    showTab(m_found);
}

void MainWindow::listSelectedRange()
{
    if (!m_state.selectedRange())
        return;
    m_search->clear();
    SliceQuestion question;
    question.during = m_state.selectedRange();
    m_finder.ask(question);
    showTab(m_found);
}

void MainWindow::copyLocation()
{
    if (!m_state.model())
        return;
    const QString text = locationText(locationOf(m_state));
    QGuiApplication::clipboard()->setText(text);
    tellInPassing(m_bar, tr("Copied %1: paste it into the search line or pass it to --goto").arg(text));
}

void MainWindow::goToLocation(const Location& location)
{
    m_goTo = location;
    if (m_state.model() && !m_collectivesPending && !isLoading())
        goToWanted();
}

/// Goes to the requested location. The axis is only known once the clocks are.
void MainWindow::goToWanted()
{
    const std::optional<Location> wanted = m_goTo;
    m_goTo.reset();
    if (!wanted)
        return;
    if (const Status shown = goTo(m_state, *wanted); !shown)
        m_banner->showMessage(
            {BannerTone::Warning, toText(shown.error().message), QStringLiteral("location")});
    else
        m_banner->retract(QStringLiteral("location"));
}

/// Brings a tab of the bottom panel to the front and opens the panel if it was closed.
void MainWindow::showTab(QWidget* content)
{
    findChild<QWidget*>(QStringLiteral("dockDetails"))->show();
    m_tabs->setCurrentWidget(content);
}

} // namespace collscope
