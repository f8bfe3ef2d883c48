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

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(Actions)
};

/// Keys that belong to the timeline widget and have no action (ui.md 3b).
std::vector<std::pair<QString, QString>> timelineKeys()
{
    return {
        {QStringLiteral("W  S"), Text::tr("zoom in, out at the cursor")},
        {QStringLiteral("A  D"), Text::tr("pan left, right")},
        {Text::tr("Ctrl+wheel"), Text::tr("zoom at the cursor")},
        {Text::tr("Shift+wheel"), Text::tr("pan in time")},
        {Text::tr("Ctrl+Shift+wheel"), Text::tr("row height")},
        {Text::tr("drag"), Text::tr("select a time range")},
        {Text::tr("Shift+drag, middle drag"), Text::tr("pan")},
        {Text::tr("right drag, Ctrl+drag"), Text::tr("zoom to the dragged range")},
        {Text::tr("drag an edge of the range"), Text::tr("move that edge")},
        {Text::tr("Shift+click"), Text::tr("extend the range to here")},
        {Text::tr("Ctrl+click"), Text::tr("add a slice to the selection, or take it out")},
        {Text::tr("Ctrl+A"), Text::tr("select the whole run")},
        {Text::tr("Ctrl+C"), Text::tr("copy the selected slices")},
        {Text::tr("drag on the ruler"),
         Text::tr("zoom with the left edge in place; double click: the whole run")},
        {Text::tr("right click"), Text::tr("what can be done with a slice or a row")},
        {QStringLiteral("F"), Text::tr("centre the selection; again: fit it")},
        {QStringLiteral("0"), Text::tr("fit the whole run")},
        {QStringLiteral("Z"), Text::tr("zoom to the range")},
        {QStringLiteral("\u2190 \u2192  ,  ."), Text::tr("previous, next slice (pan if none is selected)")},
        {QStringLiteral("\u2191 \u2193"),
         Text::tr("the slice on the row above, below; without one, that row")},
        {QStringLiteral("[  ]"), Text::tr("from a kernel to its launch, and back")},
        {Text::tr("Enter  *"), Text::tr("expand or collapse the row, or the CPU threads of its rank")},
        {Text::tr("Shift+Enter"), Text::tr("collapse a rank to one row, or expand it")},
        {QStringLiteral("R"), Text::tr("selected slice becomes the range")},
        {QStringLiteral("M"), Text::tr("temporary mark at the cursor")},
        {Text::tr("Delete"), Text::tr("remove the current mark")},
        {Text::tr("/  arg:stream=7"), Text::tr("find slices by an arg; arg:bf16: by a part of any")},
        {Text::tr("drag on the durations"),
         Text::tr("list only slices that last so long; Esc: all (tab Search)")},
        {Text::tr("Home  End"), Text::tr("start, end of the run")},
        {Text::tr("PgUp  PgDn"), Text::tr("rows up, down")},
        {Text::tr("Esc"), Text::tr("cancel loading, clear the selection")}};
}

} // namespace

Actions::Actions(QWidget* window, QMenuBar* bar, const std::vector<Command>& commands)
{
    for (const QString& title :
         {Text::tr("&File"), Text::tr("&Edit"), Text::tr("&View"), Text::tr("&Go"), Text::tr("&Help")})
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
    dialog->setWindowTitle(Text::tr("Keys and gestures"));
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
