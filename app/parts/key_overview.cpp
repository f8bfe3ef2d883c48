// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/key_overview.h"

#include "app/parts/actions.h"

#include <QCoreApplication>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QVBoxLayout>

#include <utility>
#include <vector>

namespace collscope {

namespace {

struct KeyText
{
    Q_DECLARE_TR_FUNCTIONS(KeyOverview)
};

using Keys = std::vector<std::pair<QString, QString>>;

/// Returns the keys that the timeline widget handles without an action.
Keys timelineKeys()
{
    return {
        {QStringLiteral("W  S"), KeyText::tr("zoom in, out at the cursor")},
        {QStringLiteral("A  D"), KeyText::tr("pan left, right")},
        {KeyText::tr("Ctrl+wheel"), KeyText::tr("zoom at the cursor")},
        {KeyText::tr("Shift+wheel"), KeyText::tr("pan in time")},
        {KeyText::tr("Ctrl+Shift+wheel"), KeyText::tr("row height")},
        {KeyText::tr("drag"), KeyText::tr("select a time range")},
        {KeyText::tr("Shift+drag, middle drag"), KeyText::tr("pan")},
        {KeyText::tr("right drag, Ctrl+drag"), KeyText::tr("zoom to the dragged range")},
        {KeyText::tr("drag an edge of the range"), KeyText::tr("move that edge")},
        {KeyText::tr("Shift+click"), KeyText::tr("extend the range to here")},
        {KeyText::tr("Ctrl+click"), KeyText::tr("add a slice to the selection, or remove it")},
        {KeyText::tr("Ctrl+A"), KeyText::tr("select the whole run")},
        {KeyText::tr("Ctrl+C"), KeyText::tr("copy the selected slices")},
        {KeyText::tr("drag on the ruler"),
         KeyText::tr("zoom with the left edge fixed; double click: fit the whole run")},
        {KeyText::tr("right click"), KeyText::tr("context menu of a slice or a row")},
        {QStringLiteral("F"), KeyText::tr("centre the selection; again: fit it")},
        {QStringLiteral("0"), KeyText::tr("fit the whole run")},
        {QStringLiteral("Z"), KeyText::tr("zoom to the range")},
        {QStringLiteral("\u2190 \u2192  ,  ."),
         KeyText::tr("previous, next slice (pan if none is selected)")},
        {QStringLiteral("\u2191 \u2193"),
         KeyText::tr("slice in the row above, below (the row if no slice is selected)")},
        {QStringLiteral("[  ]"), KeyText::tr("from a kernel to its launch, and back")},
        {KeyText::tr("Enter  *"), KeyText::tr("expand or collapse the row, or the CPU threads of its rank")},
        {KeyText::tr("Shift+Enter"), KeyText::tr("collapse a rank to one row, or expand it")},
        {QStringLiteral("R"), KeyText::tr("use the selected slice as the range")},
        {QStringLiteral("M"), KeyText::tr("temporary mark at the cursor")},
        {KeyText::tr("Delete"), KeyText::tr("remove the current mark")},
        {KeyText::tr("/  arg:stream=7"),
         KeyText::tr("find slices by an arg; arg:bf16 matches a part of any arg")},
        {KeyText::tr("drag in the duration histogram"),
         KeyText::tr("list only slices of that duration; Esc: all (Search tab)")},
        {KeyText::tr("Home  End"), KeyText::tr("start, end of the run")},
        {KeyText::tr("PgUp  PgDn"), KeyText::tr("rows up, down")},
        {KeyText::tr("Esc"), KeyText::tr("cancel loading, clear the selection")}};
}

QString withoutMnemonic(QString text)
{
    return text.remove(QLatin1Char('&'));
}

Keys keysOf(const QMenu& menu)
{
    Keys keys;
    for (const QAction* action : menu.actions()) {
        QStringList all;
        for (const QKeySequence& key : action->shortcuts())
            all << key.toString(QKeySequence::NativeText);
        if (!all.isEmpty())
            keys.emplace_back(all.join(QStringLiteral("  ")), withoutMnemonic(action->text()));
    }
    return keys;
}

/// Nothing, if no key is left.
QString groupText(const QString& heading, const Keys& keys, const QString& filter)
{
    QString rows;
    for (const auto& [key, meaning] : keys) {
        if (key.contains(filter, Qt::CaseInsensitive) || meaning.contains(filter, Qt::CaseInsensitive))
            rows += QStringLiteral("<tr><td style='padding-right:24px'><b>%1</b></td><td>%2</td></tr>")
                        .arg(key.toHtmlEscaped(), meaning.toHtmlEscaped());
    }
    return rows.isEmpty() ? QString()
                          : QStringLiteral("<tr><td colspan='2' style='padding-top:8px'><i>%1</i></td></tr>")
                                .arg(heading.toHtmlEscaped())
            + rows;
}

} // namespace

QString keyOverview(const Actions& actions, const QString& filter)
{
    QString groups = groupText(KeyText::tr("Timeline"), timelineKeys(), filter);
    for (const QMenu* menu : actions.menus())
        groups += groupText(withoutMnemonic(menu->title()), keysOf(*menu), filter);
    return groups.isEmpty() ? KeyText::tr("No key matches.")
                            : QStringLiteral("<table cellspacing='3'>%1</table>").arg(groups);
}

void showKeyOverview(QWidget* window, const Actions& actions)
{
    auto* dialog = new QDialog(window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(KeyText::tr("Keys and gestures"));
    auto* layout = new QVBoxLayout(dialog);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* filter = new QLineEdit(dialog);
    filter->setPlaceholderText(KeyText::tr("Find a key or what it does"));
    filter->setClearButtonEnabled(true);
    auto* keys = new QLabel(keyOverview(actions), dialog);
    keys->setContentsMargins(16, 4, 24, 12);
    keys->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto* scrolled = new QScrollArea(dialog); // the list may be longer than a small screen
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setWidgetResizable(true);
    scrolled->setWidget(keys);
    layout->addWidget(filter);
    layout->addWidget(scrolled);
    QObject::connect(filter, &QLineEdit::textChanged, keys, [keys, list = &actions](const QString& text) {
        keys->setText(keyOverview(*list, text.trimmed()));
    });
    const QSize wanted = keys->sizeHint() + QSize(24, filter->sizeHint().height() + 8);
    dialog->resize(wanted.boundedTo(QSize(wanted.width(), window->height() * 9 / 10)));
    filter->setFocus();
    dialog->show();
}

} // namespace collscope
