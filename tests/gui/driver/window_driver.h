// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What every test of the window does: write a small run, open it, move mouse and keys over it.

#include "app/window/main_window.h"
#include "tests/support/workloads/run_description.h"

#include <QComboBox>
#include <QTemporaryDir>

namespace collscope {

/// A window of 1500 x 1000 that knows no settings.
std::unique_ptr<MainWindow> shownWindow();
/// Opens paths and waits for the run, its numbers and its curves; false if that takes too long.
bool openAndWait(MainWindow& window, const QStringList& paths, const LoadOptions& options = {});
/// With the last release, which QTest leaves out: the button would count as held from then on, also in later
/// tests.
void doubleClick(QWidget* widget, QPoint position);
/// Two ranks with NVLink counters; writeSmallRun() writes a plan of it.
WorkloadDescription smallWorkload();
void writeSmallRun(const QString& folder);
/// Writes a Kineto file of one rank whose traceEvents are the given objects; returns its path.
QString writeKineto(const QString& path, int rank, const QStringList& events);
/// A complete event; times in us.
QString completeEvent(const char* category, const QString& name, int pid, int tid, double startUs,
                      double durationUs);
/// Drags the left mouse button over the lanes of the timeline, between two shares of their width.
void dragOverTimeline(MainWindow& window, double from, double to);
/// Clicks the marker of a peak of the NVLink chart.
void clickPeak(MainWindow& window, std::size_t index);
/// Answers the file dialog of a window with a path; false if there is none.
bool answerFileDialog(QWidget& window, const QString& path);
/// The widget of a class with an object name; ends the program if there is none. Tests find nothing by the
/// words on screen, so that these may change.
template<typename Widget>
Widget& widgetNamed(const QWidget& window, const char* name)
{
    auto* const widget = window.findChild<Widget*>(QLatin1String(name));
    if (!widget)
        qFatal("no widget is named '%s'", name);
    return *widget;
}
/// The entry of a menu, or the action of a table, with an object name; nullptr if there is none.
QAction* entryNamed(const QWidget& of, const QString& name);

} // namespace collscope
