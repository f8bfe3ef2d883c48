// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Pictures of a comparison, under the names that aorta's run_full_analysis.py gives its own, so that scripts
// find them.

#include "metrics/reports/comparison.h"
#include "views/plots/metric_plots.h"

namespace collscope {

/// A picture, the section of a page that it belongs to, and the name of its file.
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

/// What there is to draw of the first run against each of the others: changes and times of the GPU, the same
/// by rank, and collectives. Pictures without data are left out. Precondition: at least two runs.
std::vector<ComparisonPlot> comparisonPlots(const std::vector<RunSheets>& runs,
                                            const CompareOptions& options);

} // namespace collscope
