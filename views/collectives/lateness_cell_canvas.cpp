// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/lateness_cell_canvas.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int headingHeight = 24;
constexpr int highestRankRow = 26;
constexpr int rankLabelGap = 10;
constexpr double widthForWords = 44;

/// Whether a rank is absent from a collective in sight: the hatch that shows it takes longer than the cells.
bool hasAbsent(const QImage& image, int row)
{
    const auto* const line = reinterpret_cast<const QRgb*>(image.constScanLine(row));
    return std::find(line, line + image.width(), QRgb{0}) != line + image.width();
}

} // namespace

LatenessCellCanvas::LatenessCellCanvas(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    // keeps the width constant when the number of ranks changes
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Base);
}

void LatenessCellCanvas::setCells(std::shared_ptr<const LatenessCells> cells)
{
    const bool sameColumns = m_cells && cells && m_cells->columnCount() == cells->columnCount();
    m_cells = std::move(cells);
    m_image = {};
    m_labelWidth.reset();
    if (!sameColumns)
        m_cursor.reset();
    if (m_cells)
        m_scale = LatenessScale(*m_cells, palette());
    if (m_cursor && m_cursor->rank >= m_cells->ranks.size())
        m_cursor.reset();
    if (!sameColumns)
        fitAll();
    updateScrollBars();
    viewport()->update();
}

int LatenessCellCanvas::labelWidth() const
{
    const std::int32_t longest = m_cells && !m_cells->ranks.empty()
        ? *std::max_element(m_cells->ranks.begin(), m_cells->ranks.end())
        : 0;
    return fontMetrics().horizontalAdvance(tr("rank %1").arg(longest)) + 2 * rankLabelGap;
}

QRect LatenessCellCanvas::cellsRect() const
{
    if (!m_labelWidth)
        m_labelWidth = labelWidth();
    return viewport()->rect().adjusted(*m_labelWidth, headingHeight + markHeight, -rankLabelGap, 0);
}

int LatenessCellCanvas::rowHeight() const
{
    const auto ranks = static_cast<int>(m_cells ? m_cells->ranks.size() : 1);
    return std::clamp((viewport()->height() - headingHeight - markHeight) / std::max(1, ranks), lowestRow(),
                      highestRankRow);
}

double LatenessCellCanvas::columnAt(double viewportX) const
{
    return (viewportX - cellsRect().left() + horizontalScrollBar()->value()) / m_pixelsPerColumn;
}

double LatenessCellCanvas::xOf(double column) const
{
    return cellsRect().left() + column * m_pixelsPerColumn - horizontalScrollBar()->value();
}

std::pair<std::size_t, std::size_t> LatenessCellCanvas::columnsAt(int viewportX) const
{
    const std::size_t count = m_cells->columnCount();
    const double begin = std::floor(columnAt(viewportX));
    const double end = std::max(begin + 1, std::floor(columnAt(viewportX + 1)));
    if (begin < 0 || begin >= static_cast<double>(count))
        return {0, 0};
    return {static_cast<std::size_t>(begin), std::min(count, static_cast<std::size_t>(end))};
}

QRect LatenessCellCanvas::cellRect(std::size_t rank, std::size_t column) const
{
    const int left = static_cast<int>(std::floor(xOf(static_cast<double>(column))));
    const int right = static_cast<int>(std::floor(xOf(static_cast<double>(column) + 1)));
    const int top = cellsRect().top() + static_cast<int>(rank) * rowHeight() - verticalScrollBar()->value();
    return {left, top, std::max(1, right - left), rowHeight()};
}

std::optional<std::size_t> LatenessCellCanvas::rowAt(int viewportY) const
{
    const int below = viewportY - cellsRect().top();
    const auto row
        = static_cast<std::size_t>((std::max(0, below) + verticalScrollBar()->value()) / rowHeight());
    return m_cells && below >= 0 && row < m_cells->ranks.size() ? std::optional(row) : std::nullopt;
}

std::optional<LatenessCellCanvas::Cell> LatenessCellCanvas::cellAt(QPoint point) const
{
    const auto row = rowAt(point.y());
    if (!row || !cellsRect().contains(point))
        return std::nullopt;
    const auto [begin, end] = columnsAt(point.x());
    if (begin >= end)
        return std::nullopt;
    Cell cell{*row, begin};
    for (std::size_t column = begin + 1; column < end; ++column) {
        if (m_cells->at(cell.rank, column) > m_cells->at(cell.rank, cell.column))
            cell.column = column;
    }
    return cell;
}

double LatenessCellCanvas::pixelsToFit() const
{
    const double count = isEmpty() ? 1 : static_cast<double>(m_cells->columnCount());
    return std::min(widestColumn(), std::max(1, cellsRect().width()) / count);
}

