// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/command_palette.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

namespace collscope {

namespace {

/// Returns the text without mnemonic marks and without the trailing dots that announce a dialog.
QString plain(QString text)
{
    text.remove(QLatin1Char('&'));
    for (const QString& dots : {QStringLiteral("..."), QStringLiteral("\u2026")}) {
        if (text.endsWith(dots))
            text.chop(dots.size());
    }
    return text;
}

void addEntries(const QMenu& menu, const QString& path, std::vector<PaletteEntry>& entries)
{
    for (QAction* action : menu.actions()) {
        if (action->isSeparator() || !action->isVisible())
            continue;
        if (const QMenu* inner = action->menu())
            addEntries(*inner, path + QStringLiteral(" \u203a ") + plain(inner->title()), entries);
        else
            entries.push_back({action, path});
    }
}

QuickPickItem itemOf(const PaletteEntry& entry, std::size_t number)
{
    const QAction& action = *entry.action;
    QuickPickItem item;
    item.id = QString::number(number);
    item.text = plain(action.text());
    item.path = entry.path;
    item.note = action.shortcut().toString(QKeySequence::NativeText);
    item.isEnabled = action.isEnabled();
    // Without an explicit tool tip, an action returns its text.
    if (!item.isEnabled && plain(action.toolTip()) != item.text)
        item.reason = action.toolTip();
    if (action.isCheckable())
        item.isChecked = action.isChecked();
    return item;
}

} // namespace

std::vector<PaletteEntry> paletteEntries(const std::vector<QMenu*>& menus)
{
    std::vector<PaletteEntry> entries;
    for (const QMenu* menu : menus)
        addEntries(*menu, plain(menu->title()), entries);
    return entries;
}

void openCommandPalette(QuickPick& quickPick, const std::vector<QMenu*>& menus,
                        const std::vector<PaletteTarget>& places)
{
    const std::vector<PaletteEntry> entries = paletteEntries(menus);
    std::vector<QuickPickItem> items;
    items.reserve(entries.size() + places.size());
    for (const PaletteEntry& entry : entries)
        items.push_back(itemOf(entry, items.size()));
    for (const PaletteTarget& place : places)
        items.push_back({QString::number(items.size()), place.text, place.path});
    const QString wanted = places.empty()
        ? QCoreApplication::translate("CommandPalette", "Find a command")
        : QCoreApplication::translate("CommandPalette", "Find a command, tab, rank or metric");
    quickPick.open(std::move(items), wanted, [entries, places](const QString& id) {
        const auto number = static_cast<std::size_t>(id.toULongLong());
        if (number >= entries.size())
            return places[number - entries.size()].go();
        // The menu may have been rebuilt in the meantime.
        if (QAction* action = entries[number].action)
            action->trigger();
    });
}

} // namespace collscope
