// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// All commands of a window in one table, from which menus, toolbar and key overview are made.

#include <QAction>
#include <QKeySequence>
#include <QStringList>

#include <functional>
#include <map>
#include <vector>

class QMenu;
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
    std::function<void()> run; ///< may be empty: see Actions::bind()
    bool separatorBefore = false;
    bool isCheckable = false;
};

class Actions
{
public:
    /// Creates an action for each command, owned by `window`, and adds it to its menu.
    Actions(QWidget* window, QMenuBar* bar, const std::vector<Command>& commands);

    QAction* action(const QString& id) const;
    QMenu* menu(MenuId id) const { return m_menus[static_cast<std::size_t>(id)]; }
    /// The menus from left to right.
    const std::vector<QMenu*>& menus() const { return m_menus; }
    /// Runs `what` whenever a command is triggered, as long as `context` lives: for commands without
    /// Command::run.
    void bind(const QString& id, const QObject* context, std::function<void()> what);
    /// Enables or disables a command. The tool tip says what it does, or why it does nothing now.
    void enable(const QString& id, bool isPossible, const QString& toolTip = {});
    /// Keeps a command disabled, whatever enable() says, with the reason as its tool tip. An empty reason
    /// ends that.
    void ruleOut(const QString& id, const QString& why);
    /// The commands that nothing runs.
    QStringList unbound() const { return m_unbound; }
    /// Adds an action that is not made from a command to a menu.
    void add(QAction* action, MenuId menu);

private:
    struct Availability
    {
        bool isPossible = true;
        QString toolTip, whyRuledOut;
    };
    void apply(const QString& id, const Availability& availability) const;

    std::vector<QMenu*> m_menus;
    std::vector<QAction*> m_actions;
    std::map<QString, Availability> m_availability; ///< of commands that may be disabled
    QStringList m_unbound;
};

} // namespace collscope
