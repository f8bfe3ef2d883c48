// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/search_controller.h"

#include "app/parts/actions.h"
#include "app/parts/help_window.h"
#include "app/parts/window_context.h"
#include "views/common/format.h"
#include "views/search/search_bar.h"
#include "views/search/search_results.h"
#include "views/timeline/timeline_view.h"

#include <QToolBar>

namespace collscope {

SearchController::SearchController(WindowContext& context)
    : Controller(context)
    , m_finder(&context.state)
    , m_results(new SearchResults(&context.state, context.tabs))
{
    setHelpPlace(m_results, "views_other#search");
    connect(m_results, &SearchResults::lastingWanted, &m_finder, &SliceFinder::narrow);
    connect(m_results, &SearchResults::cancelWanted, &m_finder, &SliceFinder::cancelReading);
    connect(m_results, &SearchResults::rangeWanted, this, &SearchController::listSelectedRange);
    connect(&m_finder, &SliceFinder::begun, m_results, &SearchResults::begin);
    connect(&m_finder, &SliceFinder::found, m_results, &SearchResults::setListing);
    connect(&m_finder, &SliceFinder::progressChanged, m_results, &SearchResults::setProgress);
}

void SearchController::addLine(QToolBar& bar, TimelineView& timeline)
{
    m_line = new SearchBar(&state(), &bar);
    bar.addWidget(m_line);
    connect(m_line, &SearchBar::asked, &m_finder, &SliceFinder::ask);
    connect(m_line, &SearchBar::left, &timeline, qOverload<>(&QWidget::setFocus));
    connectCommands();
}

void SearchController::connectCommands()
{
    Actions& actions = *context().actions;
    actions.action(QStringLiteral("find"))
        ->setShortcuts({QKeySequence(QKeySequence::Find), QKeySequence(Qt::Key_Slash)});
    actions.bind(QStringLiteral("find"), m_line, [this] { m_line->focusLine(); });
    actions.bind(QStringLiteral("findSame"), this, [this] { findSame(); });
    actions.bind(QStringLiteral("nextMatch"), m_line, [this] { m_line->step(1); });
    actions.bind(QStringLiteral("previousMatch"), m_line, [this] { m_line->step(-1); });
    actions.bind(QStringLiteral("longestMatch"), m_line, [this] { m_line->showLongest(); });
    actions.bind(QStringLiteral("listRange"), this, [this] { listSelectedRange(); });
    connect(&m_finder, &SliceFinder::begun, this, &SearchController::updateCommands);
    connect(&m_finder, &SliceFinder::progressChanged, this, &SearchController::updateCommands);
    connect(&state().emphasis(), &Emphasis::matchesChanged, this, &SearchController::updateCommands);
    connect(&state().selection(), &ViewSelection::sliceChanged, this, &SearchController::updateCommands);
    connect(&state().selection(), &ViewSelection::rangeChanged, this, &SearchController::updateCommands);
    connect(&state().run(), &RunContext::modelChanged, this, &SearchController::updateCommands);
    updateCommands();
}

void SearchController::updateCommands()
{
    const auto enable = [this](const QString& id, bool isPossible, const QString& whyNot) {
        context().actions->enable(id, isPossible, isPossible ? QString() : whyNot);
    };
    const bool hasSome = state().emphasis().matches() && state().emphasis().matches()->size() > 0;
    // A step requested before the answer is executed when the answer arrives.
    const bool canStep = hasSome || (m_finder.isRunning() && !m_line->isEmpty());
    enable(QStringLiteral("nextMatch"), canStep, tr("Search for a name first"));
    enable(QStringLiteral("previousMatch"), canStep, tr("Search for a name first"));
    enable(QStringLiteral("longestMatch"), hasSome, tr("Search for a name first"));
    enable(QStringLiteral("findSame"), static_cast<bool>(state().selection().slice()),
           tr("Select a slice first"));
    enable(QStringLiteral("listRange"), state().selection().range().has_value(),
           tr("Drag over the timeline to select a range first"));
}

void SearchController::ask(const SliceQuestion& question)
{
    m_line->ask(question);
}

bool SearchController::clear()
{
    if (m_line->isEmpty())
        return false;
    m_line->clear();
    return true;
}

void SearchController::findSame()
{
    if (!state().selection().slice())
        return;
    ask(SliceQuestion::ofName(toText(state().run().model()->nameOf(state().selection().slice()))));
    context().showTab(m_results);
}

void SearchController::listSelectedRange()
{
    if (!state().selection().range())
        return;
    m_line->clear();
    SliceQuestion question;
    question.during = state().selection().range();
    m_finder.ask(question);
    context().showTab(m_results);
}

} // namespace collscope
