// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/actions.h"

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

QString tr(const char* text)
{
    return QCoreApplication::translate("Actions", text);
}

/// Keys that belong to the timeline widget and have no action (ui.md 3b).
std::vector<std::pair<QString, QString>> timelineKeys()
{
    return {{QStringLiteral("W  S"), tr("zoom in, out at the cursor")},
            {QStringLiteral("A  D"), tr("pan left, right")},
            {QStringLiteral("Ctrl+wheel"), tr("zoom at the cursor")},
            {QStringLiteral("Shift+wheel"), tr("pan in time")},
            {QStringLiteral("Ctrl+Shift+wheel"), tr("row height")},
            {QStringLiteral("drag"), tr("select a time range")},
            {QStringLiteral("Shift+drag, middle drag"), tr("pan")},
            {QStringLiteral("right drag, Ctrl+drag"), tr("zoom to the dragged range")},
            {tr("drag an edge of the range"), tr("move that edge")},
            {QStringLiteral("Shift+click"), tr("extend the range to here")},
            {QStringLiteral("Ctrl+click"), tr("add a slice to the selection, or take it out")},
            {QStringLiteral("Ctrl+A"), tr("select the whole run")},
            {QStringLiteral("Ctrl+C"), tr("copy the selected slices")},
            {tr("drag on the ruler"), tr("zoom with the left edge in place; double click: the whole run")},
            {tr("right click"), tr("what can be done with a slice or a row")},
            {QStringLiteral("F"), tr("centre the selection; again: fit it")},
            {QStringLiteral("0"), tr("fit the whole run")},
            {QStringLiteral("Z"), tr("zoom to the range")},
            {QStringLiteral("\u2190 \u2192  ,  ."), tr("previous, next slice (pan if none is selected)")},
            {QStringLiteral("\u2191 \u2193"), tr("the slice on the row above, below; without one, that row")},
            {QStringLiteral("[  ]"), tr("from a kernel to its launch, and back")},
            {QStringLiteral("Enter  *"), tr("expand or collapse the row, or the CPU threads of its rank")},
            {QStringLiteral("Shift+Enter"), tr("collapse a rank to one row, or expand it")},
            {QStringLiteral("R"), tr("selected slice becomes the range")},
            {QStringLiteral("M"), tr("temporary mark at the cursor")},
            {QStringLiteral("Delete"), tr("remove the current mark")},
            {tr("/  arg:stream=7"), tr("find slices by an arg; arg:bf16: by a part of any")},
            {tr("drag on the durations"), tr("list only slices that last so long; Esc: all (tab Search)")},
            {QStringLiteral("Home  End"), tr("start, end of the run")},
            {QStringLiteral("PgUp  PgDn"), tr("rows up, down")},
            {QStringLiteral("Esc"), tr("cancel loading, clear the selection")}};
}

} // namespace

Actions::Actions(QWidget* window, QMenuBar* bar, const std::vector<Command>& commands)
{
    for (const QString& title : {tr("&File"), tr("&Edit"), tr("&View"), tr("&Go"), tr("&Help")})
        m_menus.push_back(bar->addMenu(title));
    for (const Command& command : commands) {
        auto* action = new QAction(command.text, window);
        action->setObjectName(command.id);
        action->setShortcut(command.shortcut);
        action->setCheckable(command.isCheckable);
        QObject::connect(action, &QAction::triggered, window, command.run);
        QMenu* menu = m_menus[static_cast<std::size_t>(command.menu)];
        if (command.separatorBefore)
            menu->addSeparator();
        add(action, command.menu);
    }
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
    dialog->setWindowTitle(tr("Keys and gestures"));
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* keys = new QLabel(actions.keyOverview(), dialog);
    keys->setContentsMargins(16, 12, 24, 12);
    auto* scrolled = new QScrollArea(dialog); // there are more keys than a small screen has lines
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setWidget(keys);
    layout->addWidget(scrolled);
    const QSize wanted = keys->sizeHint() + QSize(24, 8);
    dialog->resize(wanted.boundedTo(QSize(wanted.width(), window->height() * 9 / 10)));
    dialog->show();
}

} // namespace collscope
