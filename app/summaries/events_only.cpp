// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/summaries/events_only.h"

#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "views/search/search_bar.h"

#include <QAction>

#include <algorithm>
#include <iterator>

namespace collscope {

namespace {

/// Object names. Tabs that only some runs have are not here: they ask the run themselves.
constexpr const char* tabsOfEvents[]
    = {"causes",      "whatIf",           "gaps",         "lateness", "collectives", "rangePanel",
       "peakKernels", "selectionDetails", "searchResults"};
/// Those that ask for a selected slice or range are disabled without one.
constexpr const char* commandsOfEvents[]
    = {"compare",       "find",        "goToTrack",   "explainHere",  "whatIfHere",    "zoomIn", "zoomOut",
       "fit",           "fitAll",      "openThreads", "closeThreads", "toggleThreads", "pin",    "filterRows",
       "collapseRanks", "expandRanks", "nextRank",    "previousRank", "parent",        "child"};

} // namespace

EventsOnly::EventsOnly(WindowContext& context, SearchBar& search)
    : Controller(context)
    , m_search(search)
{
    connect(&state().run(), &RunContext::modelChanged, this, &EventsOnly::update);
}

void EventsOnly::update()
{
    const TraceModelPtr& model = state().run().model();
    const bool hasEvents = !model || !model->isSummarized();
    const QString why
        = hasEvents ? QString() : tr("Summaries of ranks have no events: open the trace of a rank first");
    QTabWidget& tabs = *context().tabs;
    for (int i = 0; i < tabs.count(); ++i) {
        const QString name = tabs.widget(i)->objectName();
        if (std::any_of(std::begin(tabsOfEvents), std::end(tabsOfEvents),
                        [&](const char* tab) { return name == QLatin1String(tab); }))
            tabs.setTabVisible(i, hasEvents);
    }
    for (const char* const id : commandsOfEvents) {
        QAction* const action = context().actions->action(QLatin1String(id));
        action->setEnabled(hasEvents);
        action->setToolTip(why);
    }
    m_search.setEnabled(hasEvents);
    m_search.setToolTip(why);
}

} // namespace collscope
