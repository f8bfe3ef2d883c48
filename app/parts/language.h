// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Shows the window in the language of the desktop. --batch, exported files and metric names stay English.

#include <QLocale>

namespace collscope {

/// Loads the texts of the program and of Qt in the language of `locale` if catalogues exist; otherwise
/// English. Called once, before windows are created.
void useLanguage(QLocale locale = QLocale());

} // namespace collscope
