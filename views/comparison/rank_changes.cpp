// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/comparison/rank_changes.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace collscope {

namespace {

constexpr int rankGap = 8;

} // namespace

RankChanges::RankChanges(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("rankChanges"));
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Change of each rank"));
    setAccessibleDescription(tr("Left and Right select a rank, Esc selects all ranks"));
}

void RankChanges::setBars(std::vector<Bar> bars, const QString& title, std::optional<double> thresholdPercent)
{
    m_bars = std::move(bars);
    m_title = title;
    m_thresholdPercent = thresholdPercent;
    m_lowNs = m_highNs = 0;
    for (const Bar& bar : m_bars) {
        m_lowNs = std::min(m_lowNs, bar.changeNs());
        m_highNs = std::max(m_highNs, bar.changeNs());
    }
    if (m_lowNs == m_highNs)
        m_highNs = 1; // nothing changed: put the zero line at the bottom
    if (m_chosen && barOf(*m_chosen).isEmpty())
        m_chosen.reset();
    update();
}

void RankChanges::chooseRank(std::optional<std::int32_t> rank)
{
    m_chosen = rank;
    update();
}

QRectF RankChanges::plotRect() const
{
    const QFontMetrics metrics = fontMetrics();
    const int left = std::max(metrics.horizontalAdvance(formatChange(m_lowNs)),
                              metrics.horizontalAdvance(formatChange(m_highNs)))
        + 2 * rankGap;
    const int line = metrics.height();
    return QRectF(rect()).adjusted(left, line + 2 * rankGap, -rankGap, -line - rankGap);
}

double RankChanges::yOf(std::int64_t ns) const
{
    const QRectF plot = plotRect();
    return plot.bottom()
        - static_cast<double>(ns - m_lowNs) / static_cast<double>(m_highNs - m_lowNs) * plot.height();
}

double RankChanges::slotWidth() const
{
    constexpr double widest = 64;
    return std::min(widest, plotRect().width() / std::max<double>(1, static_cast<double>(m_bars.size())));
}

std::optional<std::size_t> RankChanges::indexOf(std::optional<std::int32_t> rank) const
{
    const auto found
        = std::find_if(m_bars.begin(), m_bars.end(), [rank](const Bar& bar) { return bar.rank == rank; });
    return found == m_bars.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - m_bars.begin()));
}

QRectF RankChanges::barOf(std::int32_t rank) const
{
    const auto index = indexOf(rank);
    return index ? rectOf(*index) : QRectF();
}

QRectF RankChanges::rectOf(std::size_t index) const
{
    const double slot = slotWidth();
    const double left = plotRect().left() + static_cast<double>(index) * slot;
    const double zero = yOf(0);
    const double end = yOf(m_bars[index].changeNs());
    const double margin = slot > 6 ? slot / 6 : 0;
    return {left + margin, std::min(zero, end), std::max(1.0, slot - 2 * margin),
            std::max(1.0, std::abs(zero - end))};
}

std::optional<std::size_t> RankChanges::barAt(QPoint position) const
{
    const double slot = slotWidth();
    const double left = position.x() - plotRect().left();
    if (m_bars.empty() || left < 0 || !rect().contains(position))
        return std::nullopt;
    const auto first = static_cast<std::size_t>(slot < 1 ? std::ceil(left / slot) : left / slot);
    return first < m_bars.size() ? std::optional(columnFrom(first).largest) : std::nullopt;
}

RankChanges::Column RankChanges::columnFrom(std::size_t first) const
{
    const double slot = slotWidth();
    const double pixel = std::floor(static_cast<double>(first) * slot);
    const auto behind = static_cast<std::size_t>(std::ceil((pixel + 1) / slot));
    Column column{first, std::clamp(behind, first + 1, m_bars.size())};
    for (std::size_t i = first; i < column.end; ++i) {
        if (std::llabs(m_bars[i].changeNs()) > std::llabs(m_bars[column.largest].changeNs()))
            column.largest = i;
    }
    return column;
}

