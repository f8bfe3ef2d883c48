// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Every command of the window, in one table: menus, toolbar and the key overlay are made from it.

#include <QAction>
#include <QKeySequence>
#include <QString>

#include <functional>
#include <vector>

class QMenuBar;
class QWidget;

namespace collscope {

enum class MenuId
{
    File,
    Edit,
    View,
    Go,
    Help
};

struct Command
{
    QString id;
    MenuId menu;
    QString text; ///< with mnemonic
    QKeySequence shortcut;
    std::function<void()> run;
    bool separatorBefore = false;
    bool isCheckable = false;
};

class Actions
{
public:
    /// Makes an action of each command, owned by `window`, and puts it into its menu.
    Actions(QWidget* window, QMenuBar* bar, const std::vector<Command>& commands);

    QAction* action(const QString& id) const;
    QMenu* menu(MenuId id) const { return m_menus[static_cast<std::size_t>(id)]; }
    /// From left to right.
    const std::vector<QMenu*>& menus() const { return m_menus; }
    /// Of an action that is not made from a command, for the key overview.
    void add(QAction* action, MenuId menu);
    /// All shortcuts and the timeline's own keys as an HTML table.
    QString keyOverview() const;

private:
    std::vector<QMenu*> m_menus;
    std::vector<QAction*> m_actions;
};

/// The key overview of a window as a dialog beside it, which does not block.
void showKeyOverview(QWidget* window, const Actions& actions);

} // namespace collscope
