// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/duration_chart.h"

#include "views/common/axis_gestures.h"
#include "views/common/drag_gesture.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/common/time_axis.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

namespace {

constexpr int sideMargin = 10;
constexpr double narrowestBar = 4;
/// px; keeps one slice among thousands visible, which is often the one of interest
constexpr double lowestColumn = 2;
constexpr double tickSpacing = 48;
constexpr int edgeReach = 4; ///< px on each side of an edge in which it can be dragged

struct DurationTick
{
    std::int64_t ns = 0;
    double x = 0;
    QString label;
};

/// Returns round durations that are far enough apart for their labels.
std::vector<DurationTick> ticksOf(const DurationHistogram& histogram, double width)
{
    std::vector<DurationTick> ticks;
    const auto add = [&](std::int64_t ns, const QString& label) {
        const double x = histogram.positionOf(static_cast<double>(ns)) * width;
        const bool hasRoom = std::all_of(ticks.begin(), ticks.end(), [x](const DurationTick& other) {
            return std::abs(other.x - x) >= tickSpacing;
        });
        if (hasRoom)
            ticks.push_back({ns, x, label});
    };
    const bool hasZeros = histogram.edgeNs(0) == 0;
    if (hasZeros)
        add(0, QStringLiteral("0"));
    const std::int64_t begin = histogram.edgeNs(hasZeros && histogram.bins() > 1 ? 1 : 0);
    const std::int64_t end = histogram.edgeNs(histogram.bins());
    if (end / 10 < begin) {
        const TimeAxis axis({begin, end}, width);
        const std::int64_t step = axis.tickStep(tickSpacing);
        for (const TimeAxis::Tick& tick : axis.ticks(step)) {
            if (tick.major)
                add(tick.timeNs, formatTime(tick.timeNs, step));
        }
        return ticks;
    }
    for (const std::int64_t digit : {1, 5, 2}) {
        for (std::int64_t power = 1; power <= end / digit; power *= 10) {
            if (digit * power >= begin)
                add(digit * power, formatTime(digit * power, power));
        }
    }
    return ticks;
}

} // namespace

QString durationRangeText(std::int64_t fromNs, std::int64_t toNs)
{
    const std::int64_t step = std::max<std::int64_t>(1, toNs - fromNs);
    QString from = formatTime(fromNs, step);
    QString to = formatTime(toNs, step);
    if (from == to)
        return to;
    const QChar space(0x00a0);
    if (from.section(space, 1) == to.section(space, 1))
        from = from.section(space, 0, 0); // one unit for both
    return DurationChart::tr("%1 to %2").arg(from, to);
}

DurationChart::DurationChart(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("durationChart"));
    setFocusPolicy(Qt::ClickFocus); // keyboard users have the fields below
    setMouseTracking(true);
    setAccessibleName(tr("Slice durations"));
    setAccessibleDescription(
        tr("Histogram with a logarithmic axis. Drag over the bars or use the two fields below to list only "
           "slices with these durations. Escape lists all slices again."));
}

void DurationChart::setListing(SliceListingPtr listing)
{
    if (!listing || !m_listing || listing->all != m_listing->all)
        m_drag = Drag::None;
    m_listing = std::move(listing);
    if (m_drag != Drag::Bound)
        m_range = m_listing ? m_listing->lasting : DurationRange();
    updateBars();
}

void DurationChart::setMark(std::optional<std::int64_t> ns)
{
    m_mark = ns;
    update();
}

void DurationChart::setRange(DurationRange range)
{
    m_range = range;
    update();
}

QRectF DurationChart::plotRect() const
{
    const int line = fontMetrics().height();
    return QRectF(rect()).adjusted(sideMargin, line + 4, -sideMargin, -(line + 6));
}

double DurationChart::xOf(std::int64_t ns) const
{
    const QRectF plot = plotRect();
    return plot.left()
        + (m_listing ? m_listing->histogram.positionOf(static_cast<double>(ns)) * plot.width() : 0);
}

void DurationChart::updateBars()
{
    m_bars.clear();
    m_highest = 0;
    if (m_listing && !m_listing->histogram.isEmpty()) {
        const DurationHistogram& histogram = m_listing->histogram;
        const double perPixel = static_cast<double>(histogram.bins()) / std::max(1.0, plotRect().width());
        const std::size_t together
            = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(narrowestBar * perPixel)));
        for (std::size_t bin = 0; bin < histogram.bins(); bin += together) {
            const std::size_t end = std::min(histogram.bins(), bin + together);
            Bar bar{histogram.edgeNs(bin), histogram.edgeNs(end), 0, xOf(histogram.edgeNs(bin)),
                    xOf(histogram.edgeNs(end))};
            for (std::size_t i = bin; i < end; ++i)
                bar.count += histogram.count(i);
            m_highest = std::max(m_highest, bar.count);
            m_bars.push_back(bar);
        }
    }
    update();
}

