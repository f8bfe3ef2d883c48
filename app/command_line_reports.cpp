// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command_line_reports.h"

#include <algorithm>

namespace collscope {

namespace {

/// Checks the options of a command without a comparison. An error names an option of comparisons.
Status checkWithoutComparison(const RawReports& raw, const ReportChoices& reports)
{
    const std::pair<bool, const char*> options[] = {{raw.all, "--all"},
                                                    {raw.gpuTimeline, "--gpu-timeline"},
                                                    {raw.collective, "--collective"},
                                                    {raw.finalReport, "--final-report"},
                                                    {raw.plots, "--generate-plots"},
                                                    {raw.compareAllRuns, "--compare-all-runs"},
                                                    {raw.individualOnly, "--individual-only"},
                                                    {raw.collectiveOnly, "--collective-only"},
                                                    {reports.reuse, "--skip-tracelens"},
                                                    {!raw.baselineLabel.empty(), "--baseline-label"},
                                                    {!raw.testLabels.empty(), "--test-label"},
                                                    {raw.threshold.has_value(), "--threshold"}};
    for (const auto& [isGiven, name] : options) {
        if (isGiven)
            return usageError(std::string(name) + " applies to comparisons; give --baseline A --test B.");
    }
    const bool reportsRun = reports.individual || reports.collective || reports.kernels;
    const bool shapesReports
        = reports.geometricMean || reports.gibCompat || reports.isFull || !raw.formats.empty();
    if (shapesReports && !reportsRun)
        return usageError("--geo-mean, --gib-compat, --full and --report-format apply to "
                          "--report individual,collective,kernels and to comparisons.");
    return {};
}

/// Interprets the run names, in the order baseline, tests.
Status interpretLabels(const RawReports& raw, CommandLine& result)
{
    if (raw.baselineLabel.empty() && raw.testLabels.empty())
        return {};
    if (!result.names.empty())
        return usageError(
            "--name and --baseline-label, --test-label both name the runs of a comparison; use only one "
            "of them.");
    if (raw.testLabels.size() > raw.tests.size())
        return usageError("There are more --test-label options than --test options.");
    result.names = {raw.baselineLabel};
    result.names.insert(result.names.end(), raw.testLabels.begin(), raw.testLabels.end());
    return {};
}

Status interpretFormats(const std::vector<std::string>& formats, ReportChoices& reports)
{
    const auto has
        = [&](const char* name) { return std::find(formats.begin(), formats.end(), name) != formats.end(); };
    reports.asXlsx = formats.empty() || has("xlsx");
    reports.asCsv = has("csv");
    reports.asJson = has("json");
    const auto unknown = std::find_if(formats.begin(), formats.end(), [](const std::string& format) {
        return format != "xlsx" && format != "csv" && format != "json";
    });
    if (unknown != formats.end())
        return usageError("--report-format takes xlsx, csv and json, not '" + *unknown + "'.");
    return {};
}

/// Checks the runs named for a comparison.
Status checkRuns(const RawReports& raw, const CommandLine& result)
{
    if (raw.baseline.empty() || raw.tests.empty())
        return usageError("A comparison needs --baseline A and --test B.");
    if (!result.paths.empty() || result.demo)
        return usageError("A comparison takes its runs from --baseline and --test; remove the other run.");
    return {};
}

} // namespace

Status interpretComparisonWindow(const RawReports& raw, CommandLine& result)
{
    if (!raw.isComparison())
        return {};
    if (Status step = checkRuns(raw, result); !step)
        return step;
    result.paths = {raw.baseline};
    result.comparedPaths = raw.tests;
    return {};
}

Status interpretReportOptions(const RawReports& raw, CommandLine& result)
{
    ReportChoices& reports = result.outputs.reports;
    if (Status step = interpretFormats(raw.formats, reports); !step)
        return step;
    if (!raw.isComparison())
        return checkWithoutComparison(raw, reports);
    if (Status step = checkRuns(raw, result); !step)
        return step;
    if (raw.individualOnly && raw.collectiveOnly)
        return usageError("--individual-only and --collective-only cannot be combined.");
    if (raw.compareAllRuns && (raw.all || raw.gpuTimeline || raw.collective || raw.finalReport))
        return usageError(
            "--compare-all-runs writes one report of all runs instead of the two-run reports; remove "
            "--all, --gpu-timeline, --collective and --final-report.");
    if (raw.tests.size() > 1 && !raw.compareAllRuns)
        return usageError("Several --test runs require --compare-all-runs.");
    if (result.outputs.folder.empty())
        return usageError("A comparison writes workbooks; give the folder with --output DIR.");
    if (Status step = interpretLabels(raw, result); !step)
        return step;
    result.paths = {raw.baseline};
    result.paths.insert(result.paths.end(), raw.tests.begin(), raw.tests.end());
    reports.thresholdPercent = raw.threshold.value_or(reports.thresholdPercent);
    // As in aorta's run_full_analysis.py, --all writes everything; so does a command without any of these
    // choices.
    const bool nothing = !raw.gpuTimeline && !raw.collective && !raw.finalReport && !raw.plots;
    const bool all = raw.all || (nothing && !raw.compareAllRuns);
    reports.individual = !raw.collectiveOnly;
    reports.collective = !raw.individualOnly;
    reports.gpuTimelineBooks = all || raw.gpuTimeline;
    reports.collectiveBooks = (all || raw.collective) && reports.collective;
    reports.finalReport = all || raw.finalReport;
    reports.allRuns = raw.compareAllRuns;
    reports.plots = all || raw.plots || raw.compareAllRuns;
    return {};
}

} // namespace collscope
