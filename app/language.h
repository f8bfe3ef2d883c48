// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window in the language of the desktop. Batch, files that are exported, and names of metrics stay
// English.

#include <QLocale>

namespace collscope {

/// Texts of the program and of Qt in the language of `locale`, as far as there are catalogues; English
/// otherwise. Called once, before there are windows.
void useLanguage(QLocale locale = QLocale());

} // namespace collscope
