// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/window/window_places.h"

#include "metrics/analysis/range_summary.h"
#include "metrics/core/metric.h"
#include "views/common/format.h"
#include "views/metrics/metrics_panel.h"
#include "views/timeline/timeline_view.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <QTabWidget>

#include <algorithm>
#include <set>

namespace collscope {

namespace {

struct WindowPlaces
{
    Q_DECLARE_TR_FUNCTIONS(WindowPlaces)
};

/// Each goes to the first row of the rank that contains anything.
void addRanks(const TraceModelPtr& model, const ViewState& state, TimelineView& timeline,
              std::vector<PaletteTarget>& places)
{
    std::set<std::int32_t> listed; // a rank may have several timelines
    for (const Timeline& rank : model->timelines) {
        const auto shown = std::find_if(rank.tracks.begin(), rank.tracks.end(),
                                        [&](TrackId track) { return !model->track(track).slices.isEmpty(); });
        if (shown == rank.tracks.end() || !listed.insert(rank.rank).second)
            continue;
        const QString place = toText(state.run().mesh().labelOf(rank.rank));
        places.push_back({(WindowPlaces::tr("Rank %1").arg(rank.rank) + QLatin1Char(' ') + place).trimmed(),
                          WindowPlaces::tr("Timeline"), [model, &state, &timeline, track = *shown] {
                              if (state.run().model() == model) // another run may be open now
                                  timeline.navigator().goToTrack(track);
                          }});
    }
}

void addMetrics(MetricsPanel& panel, std::vector<PaletteTarget>& places)
{
    for (const auto& [request, result] : panel.results()) {
        places.push_back({QStringLiteral("%1 (%2)").arg(toText(request.metric->title), toText(request.name)),
                          WindowPlaces::tr("Metric"),
                          [&panel, id = std::string(request.metric->id)] { panel.selectMetric(id); }});
    }
}

/// Those of the range that is summarized anyway: listing the names of the whole run would read every slice.
void addKernels(const ViewState& state, const std::function<void(const QString&)>& findName,
                std::vector<PaletteTarget>& places)
{
    const TraceModel& model = *state.run().model();
    const RangeSummaryPtr& summary = state.selection().summary();
    std::set<std::uint32_t> listed;
    for (const RangeRow& row : summary ? summary->rows : std::vector<RangeRow>()) {
        if (row.kernelClass == KernelClass::None || !listed.insert(row.name.value).second)
            continue;
        const QString name = toText(model.text(row.name));
        places.push_back({shortName(model.text(row.name)), WindowPlaces::tr("Kernel"),
                          [findName, name] { findName(name); }});
    }
}

} // namespace

void fillTabsMenu(QMenu& menu, QTabWidget& tabs, const ViewState& state)
{
    menu.clear();
    qDeleteAll(menu.findChildren<QActionGroup*>(QString(), Qt::FindDirectChildrenOnly));
    auto* group = new QActionGroup(&menu); // one of them is current
    const bool hasRun = state.run().model() != nullptr;
    menu.setEnabled(hasRun);
    for (int i = 0; hasRun && i < tabs.count(); ++i) {
        if (!tabs.isTabVisible(i))
            continue;
        QAction* action = menu.addAction(tabs.tabText(i), &tabs, [&tabs, view = tabs.widget(i)] {
            tabs.setCurrentWidget(view);
            view->setFocus();
        });
        action->setActionGroup(group);
        action->setCheckable(true);
        action->setChecked(i == tabs.currentIndex());
    }
}

std::vector<PaletteTarget> windowPlaces(MetricsPanel& metrics, TimelineView& timeline, const ViewState& state,
                                        const std::function<void(const QString&)>& findName)
{
    std::vector<PaletteTarget> places;
    const TraceModelPtr& model = state.run().model();
    if (!model)
        return places;
    addRanks(model, state, timeline, places);
    addMetrics(metrics, places);
    addKernels(state, findName, places);
    return places;
}

} // namespace collscope
