// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A comparison as one self-contained HTML file: plots, the dashboard's table, and notes for the reader.

#include "metrics/comparison/comparison.h"
#include "views/plots/comparison_plots.h"

#include <string>
#include <utility>
#include <vector>

namespace collscope {

/// A plot and its PNG.
using PagePicture = std::pair<const ComparisonPlot*, QByteArray>;

/// A comparison of the baseline with one test: headline and supporting tables.
struct PageComparison
{
    std::string headline;
    std::vector<ComparedSheet> tables; ///< of finalReport(), asRead()
};

/// A page of tables and plots about one or several runs, as one HTML file.
struct ReportPage
{
    QString title;
    std::vector<Sheet> tables;
    std::vector<std::pair<QString, QByteArray>> pictures; ///< title and PNG
    std::vector<std::string> notes;
};
std::string reportPage(const ReportPage& page);

/// `comparisons`: of the baseline with each test. Empty tables and sections without plots are omitted.
std::string comparisonPage(const std::vector<RunSheets>& runs, const std::vector<PageComparison>& comparisons,
                           const std::vector<PagePicture>& pictures, const std::vector<std::string>& notes);

} // namespace collscope
