// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractScrollArea;
class QKeyEvent;

namespace collscope {

class TimelineGeometry;
class TimelineNavigator;
class TimelineRows;
class ViewState;

/// The keys of the timeline that are not commands of the window.
class TimelineKeys
{
public:
    TimelineKeys(const TimelineGeometry& geometry, TimelineRows& rows, TimelineNavigator& navigator);

    /// Whether a key is a letter that the timeline uses: shortcuts of other widgets must not intercept it.
    static bool isCommand(const QKeyEvent& event);
    /// Does what a key stands for; false if it is none of the timeline's.
    bool press(const QKeyEvent& event);

private:
    bool handleTimeKey(int key);
    bool handleSelectionKey(int key, bool shift);
    bool handleMarkKey(int key, bool shift);

    QAbstractScrollArea& m_area;
    ViewState& m_state;
    TimelineRows& m_rows;
    TimelineNavigator& m_navigator;
};

} // namespace collscope
