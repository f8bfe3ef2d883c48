// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/collectives/lateness_canvas.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr std::uint32_t noColumn = 0xffffffffu;

/// Arrival of a rank in a collective; nullopt if the rank is not a member.
std::optional<MemberArrival> arrivalOf(const CollectiveRows& table, std::uint32_t row, std::int32_t rank)
{
    for (const MemberArrival& arrival : table.arrivalsOf(table.rows[row])) {
        if (arrival.rank == rank)
            return arrival;
    }
    return std::nullopt;
}

} // namespace

LatenessCanvas::LatenessCanvas(ViewState* state, QWidget* parent)
    : LatenessCellCanvas(parent)
    , m_state(state)
{
    setObjectName(QStringLiteral("latenessCells"));
    setAccessibleName(tr("Lateness of each rank in each collective"));
    setAccessibleDescription(
        tr("Arrow keys move between cells, Enter shows the rank's kernel on the timeline"));
    const auto repaint = [this] { viewport()->update(); };
    connect(&state->viewport(), &Viewport::visibleRangeChanged, this, repaint);
    connect(&state->selection(), &ViewSelection::sliceChanged, this, repaint);
}

void LatenessCanvas::setGrid(LatenessGridPtr grid)
{
    m_grid = std::move(grid);
    m_columnOfRow.clear();
    if (m_grid) {
        m_columnOfRow.assign(m_grid->collectives->rows.size(), noColumn);
        for (std::size_t c = 0; c < m_grid->columns.size(); ++c) {
            const LatenessGrid::Column& column = m_grid->columns[c];
            for (std::uint32_t i = column.firstRow; i < column.endRow; ++i)
                m_columnOfRow[m_grid->rows[i]] = static_cast<std::uint32_t>(c);
        }
    }
    setCells(m_grid);
}

QString LatenessCanvas::cellText(std::size_t rank, std::size_t column) const
{
    const CollectiveRows& table = *m_grid->collectives;
    const LatenessGrid::Column& info = m_grid->columns[column];
    const std::int32_t number = m_grid->ranks[rank];
    const auto index = m_grid->collectiveAt(rank, column);
    QStringList lines{tr("rank %1").arg(number)};
    if (!index) {
        lines << tr("not a member of this collective");
        return lines.join(QLatin1Char('\n'));
    }
    const CollectiveRow& row = table.rows[*index];
    const MemberArrival arrival = arrivalOf(table, *index, number).value_or(MemberArrival());
    if (m_grid->request.columns != LatenessColumns::Collectives) {
        const float value = m_grid->at(rank, column);
        const QString what = value <= 0 ? tr("on time, within the clock uncertainty")
            : m_grid->request.columns == LatenessColumns::StepMean
            ? tr("late by %1 on average").arg(formatDuration(std::llround(value)))
            : tr("late by %1 in total").arg(formatDuration(std::llround(value)));
        lines << tr("step %1, %2 collectives: %3")
                     .arg(info.step.value_or(0))
                     .arg(info.endRow - info.firstRow)
                     .arg(what);
        lines << tr("latest in:");
    }
    const QString group = toText(table.groupOf(row).text);
    lines << (group.isEmpty() ? toText(table.nameOf(row))
                              : tr("%1 in group %2").arg(toText(table.nameOf(row)), group));
    lines << tr("late by %1, then waited %2")
                 .arg(formatDurationExact(arrival.latenessNs), formatDurationExact(arrival.waitNs));
    lines << (row.isLate
                  ? tr("rank %1 arrived last, skew %2")
                        .arg(table.lastRank(row))
                        .arg(formatDurationExact(row.times.skewNs()))
                  : tr("skew %1: within the clock uncertainty").arg(formatDurationExact(row.times.skewNs())));
    if (row.step && m_grid->request.columns == LatenessColumns::Collectives)
        lines << tr("step %1").arg(*row.step);
    return lines.join(QLatin1Char('\n'));
}

void LatenessCanvas::choose(const Cell& cell)
{
    const auto row = m_grid->collectiveAt(cell.rank, cell.column);
    const auto arrival = row ? arrivalOf(*m_grid->collectives, *row, m_grid->ranks[cell.rank]) : std::nullopt;
    if (arrival)
        m_state->revealSlice(arrival->slice);
}

/// Shows the time range of these columns on the timeline, from the first start to the last end.
void LatenessCanvas::chooseColumns(double from, double to)
{
    const auto count = static_cast<double>(m_grid->columns.size());
    if (to <= 0 || from >= count)
        return;
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(from)));
    const auto end = static_cast<std::size_t>(std::min(count, std::ceil(to)));
    TimeRange range = m_grid->columns[first].range;
    for (std::size_t column = first + 1; column < end; ++column)
        range = range.united(m_grid->columns[column].range);
    m_state->viewport().showRange(range);
}

/// Moves the cross-hair of the other views to the rank's arrival.
void LatenessCanvas::hoverCell(const std::optional<Cell>& cell)
{
    const auto row = cell ? m_grid->collectiveAt(cell->rank, cell->column) : std::nullopt;
    const auto arrival
        = row ? arrivalOf(*m_grid->collectives, *row, m_grid->ranks[cell->rank]) : std::nullopt;
    m_state->selection().setHoverTime(arrival ? std::optional(arrival->range.beginNs) : std::nullopt);
}

QString LatenessCanvas::gesturesText() const
{
    return tr("Click a cell: show the rank's kernel on the timeline\nDrag over columns: show their time "
              "range on the timeline\nCtrl+wheel: zoom; Shift+drag or middle button: pan\nArrow keys: "
              "move between cells; Enter: show the kernel; 0: show everything\nThe line below marks the "
              "timeline's visible range");
}

QString LatenessCanvas::headingText() const
{
    return tr("collectives in time order");
}

void LatenessCanvas::paintMarks(QPainter& painter, const QRect& cells) const
{
    const auto [begin, end] = m_grid->columnsIn(m_state->viewport().visibleRange());
    if (begin < end) {
        const double left = xOf(static_cast<double>(begin));
        const double right = std::max(left + 2, xOf(static_cast<double>(end)));
        painter.fillRect(QRectF(left, cells.top() - markHeight, right - left, markHeight),
                         surfaces(palette()).accent);
    }
    const auto instance = m_state->selection().collective();
    const auto row = instance && m_grid->collectives->run == m_state->run().collectives()
        ? m_grid->collectives->rowOf(*instance)
        : std::nullopt;
    if (row && m_columnOfRow[*row] != noColumn)
        frameColumns(painter, cells, m_columnOfRow[*row], m_columnOfRow[*row] + 1.0, false);
    LatenessCellCanvas::paintMarks(painter, cells);
}

} // namespace collscope
