// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Interprets the options of reports and comparisons together. command_line_options.cpp declares them.

#include "app/command_line.h"

namespace collscope {

/// Text of the report options whose validation needs more than their type.
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

/// Interprets --baseline and --test without --batch: a comparison in the window. An error is the first
/// mistake.
Status interpretComparisonWindow(const RawReports& raw, CommandLine& result);

/// Fills BatchOutputs::reports but does not set the job. An error is the first mistake.
Status interpretReportOptions(const RawReports& raw, CommandLine& result);

} // namespace collscope
