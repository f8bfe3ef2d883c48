// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Wheel, touchpad and key gestures, the same in every view that shares the time axis.

#include "views/state/view_state.h"

#include <QEvent>
#include <QRectF>
#include <QWheelEvent>

namespace collscope {

/// Pans to later times by a number of wheel notches or key presses; negative: to earlier times.
void panBySteps(ViewState& state, double steps);
/// Zooms at the cursor or pans, depending on the modifiers and ViewPreferences::wheelZooms(). `lanes` is the
/// area of the time axis in the view, in the event's coordinates. Returns false if the wheel means scrolling,
/// which is left to the view.
bool turnWheel(ViewState& state, const QWheelEvent& event, const QRectF& lanes);
/// Zooms on a two-finger pinch. Returns false if the event is a different gesture.
bool pinch(ViewState& state, const QEvent& event, const QRectF& lanes);

} // namespace collscope
