// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The map that stands in place of the timeline where a run has no events: ranks by steps, the worst first.

#include "metrics/summary/step_lateness.h"
#include "views/collectives/lateness_cell_canvas.h"

namespace collscope {

/// A row is high enough to be read, and a cell that is wide enough says its value. A click chooses a rank, a
/// double click or Enter asks for its trace.
class StepLatenessCanvas : public LatenessCellCanvas
{
    Q_OBJECT

public:
    explicit StepLatenessCanvas(QWidget* parent = nullptr);

    /// nullptr: nothing to show.
    void setLateness(StepLatenessPtr lateness);
    const StepLatenessPtr& lateness() const { return m_lateness; }
    /// Marks the row of a rank; nullopt: of none.
    void markRank(std::optional<std::int32_t> rank);
    /// Marks it, and scrolls to it.
    void showRank(std::int32_t rank);
    QString cellText(std::size_t rank, std::size_t column) const override;

signals:
    void rankChosen(std::int32_t rank);
    void detailWanted(std::int32_t rank);

protected:
    void choose(const Cell& cell) override;
    void chooseColumns(double, double) override { }
    void hoverCell(const std::optional<Cell>&) override { }
    QString gesturesText() const override;
    QString headingText() const override { return {}; }
    QString labelsText() const override;
    int labelWidth() const override;
    void paintLabel(QPainter& painter, const QRect& box, std::size_t rank) const override;
    void paintOnCell(QPainter& painter, const QRect& box, const Cell& cell) const override;
    int lowestRow() const override { return fontMetrics().height() + 4; }
    double widestColumn() const override { return 200; }
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int valueWidth() const; ///< of the waits in a label, px
    QString latenessText(std::size_t rank, std::size_t column) const;

    StepLatenessPtr m_lateness;
    std::optional<std::int32_t> m_marked;
};

} // namespace collscope
