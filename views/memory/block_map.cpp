// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/memory/block_map.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/memory/memory_colors.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace collscope {

namespace {

constexpr int blockGap = 6;
constexpr double leastBar = 4; ///< px

} // namespace

BlockMap::BlockMap(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("blockMap"));
    setAccessibleName(tr("Memory segments"));
    setAccessibleDescription(
        tr("One row per segment, sorted by size; click a block to select its call stack"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setBackgroundRole(QPalette::Base);
    viewport()->setMouseTracking(true);
}

void BlockMap::showMoment(TraceModelPtr model, MemoryHistoryPtr history, std::size_t place,
                          std::vector<std::uint32_t> active)
{
    m_model = std::move(model);
    m_history = std::move(history);
    m_place = place;
    m_alive = std::move(active);
    m_rows.clear();
    if (m_history) {
        const std::vector<MemoryAllocation>& all = m_history->allocations;
        const auto isBefore
            = [&](std::uint32_t own, std::uint64_t address) { return all[own].address < address; };
        for (const MemoryMapping& mapping : m_history->mappings) {
            if (mapping.begin > place || place >= mapping.end)
                continue;
            Row row{&mapping};
            const auto first = std::lower_bound(m_alive.begin(), m_alive.end(), mapping.address, isBefore);
            const auto last = std::lower_bound(
                first, m_alive.end(), mapping.address + static_cast<std::uint64_t>(mapping.bytes), isBefore);
            row.first = static_cast<std::size_t>(first - m_alive.begin());
            row.last = static_cast<std::size_t>(last - m_alive.begin());
            for (std::size_t i = row.first; i < row.last; ++i)
                row.allocated += all[m_alive[i]].isAllocatedAt(place) ? all[m_alive[i]].bytes : 0;
            m_rows.push_back(row);
        }
        std::sort(m_rows.begin(), m_rows.end(), [](const Row& a, const Row& b) {
            return std::tuple(-a.mapping->bytes, a.mapping->address)
                < std::tuple(-b.mapping->bytes, b.mapping->address);
        });
    }
    findChosen();
    updateScrollBar();
    viewport()->update();
}

void BlockMap::setChosenStack(std::optional<StackId> stack)
{
    m_chosen = stack;
    findChosen();
    viewport()->update();
}

void BlockMap::findChosen()
{
    m_ofChosen.clear();
    for (std::size_t i = 0; m_chosen && i < m_alive.size(); ++i) {
        const MemoryAllocation& own = m_history->allocations[m_alive[i]];
        if (own.stack == *m_chosen && own.isAllocatedAt(m_place))
            m_ofChosen.push_back(i);
    }
}

int BlockMap::rowHeight() const
{
    return fontMetrics().height() + 2;
}

int BlockMap::labelWidth() const
{
    return fontMetrics().horizontalAdvance(QStringLiteral("888 MB private")) + 2 * blockGap;
}

void BlockMap::updateScrollBar()
{
    const int rows = static_cast<int>(m_rows.size());
    verticalScrollBar()->setSingleStep(rowHeight());
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setRange(0, std::max(0, rows * rowHeight() + blockGap - viewport()->height()));
}

QRectF BlockMap::barOf(std::size_t row) const
{
    const double room = viewport()->width() - labelWidth() - blockGap;
    const auto largest = static_cast<double>(std::max<std::int64_t>(1, m_rows.front().mapping->bytes));
    const double share = static_cast<double>(m_rows[row].mapping->bytes) / largest;
    const double top = static_cast<double>(row) * rowHeight() - verticalScrollBar()->value() + blockGap / 2.0;
    return {static_cast<double>(labelWidth()), top + 1, std::max(leastBar, share * room), rowHeight() - 3.0};
}

QRectF BlockMap::rectOf(const Row& row, const QRectF& bar, const MemoryAllocation& allocation) const
{
    const double pixels = bar.width() / static_cast<double>(std::max<std::int64_t>(1, row.mapping->bytes));
    const double left = static_cast<double>(allocation.address - row.mapping->address) * pixels;
    const double right = std::min(bar.width(), left + static_cast<double>(allocation.bytes) * pixels);
    return {bar.left() + left, bar.top(), std::max(0.0, right - left), bar.height()};
}

QRectF BlockMap::rectOf(std::size_t allocation) const
{
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        for (std::size_t i = m_rows[row].first; i < m_rows[row].last; ++i) {
            if (m_alive[i] == allocation)
                return rectOf(m_rows[row], barOf(row), m_history->allocations[allocation]);
        }
    }
    return {};
}

