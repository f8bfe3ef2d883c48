// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/commands/command_compare.h"

namespace collscope {

namespace {

using Takes = OptionSpec::Takes;

} // namespace

std::unique_ptr<ProgramCommand> compareCommand()
{
    return std::make_unique<CompareCommand>();
}

void ComparedRuns::declare(CommandOptions& options)
{
    options.group("Comparison");
    options.text("--baseline", baseline, "DIR", "Baseline run of the comparison");
    options.texts("--test", tests, Takes::Many, "DIR", "Run to compare with the baseline");
}

Status ComparedRuns::check(const RunInput& input) const
{
    if (!areNamed())
        return {};
    if (baseline.empty() || tests.empty())
        return usageError("A comparison needs --baseline A and --test B.");
    if (!input.paths.empty() || input.demo)
        return usageError("A comparison takes its runs from --baseline and --test; remove the other run.");
    return {};
}

void CompareCommand::declare()
{
    runs.declare(options);
    options.text("--baseline-label", baselineLabel, "TEXT",
                 "Name of the baseline, instead of its folder name");
    options.texts("--test-label", testLabels, Takes::Each, "TEXT", "Name of a test run; one for each --test");
    options.number("--threshold", books.choices.thresholdPercent, 0, 100,
                   "Changes of up to N percent count as similar");
    options.group("Output");
    books.declare(options);
    options.flag("--all", all, "Write all workbooks of the comparison (default)");
    options.flag("--gpu-timeline", gpuTimeline, "Write gpu_timeline_combined and gpu_timeline_comparison");
    options.flag("--collective", collective, "Write collective_combined and collective_comparison");
    options.flag("--final-report", finalReport, "Write final_analysis_report");
    options.flag("--generate-plots", plots, "Write plots/ and performance_analysis_report.html");
    options.flag("--compare-all-runs", compareAllRuns,
                 "Write final_analysis_report_for_all, which compares any number of runs");
    options.flag("--individual-only", individualOnly, "Skip the reports of collectives");
    options.flag("--collective-only", collectiveOnly, "Skip the reports of individual ranks");
    options.flag("--skip-tracelens", books.choices.reuse, "Compare existing reports, if any");
    MeasuringCommand::declare();
}

/// Puts the runs and their names into the input, in the order baseline, tests.
Status CompareCommand::checkRuns()
{
    if (Status checked = runs.check(input); !checked)
        return checked;
    if (!runs.areNamed()) {
        if (input.paths.size() < 2 || input.demo)
            return usageError("A comparison needs at least two runs: compare BASELINE TEST --output DIR.");
        runs.baseline = input.paths.front();
        runs.tests.assign(input.paths.begin() + 1, input.paths.end());
    }
    input.paths = {runs.baseline};
    input.paths.insert(input.paths.end(), runs.tests.begin(), runs.tests.end());
    if (baselineLabel.empty() && testLabels.empty())
        return {};
    if (!input.names.empty())
        return usageError(
            "--name and --baseline-label, --test-label both name the runs of a comparison; use only one of "
            "them.");
    if (testLabels.size() > runs.tests.size())
        return usageError("There are more --test-label options than --test options.");
    input.names = {baselineLabel};
    input.names.insert(input.names.end(), testLabels.begin(), testLabels.end());
    return {};
}

void CompareCommand::chooseBooks()
{
    // As in aorta's run_full_analysis.py, --all writes everything; so does a command without any of these
    // choices.
    const bool nothing = !gpuTimeline && !collective && !finalReport && !plots;
    const bool everything = all || (nothing && !compareAllRuns);
    ReportChoices& choices = books.choices;
    choices.individual = !collectiveOnly;
    choices.collective = !individualOnly;
    choices.gpuTimelineBooks = everything || gpuTimeline;
    choices.collectiveBooks = (everything || collective) && choices.collective;
    choices.finalReport = everything || finalReport;
    choices.allRuns = compareAllRuns;
    choices.plots = everything || plots || compareAllRuns;
}

Status CompareCommand::check()
{
    if (Status checked = books.check(); !checked)
        return checked;
    if (Status checked = checkRuns(); !checked)
        return checked;
    if (individualOnly && collectiveOnly)
        return usageError("--individual-only and --collective-only cannot be combined.");
    if (compareAllRuns && (all || gpuTimeline || collective || finalReport))
        return usageError(
            "--compare-all-runs writes one report of all runs instead of the two-run reports; remove "
            "--all, --gpu-timeline, --collective and --final-report.");
    if (runs.tests.size() > 1 && !compareAllRuns)
        return usageError("Several tests require --compare-all-runs.");
    if (books.folder.empty())
        return usageError("A comparison writes workbooks; give the folder with --output DIR.");
    chooseBooks();
    return MeasuringCommand::check();
}

} // namespace collscope
