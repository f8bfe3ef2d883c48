// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Files that the user saves from a window.

#include "model/result.h"

#include <QByteArray>
#include <QStringList>

#include <functional>

class QWidget;

namespace collscope {

/// Asks for a file name and returns immediately; `chosen` is called with the path unless the dialog is
/// cancelled. `filters`: as for QFileDialog, one suffix each. The chosen filter sets the suffix of the name.
void askWhereToSave(QWidget* window, const QString& caption, const QString& suggestion,
                    const QStringList& filters, const std::function<void(const QString& path)>& chosen);
/// Writes a file completely or not at all.
Status saveFile(const QString& path, const QByteArray& content);

} // namespace collscope
