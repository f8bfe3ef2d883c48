// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/lateness_canvas.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr std::uint32_t noColumn = 0xffffffffu;
constexpr int headingHeight = 24;
constexpr int markHeight = 3; ///< line that marks the visible range, between heading and cells
constexpr int lowestRankRow = 5;
constexpr int highestRankRow = 26;
constexpr double widestColumn = 48;
constexpr int rankLabelGap = 10;

} // namespace

LatenessCanvas::LatenessCanvas(ViewState* state, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_state(state)
{
    setObjectName(QStringLiteral("latenessCells"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    // keeps the width constant when the number of ranks changes
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setAccessibleName(tr("Lateness of each rank in each collective"));
    setAccessibleDescription(
        tr("Arrow keys move between cells, Enter shows the rank's kernel on the timeline"));
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Base);
    const auto repaint = [this] { viewport()->update(); };
    connect(&state->viewport(), &Viewport::visibleRangeChanged, this, repaint);
    connect(&state->selection(), &ViewSelection::sliceChanged, this, repaint);
}

void LatenessCanvas::setGrid(LatenessGridPtr grid)
{
    const bool sameColumns = m_grid && grid && m_grid->columns.size() == grid->columns.size();
    m_grid = std::move(grid);
    m_image = {};
    m_stepStarts.clear();
    m_columnOfRow.clear();
    if (!sameColumns)
        m_cursor.reset();
    if (m_grid) {
        m_scale = LatenessScale(*m_grid, palette());
        m_columnOfRow.assign(m_grid->collectives->rows.size(), noColumn);
        for (std::size_t c = 0; c < m_grid->columns.size(); ++c) {
            const LatenessGrid::Column& column = m_grid->columns[c];
            for (std::uint32_t i = column.firstRow; i < column.endRow; ++i)
                m_columnOfRow[m_grid->rows[i]] = static_cast<std::uint32_t>(c);
            if (column.step && (c == 0 || m_grid->columns[c - 1].step != column.step))
                m_stepStarts.push_back(c);
        }
    }
    if (!sameColumns)
        fitAll();
    updateScrollBars();
    viewport()->update();
}

QRect LatenessCanvas::cellsRect() const
{
    const std::int32_t longest = m_grid && !m_grid->ranks.empty()
        ? *std::max_element(m_grid->ranks.begin(), m_grid->ranks.end())
        : 0;
    const int label = fontMetrics().horizontalAdvance(tr("rank %1").arg(longest)) + 2 * rankLabelGap;
    return viewport()->rect().adjusted(label, headingHeight + markHeight, -rankLabelGap, 0);
}

int LatenessCanvas::rowHeight() const
{
    const auto ranks = static_cast<int>(m_grid ? m_grid->ranks.size() : 1);
    return std::clamp(cellsRect().height() / std::max(1, ranks), lowestRankRow, highestRankRow);
}

double LatenessCanvas::columnAt(double viewportX) const
{
    return (viewportX - cellsRect().left() + horizontalScrollBar()->value()) / m_pixelsPerColumn;
}

double LatenessCanvas::xOf(double column) const
{
    return cellsRect().left() + column * m_pixelsPerColumn - horizontalScrollBar()->value();
}

std::pair<std::size_t, std::size_t> LatenessCanvas::columnsAt(int viewportX) const
{
    const std::size_t count = m_grid->columns.size();
    const double begin = std::floor(columnAt(viewportX));
    const double end = std::max(begin + 1, std::floor(columnAt(viewportX + 1)));
    if (begin < 0 || begin >= static_cast<double>(count))
        return {0, 0};
    return {static_cast<std::size_t>(begin), std::min(count, static_cast<std::size_t>(end))};
}

QRect LatenessCanvas::cellRect(std::size_t rank, std::size_t column) const
{
    const int left = static_cast<int>(std::floor(xOf(static_cast<double>(column))));
    const int right = static_cast<int>(std::floor(xOf(static_cast<double>(column) + 1)));
    const int top = cellsRect().top() + static_cast<int>(rank) * rowHeight() - verticalScrollBar()->value();
    return {left, top, std::max(1, right - left), rowHeight()};
}

std::optional<LatenessCanvas::Cell> LatenessCanvas::cellAt(QPoint point) const
{
    const QRect cells = cellsRect();
    if (!m_grid || !cells.contains(point))
        return std::nullopt;
    const int row = (point.y() - cells.top() + verticalScrollBar()->value()) / rowHeight();
    const auto [begin, end] = columnsAt(point.x());
    if (row < 0 || static_cast<std::size_t>(row) >= m_grid->ranks.size() || begin >= end)
        return std::nullopt;
    Cell cell{static_cast<std::size_t>(row), begin};
    for (std::size_t column = begin + 1; column < end; ++column) {
        if (m_grid->at(cell.rank, column) > m_grid->at(cell.rank, cell.column))
            cell.column = column;
    }
    return cell;
}

void LatenessCanvas::fitAll()
{
    m_isFit = true;
    const double count = m_grid ? static_cast<double>(std::max<std::size_t>(1, m_grid->columns.size())) : 1;
    m_pixelsPerColumn = std::min(widestColumn, std::max(1, cellsRect().width()) / count);
    updateScrollBars();
    horizontalScrollBar()->setValue(0);
    viewport()->update();
}

void LatenessCanvas::zoomAround(double viewportX, double factor)
{
    if (!m_grid || m_grid->columns.empty())
        return;
    const double column = columnAt(viewportX);
    const double all = std::min(
        widestColumn, std::max(1, cellsRect().width()) / static_cast<double>(m_grid->columns.size()));
    m_pixelsPerColumn = std::clamp(m_pixelsPerColumn * factor, all, widestColumn);
    m_isFit = m_pixelsPerColumn <= all;
    updateScrollBars();
    horizontalScrollBar()->setValue(
        static_cast<int>(std::lround(column * m_pixelsPerColumn - (viewportX - cellsRect().left()))));
    viewport()->update();
}

void LatenessCanvas::updateScrollBars()
{
    const QRect cells = cellsRect();
    const double width = m_grid ? m_pixelsPerColumn * static_cast<double>(m_grid->columns.size()) : 0;
    const int height = m_grid ? rowHeight() * static_cast<int>(m_grid->ranks.size()) : 0;
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::lround(width)) - cells.width()));
    horizontalScrollBar()->setPageStep(cells.width());
    horizontalScrollBar()->setSingleStep(static_cast<int>(widestColumn));
    verticalScrollBar()->setRange(0, std::max(0, height - cells.height()));
    verticalScrollBar()->setPageStep(cells.height());
    verticalScrollBar()->setSingleStep(rowHeight());
}