void BlockMap::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    if (m_rows.empty()) {
        painter.setPen(surfaces(palette()).dimText);
        painter.drawText(viewport()->rect().adjusted(blockGap, blockGap, -blockGap, -blockGap),
                         Qt::AlignCenter | Qt::TextWordWrap,
                         m_history ? tr("No memory was reserved at this moment.") : QString());
        return;
    }
    const auto first = static_cast<std::size_t>(verticalScrollBar()->value() / rowHeight());
    const auto last
        = std::min(m_rows.size(), first + static_cast<std::size_t>(viewport()->height() / rowHeight()) + 2);
    for (std::size_t row = first; row < last; ++row)
        paintRow(painter, row);
    if (hasFocus()) {
        painter.setPen(surfaces(palette()).accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void BlockMap::paintRow(QPainter& painter, std::size_t row) const
{
    const Surfaces colors = surfaces(palette());
    const Row& own = m_rows[row];
    const QRectF bar = barOf(row);
    const MemorySegment* const segment = own.mapping->segment;
    QString label = formatBytes(static_cast<double>(own.mapping->bytes));
    if (segment && segment->isPrivate())
        label += QLatin1Char(' ') + tr("private");
    else if (segment && segment->isExpandable)
        label += QLatin1Char(' ') + tr("exp.");
    painter.setPen(colors.dimText);
    painter.drawText(QRectF(blockGap, bar.top() - 1, labelWidth() - 2.0 * blockGap, rowHeight()),
                     Qt::AlignVCenter | Qt::AlignRight, label);
    QColor free = memoryColor(MemoryKind::Reserved, palette());
    free.setAlpha(60);
    painter.fillRect(bar, free);
    paintBlocks(painter, own, bar);
    paintChosen(painter, own, bar);
    painter.setPen(colors.line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(0, 0, -1, -1));
}

/// Paints the blocks; of small blocks, at most one per pixel column. The other blocks in the column are
/// skipped by search, without visiting each one.
void BlockMap::paintBlocks(QPainter& painter, const Row& row, const QRectF& bar) const
{
    const std::vector<MemoryAllocation>& all = m_history->allocations;
    const QColor allocated = memoryColor(MemoryKind::Allocated, palette());
    const QColor pending = memoryColor(MemoryKind::Active, palette());
    const double bytesPerPixel = static_cast<double>(row.mapping->bytes) / bar.width();
    double filledTo = bar.left() - 1;
    painter.setPen(surfaces(palette()).base);
    for (std::size_t i = row.first; i < row.last;) {
        const MemoryAllocation& block = all[m_alive[i]];
        QRectF box = rectOf(row, bar, block);
        ++i;
        if (box.width() < 1) {
            if (box.left() < filledTo) {
                const auto next = row.mapping->address
                    + static_cast<std::uint64_t>(std::max(0.0, (filledTo - bar.left()) * bytesPerPixel));
                i = static_cast<std::size_t>(
                    std::lower_bound(
                        m_alive.begin() + static_cast<std::ptrdiff_t>(i),
                        m_alive.begin() + static_cast<std::ptrdiff_t>(row.last), next,
                        [&](std::uint32_t own, std::uint64_t address) { return all[own].address < address; })
                    - m_alive.begin());
                continue;
            }
            box.setWidth(1);
        }
        painter.fillRect(box, block.isAllocatedAt(m_place) ? allocated : pending);
        if (box.width() > 3) // leaves a gap to the next block
            painter.drawLine(box.topRight(), box.bottomRight());
        filledTo = std::max(filledTo, std::floor(box.left()) + 1);
    }
}

/// Paints the blocks of the chosen stack; even the smallest are visible.
void BlockMap::paintChosen(QPainter& painter, const Row& row, const QRectF& bar) const
{
    double filledTo = bar.left() - 1;
    painter.setPen(surfaces(palette()).base);
    auto own = std::lower_bound(m_ofChosen.begin(), m_ofChosen.end(), row.first);
    for (; own != m_ofChosen.end() && *own < row.last; ++own) {
        QRectF box = rectOf(row, bar, m_history->allocations[m_alive[*own]]);
        box.setWidth(std::max(1.0, box.width()));
        if (box.right() <= filledTo)
            continue;
        painter.fillRect(box, surfaces(palette()).accent);
        if (box.width() > 3)
            painter.drawLine(box.topRight(), box.bottomRight());
        filledTo = std::floor(box.left()) + 1;
    }
}

std::optional<std::size_t> BlockMap::rowAt(int y) const
{
    const int at = y + verticalScrollBar()->value() - blockGap / 2;
    const auto row = static_cast<std::size_t>(std::max(0, at) / rowHeight());
    return at >= 0 && row < m_rows.size() ? std::optional(row) : std::nullopt;
}

const MemoryAllocation* BlockMap::allocationAt(QPoint position) const
{
    const auto row = rowAt(position.y());
    if (!row)
        return nullptr;
    const QRectF bar = barOf(*row);
    const MemoryAllocation* nearest = nullptr;
    for (std::size_t i = m_rows[*row].first; i < m_rows[*row].last; ++i) {
        const MemoryAllocation& own = m_history->allocations[m_alive[i]];
        const QRectF box = rectOf(m_rows[*row], bar, own);
        if (position.x() + 1 > box.left() && position.x() <= std::max(box.right(), box.left() + 1)
            && (!nearest || own.bytes > nearest->bytes))
            nearest = &own;
    }
    return nearest;
}

QString BlockMap::textAt(QPoint position) const
{
    const auto row = m_history ? rowAt(position.y()) : std::nullopt;
    if (!row || position.x() > barOf(*row).right())
        return {};
    const Row& own = m_rows[*row];
    QStringList lines;
    const MemorySnapshot& snapshot = m_model->memory[m_history->of.snapshot];
    if (const MemoryAllocation* const block = allocationAt(position)) {
        lines << tr("%1 at 0x%2, %3")
                     .arg(formatBytes(static_cast<double>(block->bytes)))
                     .arg(block->address, 0, 16)
                     .arg(block->isAllocatedAt(m_place) ? tr("allocated")
                                                        : tr("freed, but a stream may still use it"));
        lines << toText(stackText(*m_model, snapshot, block->stack));
    }
    lines << tr("Segment of %1 at 0x%2, %3 allocated")
                 .arg(formatBytes(static_cast<double>(own.mapping->bytes)))
                 .arg(own.mapping->address, 0, 16)
                 .arg(formatPercent(100.0 * static_cast<double>(own.allocated)
                                    / static_cast<double>(std::max<std::int64_t>(1, own.mapping->bytes))));
    if (const MemorySegment* const segment = own.mapping->segment) {
        lines << tr("stream %1, pool of %2 blocks")
                     .arg(segment->stream)
                     .arg(segment->isLarge ? tr("large") : tr("small"))
                + (segment->isPrivate()
                       ? tr(", private pool (%1, %2)").arg(segment->pool.first).arg(segment->pool.second)
                       : QString())
                + (segment->isExpandable ? tr(", expandable") : QString());
    } else {
        lines << tr("released to the GPU before the snapshot");
    }
    return lines.join(QLatin1Char('\n'));
}

void BlockMap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_history)
        return;
    const MemoryAllocation* const block = allocationAt(event->position().toPoint());
    setChosenStack(block ? std::optional(block->stack) : std::nullopt);
    emit stackChosen(m_chosen);
}

void BlockMap::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && m_chosen) {
        setChosenStack(std::nullopt);
        emit stackChosen(std::nullopt);
        return;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void BlockMap::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

bool BlockMap::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), plainToolTip(textAt(help->pos())), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void BlockMap::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        updateScrollBar();
    QAbstractScrollArea::changeEvent(event);
}

} // namespace collscope
