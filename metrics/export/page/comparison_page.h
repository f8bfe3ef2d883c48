// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs side by side as one HTML file: the first is the baseline of all others.

#include "metrics/comparison/comparison.h"
#include "metrics/export/page/page_frame.h"
#include "metrics/export/page/sheet_parts.h"

namespace collscope {

/// A test, compared with the baseline.
struct ComparedOnPage
{
    std::string headline;
    ComparisonReport report; ///< finalReport()
};
/// Plots under a title of their own.
struct PageChapter
{
    std::string title;
    std::vector<PagePicture> pictures;
};
/// What a page says of a run that was loaded for it, made while it was.
struct LoadedOnPage
{
    std::string costs; ///< HTML: what its time is made of, and what costs most
    std::string files; ///< HTML: a table
};
LoadedOnPage loadedOnPage(Analysis& analysis, const std::string& label, const PageOrigin& origin);

struct ComparisonPage
{
    const std::vector<RunSheets>& runs;
    std::vector<ComparedOnPage> tests; ///< one fewer than runs
    std::vector<PageChapter> chapters = {};
    std::vector<LoadedOnPage> loaded
        = {}; ///< one per run, or none: their values may be those of earlier reports
    PageOrigin origin = {};
};
std::string comparisonPage(const ComparisonPage& page);

} // namespace collscope
