// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The light and dark theme: one QPalette and one small style sheet.

#include "views/common/theme_choice.h"

#include <QApplication>
#include <QPalette>

namespace collscope {

/// Whether the palette's window is darker than its text.
bool isDark(const QPalette& palette);
/// Sets Fusion style, palette and style sheet of the application. System follows the desktop.
void applyTheme(QApplication& application, ThemeChoice choice);
/// The most recently applied choice.
ThemeChoice appliedTheme();

/// Colours without a role in QPalette, for the current lightness.
struct Surfaces
{
    QColor window, base, line, grid, text, dimText, accent, selection, better, worse, warning;
};
Surfaces surfaces(const QPalette& palette);

} // namespace collscope
