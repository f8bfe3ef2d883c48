// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Every command of a window, to be found by name: made from the menus, so that none is missing.

#include "views/quick_pick.h"

class QAction;
class QMenu;

namespace collscope {

/// A command as a menu offers it.
struct PaletteEntry
{
    QPointer<QAction> action;
    QString path; ///< "File \u203a Open recent"
};

/// What the menus and their submenus hold, in their order; neither separators nor what is hidden.
std::vector<PaletteEntry> paletteEntries(const std::vector<QMenu*>& menus);
/// Opens the quick pick with all of them; what is picked is triggered. What is disabled says why by its tool
/// tip.
void openCommandPalette(QuickPick& quickPick, const std::vector<QMenu*>& menus);

} // namespace collscope
