// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All keys and gestures of a window in one list.

#include <QString>

class QWidget;

namespace collscope {

class Actions;

/// The keys of the timeline and of each menu as an HTML table with headings: those whose key or meaning
/// contains `filter`; all, if it is empty.
QString keyOverview(const Actions& actions, const QString& filter = {});

/// Shows the key overview of a window in a separate, non-modal dialog with a filter.
void showKeyOverview(QWidget* window, const Actions& actions);

} // namespace collscope