void DurationChart::resizeEvent(QResizeEvent*)
{
    updateBars();
}

const DurationChart::Bar* DurationChart::barAt(QPoint position) const
{
    const double x = position.x() + 0.5;
    const auto found = std::find_if(m_bars.begin(), m_bars.end(),
                                    [x](const Bar& bar) { return bar.left <= x && x < bar.right; });
    return found == m_bars.end() || !plotRect().contains(position) ? nullptr : &*found;
}

QString DurationChart::textAt(QPoint position) const
{
    const Bar* const bar = barAt(position);
    if (!bar)
        return {};
    const QString lasting = bar->toNs - bar->fromNs == 1 ? formatDuration(bar->fromNs)
                                                         : durationRangeText(bar->fromNs, bar->toNs);
    return bar->count == 0 ? tr("no slices of %1").arg(lasting)
        : bar->count == 1  ? tr("1 slice of %1").arg(lasting)
                           : tr("%1 slices of %2").arg(formatCount(bar->count), lasting);
}

std::pair<double, double> DurationChart::edges() const
{
    const QRectF plot = plotRect();
    const DurationRange all;
    return {m_range.leastNs <= all.leastNs ? plot.left() : xOf(m_range.leastNs),
            m_range.mostNs == all.mostNs ? plot.right() : xOf(m_range.mostNs)};
}

std::int64_t DurationChart::boundAt(double x) const
{
    const QRectF plot = plotRect();
    const DurationRange all;
    if (x <= plot.left() || x >= plot.right())
        return x <= plot.left() ? all.leastNs : all.mostNs;
    const auto durationAt
        = [&](double at) { return m_listing->histogram.durationAt((at - plot.left()) / plot.width()); };
    const double column = std::max(1.0, durationAt(x + 0.5) - durationAt(x - 0.5));
    const double step = std::pow(10.0, std::floor(std::log10(column)));
    return std::llround(std::round(durationAt(x) / step) * step);
}

std::optional<std::int64_t> DurationChart::otherBound(double x) const
{
    const auto [left, right] = edges();
    if (m_range.isAll() || std::min(std::abs(x - left), std::abs(x - right)) > edgeReach)
        return std::nullopt;
    return std::abs(x - left) < std::abs(x - right) ? m_range.mostNs : m_range.leastNs;
}

void DurationChart::choose(DurationRange range)
{
    if (range == m_range)
        return;
    setRange(range);
    emit rangeChosen(range);
}

void DurationChart::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_bars.empty())
        return;
    m_press = event->position().toPoint();
    const auto other = otherBound(m_press.x());
    m_drag = other ? Drag::Bound : Drag::Pending;
    m_fixedNs = other.value_or(boundAt(m_press.x()));
}

void DurationChart::mouseMoveEvent(QMouseEvent* event)
{
    const QPoint position = event->position().toPoint();
    if (m_drag == Drag::Pending && (position - m_press).manhattanLength() >= dragThreshold)
        m_drag = Drag::Bound;
    if (m_drag == Drag::Bound) {
        const std::int64_t moved = boundAt(position.x());
        choose({std::min(moved, m_fixedNs), std::max(moved, m_fixedNs)});
        QToolTip::hideText();
        return;
    }
    const Bar* const bar = barAt(position);
    m_hoveredNs = bar ? std::optional(bar->fromNs) : std::nullopt;
    setCursor(otherBound(position.x()) ? Qt::SplitHCursor : Qt::ArrowCursor);
    QToolTip::showText(event->globalPosition().toPoint(),
                       bar ? textAt(position)
                           : tr("Drag over the bars: list only slices with these durations\nDrag an edge: "
                                "move it; double click or Esc: list all slices"),
                       this);
    update();
}

void DurationChart::mouseReleaseEvent(QMouseEvent*)
{
    m_drag = Drag::None;
}

void DurationChart::mouseDoubleClickEvent(QMouseEvent*)
{
    m_drag = Drag::None;
    choose({});
}

void DurationChart::leaveEvent(QEvent* event)
{
    m_hoveredNs.reset();
    update();
    QWidget::leaveEvent(event);
}

