// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/commands/command_report.h"

#include <algorithm>
#include <array>

namespace collscope {

std::unique_ptr<ProgramCommand> reportCommand()
{
    return std::make_unique<ReportCommand>();
}

void ReportCommand::declare()
{
    options.group("Report");
    options.list("--kind", kinds, "KIND,...",
                 "individual, collective: workbooks of each rank and of all collectives in --output; text: a "
                 "text report of each run; kernels: time by kernel name, printed, or as a workbook in "
                 "--output; nvlink: throughput, peaks and the kernels in them");
    OptionSpec& summary = options.text("--kernel-summary", kernelFile, "FILE",
                                       "Same as --kind kernels, printed; --kernel-summary=FILE writes .json, "
                                       ".csv or text");
    summary.takes = OptionSpec::Takes::Optional;
    summary.place = OptionSpec::Place::OutputFile;
    summary.paths = [this] { return std::vector{kernelFile}; };
    summary.set = [this](const std::string& file) -> Status {
        summarisesKernels = true;
        kernelFile = file == "-" ? std::string() : file;
        return {};
    };
    options.text("--prefix", prefix, "TEXT", "Prefix of the text report's file name: nccl, gloo, nsys");
    options.flag("--json", json, "Print the kernels as JSON");
    options.output("--csv", csvFile, OptionSpec::Place::OutputFile, "FILE|-",
                   "Write the kernels as CSV to a file, '-' for stdout");
    books.declare(options);
    MeasuringCommand::declare();
}

Status ReportCommand::chooseJob()
{
    // The names of nsys' kernel summary.
    constexpr std::array<std::string_view, 4> kernelReports{"kernels", "gpu-kern-summary", "gpukernsum",
                                                            "cuda_gpu_kern_sum"};
    ReportChoices& choices = books.choices;
    std::vector<std::pair<Job, std::string>> jobs;
    for (const std::string& kind : kinds) {
        if (kind == "text")
            jobs.emplace_back(Job::Text, kind);
        else if (kind == "nvlink")
            jobs.emplace_back(Job::Nvlink, kind);
        else if (kind == "individual")
            choices.individual = true;
        else if (kind == "collective")
            choices.collective = true;
        else if (std::find(kernelReports.begin(), kernelReports.end(), kind) == kernelReports.end())
            return usageError("A report is individual, collective, text, kernels or nvlink, not '" + kind
                              + "'.");
        else if (!books.folder.empty())
            choices.kernels = true;
        else
            jobs.emplace_back(Job::Kernels, kind);
    }
    if (choices.individual || choices.collective || choices.kernels)
        jobs.emplace_back(Job::Workbooks,
                          choices.individual       ? "individual"
                              : choices.collective ? "collective"
                                                   : "kernels");
    if (summarisesKernels)
        jobs.emplace_back(Job::Kernels, "--kernel-summary");
    if (jobs.empty())
        return usageError("Give the report with --kind: individual, collective, text, kernels or nvlink.");
    if (jobs.size() > 1)
        return usageError("The reports " + jobs[0].second + " and " + jobs[1].second
                          + " are separate jobs; run them in separate calls.");
    job = jobs.front().first;
    return {};
}

Status ReportCommand::check()
{
    if (Status chosen = chooseJob(); !chosen)
        return chosen;
    if (Status checked = checkOptions(); !checked)
        return checked;
    return MeasuringCommand::check();
}

Status ReportCommand::checkOptions()
{
    if (Status checked = books.check(); !checked)
        return checked;
    if (books.shapesWorkbooks() && job != Job::Workbooks)
        return usageError("--geo-mean, --gib-compat, --full and --report-format apply to "
                          "--report individual,collective,kernels and to comparisons.");
    if (!prefix.empty() && job != Job::Text)
        return usageError("--prefix requires --report text.");
    if (job == Job::Kernels && !books.folder.empty())
        return usageError("--output is a folder for reports and plots, but this output is printed. (--report "
                          "kernels --output DIR writes a workbook of the kernels.)");
    if (job == Job::Workbooks && books.folder.empty())
        return usageError(
            "--report individual and collective write workbooks; give the folder with --output DIR.");
    if (json && job != Job::Kernels)
        return usageError(job == Job::Nvlink
                              ? "--json does not apply here: use --metric nvlink_all,peak_kernels --json."
                              : "--json does not apply here: the output is written to files.");
    if (!csvFile.empty() && job != Job::Kernels)
        return usageError("--csv applies to metrics and to --kernel-summary.");
    if (json && csvFile == "-")
        return usageError("--json and --csv - both write to standard output; give --csv a file.");
    if (job == Job::Text && books.folder.empty())
        books.folder = "trace_analysis";
    return {};
}

int ReportCommand::measure(const HardwareDatabasePtr& hardware) const
{
    switch (job) {
    case Job::Text:
        return runTextReports(*this, hardware);
    case Job::Nvlink:
        return runNvlinkReports(*this, hardware);
    case Job::Kernels:
        return runKernelSummary(*this, hardware);
    case Job::Workbooks:
        break;
    }
    return runReports(*this, hardware);
}

} // namespace collscope
