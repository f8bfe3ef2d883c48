// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/drag_gesture.h"

#include <utility>

namespace collscope {

void DragGesture::press(const QMouseEvent& event)
{
    m_kind = DragKind::Pending;
    m_button = event.button();
    m_pressed = m_before = m_position = event.position().toPoint();
}

DragKind DragGesture::move(const QMouseEvent& event)
{
    m_before = std::exchange(m_position, event.position().toPoint());
    if (m_kind == DragKind::Pending && (m_position - m_pressed).manhattanLength() >= dragThreshold) {
        const Qt::KeyboardModifiers keys = event.modifiers();
        if (m_button == Qt::MiddleButton || keys.testFlag(Qt::ShiftModifier))
            m_kind = DragKind::Pan;
        else if (m_button == Qt::RightButton || keys.testFlag(Qt::ControlModifier))
            m_kind = DragKind::ZoomRange;
        else
            m_kind = DragKind::SelectRange;
    }
    return m_kind;
}

DragKind DragGesture::release()
{
    return std::exchange(m_kind, DragKind::None);
}

} // namespace collscope
