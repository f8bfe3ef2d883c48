// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The segments of a GPU's memory at one moment, one row each with its blocks. Shows which blocks keep a
// nearly empty segment reserved.

#include "metrics/memory/history.h"

#include <QAbstractScrollArea>

namespace collscope {

/// Rows are sorted by size, then address. The largest segment spans the full width; each segment is at least
/// a few pixels wide.
class BlockMap : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit BlockMap(QWidget* parent = nullptr);

    /// Shows the memory at a place of the history. `history` may be nullptr: nothing to show. `active`: the
    /// allocations that are active at the place. Keeps the chosen stack.
    void showMoment(TraceModelPtr model, MemoryHistoryPtr history, std::size_t place,
                    std::vector<std::uint32_t> active);
    /// Highlights the allocations of a stack; nullopt: none. StackId() is the stack of allocations without a
    /// recorded stack.
    void setChosenStack(std::optional<StackId> stack);
    /// Number of displayed segments.
    std::size_t rowCount() const { return m_rows.size(); }
    /// The rectangle of an allocation of the history in viewport pixels; empty if it is not displayed.
    QRectF rectOf(std::size_t allocation) const;
    /// The tool tip text at a position.
    QString textAt(QPoint position) const;

    QSize sizeHint() const override { return {520, 220}; }

signals:
    /// The stack of the clicked block; nullopt: a click outside all blocks.
    void stackChosen(std::optional<collscope::StackId> stack);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// A segment and its allocations that are active at the moment.
    struct Row
    {
        const MemoryMapping* mapping = nullptr;
        std::size_t first = 0, last = 0; ///< range in m_alive
        std::int64_t allocated = 0;
    };

    int rowHeight() const;
    int labelWidth() const;
    QRectF barOf(std::size_t row) const;
    QRectF rectOf(const Row& row, const QRectF& bar, const MemoryAllocation& allocation) const;
    void paintRow(QPainter& painter, std::size_t row) const;
    void paintBlocks(QPainter& painter, const Row& row, const QRectF& bar) const;
    void paintChosen(QPainter& painter, const Row& row, const QRectF& bar) const;
    void findChosen();
    void updateScrollBar();
    std::optional<std::size_t> rowAt(int y) const;
    const MemoryAllocation* allocationAt(QPoint position) const;

    TraceModelPtr m_model;
    MemoryHistoryPtr m_history;
    std::size_t m_place = 0;
    std::vector<std::uint32_t> m_alive; ///< active allocations, ordered by address
    std::vector<Row> m_rows;
    std::optional<StackId> m_chosen;
    /// indices into m_alive of the chosen stack's allocations, ascending
    std::vector<std::size_t> m_ofChosen;
};

} // namespace collscope
