// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Jobs of --batch other than a list of metrics: tool sets, text reports, kernel summary, scripts.

#include "app/cli/command_interrupts.h"
#include "app/commands/command_metrics.h"
#include "app/commands/command_report.h"
#include "app/files/batch_io.h"
#include "app/runtime/environment.h"
#include "metrics/export/kernel_summary.h"
#include "metrics/export/nvlink_report.h"
#include "metrics/export/text_report.h"
#include "metrics/export/tool_sets.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <functional>
#include <set>

namespace collscope {

namespace {

/// Loads each run and passes it to f. The first failure determines the exit code; the remaining runs are
/// still processed.
int forEachRun(const MeasuringCommand& command,
               const std::function<int(const BatchRun&, const TraceModel&)>& f)
{
    int code = Done;
    for (const BatchRun& run : runsOf(command.input)) {
        const auto model = loadRun(command, run);
        const int own = model ? f(run, **model) : sayNotLoaded(model.error());
        if (isInterrupted()) {
            say("cancelled.");
            return Cancelled;
        }
        code = code == Done ? own : code;
    }
    return code;
}

/// Returns the metrics of a tool set, or the one metric with that name.
Value::Object toolValues(Analysis& analysis, const std::string& tool, bool& anyValue)
{
    std::vector<std::string> ids{tool};
    if (const ToolSet* set = findToolSet(tool))
        ids.assign(set->metrics.begin(), set->metrics.end());
    Value::Object values;
    for (const std::string& id : ids) {
        MetricResult result;
        if (const auto request = findMetric(id))
            result = evaluate(analysis, *request);
        else
            result.reason = "this version has no metric " + id + ".";
        anyValue = anyValue || result.state == MetricState::Value;
        values.emplace_back(id, resultValue(result));
    }
    return values;
}

/// Returns the time in the report's name: now, or SOURCE_DATE_EPOCH (reproducible-builds.org) in UTC.
std::string timeStamp()
{
    const auto epoch = numberOf<std::int64_t>(environmentVariable("SOURCE_DATE_EPOCH"));
    const std::time_t time = epoch ? static_cast<std::time_t>(*epoch) : std::time(nullptr);
    std::tm parts{};
    if (epoch)
        gmtime_r(&time, &parts);
    else
        localtime_r(&time, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y%m%d-%H%M%S", &parts);
    return text.data();
}

/// Returns the name, or a numbered variant if this call already used it for another run.
std::string unusedName(const std::string& name, std::set<std::string>& used)
{
    const std::filesystem::path path(name);
    std::string candidate = name;
    for (int n = 2; !used.insert(candidate).second; ++n)
        candidate = path.stem().string() + "_" + std::to_string(n) + path.extension().string();
    return candidate;
}

std::string kernelsIn(const std::string& ending, const std::vector<KernelSummaryRow>& rows)
{
    return ending == ".json" ? kernelSummaryJson(rows)
        : ending == ".csv"   ? kernelSummaryCsv(rows)
                             : kernelSummaryText(rows);
}

} // namespace

int runTools(const MetricsCommand& command, const HardwareDatabasePtr& hardware)
{
    const MetricOptions options = metricOptions(command.selection, hardware);
    const std::size_t runs = runsOf(command.input).size();
    Value::Object byRun;
    bool anyValue = false;
    const int code = forEachRun(command, [&](const BatchRun& run, const TraceModel& model) {
        Analysis analysis(model, options);
        Value::Object byTool;
        for (const std::string& tool : command.tools)
            byTool.emplace_back(tool, toolValues(analysis, tool, anyValue));
        byRun.emplace_back(run.label, std::move(byTool));
        return Done;
    });
    if (byRun.empty() || code == Cancelled)
        return code;
    if (!print(jsonText(runs == 1 ? byRun.front().second : Value(byRun))))
        return NotWritten;
    if (anyValue)
        return Done;
    say("none of these metrics is available; the JSON gives the reason for each.");
    return NotAvailable;
}

int runTextReports(const ReportCommand& command, const HardwareDatabasePtr& hardware)
{
    const MetricOptions options = metricOptions(command.selection, hardware);
    const std::string stamp = timeStamp();
    std::set<std::string> used;
    return forEachRun(command, [&](const BatchRun&, const TraceModel& model) -> int {
        Analysis analysis(model, options);
        const std::string report = textReport(analysis);
        if (isInterrupted())
            return Cancelled;
        const std::string& folder = command.books.folder;
        const std::string path
            = pathIn(folder, unusedName(textReportName(analysis, command.prefix, stamp), used));
        return makeFolder(folder) && writeFile(path, report) && print(path + "\n") ? Done : NotWritten;
    });
}

int runNvlinkReports(const ReportCommand& command, const HardwareDatabasePtr& hardware)
{
    const MetricOptions options = metricOptions(command.selection, hardware);
    const std::string& folder = command.books.folder;
    std::set<std::string> used;
    return forEachRun(command, [&](const BatchRun&, const TraceModel& model) -> int {
        Analysis analysis(model, options);
        const auto report = nvlinkReport(analysis, command.selection.peaks.value_or(usualNvlinkPeaks));
        if (isInterrupted())
            return Cancelled;
        if (!report) {
            say("the NVLink report is not available: " + report.error().message);
            return NotAvailable;
        }
        if (folder.empty())
            return printLines(*report) ? Done : NotWritten;
        const std::string path = pathIn(folder, unusedName("nvlink_report.txt", used));
        return makeFolder(folder) && writeFile(path, *report) && print(path + "\n") ? Done : NotWritten;
    });
}

int runKernelSummary(const ReportCommand& command, const HardwareDatabasePtr& hardware)
{
    const MetricOptions options = metricOptions(command.selection, hardware);
    if (!isOneRun(runsOf(command.input), "--kernel-summary"))
        return WrongUsage;
    return forEachRun(command, [&](const BatchRun&, const TraceModel& model) -> int {
        const auto rows = kernelSummary(model, options);
        if (!rows) {
            say("the kernel summary is not available: " + rows.error().message);
            return NotAvailable;
        }
        const std::string& file = command.kernelFile;
        if (!file.empty()
            && !writeFile(
                file,
                kernelsIn(command.json ? ".json" : std::filesystem::path(file).extension().string(), *rows)))
            return NotWritten;
        if (!command.csvFile.empty() && command.csvFile != "-"
            && !writeFile(command.csvFile, kernelSummaryCsv(*rows)))
            return NotWritten;
        if (!file.empty())
            return Done;
        return print(kernelsIn(command.csvFile == "-" ? ".csv"
                                   : command.json     ? ".json"
                                                      : "",
                               *rows))
            ? Done
            : NotWritten;
    });
}

int writeScripts(const std::string& folder)
{
    if (!makeFolder(folder))
        return NotWritten;
    std::set<std::string> names;
    for (const MetricDescriptor& metric : allMetrics()) {
        names.emplace(metric.id);
        for (const MetricAlias& alias : metric.aliases)
            names.emplace(alias.id);
    }
    for (const std::string& name : names) {
        const std::string script = "#!/bin/sh\n# The metric " + name + " of a run:  get_" + name
            + ".sh RUN_DIRECTORY [options of collscope --batch]\n"
              "exec \"${COLLSCOPE:-collscope}\" --batch --metric "
            + name + " --trace \"$@\"\n";
        if (!writeFile(pathIn(folder, "get_" + name + ".sh"), script, true))
            return NotWritten;
    }
    return print(folder + "\n") ? Done : NotWritten;
}

} // namespace collscope
