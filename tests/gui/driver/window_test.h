// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What test classes of the window share: each test function gets a window of its own, in the light theme.

#include "tests/gui/driver/window_driver.h"
#include "tests/support/runs/small_run.h"
#include "views/timeline/timeline_view.h"

#include <QTest>

namespace collscope {

class WindowTest : public QObject
{
    Q_OBJECT

protected:
    QTemporaryDir m_folder; ///< of the class
    std::unique_ptr<MainWindow> m_window;

    QString runPath() const { return m_folder.filePath(QStringLiteral("run")); }
    ViewState& state() const { return *m_window->viewState(); }
    /// Writes a run, opens it, and forgets its files.
    void openRun(const SmallRun& run) const;
    TimelineView& timeline() const { return *m_window->view<TimelineView>(); }
    /// The first slice of that name on a rank; an invalid one if there is none.
    SliceRef slice(const char* name, std::int32_t rank = 0) const;
    /// On the timeline.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) const;
    /// By the keyboard, as a person does; returns when there is an answer.
    void searchFor(const QString& text) const;
    /// Where a time of the axis is on the timeline's viewport, at a height.
    QPoint timelinePoint(std::int64_t axisNs, int y) const;
    /// Moves the mouse there, as a hand does before it presses a key.
    void hoverTimeline(std::int64_t axisNs, int y) const;
    /// The timeline as it is painted now.
    QImage timelineImage() const;
    /// Brings one of the window's tabs to the front with the mouse.
    void clickTab(QWidget& content) const;

    /// Before the first test: writes what the tests open.
    virtual void writeFiles() { }
    /// Before each test, with its window shown.
    virtual void openFirst() { }

private slots:
    void initTestCase();
    void init();
    void cleanup() { m_window.reset(); }
};

} // namespace collscope
