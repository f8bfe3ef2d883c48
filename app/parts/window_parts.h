// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Common parts of the run window and the comparison window.

#include "model/result.h"

#include <QStringList>
#include <QTabWidget>

class QLabel;
class QMainWindow;
class QMimeData;
class QProgressBar;
class QStackedWidget;
class QTimer;
class QToolButton;

namespace collscope {

class Banner;

/// Returns the local files and folders in the dropped data.
QStringList localPaths(const QMimeData* data);

/// Asks for the folder of a run, starting in the parent folder of `shown` (a file or folder, or empty): runs
/// to compare are usually next to it. Empty if none was chosen.
QString chooseRunFolder(QWidget* window, const QString& title, const QString& shown);

/// From now on, the room that another page needs is not kept free.
void keepRoomOfCurrentPage(QStackedWidget& pages);

/// The widget that takes the focus when a part of the window is requested; nullptr if none of it does.
QWidget* focusTarget(QWidget* part);

/// Adds a tab that is visible only for runs for which its view's isWanted() is true.
template<typename View>
void addWantedTab(QTabWidget& tabs, View* view, const QString& title)
{
    tabs.addTab(view, title);
    const auto show = [&tabs, view] { tabs.setTabVisible(tabs.indexOf(view), view->isWanted()); };
    show();
    QObject::connect(view, &View::wantedChanged, &tabs, show);
}

/// The parts of a status bar that show background work.
struct WorkBar
{
    QLabel* status = nullptr;
    QProgressBar* progress = nullptr;
    QToolButton* cancel = nullptr;
    QTimer* notice = nullptr; ///< runs while `status` shows a temporary notice
};
/// Adds the widgets to the window's status bar. All are visible; the caller shows and hides them.
WorkBar addWorkBar(QMainWindow& window);
/// Shows a temporary notice: when bar.notice times out, the window restores the previous text.
void tellInPassing(const WorkBar& bar, const QString& text);

/// Shows a notice that a file was written, or the reason for a failure in the banner.
void tellSaved(const WorkBar& bar, Banner& banner, const QString& path, const Status& written);

} // namespace collscope
