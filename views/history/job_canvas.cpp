// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/history/job_canvas.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/statistics.h"
#include "metrics/looks/shades.h"
#include "model/text/wall_clock_text.h"
#include "views/common/format.h"
#include "views/common/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int outerMargin = 8;
constexpr int chartHeight = 150;

/// From as usual to half the speed or less.
QColor speedColor(float speed, bool isDark)
{
    const auto pick = [isDark](Shade shade) { return QColor::fromRgba(isDark ? shade.dark : shade.light); };
    if (std::isnan(speed))
        return pick(absentShade);
    constexpr float usual = 0.97f, slowest = 0.5f;
    if (speed >= usual)
        return pick(onTimeShade);
    return pick(latenessShade(std::clamp((usual - speed) / (usual - slowest), 0.0f, 1.0f)));
}

} // namespace

JobCanvas::JobCanvas(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("jobCanvas"));
    setAccessibleName(tr("Step times and speed of the communicators"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

bool JobCanvas::hasSteps() const
{
    return m_job && m_job->report.series.size() > 1;
}

bool JobCanvas::hasMap() const
{
    return m_job && !m_job->map.rows.empty();
}

void JobCanvas::setJob(JobCasePtr own)
{
    m_job = std::move(own);
    if (hasSteps()) {
        // Outliers must not flatten the rest.
        const std::vector<double>& ns = m_job->report.series.ns;
        const double low = percentileOf(ns, 0.01), high = percentileOf(ns, 0.99);
        const double room = std::max(0.15 * (high - low), 0.05 * high);
        m_lowest = std::max(0.0, low - room);
        m_highest = high + room;
    }
    verticalScrollBar()->setValue(0);
    layOut();
    viewport()->update();
}

QSize JobCanvas::sizeHint() const
{
    return {600, 320};
}

int JobCanvas::rowHeight() const
{
    return fontMetrics().height() + 4;
}

QString JobCanvas::rowText(const SpeedMap::Row& row) const
{
    const HistoryMember& member = m_job->history->members[row.member];
    const HistoryCommunicator& communicator = m_job->history->communicators[member.communicator];
    const QString name = toText(communicator.name.empty() ? communicator.hash : communicator.name);
    const QString rank = member.rank >= 0 ? tr("%1, rank %2").arg(name).arg(member.rank) : name;
    return member.host.empty() ? rank : QStringLiteral("%1 · %2").arg(rank, toText(member.host));
}

void JobCanvas::layOut()
{
    m_labelWidth = fontMetrics().horizontalAdvance(QStringLiteral("0000.0 ms")) + 2 * outerMargin;
    constexpr std::size_t mostMeasured = 200;
    for (std::size_t i = 0; hasMap() && i < std::min(m_job->map.rows.size(), mostMeasured); ++i)
        m_labelWidth = std::max(
            m_labelWidth, fontMetrics().horizontalAdvance(rowText(m_job->map.rows[i])) + 2 * outerMargin);
    m_labelWidth = std::min(m_labelWidth + 4, std::max(120, viewport()->width() / 3));
    const int mapHeight = hasMap()
        ? static_cast<int>(std::min<std::size_t>(m_job->map.rows.size(), 1'000'000)) * rowHeight()
        : 0;
    const int shown = mapRect().height();
    verticalScrollBar()->setRange(0, std::max(0, mapHeight - shown));
    verticalScrollBar()->setPageStep(std::max(1, shown));
    verticalScrollBar()->setSingleStep(rowHeight());
}

void JobCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

QRect JobCanvas::chartRect() const
{
    // Above and below the chart is a row of labels.
    const int alone = std::max(0, viewport()->height() - 2 * rowHeight() - outerMargin - 2);
    const int height = !hasSteps() ? 0 : hasMap() ? chartHeight : alone;
    return {m_labelWidth, rowHeight() + outerMargin, viewport()->width() - m_labelWidth - outerMargin,
            height};
}

QRect JobCanvas::mapRect() const
{
    const QRect chart = chartRect();
    const int top = hasSteps() ? chart.bottom() + 2 * rowHeight() + outerMargin : rowHeight() + outerMargin;
    return {chart.left(), top, chart.width(), std::max(0, viewport()->height() - top - rowHeight())};
}

double JobCanvas::xOfStep(std::size_t index) const
{
    const StepSeries& series = m_job->report.series;
    const auto first = static_cast<double>(series.steps.front());
    const double span = std::max(1.0, static_cast<double>(series.steps.back()) - first);
    const QRect chart = chartRect();
    return chart.left() + (static_cast<double>(series.steps[index]) - first) / span * (chart.width() - 1);
}

double JobCanvas::yOfStep(double ns) const
{
    const QRect chart = chartRect();
    const double share = std::clamp((ns - m_lowest) / (m_highest - m_lowest), 0.0, 1.0);
    return chart.bottom() - share * (chart.height() - 1);
}

void JobCanvas::paintSteps(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    const QRect chart = chartRect();
    const StepSeries& series = m_job->report.series;
    painter.setPen(colors.dimText);
    painter.drawText(QRect(chart.left(), 0, chart.width(), rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Time of a step"));
    constexpr int lines = 3;
    for (int i = 0; i <= lines; ++i) {
        const double ns = m_lowest + (m_highest - m_lowest) * i / lines;
        const int y = static_cast<int>(yOfStep(ns));
        painter.setPen(colors.grid);
        painter.drawLine(chart.left(), y, chart.right(), y);
        painter.setPen(colors.dimText);
        painter.drawText(QRect(0, y - rowHeight() / 2, m_labelWidth - outerMargin, rowHeight()),
                         Qt::AlignRight | Qt::AlignVCenter, toText(timeText(std::llround(ns))));
    }
    const int below = chart.bottom() + 2;
    painter.drawText(QRect(chart.left(), below, chart.width(), rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("step %1").arg(series.steps.front()));
    painter.drawText(QRect(chart.left(), below, chart.width(), rowHeight()),
                     Qt::AlignRight | Qt::AlignVCenter, tr("step %1").arg(series.steps.back()));
    // A line per pixel column from its lowest to its highest value, however many steps there are.
    painter.setPen(colors.accent);
    std::size_t i = 0;
    QPointF last;
    while (i < series.size()) {
        const int column = static_cast<int>(xOfStep(i));
        double low = series.ns[i], high = low;
        const double first = low;
        double end = low;
        for (; i < series.size() && static_cast<int>(xOfStep(i)) == column; ++i) {
            end = series.ns[i];
            low = std::min(low, end);
            high = std::max(high, end);
        }
        if (!last.isNull())
            painter.drawLine(last, QPointF(column, yOfStep(first)));
        painter.drawLine(QPointF(column, yOfStep(low)), QPointF(column, yOfStep(high)));
        last = QPointF(column, yOfStep(end));
    }
}

void JobCanvas::paintChanges(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    const QRect chart = chartRect(), map = mapRect();
    const SpeedMap& speed = m_job->map;
    for (const JobChange& change : m_job->report.changes) {
        painter.setPen(QPen(change.isSlower ? colors.worse : colors.better, 2));
        if (change.steps && hasSteps()) {
            const int x = static_cast<int>(xOfStep(change.steps->index));
            painter.drawLine(x, chart.top(), x, chart.bottom());
            const QString text = tr("step %1").arg(change.steps->step);
            const int width = painter.fontMetrics().horizontalAdvance(text) + 6;
            const int left = x + width > chart.right() ? x - width : x + 4;
            painter.drawText(QRect(left, chart.top(), width, rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                             text);
        }
        if (change.latestNs > 0 && hasMap() && speed.endNs > speed.beginNs) {
            const double share = static_cast<double>(change.latestNs - speed.beginNs)
                / static_cast<double>(speed.endNs - speed.beginNs);
            if (share < 0 || share > 1)
                continue;
            const int x = map.left() + static_cast<int>(share * map.width());
            painter.drawLine(x, map.top() - 4, x, map.bottom());
        }
    }
}

void JobCanvas::paintMap(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    const bool isDark = colors.base.lightness() < 128;
    const QRect map = mapRect();
    const SpeedMap& speed = m_job->map;
    painter.setPen(colors.dimText);
    painter.drawText(
        QRect(map.left(), map.top() - rowHeight() - 2, map.width(), rowHeight()),
        Qt::AlignLeft | Qt::AlignVCenter,
        tr("Speed of the collectives of each member, relative to its own typical speed (stronger: slower)"));
    const QString begin = speed.endNs > 0 ? toText(wallClockText(speed.beginNs)) : tr("first collective");
    const QString end = speed.endNs > 0 ? toText(wallClockText(speed.endNs)) : tr("last collective");
    const QRect below(map.left(), map.bottom() + 1, map.width(), rowHeight());
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, begin);
    painter.drawText(below, Qt::AlignRight | Qt::AlignVCenter, end);
    painter.save();
    painter.setClipRect(QRect(0, map.top(), viewport()->width(), map.height()));
    const int first = verticalScrollBar()->value() / rowHeight();
    const int last = std::min(first + map.height() / rowHeight() + 2, static_cast<int>(speed.rows.size()));
    for (int row = first; row < last; ++row) {
        const SpeedMap::Row& own = speed.rows[static_cast<std::size_t>(row)];
        const int top = map.top() + row * rowHeight() - verticalScrollBar()->value();
        painter.setPen(colors.text);
        const QRect label(outerMargin, top, m_labelWidth - 2 * outerMargin, rowHeight());
        painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(rowText(own), Qt::ElideMiddle, label.width()));
        for (std::size_t column = 0; column < speed.columns; ++column) {
            const auto x = [&](std::size_t i) {
                return map.left()
                    + static_cast<int>(static_cast<double>(i) * map.width()
                                       / static_cast<double>(speed.columns));
            };
            painter.fillRect(x(column), top, x(column + 1) - x(column), rowHeight() - 1,
                             speedColor(own.speed[column], isDark));
        }
    }
    painter.restore();
}

void JobCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    if (hasMap())
        paintMap(painter);
    if (hasSteps())
        paintSteps(painter);
    if (m_job)
        paintChanges(painter);
}

QString JobCanvas::stepTextAt(int x) const
{
    const StepSeries& series = m_job->report.series;
    std::size_t best = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
        if (std::abs(xOfStep(i) - x) < std::abs(xOfStep(best) - x))
            best = i;
    }
    return tr("step %1: %2").arg(series.steps[best]).arg(toText(timeText(std::llround(series.ns[best]))));
}

QString JobCanvas::cellTextAt(QPoint position) const
{
    const QRect map = mapRect();
    const int row = (position.y() - map.top() + verticalScrollBar()->value()) / rowHeight();
    if (row < 0 || row >= static_cast<int>(m_job->map.rows.size()))
        return {};
    const SpeedMap::Row& own = m_job->map.rows[static_cast<std::size_t>(row)];
    const auto column
        = static_cast<std::size_t>(static_cast<double>(position.x() - map.left()) / std::max(1, map.width())
                                   * static_cast<double>(m_job->map.columns));
    const float speed = own.speed[std::min(column, m_job->map.columns - 1)];
    return std::isnan(speed)
        ? tr("%1: no collective whose typical time is known").arg(rowText(own))
        : tr("%1: %2 % of its typical speed").arg(rowText(own)).arg(std::lround(100 * speed));
}

QString JobCanvas::textAt(QPoint position) const
{
    if (hasSteps() && chartRect().contains(position))
        return stepTextAt(position.x());
    return hasMap() && mapRect().contains(position) ? cellTextAt(position) : QString();
}

bool JobCanvas::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const QString text = textAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

} // namespace collscope
