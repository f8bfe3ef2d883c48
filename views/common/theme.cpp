// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/theme.h"

#include "metrics/looks/shades.h"

#include <QStyleFactory>

namespace collscope {

namespace {

QPalette paletteOf(const SurfaceShades& colors)
{
    QPalette palette;
    const auto set
        = [&](QPalette::ColorRole role, QRgb color) { palette.setColor(role, QColor::fromRgb(color)); };
    set(QPalette::Window, colors.window);
    set(QPalette::WindowText, colors.text);
    set(QPalette::Base, colors.base);
    set(QPalette::AlternateBase, colors.grid);
    set(QPalette::Text, colors.text);
    set(QPalette::PlaceholderText, colors.dimText);
    set(QPalette::Button, colors.base);
    set(QPalette::ButtonText, colors.text);
    set(QPalette::ToolTipBase, colors.base);
    set(QPalette::ToolTipText, colors.text);
    set(QPalette::Highlight, colors.selection);
    set(QPalette::HighlightedText, colors.text);
    set(QPalette::Link, colors.accent);
    set(QPalette::Light, colors.base);
    set(QPalette::Midlight, colors.grid);
    set(QPalette::Mid, colors.line);
    set(QPalette::Dark, colors.line);
    set(QPalette::Shadow, colors.line);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, QColor::fromRgb(colors.dimText));
    return palette;
}

/// Styles that a Fusion palette cannot express: flat docks, tabs and tables with thin lines.
QString styleSheet(const SurfaceShades& colors)
{
    const auto name = [](QRgb color) { return QColor::fromRgb(color).name(); };
    const QString theme = &colors == &darkSurfaces ? QStringLiteral("dark") : QStringLiteral("light");
    const QString chevron = QStringLiteral(":/icons/chevron-%1.svg").arg(theme);
    const QString upChevron = QStringLiteral(":/icons/chevron-up-%1.svg").arg(theme);
    const QString closedBranch = QStringLiteral(":/icons/chevron-right-%1.svg").arg(theme);
    const QString onAccent = &colors == &darkSurfaces ? QStringLiteral("#10151b") : QStringLiteral("#ffffff");
    const QString controls
        = QStringLiteral(
              "QPushButton, QToolButton, QComboBox { background: %1; color: %2; border: 1px solid %3; "
              "border-radius: 5px;"
              " padding: 5px 12px; }"
              "QPushButton:hover, QToolButton:hover, QComboBox:hover { border-color: %4; }"
              "QPushButton:focus, QToolButton:focus, QComboBox:focus { border-color: %4; }"
              "QPushButton:disabled, QToolButton:disabled, QComboBox:disabled { color: %5; }"
              "QPushButton:default:enabled, QToolButton#primary { background: %4; color: %6; border-color: "
              "%4; }"
              "QPushButton:flat { background: transparent; border: none; color: %4; }"
              "QPushButton:flat:checked { text-decoration: underline; }"
              // A list below the box: one over it has no room for its last row.
              "QComboBox { padding: 4px 8px; combobox-popup: 0; } QComboBox::drop-down { border: none; "
              "width: 20px; }"
              "QComboBox::down-arrow { image: url(%7); width: 10px; height: 10px; }"
              "QComboBox QAbstractItemView { background: %1; border: 1px solid %3; "
              "selection-background-color: %8; outline: none; }"
              "QComboBox QAbstractItemView::item { min-height: 22px; padding-left: 6px; }"
              "QTreeView::indicator, QCheckBox::indicator { width: 12px; height: 12px; border: 1px solid %5; "
              "border-radius: 3px; }"
              "QTreeView::indicator:checked, QCheckBox::indicator:checked { background: %4; border-color: "
              "%4; image: "
              "url(:/icons/check.svg); }"
              "QTreeView::indicator:indeterminate { background: %4; border-color: %4; image: "
              "url(:/icons/dash.svg); }"
              "QMenuBar::item { padding: 6px 10px; } QMenuBar::item:selected { background: %8; }"
              "QLabel#sectionTitle { color: %5; font-weight: 600; }"
              "QTreeView::branch { image: none; border-image: none; background: transparent; }"
              "QTreeView::branch:has-children:open { image: url(%7); }"
              "QTreeView::branch:has-children:closed { image: url(%9); }"
              "QLineEdit { background: %1; color: %2; border: 1px solid %3; border-radius: 4px; padding: 4px "
              "8px; }"
              "QLineEdit:focus { border-color: %4; }"
              "QTreeView::item { height: 24px; } QTableView::item { padding-left: 8px; padding-right: 8px; }")
              .arg(name(colors.base), name(colors.text), name(colors.line), name(colors.accent),
                   name(colors.dimText), onAccent, chevron, name(colors.selection), closedBranch);
    // Chart controls are in the narrow name column.
    const QString chartControls
        = QStringLiteral("QToolButton:checked { background: %1; border-color: %2; }"
                         "QWidget#chartHeader QPushButton, QWidget#chartHeader QComboBox { padding: 2px 7px; "
                         "min-height: 17px; }"
                         "QWidget#chartHeader QToolButton { padding: 2px 3px; min-height: 17px; }"
                         "QWidget#chartHeader QSpinBox { padding: 2px 0px 2px 4px; min-height: 17px; }"
                         "QPushButton::menu-indicator { image: url(%3); width: 10px; height: 10px; "
                         "subcontrol-origin: padding; subcontrol-position: right center; right: 5px; }"
                         "QSpinBox { background: %4; color: %5; border: 1px solid %6; border-radius: 5px; }"
                         "QSpinBox:hover, QSpinBox:focus { border-color: %2; }"
                         "QSpinBox::up-button, QSpinBox::down-button { border: none; width: 14px; }"
                         "QSpinBox::up-arrow { image: url(%7); width: 8px; height: 8px; }"
                         "QSpinBox::down-arrow { image: url(%3); width: 8px; height: 8px; }")
              .arg(name(colors.selection), name(colors.accent), chevron, name(colors.base), name(colors.text),
                   name(colors.line), upChevron);
    // Fusion's groove and handle cannot be seen on a dark ground. The groove is as high as the slider, so
    // that a click beside its line counts.
    const QString sliders
        = QStringLiteral(
              "QSlider { min-height: 20px; } QSlider::groove { height: 20px; background: transparent; }"
              "QSlider::add-page { margin: 9px 0; background: %1; }"
              "QSlider::sub-page { margin: 9px 0; background: %2; }"
              "QSlider::handle { width: 12px; margin: 4px 0; border-radius: 6px; background: %2; }"
              "QSlider::handle:hover, QSlider::handle:focus { border: 2px solid %3; width: 8px; }")
              .arg(name(colors.dimText), name(colors.accent), name(colors.text));
    return controls + chartControls + sliders
        + QStringLiteral(
              "QMainWindow::separator { background: %1; width: 1px; height: 1px; }"
              "QToolBar { border: none; border-bottom: 1px solid %1; padding: 5px 8px; spacing: 8px; }"
              "QStatusBar { border-top: 1px solid %1; } QStatusBar::item { border: none; }"
              "QMenuBar { background: %2; } QDockWidget { titlebar-close-icon: none; }"
              "QTableView, QTreeView, QListView { border: none; gridline-color: %1; }"
              "QHeaderView::section { background: %3; color: %4; border: none; border-bottom: 1px solid %1;"
              " padding: 5px 12px 5px 6px; }"
              // In the padding, so that it never covers the heading.
              "QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-origin: border; "
              "subcontrol-position: center right; right: 1px; width: 9px; height: 9px; }"
              "QHeaderView::up-arrow { image: url(%7); } QHeaderView::down-arrow { image: url(%8); }"
              "QTabBar::tab { padding: 6px 4px; border: none; color: %4; background: transparent; }"
              "QTabBar::scroller { width: 48px; } QTabBar QToolButton { padding: 0; border: none; }"
              // Qt's own buttons are too small for more than their icon.
              "QFileDialog QToolButton, QToolButton#qt_toolbar_ext_button, QToolButton#qt_menubar_ext_button "
              "{ padding: 2px; }"
              "QTabBar::tab:selected { color: %5; border-bottom: 2px solid %6; }"
              "QToolTip { border: 1px solid %1; padding: 4px; }")
              .arg(name(colors.line), name(colors.window), name(colors.base), name(colors.dimText),
                   name(colors.text), name(colors.accent), upChevron, chevron);
}

ThemeChoice applied = ThemeChoice::System; // one per application

} // namespace

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

ThemeChoice appliedTheme()
{
    return applied;
}

void applyTheme(QApplication& application, ThemeChoice choice)
{
    applied = choice;
    // Query the desktop's lightness before our own palette overrides it.
    static const bool desktopIsDark = isDark(QApplication::palette());
    const bool useDark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && desktopIsDark);
    const SurfaceShades& colors = useDark ? darkSurfaces : lightSurfaces;
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteOf(colors));
    application.setStyleSheet(styleSheet(colors));
}

Surfaces surfaces(const QPalette& palette)
{
    const SurfaceShades& c = isDark(palette) ? darkSurfaces : lightSurfaces;
    const auto color = [](QRgb rgb) { return QColor::fromRgb(rgb); };
    return {color(c.window), color(c.base),    color(c.line),   color(c.grid),
            color(c.text),   color(c.dimText), color(c.accent), color(c.selection),
            color(c.better), color(c.worse),   color(c.warning)};
}

} // namespace collscope
