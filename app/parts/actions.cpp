// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/actions.h"

#include <QCoreApplication>
#include <QMenu>
#include <QMenuBar>

#include <utility>

namespace collscope {

namespace {

struct ActionText
{
    Q_DECLARE_TR_FUNCTIONS(Actions)
};

} // namespace

Actions::Actions(QWidget* window, QMenuBar* bar, const std::vector<Command>& commands)
{
    for (const QString& title : {ActionText::tr("&File"), ActionText::tr("&Edit"), ActionText::tr("&View"),
                                 ActionText::tr("&Go"), ActionText::tr("&Help")})
        m_menus.push_back(bar->addMenu(title));
    for (QMenu* menu : m_menus)
        menu->setToolTipsVisible(true); // they say why a command is disabled
    for (const Command& command : commands) {
        auto* action = new QAction(command.text, window);
        action->setObjectName(command.id);
        action->setShortcut(command.shortcut);
        action->setCheckable(command.isCheckable);
        if (command.run)
            QObject::connect(action, &QAction::triggered, window, command.run);
        else
            m_unbound << command.id;
        QMenu* menu = m_menus[static_cast<std::size_t>(command.menu)];
        if (command.separatorBefore)
            menu->addSeparator();
        add(action, command.menu);
    }
}

void Actions::bind(const QString& id, const QObject* context, std::function<void()> what)
{
    m_unbound.removeAll(id);
    QObject::connect(action(id), &QAction::triggered, context, std::move(what));
}

void Actions::enable(const QString& id, bool isPossible, const QString& toolTip)
{
    Availability& availability = m_availability[id];
    availability.isPossible = isPossible;
    availability.toolTip = toolTip;
    apply(id, availability);
}

void Actions::ruleOut(const QString& id, const QString& why)
{
    Availability& availability = m_availability[id];
    availability.whyRuledOut = why;
    apply(id, availability);
}

void Actions::apply(const QString& id, const Availability& availability) const
{
    const bool isRuledOut = !availability.whyRuledOut.isEmpty();
    action(id)->setEnabled(availability.isPossible && !isRuledOut);
    action(id)->setToolTip(isRuledOut ? availability.whyRuledOut : availability.toolTip);
}

void Actions::add(QAction* action, MenuId menu)
{
    m_menus[static_cast<std::size_t>(menu)]->addAction(action);
    m_actions.push_back(action);
}

QAction* Actions::action(const QString& id) const
{
    for (QAction* action : m_actions) {
        if (action->objectName() == id)
            return action;
    }
    return nullptr;
}

} // namespace collscope
