// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command_line_outputs.h"

#include "metrics/export/tool_sets.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace collscope {

namespace {

using Job = BatchOutputs::Job;

/// A job and the option that requests it.
using AskedJob = std::pair<Job, std::string>;

/// `intoFolder`: whether a folder for workbooks is given.
Status interpretReports(const std::vector<std::string>& reports, bool intoFolder, ReportChoices& choices,
                        std::vector<AskedJob>& jobs)
{
    // The names of nsys' kernel summary.
    constexpr std::array<std::string_view, 4> kernelReports{"kernels", "gpu-kern-summary", "gpukernsum",
                                                            "cuda_gpu_kern_sum"};
    for (const std::string& report : reports) {
        if (report == "text")
            jobs.emplace_back(Job::TextReport, "--report text");
        else if (report == "nvlink")
            jobs.emplace_back(Job::NvlinkReport, "--report nvlink");
        else if (report == "individual")
            choices.individual = true;
        else if (report == "collective")
            choices.collective = true;
        else if (std::find(kernelReports.begin(), kernelReports.end(), report) == kernelReports.end())
            return usageError("--report takes individual, collective, text, kernels or nvlink, not '" + report
                              + "'.");
        else if (intoFolder)
            choices.kernels = true;
        else
            jobs.emplace_back(Job::KernelSummary, "--report " + report);
    }
    if (choices.individual)
        jobs.emplace_back(Job::Reports, "--report individual");
    else if (choices.collective)
        jobs.emplace_back(Job::Reports, "--report collective");
    else if (choices.kernels)
        jobs.emplace_back(Job::Reports, "--report kernels");
    return {};
}

Status interpretTools(std::vector<std::string>& tools)
{
    std::vector<std::string> names;
    for (const std::string& tool : tools) {
        if (tool == "all") {
            for (const ToolSet& set : allToolSets())
                names.emplace_back(set.name);
            continue;
        }
        if (!findToolSet(tool) && !findMetric(tool)) {
            std::string known;
            for (const ToolSet& set : allToolSets())
                known.append(set.name).append(", ");
            return usageError("--tools takes " + known + "all or the name of a metric, not '" + tool + "'.");
        }
        names.push_back(tool);
    }
    tools = std::move(names);
    return {};
}

/// An error names an option that the selected job would ignore.
Status checkCombination(const CommandLine& result)
{
    const BatchOutputs& outputs = result.outputs;
    const bool plots = outputs.paints() && outputs.job != Job::Comparison;
    if (!plots
        && (outputs.linear || outputs.combined || outputs.widthInches || outputs.heightInches
            || !outputs.title.empty() || outputs.show))
        return usageError(
            "--linear, --combined, --title, --width, --height and --show apply to plots; give --plot "
            "FILE.png or --output DIR.");
    if (!outputs.prefix.empty() && outputs.job != Job::TextReport)
        return usageError("--prefix requires --report text.");
    if (!outputs.cleanFolder.empty() && outputs.job != Job::Doctor)
        return usageError("--write-clean requires --doctor.");
    if (outputs.job != Job::Values) {
        if (!outputs.plotPath.empty() || !outputs.leaderboardFile.empty() || !result.outputJsonFile.empty()
            || result.explain)
            return usageError(
                "--plot, --leaderboard, --output-json and --explain apply to metrics; use them in a "
                "separate call.");
        const bool prints = outputs.job == Job::Tools || outputs.job == Job::KernelSummary
            || outputs.job == Job::ExplainStep || outputs.job == Job::Doctor;
        if (prints && !outputs.folder.empty())
            return usageError(
                "--output is a folder for reports and plots, but this output is printed. (--report "
                "kernels --output DIR writes a workbook of the kernels.)");
        if (outputs.job == Job::Reports && outputs.folder.empty())
            return usageError(
                "--report individual and collective write workbooks; give the folder with --output DIR.");
        if (result.json
            && (outputs.job == Job::TextReport || outputs.job == Job::NvlinkReport
                || outputs.job == Job::Scripts || outputs.job == Job::Kit || outputs.job == Job::Reports
                || outputs.job == Job::Comparison))
            return usageError(outputs.job == Job::NvlinkReport
                                  ? "--json does not apply here: use --metric nvlink_all,peak_kernels --json."
                                  : "--json does not apply here: the output is written to files.");
        const bool takesCsv = outputs.job == Job::KernelSummary;
        if (!result.csvFile.empty() && !takesCsv)
            return usageError("--csv applies to metrics and to --kernel-summary.");
        if (!result.requests.empty() && outputs.job != Job::Iterations)
            return usageError("--metric does not apply here: the metrics of this output are fixed.");
    }
    if (isPng(outputs.plotPath) && result.requests.size() != 1)
        return usageError("--plot FILE.png draws one metric; give --metric ID, or a folder for several.");
    return {};
}

} // namespace

