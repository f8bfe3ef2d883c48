// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Overview of the run: what its steps were made of, else GPU activity, with a frame around the visible
// window. Dragging moves the window.

#include "views/state/view_state.h"
#include "views/summary/composition.h"
#include "views/summary/part_fill.h"

#include <QPixmap>
#include <QWidget>

namespace collscope {

class Minimap : public QWidget
{
    Q_OBJECT

public:
    explicit Minimap(ViewState* state, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {400, 44}; }
    /// Shows what the steps were made of, in place of the activity. nullptr: not known yet.
    void setFindings(FindingsPtr findings);
    const Composition& composition() const { return m_composition; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QRect plotRect() const;
    /// Busy fraction of all GPU streams per pixel column, 0 ... 1. Reads every slice once per run and width.
    std::vector<double> density(int columns) const;
    void renderStrip();
    void centreOn(double x);
    const StepParts* stepAt(QPoint point) const;
    /// Shows one step of one rank.
    void show(const StepParts& step);

    ViewState* m_state;
    QPixmap m_strip;
    Composition m_composition;
    PartSet m_unknown; ///< of the findings
    QPoint m_pressed;
    bool m_isDragging = false; ///< since the press
};

} // namespace collscope
