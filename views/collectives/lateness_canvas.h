// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The cells of the Lateness tab: one column per collective (or step) in time order.

#include "metrics/matching/lateness_grid.h"
#include "views/collectives/lateness_cell_canvas.h"
#include "views/state/view_state.h"

namespace collscope {

/// A drag shows the time of columns on the timeline, a click goes to a rank's kernel.
class LatenessCanvas : public LatenessCellCanvas
{
    Q_OBJECT

public:
    explicit LatenessCanvas(ViewState* state, QWidget* parent = nullptr);

    /// nullptr: nothing to show.
    void setGrid(LatenessGridPtr grid);
    const LatenessGridPtr& grid() const { return m_grid; }
    QString cellText(std::size_t rank, std::size_t column) const override;

protected:
    void choose(const Cell& cell) override;
    void chooseColumns(double from, double to) override;
    void hoverCell(const std::optional<Cell>& cell) override;
    QString gesturesText() const override;
    QString headingText() const override;
    void paintMarks(QPainter& painter, const QRect& cells) const override;

private:
    ViewState* m_state;
    LatenessGridPtr m_grid;
    std::vector<std::uint32_t> m_columnOfRow; ///< indexed by row of CollectiveRows; noColumn = not shown
};

} // namespace collscope