bool isPng(const std::string& path)
{
    return lowered(std::filesystem::path(path).extension().string()) == ".png";
}

Status interpretOutputs(const RawOutputs& raw, CommandLine& result)
{
    BatchOutputs& outputs = result.outputs;
    result.json = result.json || raw.format == "json";
    std::vector<AskedJob> jobs;
    if (!outputs.tools.empty())
        jobs.emplace_back(Job::Tools, "--tools");
    if (Status step = interpretReports(raw.reports, !outputs.folder.empty(), outputs.reports, jobs); !step)
        return step;
    if (Status step = interpretReportOptions(raw.books, result); !step)
        return step;
    if (raw.books.isComparison())
        jobs.emplace_back(Job::Comparison, "--baseline");
    if (Status step = interpretTools(outputs.tools); !step)
        return step;
    if (raw.examines)
        jobs.emplace_back(Job::Doctor, "--doctor");
    if (outputs.explainStep)
        jobs.emplace_back(Job::ExplainStep, "--explain-step");
    if (!raw.kernelSummary.empty()) {
        jobs.emplace_back(Job::KernelSummary, "--kernel-summary");
        outputs.kernelSummaryFile = raw.kernelSummary == "-" ? std::string() : raw.kernelSummary;
    }
    if (!raw.scriptsFolder.empty()) {
        jobs.emplace_back(Job::Scripts, "--write-scripts");
        outputs.folder = raw.scriptsFolder;
    }
    if (!raw.kitFolder.empty()) {
        jobs.emplace_back(Job::Kit, "--write-kit");
        outputs.folder = raw.kitFolder;
    }
    if (!raw.traceBase.empty()) {
        result.paths.push_back(raw.traceBase);
        result.load.iteration.mode = IterationChoice::Mode::All;
    }
    const bool allIterations = result.load.iteration.mode == IterationChoice::Mode::All;
    if (!raw.summaryFolder.empty()) {
        jobs.emplace_back(Job::Iterations, "--summary");
        outputs.folder = raw.summaryFolder;
    } else if (allIterations && !outputs.folder.empty() && jobs.empty() && outputs.plotPath.empty()) {
        jobs.emplace_back(Job::Iterations, "--iteration all --output");
    }
    if (jobs.size() > 1)
        return usageError(jobs[0].second + " and " + jobs[1].second
                          + " are separate jobs; run them in separate calls.");
    if (!jobs.empty())
        outputs.job = jobs.front().first;
    if (outputs.job == Job::TextReport && outputs.folder.empty())
        outputs.folder = "trace_analysis";
    // As in CCL-Bench's nvlink_plotting, a folder alone requests the plots.
    if (outputs.job == Job::Values && outputs.plotPath.empty())
        outputs.plotPath = outputs.folder;
    else if (outputs.job == Job::Values && !outputs.folder.empty())
        return usageError("--plot and --output both set the location of the plots; give only one of them.");
    return checkCombination(result);
}

} // namespace collscope
