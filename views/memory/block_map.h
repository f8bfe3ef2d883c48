// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The segments of a GPU's memory at one moment, a row each, with what lies in them: what holds a segment that
// is nearly empty.

#include "metrics/memory/history.h"

#include <QAbstractScrollArea>

namespace collscope {

/// Rows are by size, then address. As wide as the largest; a segment is never less than a few pixels.
class BlockMap : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit BlockMap(QWidget* parent = nullptr);

    /// `history` may be nullptr: nothing to show; `active` is what is active at the place. Keeps the chosen
    /// stack.
    void showMoment(TraceModelPtr model, MemoryHistoryPtr history, std::size_t place,
                    std::vector<std::uint32_t> active);
    /// Allocations of a stack stand out; nullopt: none do. A stack that was not recorded is StackId().
    void setChosenStack(std::optional<StackId> stack);
    /// Number of segments on show.
    std::size_t rowCount() const { return m_rows.size(); }
    /// Where an allocation of the history is, in pixels of the viewport; empty if it is not on show.
    QRectF rectOf(std::size_t allocation) const;
    /// What the tool tip says there.
    QString textAt(QPoint position) const;

    QSize sizeHint() const override { return {520, 220}; }

signals:
    /// The stack of the block that was clicked; nullopt: beside all blocks.
    void stackChosen(std::optional<collscope::StackId> stack);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// A segment, and the allocations in it that are active at the moment.
    struct Row
    {
        const MemoryMapping* mapping = nullptr;
        std::size_t first = 0, last = 0; ///< into m_alive
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
    std::vector<std::uint32_t> m_alive; ///< allocations that are active, by address
    std::vector<Row> m_rows;
    std::optional<StackId> m_chosen;
    std::vector<std::size_t> m_ofChosen; ///< places in m_alive of its allocations, ascending
};

} // namespace collscope