void LatenessCellCanvas::fitAll()
{
    m_isFit = true;
    m_pixelsPerColumn = pixelsToFit();
    updateScrollBars();
    horizontalScrollBar()->setValue(0);
    viewport()->update();
}

void LatenessCellCanvas::zoomAround(double viewportX, double factor)
{
    if (isEmpty())
        return;
    const double column = columnAt(viewportX);
    const double all = pixelsToFit();
    m_pixelsPerColumn = std::clamp(m_pixelsPerColumn * factor, all, widestColumn());
    m_isFit = m_pixelsPerColumn <= all;
    updateScrollBars();
    horizontalScrollBar()->setValue(
        static_cast<int>(std::lround(column * m_pixelsPerColumn - (viewportX - cellsRect().left()))));
    viewport()->update();
}

void LatenessCellCanvas::updateScrollBars()
{
    const QRect cells = cellsRect();
    const double width = m_cells ? m_pixelsPerColumn * static_cast<double>(m_cells->columnCount()) : 0;
    const int height = m_cells ? rowHeight() * static_cast<int>(m_cells->ranks.size()) : 0;
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::lround(width)) - cells.width()));
    horizontalScrollBar()->setPageStep(cells.width());
    horizontalScrollBar()->setSingleStep(static_cast<int>(widestColumn()));
    verticalScrollBar()->setRange(0, std::max(0, height - cells.height()));
    verticalScrollBar()->setPageStep(cells.height());
    verticalScrollBar()->setSingleStep(rowHeight());
}

void LatenessCellCanvas::resizeEvent(QResizeEvent*)
{
    if (m_isFit)
        fitAll();
    updateScrollBars();
}

void LatenessCellCanvas::scrollContentsBy(int, int)
{
    viewport()->update();
}

void LatenessCellCanvas::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    m_labelWidth.reset();
    if (event->type() != QEvent::PaletteChange || !m_cells)
        return;
    m_scale = LatenessScale(*m_cells, palette());
    m_image = {};
    viewport()->update();
}

void LatenessCellCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), palette().base());
    if (isEmpty())
        return;
    const QRect cells = cellsRect();
    paintCells(painter, cells);
    painter.save();
    painter.setClipRect(cells.adjusted(0, -markHeight, 0, 0));
    paintMarks(painter, cells);
    painter.restore();
    paintHeading(painter, cells);
    paintLabels(painter, cells);
}

void LatenessCellCanvas::paintCells(QPainter& painter, const QRect& cells)
{
    const int height = rowHeight();
    const int scrolled = verticalScrollBar()->value();
    const double ratio = devicePixelRatioF();
    LatenessView view;
    view.firstColumn = horizontalScrollBar()->value() / m_pixelsPerColumn;
    view.pixelsPerColumn = m_pixelsPerColumn * ratio;
    view.width = static_cast<int>(std::ceil(cells.width() * ratio));
    view.firstRank = static_cast<std::size_t>(scrolled / height);
    view.rankCount = std::min(m_cells->ranks.size() - view.firstRank,
                              static_cast<std::size_t>(cells.height() / height + 2));
    view.gap = palette().color(QPalette::Base).rgb();
    if (m_image.isNull() || !(view == m_imageView)) {
        m_image = paintLateness(*m_cells, m_scale, view);
        m_imageView = view;
    }
    painter.save();
    painter.setClipRect(cells);
    const QColor hatch = absentColor(palette());
    const double end = std::min(xOf(static_cast<double>(m_cells->columnCount())), cells.right() + 1.0);
    const int gap = height >= 10 ? 2 : height >= 7 ? 1 : 0;
    for (std::size_t i = 0; i < view.rankCount; ++i) {
        const int top = cells.top() + static_cast<int>(view.firstRank + i) * height - scrolled;
        const QRect row(cells.left(), top, cells.width(), height - gap);
        if (hasAbsent(m_image, static_cast<int>(i)))
            painter.fillRect(QRectF(cells.left(), top, end - cells.left(), height - gap),
                             QBrush(hatch, Qt::BDiagPattern));
        painter.drawImage(row, m_image, QRect(0, static_cast<int>(i), m_image.width(), 1));
    }
    if (m_pixelsPerColumn >= widthForWords && height >= fontMetrics().height())
        paintWords(painter, cells, view.firstRank, view.firstRank + view.rankCount);
    painter.restore();
}

void LatenessCellCanvas::paintWords(QPainter& painter, const QRect& cells, std::size_t firstRank,
                                    std::size_t endRank) const
{
    const auto first = static_cast<std::size_t>(std::max(0.0, columnAt(cells.left())));
    const auto end = std::min(m_cells->columnCount(), static_cast<std::size_t>(columnAt(cells.right())) + 1);
    for (std::size_t rank = firstRank; rank < endRank; ++rank) {
        for (std::size_t column = first; column < end; ++column)
            paintOnCell(painter, cellRect(rank, column), {rank, column});
    }
}

