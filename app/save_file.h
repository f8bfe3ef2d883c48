// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Files that a person saves from a window.

#include <QByteArray>
#include <QStringList>

#include <functional>

class QWidget;

namespace collscope {

/// Asks where to save and returns at once; `chosen` is called with the path, unless the dialog is cancelled.
/// `filters` are those of QFileDialog, one suffix each: the chosen one becomes the suffix of the name.
void askWhereToSave(QWidget* window, const QString& caption, const QString& suggestion,
                    const QStringList& filters, const std::function<void(const QString& path)>& chosen);
/// Writes a file, all of it or nothing. Answers with a sentence that says why it could not; empty: done.
QString saveFile(const QString& path, const QByteArray& content);

} // namespace collscope
