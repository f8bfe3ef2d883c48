// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/memory/memory_chart.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/memory/memory_colors.h"

#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace collscope {

MemoryChart::MemoryChart(ViewState* state, QWidget* parent)
    : TimelineChart(state, parent)
{
    setObjectName(QStringLiteral("memoryChart"));
    setAccessibleName(tr("GPU memory"));
    controls()->addWidget(logButton(), 0, Qt::AlignLeft);
    connect(&state->run(), &RunContext::modelChanged, this, &MemoryChart::onModelChanged);
    connect(&state->run(), &RunContext::clocksChanged, this, &MemoryChart::showHistory);
    connect(&state->selection(), &ViewSelection::memoryMomentChanged, this, [this] {
        if (m_history && !(m_history->of == this->state()->selection().memoryMoment()->of))
            setHistory(nullptr);
        viewport()->update();
    });
    onModelChanged();
}

const MemorySnapshot* MemoryChart::snapshot() const
{
    const auto& moment = state()->selection().memoryMoment();
    return state()->run().model() && moment ? &state()->run().model()->memory[moment->of.snapshot] : nullptr;
}

const MemoryDevice* MemoryChart::device() const
{
    return snapshot() ? &snapshot()->devices[state()->selection().memoryMoment()->of.device] : nullptr;
}

void MemoryChart::onModelChanged()
{
    const TraceModelPtr& model = state()->run().model();
    m_hasEvents
        = model && std::any_of(model->memory.begin(), model->memory.end(), [&](const MemorySnapshot& own) {
              return !own.range().isEmpty() && own.range().overlaps(model->range)
                  && (own.isOnAxis || model->timelines.empty());
          });
    setHistory(nullptr);
    setActive(m_hasEvents);
    setVisible(m_hasEvents);
}

void MemoryChart::setHistory(MemoryHistoryPtr history)
{
    m_history = m_hasEvents ? std::move(history) : nullptr;
    setMessage(m_history ? QString() : tr("Replaying the memory events\u2026"));
    showHistory();
}

void MemoryChart::showHistory()
{
    std::vector<SampledCurve> curves;
    m_timeline.reset();
    const MemorySnapshot* const own = snapshot();
    if (m_history && own) {
        curves = {m_history->reserved, m_history->active, m_history->allocated};
        const auto& timelines = state()->run().model()->timelines;
        const auto found = std::find_if(timelines.begin(), timelines.end(), [&](const Timeline& timeline) {
            return timeline.rank == own->rank && timeline.hasWallClock;
        });
        if (found != timelines.end())
            m_timeline = state()->run().model()->indexOf(*found);
    }
    const bool isAlone = !own || own->devices.size() < 2;
    setTitle(tr("Memory GB"),
             !own          ? QString()
                 : isAlone ? tr("rank %1").arg(own->rank)
                           : tr("rank %1, GPU %2").arg(own->rank).arg(device()->device));
    showCurves(std::move(curves), m_timeline);
}

std::vector<QColor> MemoryChart::curveColors() const
{
    return {memoryColor(MemoryKind::Reserved, palette()), memoryColor(MemoryKind::Active, palette()),
            memoryColor(MemoryKind::Allocated, palette())};
}

/// Most of the time, what is active equals what is allocated: its line is seen on both sides of that one.
double MemoryChart::widthOfCurve(std::size_t curve) const
{
    constexpr std::size_t active = 1;
    return curve == active ? 3 * usualCurveWidth : usualCurveWidth;
}

ChartLegend MemoryChart::legend() const
{
    const std::vector<QColor> colors = curveColors();
    return {{},
            {{{}, {}, {{colors[0], tr("reserved")}}},
             {{}, {}, {{colors[1], tr("active")}}},
             {{}, {}, {{colors[2], tr("allocated")}}}}};
}

std::optional<TimelineChart::Reading> MemoryChart::readingAt(std::int64_t timeNs) const
{
    const auto sample = m_history ? m_history->allocated.sampleAt(timeNs) : std::nullopt;
    if (!sample)
        return std::nullopt;
    const auto bytes = [&](const std::vector<std::int64_t>& levels) {
        return formatBytes(static_cast<double>(levels[*sample + 1]));
    };
    return Reading{m_history->allocated.range(*sample),
                   tr("allocated %1, active %2, reserved %3")
                       .arg(bytes(m_history->levels.allocated), bytes(m_history->levels.active),
                            bytes(m_history->levels.reserved))};
}

std::int64_t MemoryChart::toAxisTime(std::int64_t timeNs) const
{
    return toAxis({timeNs, timeNs}).beginNs;
}

std::optional<QPoint> MemoryChart::pointOf(std::size_t place) const
{
    const MemoryDevice* const own = device();
    if (!m_history || !own || own->events.size() == 0)
        return std::nullopt;
    const std::int64_t time = toAxisTime(own->events.timeNs[place > 0 ? place - 1 : 0]);
    if (!state()->viewport().visibleRange().contains(time))
        return std::nullopt;
    return QPointF(plot().left() + axis().xOf(time), plot().top() + 2).toPoint();
}

/// Paints a triangle for each out-of-memory event and a line at the selected moment.
QRectF MemoryChart::paintStrip(QPainter& painter)
{
    if (!m_history || !device())
        return {};
    const Surfaces colors = surfaces(palette());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.worse);
    int last = -1;
    for (const std::size_t place : m_history->outOfMemory) {
        const auto at = pointOf(place);
        if (!at || at->x() == last) // one per pixel column
            continue;
        last = at->x();
        painter.drawPolygon(QPolygon({{last - 5, 4}, {last + 5, 4}, {last, 14}}));
    }
    const std::size_t place = state()->selection().memoryMoment()->place.value_or(m_history->peak);
    const auto at = pointOf(place);
    if (!at)
        return {};
    painter.setPen(QPen(colors.accent, 1));
    painter.drawLine(QPointF(at->x() + 0.5, plot().top()), QPointF(at->x() + 0.5, plot().bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.accent);
    painter.drawEllipse(QPointF(at->x() + 0.5, plot().top()), 3.5, 3.5);
    return {};
}

bool MemoryChart::isClickable(QPoint position) const
{
    return m_history && plot().contains(position);
}

void MemoryChart::clickAt(QPoint position)
{
    const std::int64_t onAxis = axis().timeAt(position.x() - plot().left());
    const std::int64_t time = m_timeline
        ? state()->run().clocks().fromAxis(*m_timeline, TimeRange{onAxis, onAxis}).beginNs
        : onAxis;
    state()->selection().setMemoryMoment({m_history->of, placeAt(device()->events, time)});
}

} // namespace collscope
