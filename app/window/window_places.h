// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the command palette and the menu *Tabs* find besides commands.

#include "app/parts/command_palette.h"

#include <functional>

class QMenu;
class QTabWidget;

namespace collscope {

class MetricsPanel;
class TimelineView;
class ViewState;

/// Makes an entry for each visible tab; none without a run. `tabs` must outlive the entries.
void fillTabsMenu(QMenu& menu, QTabWidget& tabs, const ViewState& state);

/// The ranks, the metrics of the panel and the kernels in the summarized range, whose slices `findName`
/// lists; nothing without a run. All arguments must outlive the palette.
std::vector<PaletteTarget> windowPlaces(MetricsPanel& metrics, TimelineView& timeline, const ViewState& state,
                                        const std::function<void(const QString&)>& findName);

} // namespace collscope
