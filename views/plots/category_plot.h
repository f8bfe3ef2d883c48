// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plots over categories: vertical bars, horizontal bars and coloured cells.

#include "views/plots/plot.h"
#include "views/plots/plot_canvas.h"

namespace collscope {

/// Paints a plot whose form is not Axes.
void paintCategoryPlot(const PlotCanvas& canvas, const Plot& plot, const QRectF& cell);

} // namespace collscope