void DurationChart::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || m_range.isAll())
        return QWidget::keyPressEvent(event);
    m_drag = Drag::None;
    choose({});
}

void DurationChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().base());
    if (m_bars.empty())
        return;
    paintAxis(painter);
    paintBars(painter);
    paintRange(painter);
    paintMarks(painter);
}

void DurationChart::paintAxis(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    const QRectF plot = plotRect();
    painter.setPen(colors.grid);
    painter.drawLine(plot.topLeft(), plot.topRight());
    painter.setPen(colors.dimText);
    painter.drawText(QRectF(plot.left(), 0, plot.width(), plot.top()), Qt::AlignLeft | Qt::AlignVCenter,
                     formatCount(m_highest));
    for (const DurationTick& tick : ticksOf(m_listing->histogram, plot.width())) {
        const double x = plot.left() + tick.x;
        const double width = fontMetrics().horizontalAdvance(tick.label) + 2;
        const double left = std::clamp(x - width / 2, 2.0, std::max(2.0, this->width() - width - 2));
        painter.setPen(colors.line);
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 3));
        painter.setPen(colors.dimText);
        painter.drawText(QRectF(left, plot.bottom() + 3, width, height() - plot.bottom() - 3),
                         Qt::AlignHCenter | Qt::AlignTop, tick.label);
    }
    painter.setPen(colors.line);
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
}

void DurationChart::paintBars(QPainter& painter) const
{
    const QRectF plot = plotRect();
    const KernelClass kernelClass = m_listing->kernelClass.value_or(KernelClass::None);
    const QColor wanted
        = kernelClass == KernelClass::None ? surfaces(palette()).accent : kernelColor(kernelClass, palette());
    QColor unwanted = wanted;
    unwanted.setAlphaF(0.25F);
    const auto [begin, end] = edges();
    for (const Bar& bar : m_bars) {
        if (bar.count == 0)
            continue;
        const double share = static_cast<double>(bar.count) / static_cast<double>(m_highest);
        const double height = std::max(lowestColumn, share * plot.height());
        const double gap = bar.right - bar.left >= narrowestBar ? 1 : 0;
        const QRectF box(bar.left, plot.bottom() - height, std::max(1.0, bar.right - bar.left - gap), height);
        painter.fillRect(box, unwanted);
        // A bar crossed by an edge of the range is highlighted up to that edge.
        QRectF inside = box;
        inside.setLeft(std::max(box.left(), begin));
        inside.setRight(std::min(box.right(), std::max(end, begin + 1)));
        const bool isHovered = m_hoveredNs == bar.fromNs;
        if (inside.left() < inside.right())
            painter.fillRect(inside, isHovered ? wanted.lighter(120) : wanted);
    }
}

void DurationChart::paintRange(QPainter& painter) const
{
    if (m_range.isAll())
        return;
    const QRectF plot = plotRect();
    const QColor accent = surfaces(palette()).accent;
    QColor tint = accent;
    tint.setAlphaF(0.08F);
    const auto [begin, end] = edges();
    painter.fillRect(QRectF(begin, plot.top(), std::max(1.0, end - begin), plot.height()), tint);
    for (const double x : {begin, end})
        painter.fillRect(QRectF(x - 0.5, plot.top(), 1, plot.height()), accent);
}

/// Paints the median of the slices in the range and the selected slice.
void DurationChart::paintMarks(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    const QRectF plot = plotRect();
    if (m_listing->wanted->size() > 0) {
        const double x = xOf(m_listing->figures.medianNs);
        painter.setPen(QPen(colors.dimText, 1, Qt::DashLine));
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        const QString text = tr("median %1").arg(formatDuration(m_listing->figures.medianNs));
        const double width = fontMetrics().horizontalAdvance(text) + 2;
        const double free = plot.left() + fontMetrics().horizontalAdvance(formatCount(m_highest)) + 10;
        const double left = std::max(free, std::min(x - width / 2, plot.right() - width));
        painter.drawText(QRectF(left, 0, width, plot.top()), Qt::AlignLeft | Qt::AlignVCenter, text);
    }
    if (!m_mark)
        return;
    const double x = xOf(*m_mark);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.text, 1));
    painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    painter.setBrush(colors.text);
    painter.setPen(Qt::NoPen);
    const std::array<QPointF, 3> arrow{QPointF(x - 4, plot.top()), QPointF(x + 4, plot.top()),
                                       QPointF(x, plot.top() + 6)};
    painter.drawPolygon(arrow.data(), static_cast<int>(arrow.size()));
}

} // namespace collscope
