// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/actions.h"

#include <QCoreApplication>
#include <QDialog>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>

namespace collscope {

namespace {

struct ActionText
{
    Q_DECLARE_TR_FUNCTIONS(Actions)
};

/// Returns the keys that the timeline widget handles without an action.
std::vector<std::pair<QString, QString>> timelineKeys()
{
    return {{QStringLiteral("W  S"), ActionText::tr("zoom in, out at the cursor")},
            {QStringLiteral("A  D"), ActionText::tr("pan left, right")},
            {ActionText::tr("Ctrl+wheel"), ActionText::tr("zoom at the cursor")},
            {ActionText::tr("Shift+wheel"), ActionText::tr("pan in time")},
            {ActionText::tr("Ctrl+Shift+wheel"), ActionText::tr("row height")},
            {ActionText::tr("drag"), ActionText::tr("select a time range")},
            {ActionText::tr("Shift+drag, middle drag"), ActionText::tr("pan")},
            {ActionText::tr("right drag, Ctrl+drag"), ActionText::tr("zoom to the dragged range")},
            {ActionText::tr("drag an edge of the range"), ActionText::tr("move that edge")},
            {ActionText::tr("Shift+click"), ActionText::tr("extend the range to here")},
            {ActionText::tr("Ctrl+click"), ActionText::tr("add a slice to the selection, or remove it")},
            {ActionText::tr("Ctrl+A"), ActionText::tr("select the whole run")},
            {ActionText::tr("Ctrl+C"), ActionText::tr("copy the selected slices")},
            {ActionText::tr("drag on the ruler"),
             ActionText::tr("zoom with the left edge fixed; double click: fit the whole run")},
            {ActionText::tr("right click"), ActionText::tr("context menu of a slice or a row")},
            {QStringLiteral("F"), ActionText::tr("centre the selection; again: fit it")},
            {QStringLiteral("0"), ActionText::tr("fit the whole run")},
            {QStringLiteral("Z"), ActionText::tr("zoom to the range")},
            {QStringLiteral("\u2190 \u2192  ,  ."),
             ActionText::tr("previous, next slice (pan if none is selected)")},
            {QStringLiteral("\u2191 \u2193"),
             ActionText::tr("slice in the row above, below (the row if no slice is selected)")},
            {QStringLiteral("[  ]"), ActionText::tr("from a kernel to its launch, and back")},
            {ActionText::tr("Enter  *"),
             ActionText::tr("expand or collapse the row, or the CPU threads of its rank")},
            {ActionText::tr("Shift+Enter"), ActionText::tr("collapse a rank to one row, or expand it")},
            {QStringLiteral("R"), ActionText::tr("use the selected slice as the range")},
            {QStringLiteral("M"), ActionText::tr("temporary mark at the cursor")},
            {ActionText::tr("Delete"), ActionText::tr("remove the current mark")},
            {ActionText::tr("/  arg:stream=7"),
             ActionText::tr("find slices by an arg; arg:bf16 matches a part of any arg")},
            {ActionText::tr("drag in the duration histogram"),
             ActionText::tr("list only slices of that duration; Esc: all (Search tab)")},
            {ActionText::tr("Home  End"), ActionText::tr("start, end of the run")},
            {ActionText::tr("PgUp  PgDn"), ActionText::tr("rows up, down")},
            {ActionText::tr("Esc"), ActionText::tr("cancel loading, clear the selection")}};
}

} // namespace

Actions::Actions(QWidget* window, QMenuBar* bar, const std::vector<Command>& commands)
{
    for (const QString& title : {ActionText::tr("&File"), ActionText::tr("&Edit"), ActionText::tr("&View"),
                                 ActionText::tr("&Go"), ActionText::tr("&Help")})
        m_menus.push_back(bar->addMenu(title));
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

QString Actions::keyOverview() const
{
    QString rows;
    const auto add = [&](const QString& keys, const QString& meaning) {
        rows += QStringLiteral("<tr><td style='padding-right:24px'><b>%1</b></td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), meaning.toHtmlEscaped());
    };
    for (const auto& [keys, meaning] : timelineKeys())
        add(keys, meaning);
    for (const QAction* action : m_actions) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        if (!keys.isEmpty())
            add(keys.join(QStringLiteral("  ")), action->text().remove(QLatin1Char('&')));
    }
    return QStringLiteral("<table cellspacing='3'>%1</table>").arg(rows);
}

void showKeyOverview(QWidget* window, const Actions& actions)
{
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(ActionText::tr("Keys and gestures"));
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* keys = new QLabel(actions.keyOverview(), dialog);
    keys->setContentsMargins(16, 12, 24, 12);
    auto* scrolled = new QScrollArea(dialog); // the list may be longer than a small screen
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setWidget(keys);
    layout->addWidget(scrolled);
    const QSize wanted = keys->sizeHint() + QSize(24, 8);
    dialog->resize(wanted.boundedTo(QSize(wanted.width(), window->height() * 9 / 10)));
    dialog->show();
}

} // namespace collscope
