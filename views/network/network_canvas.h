// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A matrix of nodes: the colour says by what the GPUs of one node send to those of another one.

#include "metrics/network/node_matrix.h"

#include <QAbstractScrollArea>

#include <utility>
#include <vector>

namespace collscope {

/// "network with GPUDirect".
QString linkKindText(LinkKind kind);

class NetworkCanvas : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit NetworkCanvas(QWidget* parent = nullptr);

    void setMatrix(NodeMatrix matrix);
    const NodeMatrix& matrix() const { return m_matrix; }
    /// Where a pair is drawn in the viewport: its row is the sender, its column the receiver.
    QRect cellRect(int from, int to) const;
    QString textAt(QPoint position) const; ///< of the tool tip; empty: nothing is there
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void layOut();
    int hostCount() const { return static_cast<int>(m_matrix.hosts.size()); }
    /// The part of the viewport in which the cells are drawn.
    QRect cellsRect() const;
    struct Places
    {
        int first = 0, end = 0;
    };
    Places shownRows() const;
    Places shownColumns() const;
    QString hostText(int host) const;
    QString textOf(int from, int to) const;
    void paintLegend(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;
    void paintCells(QPainter& painter) const;

    void layOutLegend();

    NodeMatrix m_matrix;
    std::vector<std::pair<LinkKind, QRect>> m_legend; ///< the kinds that are there, with their place
    int m_labelWidth = 0, m_cellSize = 0;
};

} // namespace collscope
