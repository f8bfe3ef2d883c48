// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summaries/step_lateness_canvas.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace collscope {

namespace {

constexpr int captionGap = 10; ///< px, between the parts of a label

/// Black or white, whatever is easier to read on a colour.
QColor inkOnCell(QRgb color)
{
    return qGray(color) > 140 ? QColor(Qt::black) : QColor(Qt::white);
}

} // namespace

StepLatenessCanvas::StepLatenessCanvas(QWidget* parent)
    : LatenessCellCanvas(parent)
{
    setObjectName(QStringLiteral("stepLateness"));
    setAccessibleName(tr("Lateness of each rank in each step, the worst rank first"));
    setAccessibleDescription(tr("Arrow keys move between cells, Enter opens the trace of the rank"));
}

void StepLatenessCanvas::setLateness(StepLatenessPtr lateness)
{
    m_lateness = std::move(lateness);
    setCells(m_lateness);
}

void StepLatenessCanvas::markRank(std::optional<std::int32_t> rank)
{
    m_marked = rank;
    viewport()->update();
}

void StepLatenessCanvas::showRank(std::int32_t rank)
{
    markRank(rank);
    if (!m_lateness)
        return;
    const std::vector<std::int32_t>& ranks = m_lateness->ranks;
    const auto found = std::find(ranks.begin(), ranks.end(), rank);
    if (found == ranks.end())
        return;
    const QRect cells = cellsRect();
    const QRect row = cellRect(static_cast<std::size_t>(found - ranks.begin()), 0);
    if (row.top() < cells.top() || row.bottom() > cells.bottom())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + row.center().y() - cells.center().y());
}

/// What is known of a rank in a step.
QString StepLatenessCanvas::latenessText(std::size_t rank, std::size_t column) const
{
    const std::int64_t step = m_lateness->steps()[column];
    const FoldedCell* const cell = m_lateness->cellOf(rank, column);
    if (!cell)
        return tr("step %1: no collective in which it is known who waited").arg(step);
    const QString sums = tr("step %1, %n collective(s): late by %2 in total, then waited %3", nullptr,
                            static_cast<int>(cell->calls))
                             .arg(step)
                             .arg(formatDurationExact(cell->latenessNs), formatDurationExact(cell->waitNs));
    const QString limit = formatDuration(m_lateness->significantNs);
    if (cell->latenessNs > 0 && m_lateness->at(rank, column) <= 0)
        return sums + u'\n'
            + tr("This counts as on time: up to %1 per collective is insignificant or within the clock "
                 "uncertainty.")
                  .arg(limit);
    if (m_lateness->significantNs > lateNs)
        return sums + u'\n' + tr("The clocks are uncertain: by up to %1 per collective.").arg(limit);
    return sums;
}

QString StepLatenessCanvas::cellText(std::size_t rank, std::size_t column) const
{
    const RankWait& waits = m_lateness->waitsOf(rank);
    QStringList lines{tr("rank %1").arg(waits.rank), latenessText(rank, column)};
    lines << tr("In all steps of the window it made other ranks wait %1, and waited %2 itself.")
                 .arg(formatDuration(waits.causedNs), formatDuration(waits.ownNs));
    lines << tr("Double click or Enter: open the trace of the rank");
    return lines.join(QLatin1Char('\n'));
}

QString StepLatenessCanvas::gesturesText() const
{
    return tr(
        "A cell is the time by which a rank arrived after the first one, summed over its collectives of "
        "the step.\nThe ranks that made others wait longest come first.\nDouble click or Enter: open "
        "the trace of the rank\nCtrl+wheel: zoom; Shift+drag or middle button: pan\nArrow keys: move "
        "between cells; 0: show all steps");
}

QString StepLatenessCanvas::labelsText() const
{
    return tr("caused wait");
}

int StepLatenessCanvas::valueWidth() const
{
    return std::max(fontMetrics().horizontalAdvance(QStringLiteral("888.8 ms")),
                    fontMetrics().horizontalAdvance(labelsText()));
}

int StepLatenessCanvas::labelWidth() const
{
    return LatenessCellCanvas::labelWidth() + valueWidth() + captionGap;
}

void StepLatenessCanvas::paintLabel(QPainter& painter, const QRect& box, std::size_t rank) const
{
    const Surfaces colors = surfaces(palette());
    const std::int64_t causedNs = m_lateness->waitsOf(rank).causedNs;
    const QRect value(box.right() + 1 - valueWidth(), box.top(), valueWidth(), box.height());
    if (m_marked == m_lateness->ranks[rank])
        painter.fillRect(box.adjusted(0, 0, captionGap / 2, 0), colors.selection);
    LatenessCellCanvas::paintLabel(painter, box.adjusted(0, 0, -valueWidth() - captionGap, 0), rank);
    painter.save();
    const double share = m_lateness->mostCausedNs() > 0
        ? static_cast<double>(causedNs) / static_cast<double>(m_lateness->mostCausedNs())
        : 0;
    QColor bar = colors.worse;
    bar.setAlphaF(0.25F);
    const int length = static_cast<int>(std::lround(share * value.width()));
    painter.fillRect(value.right() + 1 - length, value.top(), length, value.height(), bar);
    painter.setPen(causedNs > 0 ? colors.text : colors.dimText);
    painter.drawText(value, Qt::AlignRight | Qt::AlignVCenter, formatDuration(causedNs));
    painter.restore();
}

void StepLatenessCanvas::paintOnCell(QPainter& painter, const QRect& box, const Cell& cell) const
{
    const float value = m_lateness->at(cell.rank, cell.column);
    if (value <= 0)
        return;
    const QString text = formatDuration(std::llround(value));
    if (fontMetrics().horizontalAdvance(text) > box.width() - 4)
        return;
    painter.setPen(inkOnCell(scale().colorOf(value)));
    painter.drawText(box.adjusted(0, 0, 0, -2), Qt::AlignCenter, text);
}

void StepLatenessCanvas::choose(const Cell& cell)
{
    emit rankChosen(m_lateness->ranks[cell.rank]);
}

void StepLatenessCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const auto row = rowAt(event->position().toPoint().y()); row && event->button() == Qt::LeftButton)
        emit detailWanted(m_lateness->ranks[*row]);
}

void StepLatenessCanvas::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && cursor() && m_lateness)
        emit detailWanted(m_lateness->ranks[cursor()->rank]);
    else
        LatenessCellCanvas::keyPressEvent(event);
}

} // namespace collscope