void RankChanges::choose(std::optional<std::size_t> bar)
{
    chooseRank(bar ? std::optional(m_bars[*bar].rank) : std::nullopt);
    emit rankChosen(m_chosen);
}

void RankChanges::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Surfaces colors = surfaces(palette());
    const QRectF plot = plotRect();
    const QFontMetrics metrics = fontMetrics();
    painter.setPen(colors.text);
    painter.drawText(QRect(rankGap, rankGap / 2, width() - 2 * rankGap, metrics.height() + rankGap / 2),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(m_title, Qt::ElideRight, width() - 2 * rankGap));
    if (m_bars.empty())
        return;
    const auto level = [&](std::int64_t ns) {
        const double y = yOf(ns);
        painter.setPen(ns == 0 ? colors.dimText : colors.grid);
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(colors.dimText);
        painter.drawText(QRectF(0, y - metrics.height() / 2.0, plot.left() - rankGap, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, formatChange(ns));
    };
    const bool changes = m_highNs > 1 || m_lowNs < 0;
    level(0);
    // Skip labels that would overlap the zero.
    if (changes && yOf(0) - yOf(m_highNs) >= metrics.height())
        level(m_highNs);
    if (changes && yOf(m_lowNs) - yOf(0) >= metrics.height())
        level(m_lowNs);
    const double slot = slotWidth();
    const int labelRoom = metrics.horizontalAdvance(QString::number(m_bars.back().rank)) + 2 * rankGap;
    const auto stride = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(labelRoom / slot)));
    const auto leftOf = [&](std::size_t index) { return plot.left() + static_cast<double>(index) * slot; };
    if (const auto chosen = indexOf(m_chosen))
        painter.fillRect(QRectF(leftOf(*chosen), plot.top(), std::max(1.0, slot), plot.height()),
                         colors.selection);
    for (std::size_t first = 0; first < m_bars.size();) {
        const Column column = columnFrom(first);
        first = column.end;
        const Bar& bar = m_bars[column.largest];
        const bool isSimilar = !m_thresholdPercent
            || 100.0 * std::abs(static_cast<double>(bar.changeNs()))
                <= *m_thresholdPercent * static_cast<double>(bar.baseNs);
        if (bar.changeNs() != 0)
            painter.fillRect(rectOf(column.largest),
                             isSimilar                ? colors.dimText
                                 : bar.changeNs() > 0 ? colors.worse
                                                      : colors.better);
    }
    for (std::size_t i = 0; i < m_bars.size(); i += stride) {
        painter.setPen(m_bars[i].rank == m_chosen ? colors.accent : colors.dimText);
        painter.drawText(QRectF(leftOf(i) + slot / 2 - labelRoom, plot.bottom() + rankGap / 2.0,
                                2.0 * labelRoom, metrics.height()),
                         Qt::AlignHCenter | Qt::AlignTop, QString::number(m_bars[i].rank));
    }
    if (hasFocus()) {
        painter.setPen(colors.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void RankChanges::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !m_bars.empty())
        choose(barAt(event->position().toPoint()));
}

void RankChanges::keyPressEvent(QKeyEvent* event)
{
    const auto at = indexOf(m_chosen);
    switch (m_bars.empty() ? 0 : event->key()) {
    case Qt::Key_Left:
        return choose(!at ? m_bars.size() - 1 : *at > 0 ? *at - 1 : 0);
    case Qt::Key_Right:
        return choose(!at ? 0 : std::min(*at + 1, m_bars.size() - 1));
    case Qt::Key_Escape:
        if (at)
            return choose(std::nullopt);
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

bool RankChanges::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QString text;
        if (const auto bar = barAt(help->pos()))
            text = tr("rank %1: %2 \u2192 %3, %4")
                       .arg(m_bars[*bar].rank)
                       .arg(formatDurationExact(m_bars[*bar].baseNs),
                            formatDurationExact(m_bars[*bar].testNs), formatChange(m_bars[*bar].changeNs()));
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace collscope
