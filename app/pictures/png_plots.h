// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Pages of plots as PNG files, drawn without a display.

#include "views/plots/plot_page.h"

#include <QByteArray>

#include <string>

namespace collscope {

inline constexpr const char* noFontSentence
    = "no font is installed, so text cannot be drawn; install fonts-dejavu-core.";
/// Whether text can be drawn; otherwise prints a sentence to stderr.
bool canPaint();
/// Renders a page as PNG; empty on failure.
QByteArray pngOf(const PlotPage& page);
/// Renders and writes one PNG. Returns false, with a sentence on stderr, on failure.
bool writePlot(const std::string& path, const PlotPage& page);

} // namespace collscope
