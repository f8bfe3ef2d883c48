// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/timeline_area.h"

#include "app/parts/help_window.h"
#include "app/parts/painting_threads.h"
#include "views/charts/gpu_counter_chart.h"
#include "views/charts/nvlink_chart.h"
#include "views/memory/memory_chart.h"
#include "views/timeline/timeline_view.h"

#include <QScrollBar>

#include <algorithm>

namespace collscope {

TimelineArea::TimelineArea(ViewState* state, QWidget* parent)
    : QSplitter(Qt::Vertical, parent)
    , m_timeline(new TimelineView(state, this))
    , m_nvlink(new NvlinkChart(state, this))
    , m_gpuCounters(new GpuCounterChart(state, this))
    , m_memory(new MemoryChart(state, this))
{
    m_timeline->setParallel(paintingThreads());
    m_timeline->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // the plots below rely on its width
    addWidget(m_timeline);
    for (TimelineChart* chart :
         {static_cast<TimelineChart*>(m_nvlink), static_cast<TimelineChart*>(m_gpuCounters),
          static_cast<TimelineChart*>(m_memory)}) {
        chart->setRightMargin(m_timeline->verticalScrollBar()->sizeHint().width());
        chart->setFocusProxy(m_timeline); // after a click too, the keys move the axis that both share
        addWidget(chart);
    }
    setStretchFactor(0, 1);
    setChildrenCollapsible(false);
    setHelpPlace(m_timeline, "views_timeline#timeline");
    setHelpPlace(m_nvlink, "views_timeline#nvlink-chart");
    setHelpPlace(m_gpuCounters, "views_timeline#gpu-counters");
    setHelpPlace(m_memory, "views_timeline#memory-chart");
    connect(&state->run(), &RunContext::modelChanged, this, &TimelineArea::fitCharts);
    connect(this, &QSplitter::splitterMoved, this, [this] { m_isSizedByUser = true; });
}

void TimelineArea::resizeEvent(QResizeEvent* event)
{
    QSplitter::resizeEvent(event);
    if (!m_isSizedByUser)
        fitCharts();
}

/// A chart without counters is one line of text; the timeline gets the remaining space, and most of a small
/// window.
void TimelineArea::fitCharts()
{
    const bool hasChart = m_nvlink->device().has_value();
    const QList<int> now = sizes();
    const bool isSmall = now[1] <= m_nvlink->minimumHeight()
        || (m_gpuCounters->hasCounters() && now[2] < m_gpuCounters->minimumHeight())
        || (m_memory->hasEvents() && now[3] < m_memory->minimumHeight());
    if (m_isSizedByUser && !isSmall && hasChart)
        return;
    const int nvlink = hasChart ? std::min(170, height() / 4) : m_nvlink->maximumHeight();
    const int other = std::min(130, height() / 4);
    // Without a timeline, its place is one for the only curves that there are.
    constexpr int roomForReason = 110;
    const bool isMemoryAlone = m_timeline->layout().rows().empty() && m_memory->hasEvents();
    setSizes({isMemoryAlone ? roomForReason : height(), nvlink, other, isMemoryAlone ? height() : other});
}

} // namespace collscope
