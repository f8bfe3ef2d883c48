// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/network/network_canvas.h"

#include "metrics/looks/link_looks.h"
#include "views/common/format.h"
#include "views/common/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace collscope {

namespace {

constexpr int matrixMargin = 8;
constexpr int smallestCell = 6, usualCell = 14, largestCell = 40;
constexpr int manyHosts = 64; // their matrix is seen as a whole rather than cell by cell
constexpr int matrixSwatch = 11;

QColor linkColor(LinkKind kind, bool isDark)
{
    const Shade shade = linkShade(kind);
    return QColor::fromRgba(isDark ? shade.dark : shade.light);
}

} // namespace

QString linkKindText(LinkKind kind)
{
    switch (kind) {
    case LinkKind::PeerToPeer:
        return NetworkCanvas::tr("P2P (NVLink or PCIe)");
    case LinkKind::DirectNetwork:
        return NetworkCanvas::tr("network with GPUDirect");
    case LinkKind::Network:
        return NetworkCanvas::tr("network without GPUDirect");
    case LinkKind::SharedMemory:
        return NetworkCanvas::tr("memory of the host (SHM)");
    case LinkKind::Sockets:
        break;
    }
    return NetworkCanvas::tr("sockets (TCP)");
}

NetworkCanvas::NetworkCanvas(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("networkCanvas"));
    setAccessibleName(tr("By what the GPUs of each node send to those of each other node"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setMouseTracking(true);
}

void NetworkCanvas::setMatrix(NodeMatrix matrix)
{
    m_matrix = std::move(matrix);
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(0);
    layOut();
    viewport()->update();
}

QSize NetworkCanvas::sizeHint() const
{
    return {420, 320};
}

QString NetworkCanvas::hostText(int host) const
{
    return toText(m_matrix.hosts[static_cast<std::size_t>(host)]);
}

void NetworkCanvas::layOut()
{
    layOutLegend();
    m_labelWidth = 0;
    constexpr int mostMeasured = 200;
    for (int host = 0; host < std::min(hostCount(), mostMeasured); ++host)
        m_labelWidth = std::max(m_labelWidth, fontMetrics().horizontalAdvance(hostText(host)));
    m_labelWidth = std::min(m_labelWidth + 2, viewport()->width() / 3) + 2 * matrixMargin;
    const QRect cells = cellsRect();
    const int fitting = std::min(cells.width(), cells.height()) / std::max(1, hostCount());
    m_cellSize = std::clamp(fitting, hostCount() < manyHosts ? usualCell : smallestCell, largestCell);
    const int size = hostCount() * m_cellSize;
    const auto range = [size](QScrollBar* bar, int shown) {
        bar->setRange(0, std::max(0, size - shown));
        bar->setPageStep(std::max(1, shown));
        bar->setSingleStep(20);
    };
    range(horizontalScrollBar(), cells.width());
    range(verticalScrollBar(), cells.height());
}

void NetworkCanvas::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    layOut();
}

QRect NetworkCanvas::cellsRect() const
{
    // Above: the legend, and what rows and columns are.
    const int below = m_legend.empty() ? 0 : m_legend.back().second.bottom() + 1;
    const int top = below + fontMetrics().height() + matrixMargin;
    return {m_labelWidth, top, std::max(0, viewport()->width() - m_labelWidth - matrixMargin),
            std::max(0, viewport()->height() - top - matrixMargin)};
}

QRect NetworkCanvas::cellRect(int from, int to) const
{
    const QRect cells = cellsRect();
    return {cells.left() + to * m_cellSize - horizontalScrollBar()->value(),
            cells.top() + from * m_cellSize - verticalScrollBar()->value(), m_cellSize, m_cellSize};
}

NetworkCanvas::Places NetworkCanvas::shownRows() const
{
    const int first = verticalScrollBar()->value() / std::max(1, m_cellSize);
    return {first, std::min(hostCount(), first + cellsRect().height() / std::max(1, m_cellSize) + 2)};
}

NetworkCanvas::Places NetworkCanvas::shownColumns() const
{
    const int first = horizontalScrollBar()->value() / std::max(1, m_cellSize);
    return {first, std::min(hostCount(), first + cellsRect().width() / std::max(1, m_cellSize) + 2)};
}

/// In as many lines as it needs.
void NetworkCanvas::layOutLegend()
{
    m_legend.clear();
    const int height = fontMetrics().height();
    int x = matrixMargin, y = matrixMargin;
    for (std::size_t i = 0; i < linkKindCount; ++i) {
        const bool isThere = std::any_of(m_matrix.cells.begin(), m_matrix.cells.end(),
                                         [i](const NodeMatrix::Cell& cell) { return cell.gpuPairs[i] > 0; });
        if (!isThere)
            continue;
        const auto kind = static_cast<LinkKind>(i);
        const int width = matrixSwatch + 5 + fontMetrics().horizontalAdvance(linkKindText(kind)) + 2;
        if (x > matrixMargin && x + width > viewport()->width()) {
            x = matrixMargin;
            y += height + 2;
        }
        m_legend.emplace_back(kind, QRect(x, y, width, height));
        x += width + 2 * matrixMargin;
    }
}

