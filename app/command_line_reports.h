// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What the options of reports and comparisons mean together. The options themselves are declared in
// command_line_options.cpp.

#include "app/command_line.h"

namespace collscope {

/// The text of those options that need more than a look at their type.
struct RawReports
{
    std::string baseline, baselineLabel;
    std::vector<std::string> tests, testLabels;
    bool all = false, gpuTimeline = false, collective = false, finalReport = false, plots = false,
         compareAllRuns = false;
    bool individualOnly = false, collectiveOnly = false;
    std::optional<double> threshold;
    std::vector<std::string> formats;

    bool isComparison() const { return !baseline.empty() || !tests.empty(); }
};

/// --baseline and --test without --batch: a comparison on screen. "" or a sentence about the first mistake.
std::string interpretComparisonWindow(const RawReports& raw, CommandLine& result);

/// Fills BatchOutputs::reports; the text of the first mistake, or "". The job is for the caller.
std::string interpretReportOptions(const RawReports& raw, CommandLine& result);

} // namespace collscope