void LatenessCanvas::resizeEvent(QResizeEvent*)
{
    if (m_isFit)
        fitAll();
    updateScrollBars();
}

void LatenessCanvas::scrollContentsBy(int, int)
{
    viewport()->update();
}

void LatenessCanvas::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_grid)
        return;
    m_scale = LatenessScale(*m_grid, palette());
    m_image = {};
    viewport()->update();
}

void LatenessCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), palette().base());
    if (!m_grid || m_grid->columns.empty())
        return;
    const QRect cells = cellsRect();
    paintCells(painter, cells);
    paintMarks(painter, cells);
    paintHeading(painter, cells);
    paintLabels(painter, cells);
}

void LatenessCanvas::paintCells(QPainter& painter, const QRect& cells)
{
    const int height = rowHeight();
    const int scrolled = verticalScrollBar()->value();
    const double ratio = devicePixelRatioF();
    LatenessView view;
    view.firstColumn = horizontalScrollBar()->value() / m_pixelsPerColumn;
    view.pixelsPerColumn = m_pixelsPerColumn * ratio;
    view.width = static_cast<int>(std::ceil(cells.width() * ratio));
    view.firstRank = static_cast<std::size_t>(scrolled / height);
    view.rankCount = std::min(m_grid->ranks.size() - view.firstRank,
                              static_cast<std::size_t>(cells.height() / height + 2));
    view.gap = palette().color(QPalette::Base).rgb();
    if (m_image.isNull() || !(view == m_imageView)) {
        m_image = paintLateness(*m_grid, m_scale, view);
        m_imageView = view;
    }
    painter.save();
    painter.setClipRect(cells);
    const QColor hatch = absentColor(palette());
    const double end = std::min(xOf(static_cast<double>(m_grid->columns.size())), cells.right() + 1.0);
    const int gap = height >= 10 ? 2 : height >= 7 ? 1 : 0;
    for (std::size_t i = 0; i < view.rankCount; ++i) {
        const int top = cells.top() + static_cast<int>(view.firstRank + i) * height - scrolled;
        const QRect row(cells.left(), top, cells.width(), height - gap);
        painter.fillRect(QRectF(cells.left(), top, end - cells.left(), height - gap),
                         QBrush(hatch, Qt::BDiagPattern));
        painter.drawImage(row, m_image, QRect(0, static_cast<int>(i), m_image.width(), 1));
    }
    painter.restore();
}

