// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All commands of a window, searchable by name: collected from the menus, so that the list is complete.

#include "views/widgets/quick_pick.h"

class QAction;
class QMenu;

namespace collscope {

/// A command as it appears in a menu.
struct PaletteEntry
{
    QPointer<QAction> action;
    QString path; ///< "File \u203a Open recent"
};

/// Returns the entries of the menus and their submenus, in order, without separators and hidden entries.
/// A place in the window, which is found like a command.
struct PaletteTarget
{
    QString text;
    QString path; ///< its kind
    std::function<void()> go;
};

std::vector<PaletteEntry> paletteEntries(const std::vector<QMenu*>& menus);
/// Opens the quick pick with all commands and triggers the picked one. The tool tip of a disabled command
/// explains why it is disabled.
void openCommandPalette(QuickPick& quickPick, const std::vector<QMenu*>& menus,
                        const std::vector<PaletteTarget>& places = {});

} // namespace collscope
