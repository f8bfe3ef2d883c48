// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The docks of the run window and their layout, which is stored in QSettings.

#include "app/parts/user_settings.h"

#include <QByteArray>
#include <QList>
#include <QObject>

class QDockWidget;
class QMainWindow;
class QString;
class QWidget;

namespace collscope {

class WindowLayout : public QObject
{
public:
    static constexpr int tabsHeight = 250; ///< px; less in a small window

    WindowLayout(QMainWindow& window, UserSettings settings);

    QDockWidget* addDock(const QString& name, const QString& title, QWidget* content,
                         Qt::DockWidgetArea area);
    const QList<QDockWidget*>& docks() const { return m_docks; }
    /// Takes the current layout as the default and restores the stored one, with all docks hidden: an empty
    /// window is one drop target.
    void begin();
    /// Whether the tabs alone show the run, as one without a timeline: they get the window, and the docks
    /// beside them are set aside until it is not so any more.
    void setTabsAlone(bool areAlone);
    /// Shows the docks with the first run; docks that the user closed stay closed.
    void showDocks();
    void hideDocks();
    /// Returns to the default layout.
    void reset(bool hasRun);
    void store(bool hasRun);

protected:
    /// Of the window: fits the docks to its size, until the user moves their edges.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restore();
    void fitBottom();
    QDockWidget* bottomDock() const;
    int bottomHeight() const;

    QMainWindow& m_window;
    const UserSettings m_settings;
    QList<QDockWidget*> m_docks;
    QList<QDockWidget*> m_closedDocks; ///< closed by the user when the layout was stored
    QByteArray m_default;
    bool m_isSizedByUser = false;
    bool m_areTabsAlone = false;
    QList<QDockWidget*> m_setAside;
    int m_heightBefore = 0; ///< of the bottom dock, before the tabs were alone
    int m_heightAtPress = 0; ///< of the bottom dock
};

} // namespace collscope