void LatenessCanvas::paintMarks(QPainter& painter, const QRect& cells) const
{
    painter.save();
    painter.setClipRect(cells.adjusted(0, -markHeight, 0, 0));
    const Surfaces colors = surfaces(palette());
    const int bottom = std::min(cells.bottom(),
                                cells.top() + rowHeight() * static_cast<int>(m_grid->ranks.size())
                                    - verticalScrollBar()->value() - 1);
    const auto [begin, end] = m_grid->columnsIn(m_state->viewport().visibleRange());
    if (begin < end) {
        const double left = xOf(static_cast<double>(begin));
        const double right = std::max(left + 2, xOf(static_cast<double>(end)));
        painter.fillRect(QRectF(left, cells.top() - markHeight, right - left, markHeight), colors.accent);
    }
    const auto frameColumns = [&](double from, double to, bool filled) {
        QRectF frame(xOf(from), cells.top(), std::max(1.0, xOf(to) - xOf(from)), bottom - cells.top() + 1);
        QColor tint = colors.accent;
        tint.setAlphaF(0.15F);
        if (filled)
            painter.fillRect(frame, tint);
        painter.setPen(QPen(colors.accent, 1));
        painter.drawRect(frame.adjusted(0.5, 0.5, -0.5, -0.5));
    };
    const auto instance = m_state->selection().collective();
    const auto row = instance && m_grid->collectives->run == m_state->run().collectives()
        ? m_grid->collectives->rowOf(*instance)
        : std::nullopt;
    if (row && m_columnOfRow[*row] != noColumn)
        frameColumns(m_columnOfRow[*row], m_columnOfRow[*row] + 1.0, false);
    if (m_dragged)
        frameColumns(std::floor(m_dragged->first), std::ceil(m_dragged->second), true);
    if (m_cursor && hasFocus()) {
        painter.setPen(QPen(colors.text, 2));
        painter.drawRect(cellRect(m_cursor->rank, m_cursor->column).adjusted(0, 0, 0, -1));
    }
    painter.restore();
}

/// Paints the starts of steps, and their numbers where they fit.
void LatenessCanvas::paintHeading(QPainter& painter, const QRect& cells) const
{
    const Surfaces colors = surfaces(palette());
    painter.save();
    painter.fillRect(QRect(0, 0, viewport()->width(), headingHeight), palette().base());
    painter.setClipRect(cells.adjusted(0, -headingHeight - markHeight, 0, 0));
    painter.setPen(colors.dimText);
    auto at = std::partition_point(m_stepStarts.begin(), m_stepStarts.end(), [&](std::size_t column) {
        return xOf(static_cast<double>(column)) < cells.left();
    });
    if (at != m_stepStarts.begin())
        --at; // the step at the left edge
    double free = cells.left();
    for (; at != m_stepStarts.end(); ++at) {
        const double x = xOf(static_cast<double>(*at));
        if (x > cells.right())
            break;
        const QString text = tr("step %1").arg(*m_grid->columns[*at].step);
        const double width = fontMetrics().horizontalAdvance(text) + 12;
        const double left = std::max<double>(x, cells.left());
        if (left < free)
            continue;
        painter.drawText(QRectF(left + 4, 0, width, headingHeight), Qt::AlignLeft | Qt::AlignVCenter, text);
        painter.drawLine(QPointF(x + 0.5, headingHeight - 14), QPointF(x + 0.5, headingHeight - 3));
        free = left + width;
    }
    if (m_stepStarts.empty())
        painter.drawText(QRectF(cells.left() + 3, 0, cells.width(), headingHeight),
                         Qt::AlignLeft | Qt::AlignVCenter, tr("collectives in time order"));
    painter.restore();
}

void LatenessCanvas::paintLabels(QPainter& painter, const QRect& cells) const
{
    const Surfaces colors = surfaces(palette());
    painter.save();
    painter.setClipRect(QRect(0, cells.top(), cells.left(), cells.height()));
    painter.setPen(colors.text);
    const int height = rowHeight();
    const int every = std::max(1, (fontMetrics().height() + height - 1) / height);
    for (std::size_t rank = 0; rank < m_grid->ranks.size(); rank += static_cast<std::size_t>(every)) {
        const int middle = cells.top() + static_cast<int>(rank) * height - verticalScrollBar()->value()
            + (height >= fontMetrics().height() ? height : fontMetrics().height()) / 2;
        const QRect box(0, middle - fontMetrics().height() / 2, cells.left() - rankLabelGap,
                        fontMetrics().height());
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, tr("rank %1").arg(m_grid->ranks[rank]));
    }
    painter.restore();
}

} // namespace collscope
