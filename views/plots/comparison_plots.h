// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Pictures of a comparison. Their file names match those of aorta's run_full_analysis.py, so that scripts
// find them.

#include "metrics/comparison/comparison.h"
#include "views/plots/metric_plots.h"

namespace collscope {

/// A picture, the report section it belongs to, and its file name.
struct ComparisonPlot
{
    enum class Section
    {
        Overall,
        Ranks,
        Collectives
    } section
        = Section::Overall;
    QString file;
    PlotPage page;
};

/// Plots of the first run against each of the others: changes and times of the GPU, the same by rank, and
/// collectives. Pictures without data are omitted. Precondition: at least two runs.
std::vector<ComparisonPlot> comparisonPlots(const std::vector<RunSheets>& runs,
                                            const CompareOptions& options);

} // namespace collscope
