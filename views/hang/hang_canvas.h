// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The grid of the tab "Hang": a row for ranks that are alike, a column for each of the last calls of a group.

#include "metrics/hang/hang_grid.h"

#include <QAbstractScrollArea>

#include <optional>

namespace collscope {

class HangCanvas : public QAbstractScrollArea
{
    Q_OBJECT

public:
    /// A cell by its row and column in the grid.
    struct Place
    {
        int row = 0, column = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };

    explicit HangCanvas(QWidget* parent = nullptr);

    /// nullptr: nothing to show. `marked`: the number of the call that the finding names.
    void setGrid(HangCasePtr own, HangGrid grid, std::optional<std::int64_t> marked);
    const HangGrid& grid() const { return m_grid; }
    std::optional<Place> chosen() const { return m_chosen; }
    void choose(Place place);
    /// Where a cell is drawn in the viewport.
    QRect cellRect(Place place) const;
    QSize sizeHint() const override;

signals:
    void cellChosen(int row, int column);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void layOut();
    std::optional<Place> placeAt(QPoint position) const;
    QString rowText(const HangGrid::Row& row) const;
    QString toolTipOf(Place place) const;
    void paintHeader(QPainter& painter) const;
    void paintRow(QPainter& painter, int row) const;
    QRect headerRect(int column) const;

    HangCasePtr m_case;
    HangGrid m_grid;
    std::optional<std::int64_t> m_marked;
    std::optional<Place> m_chosen;
    int m_labelWidth = 0, m_cellWidth = 0, m_rowHeight = 0;
};

/// "waits: called, not finished".
QString hangCellText(HangCell cell);

} // namespace collscope
