// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/summaries/events_only.h"

#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "views/search/search_bar.h"

#include <algorithm>
#include <iterator>

namespace collscope {

namespace {

/// Object names. Tabs that only some runs have are not here: they ask the run themselves.
constexpr const char* tabsOfEvents[]
    = {"causes",      "whatIf",           "gaps",         "lateness", "collectives", "rangePanel",
       "peakKernels", "selectionDetails", "searchResults"};
constexpr const char* commandsOfEvents[]
    = {"compare",      "exportPage",    "find",       "findSame",     "nextMatch",    "previousMatch",
       "longestMatch", "listRange",     "goToTrack",  "explainHere",  "whatIfHere",   "copyLocation",
       "keepMark",     "editNote",      "removeMark", "nextMark",     "previousMark", "back",
       "forward",      "zoomIn",        "zoomOut",    "fit",          "fitAll",       "openThreads",
       "closeThreads", "toggleThreads", "pin",        "filterRows",   "grid",         "collapseRanks",
       "expandRanks",  "nextRank",      "rawClocks",  "previousRank", "parent",       "child"};

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
    for (const char* const id : commandsOfEvents)
        context().actions->ruleOut(QLatin1String(id), why);
    m_search.setEnabled(hasEvents);
    m_search.setToolTip(why);
}

} // namespace collscope
