// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// A comparison as one HTML file that needs no other: pictures, the dashboard's table, what readers should
// know.

#include "metrics/reports/comparison.h"
#include "views/plots/comparison_plots.h"

#include <string>
#include <utility>
#include <vector>

namespace collscope {

/// A picture as PNG and where it belongs.
using PagePicture = std::pair<const ComparisonPlot*, QByteArray>;

/// The baseline and one test: what is to be read first, and tables that show it.
struct PageComparison
{
    std::string headline;
    std::vector<Sheet> tables; ///< of finalReport()
};

/// A page of tables and pictures about one or several runs, as one HTML file.
struct ReportPage
{
    QString title;
    std::vector<Sheet> tables;
    std::vector<std::pair<QString, QByteArray>> pictures; ///< what each shows, and its PNG
    std::vector<std::string> notes;
};
std::string reportPage(const ReportPage& page);

/// `comparisons`: of the baseline with each test. Empty tables and sections without a picture are left out.
std::string comparisonPage(const std::vector<RunSheets>& runs, const std::vector<PageComparison>& comparisons,
                           const std::vector<PagePicture>& pictures, const std::vector<std::string>& notes);

} // namespace collscope