void LatenessCellCanvas::frameColumns(QPainter& painter, const QRect& cells, double from, double to,
                                      bool isFilled) const
{
    const Surfaces colors = surfaces(palette());
    const int bottom = std::min(cells.bottom(),
                                cells.top() + rowHeight() * static_cast<int>(m_cells->ranks.size())
                                    - verticalScrollBar()->value() - 1);
    const QRectF frame(xOf(from), cells.top(), std::max(1.0, xOf(to) - xOf(from)), bottom - cells.top() + 1);
    QColor tint = colors.accent;
    tint.setAlphaF(0.15F);
    if (isFilled)
        painter.fillRect(frame, tint);
    painter.setPen(QPen(colors.accent, 1));
    painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5));
}

void LatenessCellCanvas::paintMarks(QPainter& painter, const QRect& cells) const
{
    if (m_dragged)
        frameColumns(painter, cells, std::floor(m_dragged->first), std::ceil(m_dragged->second), true);
    if (m_cursor && hasFocus()) {
        painter.setPen(QPen(surfaces(palette()).text, 2));
        painter.drawRect(cellRect(m_cursor->rank, m_cursor->column).adjusted(0, 0, 0, -1));
    }
}

void LatenessCellCanvas::paintOnCell(QPainter&, const QRect&, const Cell&) const
{ }

/// Paints the starts of steps, and their numbers where they fit.
void LatenessCellCanvas::paintHeading(QPainter& painter, const QRect& cells) const
{
    const Surfaces colors = surfaces(palette());
    painter.save();
    painter.fillRect(QRect(0, 0, viewport()->width(), headingHeight), palette().base());
    painter.setClipRect(cells.adjusted(0, -headingHeight - markHeight, 0, 0));
    painter.setPen(colors.dimText);
    const std::vector<LatenessCells::StepStart>& starts = m_cells->stepStarts;
    const auto firstFrom = [&](auto begin, double x) {
        return std::partition_point(begin, starts.end(), [&](const LatenessCells::StepStart& start) {
            return xOf(static_cast<double>(start.column)) < x;
        });
    };
    auto at = firstFrom(starts.begin(), cells.left());
    if (at != starts.begin())
        --at; // the step at the left edge
    while (at != starts.end()) {
        const double x = xOf(static_cast<double>(at->column));
        if (x > cells.right())
            break;
        const QString text = tr("step %1").arg(at->step);
        const double width = fontMetrics().horizontalAdvance(text) + 12;
        const double left = std::max<double>(x, cells.left());
        painter.drawText(QRectF(left + 4, 0, width, headingHeight), Qt::AlignLeft | Qt::AlignVCenter, text);
        painter.drawLine(QPointF(x + 0.5, headingHeight - 14), QPointF(x + 0.5, headingHeight - 3));
        at = firstFrom(at + 1, left + width); // there may be thousands whose names do not fit
    }
    if (starts.empty())
        painter.drawText(QRectF(cells.left() + 3, 0, cells.width(), headingHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, headingText());
    painter.restore();
    painter.setPen(colors.dimText);
    painter.drawText(QRect(0, 0, cells.left() - rankLabelGap, headingHeight),
                     Qt::AlignRight | Qt::AlignVCenter, labelsText());
}

void LatenessCellCanvas::paintLabels(QPainter& painter, const QRect& cells) const
{
    const Surfaces colors = surfaces(palette());
    painter.save();
    painter.setClipRect(QRect(0, cells.top(), cells.left(), cells.height()));
    painter.setPen(colors.text);
    const int height = rowHeight();
    const int every = std::max(1, (fontMetrics().height() + height - 1) / height);
    const int scrolled = verticalScrollBar()->value() / height;
    const int end = std::min(static_cast<int>(m_cells->ranks.size()), scrolled + cells.height() / height + 2);
    for (int row = scrolled - scrolled % every; row < end; row += every) {
        const auto rank = static_cast<std::size_t>(row);
        const int middle = cells.top() + row * height - verticalScrollBar()->value()
            + (height >= fontMetrics().height() ? height : fontMetrics().height()) / 2;
        const QRect box(0, middle - fontMetrics().height() / 2, cells.left() - rankLabelGap,
                        fontMetrics().height());
        paintLabel(painter, box, rank);
    }
    painter.restore();
}

void LatenessCellCanvas::paintLabel(QPainter& painter, const QRect& box, std::size_t rank) const
{
    painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, tr("rank %1").arg(m_cells->ranks[rank]));
}

} // namespace collscope
