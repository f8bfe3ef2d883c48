// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The surfaces of the window in light and dark: one QPalette, one small style sheet.

#include <QApplication>
#include <QPalette>

namespace collscope {

enum class ThemeChoice
{
    System,
    Light,
    Dark
};

/// True if the palette's window is darker than its text.
bool isDark(const QPalette& palette);
/// Sets Fusion style, palette and style sheet on the application. System keeps the desktop's lightness.
void applyTheme(QApplication& application, ThemeChoice choice);
/// The choice that was applied last.
ThemeChoice appliedTheme();

/// Colours that QPalette has no role for, for the current lightness.
struct Surfaces
{
    QColor window, base, line, grid, text, dimText, accent, selection, better, worse, warning;
};
Surfaces surfaces(const QPalette& palette);

} // namespace collscope
