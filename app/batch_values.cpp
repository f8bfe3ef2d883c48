// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Metrics of one or several runs in every form that --batch prints or writes.

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "app/batch_plots.h"
#include "metrics/export/leaderboard.h"

#include <algorithm>

namespace collscope {

namespace {

/// What stands for a run once its model is gone.
struct MeasuredRun
{
    RunResults results;
    Value report, leaderboard; ///< null where not asked for
    std::string failure; ///< why it could not be read; the results then say so too
};

/// A script need not guess: what --json says where nothing could be read is printed in every case.
std::vector<NamedResult> nothingToEvaluate(const CommandLine& command, const std::string& reason)
{
    std::vector<NamedResult> results;
    for (MetricRequest& request : requestsOf(command)) {
        MetricResult result = MetricResult::missingInput(reason);
        result.unit = request.unit;
        result.definition = request.metric->definition;
        results.push_back({std::move(request), std::move(result)});
    }
    return results;
}

MeasuredRun measure(const CommandLine& command, const BatchRun& run, const TraceModel& model,
                    const MetricOptions& options)
{
    MeasuredRun measured;
    measured.results.label = run.label;
    measured.results.card = cardFields(model, options.knowledge.get());
    measured.results.results = evaluateAll(requestsOf(command), model, options);
    if (!command.outputJsonFile.empty())
        measured.report = reportValue(model, measured.results.results, command.echoed);
    if (!command.outputs.leaderboardFile.empty()) {
        std::vector<MetricRequest> dashboard;
        for (const std::string_view id : dashboardMetrics()) {
            if (auto request = findMetric(id))
                dashboard.push_back(std::move(*request));
        }
        measured.leaderboard
            = leaderboardRow(model, measured.results.card, evaluateAll(std::move(dashboard), model, options));
    }
    return measured;
}

/// One run's tree as it is, those of several in a list.
Value oneOrList(const std::vector<MeasuredRun>& runs, Value MeasuredRun::*member)
{
    if (runs.size() == 1)
        return runs.front().*member;
    Value::Array list;
    for (const MeasuredRun& run : runs)
        list.push_back(run.*member);
    return list;
}

bool writeFiles(const CommandLine& command, const std::vector<MeasuredRun>& runs,
                const std::vector<RunResults>& results)
{
    const bool several = runs.size() > 1;
    if (!command.outputJsonFile.empty()) {
        Value report = oneOrList(runs, &MeasuredRun::report);
        if (several)
            report = Value::Object{{"schema", "collscope.reports/1"}, {"runs", std::move(report)}};
        if (!writeFile(command.outputJsonFile, jsonText(report)))
            return false;
    }
    if (!command.outputs.leaderboardFile.empty()
        && !writeFile(command.outputs.leaderboardFile, jsonText(oneOrList(runs, &MeasuredRun::leaderboard))))
        return false;
    return command.csvFile.empty() || command.csvFile == "-"
        || writeFile(command.csvFile, several ? runsCsv(results) : resultsCsv(results.front().results));
}

/// What stands on stdout.
std::string outputText(const CommandLine& command, const std::vector<RunResults>& runs)
{
    const bool several = runs.size() > 1;
    if (command.csvFile == "-")
        return several ? runsCsv(runs) : resultsCsv(runs.front().results);
    if (command.json && !several)
        return resultsJson(runs.front().results);
    Value::Object byRun;
    std::string text;
    for (const RunResults& run : runs) {
        if (command.json)
            byRun.emplace_back(run.label, resultsValue(run.results));
        else if (several)
            text += (text.empty() ? "" : "\n") + run.label + "\n";
        text += command.explain ? explanationText(run.results.front()) : resultsText(run.results);
    }
    return command.json ? jsonText(byRun) : text;
}

/// Data goes out as it is; of what a person reads, names cannot steer the terminal.
bool printOutput(const CommandLine& command, const std::vector<RunResults>& runs)
{
    const std::string text = outputText(command, runs);
    return command.json || command.csvFile == "-" ? print(text) : printLines(text);
}

/// The exit code where one metric of one run was asked for: whether it has a value.
int availability(const NamedResult& named)
{
    const auto& [request, result] = named;
    for (const std::string& warning : result.warnings)
        say("warning: " + request.name + ": " + warning);
    if (result.state == MetricState::Value)
        return Done;
    say(request.name + " is not available (" + std::string(metricStateName(result.state))
        + "): " + result.reason);
    return NotAvailable;
}

/// A list of runs has a line for each. Its names are printable; what else fails may name a path with line
/// ends.
void sayLines(const std::string& text)
{
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        say(text.substr(begin, end - begin));
        begin = end + 1;
    }
}

} // namespace

int sayNotLoaded(const Error& error)
{
    if (error.kind == Error::Kind::Unsupported)
        sayLines(error.message);
    else
        say(error.message);
    return error.kind == Error::Kind::Cancelled  ? Cancelled
        : error.kind == Error::Kind::Incomplete  ? NotAvailable
        : error.kind == Error::Kind::Unsupported ? WrongUsage
                                                 : NothingReadable;
}

int runValues(const CommandLine& command, const KnowledgePtr& knowledge)
{
    const std::vector<BatchRun> runs = runsOf(command);
    if (!command.outputs.plotPath.empty()) {
        if (!isOneRun(runs, "Plots are"))
            return WrongUsage;
        if (!canPaint())
            return NotWritten;
    }
    const MetricOptions options = metricOptions(command, knowledge);
    std::vector<MeasuredRun> measured;
    int plotted = Done;
    std::size_t unreadable = 0;
    int reason = NothingReadable; ///< why the last of these could not be loaded
    for (const BatchRun& run : runs) {
        const auto model = loadRun(command, run);
        if (!model) {
            ++unreadable;
            reason = sayNotLoaded(model.error());
            if (reason == Cancelled)
                return reason;
            measured.push_back(
                {{run.label, {}, nothingToEvaluate(command, model.error().message)}, {}, {}, {}});
            continue;
        }
        measured.push_back(measure(command, run, **model, options));
        if (!command.outputs.plotPath.empty() && !isInterrupted())
            plotted = plotResults(command, **model, measured.back().results.results);
        if (isInterrupted()) {
            say("cancelled.");
            return Cancelled;
        }
    }
    std::vector<RunResults> results;
    results.reserve(measured.size());
    for (const MeasuredRun& run : measured)
        results.push_back(run.results);
    if (unreadable == runs.size())
        return command.json && !printOutput(command, results) ? NotWritten : reason;
    if (!writeFiles(command, measured, results) || !printOutput(command, results))
        return NotWritten;
    if (results.size() == 1 && results.front().results.size() == 1) {
        if (const int code = availability(results.front().results.front()); code != Done)
            return code;
    }
    return plotted;
}

} // namespace collscope
