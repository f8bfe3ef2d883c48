// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What pressing a mouse button and moving the mouse means, the same in every view on the time axis.

#include <QMouseEvent>
#include <QPoint>

namespace collscope {

/// Distance in px from the press below which a mouse movement still counts as a click.
inline constexpr int dragThreshold = 4;

enum class DragKind
{
    None, ///< no button is held, or the view handles the press itself
    Pending, ///< a click, if the button is released here
    SelectRange,
    ZoomRange, ///< right button or Ctrl
    Pan ///< middle button or Shift
};

/// One press of a button, from mousePressEvent() to mouseReleaseEvent(). Positions are in px of the view.
class DragGesture
{
public:
    void press(const QMouseEvent& event);
    /// The press has a meaning already: an edge of the selected range, or none for this gesture.
    void become(DragKind kind) { m_kind = kind; }
    /// Takes the new position, and decides the kind once the mouse is far enough from the press.
    DragKind move(const QMouseEvent& event);
    /// Ends the gesture; returns what it was.
    DragKind release();

    DragKind kind() const { return m_kind; }
    QPoint pressed() const { return m_pressed; }
    QPoint position() const { return m_position; } ///< of the last press() or move()
    /// From the position before the last move() to the one after it.
    QPoint step() const { return m_position - m_before; }

private:
    DragKind m_kind = DragKind::None;
    Qt::MouseButton m_button = Qt::NoButton;
    QPoint m_pressed, m_before, m_position;
};

} // namespace collscope
