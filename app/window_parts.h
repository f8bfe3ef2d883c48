// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the windows of a run and of a comparison have in common.

#include <QStringList>
#include <QTabWidget>

class QLabel;
class QMainWindow;
class QMimeData;
class QProgressBar;
class QTimer;
class QToolButton;

namespace collscope {

class Banner;

/// Files and folders of this machine in what is dropped.
QStringList localPaths(const QMimeData* data);

/// Asks for the folder of a run, starting where `shown` (a file or folder, or empty) lies: its neighbours are
/// what one compares with. Empty if none was chosen.
QString chooseRunFolder(QWidget* window, const QString& title, const QString& shown);

/// A tab that is there only for runs of which its view says isWanted().
template<typename View>
void addWantedTab(QTabWidget& tabs, View* view, const QString& title)
{
    tabs.addTab(view, title);
    const auto show = [&tabs, view] { tabs.setTabVisible(tabs.indexOf(view), view->isWanted()); };
    show();
    QObject::connect(view, &View::wantedChanged, &tabs, show);
}

/// What a status bar says of work that goes on.
struct WorkBar
{
    QLabel* status = nullptr;
    QProgressBar* progress = nullptr;
    QToolButton* cancel = nullptr;
    QTimer* notice = nullptr; ///< runs while `status` tells something in passing
};
/// Puts them into the window's status bar. All are shown; who works decides when.
WorkBar addWorkBar(QMainWindow& window);
/// Tells something in passing: when bar.notice times out, the window says again what it said before.
void tellInPassing(const WorkBar& bar, const QString& text);

/// Says in passing that a file is written, or in the banner why it is not. `problem`: empty if it is.
void tellSaved(const WorkBar& bar, Banner& banner, const QString& path, const QString& problem);

} // namespace collscope
