// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/axis_gestures.h"

#include "views/common/time_axis.h"

#include <QNativeGestureEvent>

#include <cmath>

namespace collscope {

namespace {

constexpr double zoomPerNotch = 1.25;
constexpr double panPerNotch = 0.12; ///< of the visible range
constexpr double notch = 120; ///< in QWheelEvent's eighths of a degree

std::int64_t timeAt(const ViewState& state, double x, const QRectF& lanes)
{
    return TimeAxis(state.viewport().visibleRange(), lanes.width()).timeAt(x - lanes.left());
}

} // namespace

void panBySteps(ViewState& state, double steps)
{
    state.viewport().panBy(static_cast<std::int64_t>(
        static_cast<double>(state.viewport().visibleRange().lengthNs()) * panPerNotch * steps));
}

bool turnWheel(ViewState& state, const QWheelEvent& event, const QRectF& lanes)
{
    const QPoint turned = event.angleDelta();
    if (event.modifiers().testFlag(Qt::ShiftModifier) || std::abs(turned.x()) > std::abs(turned.y())) {
        panBySteps(state, -(turned.x() != 0 ? turned.x() : turned.y()) / notch);
        return true;
    }
    if (event.modifiers().testFlag(Qt::ControlModifier) == state.preferences().wheelZooms())
        return false;
    state.viewport().zoomAround(timeAt(state, event.position().x(), lanes),
                                std::pow(zoomPerNotch, turned.y() / notch));
    return true;
}

bool pinch(ViewState& state, const QEvent& event, const QRectF& lanes)
{
    if (event.type() != QEvent::NativeGesture)
        return false;
    const auto& gesture = static_cast<const QNativeGestureEvent&>(event);
    if (gesture.gestureType() == Qt::ZoomNativeGesture)
        state.viewport().zoomAround(timeAt(state, gesture.position().x(), lanes), 1 + gesture.value());
    return true;
}

} // namespace collscope