void NetworkCanvas::paintLegend(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    for (const auto& [kind, place] : m_legend) {
        painter.fillRect(place.left(), place.top() + (place.height() - matrixSwatch) / 2, matrixSwatch,
                         matrixSwatch, linkColor(kind, isDark(palette())));
        painter.setPen(colors.text);
        painter.drawText(place.adjusted(matrixSwatch + 5, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         linkKindText(kind));
    }
    painter.setPen(colors.dimText);
    const int height = fontMetrics().height();
    const QRect line(matrixMargin, cellsRect().top() - height - 4, viewport()->width() - 2 * matrixMargin,
                     height);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(tr("A row sends to its columns, in the same order."),
                                              Qt::ElideRight, line.width()));
}

void NetworkCanvas::paintLabels(QPainter& painter) const
{
    const QRect cells = cellsRect();
    painter.setPen(surfaces(palette()).text);
    // Where rows are lower than the text, some of them are named.
    const int height = fontMetrics().height();
    const int every = std::max(1, (height + m_cellSize - 1) / std::max(1, m_cellSize));
    const Places rows = shownRows();
    painter.save();
    painter.setClipRect(QRect(0, cells.top(), m_labelWidth, cells.height()));
    for (int row = rows.first - rows.first % every; row < rows.end; row += every) {
        const QRect label(matrixMargin, cellRect(row, 0).top(), m_labelWidth - 2 * matrixMargin,
                          std::max(height, m_cellSize));
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter,
                         fontMetrics().elidedText(hostText(row), Qt::ElideMiddle, label.width()));
    }
    painter.restore();
}

/// Only the pairs that are shown and connected.
void NetworkCanvas::paintCells(QPainter& painter) const
{
    const Surfaces colors = surfaces(palette());
    const QRect cells = cellsRect();
    const int gap = m_cellSize >= 12 ? 1 : 0;
    painter.save();
    painter.setClipRect(cells);
    const int size = hostCount() * m_cellSize;
    painter.fillRect(QRect(cellRect(0, 0).topLeft(), QSize(size, size)), colors.grid);
    const Places rows = shownRows(), columns = shownColumns();
    for (int from = rows.first; from < rows.end; ++from) {
        const auto isBefore = [](const NodeMatrix::Cell& cell, std::pair<int, int> wanted) {
            return std::pair(static_cast<int>(cell.from), static_cast<int>(cell.to)) < wanted;
        };
        auto cell = std::lower_bound(m_matrix.cells.begin(), m_matrix.cells.end(),
                                     std::pair(from, columns.first), isBefore);
        for (; cell != m_matrix.cells.end() && static_cast<int>(cell->from) == from
             && static_cast<int>(cell->to) < columns.end;
             ++cell)
            painter.fillRect(cellRect(from, static_cast<int>(cell->to)).adjusted(0, 0, -gap, -gap),
                             linkColor(cell->slowest, isDark(palette())));
    }
    painter.restore();
}

void NetworkCanvas::paintEvent(QPaintEvent*)
{
    if (m_matrix.cells.empty())
        return;
    QPainter painter(viewport());
    paintLegend(painter);
    paintLabels(painter);
    paintCells(painter);
}

QString NetworkCanvas::textOf(int from, int to) const
{
    const QString pair
        = from == to ? tr("within %1").arg(hostText(from)) : tr("%1 to %2").arg(hostText(from), hostText(to));
    const NodeMatrix::Cell* const cell
        = m_matrix.cell(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
    if (!cell)
        return m_matrix.isWhole ? tr("%1: no connection in the logs").arg(pair)
                                : tr("%1: no connection that could be placed").arg(pair);
    QStringList ways;
    for (std::size_t i = 0; i < linkKindCount; ++i) {
        if (cell->gpuPairs[i] > 0)
            ways += tr("%1: %n pair(s) of GPUs", nullptr, static_cast<int>(cell->gpuPairs[i]))
                        .arg(linkKindText(static_cast<LinkKind>(i)));
    }
    return pair + QLatin1Char('\n') + ways.join(QLatin1Char('\n'));
}

QString NetworkCanvas::textAt(QPoint position) const
{
    if (m_matrix.cells.empty() || !cellsRect().contains(position))
        return {};
    const QRect first = cellRect(0, 0);
    const int from = (position.y() - first.top()) / m_cellSize,
              to = (position.x() - first.left()) / m_cellSize;
    return from < hostCount() && to < hostCount() ? textOf(from, to) : QString();
}

bool NetworkCanvas::viewportEvent(QEvent* event)
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
