// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A page of plots as data, and its painter, for slides and papers on a light background. Uses only QPainter,
// so that batch mode needs neither a display nor Qt Charts.

#include "views/plots/plot.h"

#include <QImage>

namespace collscope {

/// Plots in a grid below a title. Each plot with several named series gets a legend; consecutive plots with
/// the same series share one.
struct PlotPage
{
    QString title, subtitle;
    std::vector<Plot> plots;
    int columns = 1;
    double widthInches = 14, heightInches = 6; ///< at 100 points per inch
};

/// Whether a font is installed. Without one, text cannot be painted.
bool hasFonts();
/// Paints a page at two pixels per point. Requires a QGuiApplication and a font.
QImage paintPlots(const PlotPage& page);

} // namespace collscope
