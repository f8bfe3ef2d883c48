// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_keys.h"

#include "views/common/axis_gestures.h"
#include "views/timeline/timeline_geometry.h"
#include "views/timeline/timeline_navigator.h"
#include "views/timeline/timeline_rows.h"

#include <QAbstractScrollArea>
#include <QKeyEvent>
#include <QScrollBar>

#include <string_view>

namespace collscope {

namespace {

/// Returns the key by its physical position, which has different letters on other keyboard layouts (X11 and
/// Wayland: evdev code + 8).
int physicalKey(const QKeyEvent& event)
{
    switch (event.nativeScanCode()) {
    case 25:
        return Qt::Key_W;
    case 38:
        return Qt::Key_A;
    case 39:
        return Qt::Key_S;
    case 40:
        return Qt::Key_D;
    default:
        return event.key();
    }
}

} // namespace

TimelineKeys::TimelineKeys(const TimelineGeometry& geometry, TimelineRows& rows, TimelineNavigator& navigator)
    : m_area(geometry.area())
    , m_state(geometry.state())
    , m_rows(rows)
    , m_navigator(navigator)
{ }

bool TimelineKeys::isCommand(const QKeyEvent& event)
{
    const int letter = physicalKey(event);
    return !(event.modifiers() & ~Qt::ShiftModifier) && letter >= Qt::Key_A && letter <= Qt::Key_Z
        && std::string_view("ACDFMNPRSWZ").find(static_cast<char>(letter)) != std::string_view::npos;
}

bool TimelineKeys::press(const QKeyEvent& event)
{
    if (!m_state.run().model())
        return false;
    if (event.matches(QKeySequence::SelectAll)) {
        m_state.selection().setRange(m_state.run().range());
        return true;
    }
    if (event.matches(QKeySequence::Copy)) {
        m_navigator.copySelection();
        return true;
    }
    const bool plain = !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    const int key = physicalKey(event);
    return plain && (handleTimeKey(key) || handleSelectionKey(key, shift) || handleMarkKey(key, shift));
}

bool TimelineKeys::handleTimeKey(int key)
{
    const std::int64_t length = m_state.viewport().visibleRange().lengthNs();
    const TimeRange run = m_state.run().range();
    switch (key) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_navigator.zoomIn();
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_navigator.zoomOut();
        return true;
    case Qt::Key_A:
        panBySteps(m_state, -1);
        return true;
    case Qt::Key_D:
        panBySteps(m_state, 1);
        return true;
    case Qt::Key_0:
        m_navigator.fitAll();
        return true;
    case Qt::Key_F:
        m_navigator.fitSelection();
        return true;
    case Qt::Key_Z:
        if (m_state.selection().range())
            m_state.viewport().showRange(*m_state.selection().range());
        return true;
    case Qt::Key_Home:
        m_state.viewport().setVisibleRange({run.beginNs, run.beginNs + length});
        return true;
    case Qt::Key_End:
        m_state.viewport().setVisibleRange({run.endNs - length, run.endNs});
        return true;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        m_area.verticalScrollBar()->triggerAction(key == Qt::Key_PageUp ? QAbstractSlider::SliderPageStepSub
                                                                        : QAbstractSlider::SliderPageStepAdd);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Comma:
    case Qt::Key_Period:
        if (m_state.selection().slice())
            return false; // the key moves between slices
        panBySteps(m_state, key == Qt::Key_Left || key == Qt::Key_Comma ? -1 : 1);
        return true;
    default:
        return false;
    }
}

bool TimelineKeys::handleSelectionKey(int key, bool shift)
{
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Comma:
        m_navigator.selectNeighbour(-1);
        return true;
    case Qt::Key_Right:
    case Qt::Key_Period:
        m_navigator.selectNeighbour(1);
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
        m_navigator.selectOnNextRow(key == Qt::Key_Up ? -1 : 1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Asterisk:
        shift ? m_rows.toggleRankOfFocus() : m_rows.toggleFocused();
        return true;
    case Qt::Key_BracketLeft:
        m_navigator.followLink(-1);
        return true;
    case Qt::Key_BracketRight:
        m_navigator.followLink(1);
        return true;
    case Qt::Key_P:
        m_rows.togglePin();
        return true;
    case Qt::Key_C:
        m_navigator.walkCollective(shift ? -1 : 1);
        return true;
    case Qt::Key_R:
        if (m_state.selection().slice())
            m_state.selection().setRange(m_state.run().rangeOf(m_state.selection().slice()));
        return true;
    default:
        return false;
    }
}

bool TimelineKeys::handleMarkKey(int key, bool shift)
{
    switch (key) {
    case Qt::Key_M:
        shift ? m_navigator.keepMark() : m_navigator.setTemporaryMark();
        return true;
    case Qt::Key_N:
        m_navigator.walkMarks(shift ? -1 : 1);
        return true;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        m_navigator.removeMark();
        return true;
    default:
        return false;
    }
}

} // namespace collscope
