// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Wheel, touchpad and keys over any view that shares the time axis: they mean the same in all.

#include "views/view_state.h"

#include <QEvent>
#include <QRectF>
#include <QWheelEvent>

namespace collscope {

/// px from a press on, before which a hand that moves has clicked.
inline constexpr int dragThreshold = 4;

/// To later times by so many notches of a wheel, or presses of a key; negative: to earlier ones.
void panBySteps(ViewState& state, double steps);
/// Zooms at the cursor or pans, as modifiers and ViewState::wheelZooms() say; `lanes`: where the view has the
/// axis, in the event's coordinates. False: the wheel means to scroll, which is the view's own business.
bool turnWheel(ViewState& state, const QWheelEvent& event, const QRectF& lanes);
/// Two fingers on a touchpad zoom. False if the event is no such gesture.
bool pinch(ViewState& state, const QEvent& event, const QRectF& lanes);

} // namespace collscope
