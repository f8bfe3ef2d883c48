// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Metrics of one or several runs in every form that --batch prints or writes.

#include "app/cli/command_interrupts.h"
#include "app/commands/command_metrics.h"
#include "app/commands/window_program.h"
#include "app/files/batch_io.h"
#include "app/files/whole_file.h"
#include "metrics/export/csv_rows.h"
#include "metrics/export/leaderboard.h"

#include <algorithm>

namespace collscope {

namespace {

/// What remains of a run after its model is released.
struct MeasuredRun
{
    RunResults results;
    Value report, leaderboard; ///< null if not requested
    std::vector<RunResults> iterations; ///< one per iteration, if the CSV of all iterations was requested
};

/// Returns the results printed by --json if nothing could be read, so that scripts need not guess.
std::vector<NamedResult> nothingToEvaluate(const ValuesCommand& command, const std::string& reason)
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

bool measuresIterations(const ValuesCommand& command)
{
    return !command.csvFile.empty() && command.input.load.iteration.mode == IterationChoice::Mode::All;
}

/// Whether the CSV can be written while the only run is measured: its first line depends on no result.
bool writesCsvAtOnce(const ValuesCommand& command, std::size_t runs)
{
    return runs == 1 && !command.csvFile.empty() && command.csvFile != "-" && !measuresIterations(command);
}

/// Whether values per rank and step are used once all metrics are computed.
bool needsRows(const ValuesCommand& command, const WholeFile* csv)
{
    return (!command.csvFile.empty() && !csv) || !command.plots.path.empty() || command.seeResults;
}

/// `csv`: where the results are written while they are computed; nullptr: nowhere.
MeasuredRun measure(const ValuesCommand& command, const BatchRun& run, const TraceModel& model,
                    const MetricOptions& options, WholeFile* csv)
{
    MeasuredRun measured;
    measured.results.label = run.label;
    measured.results.card = cardFields(model, options.hardware.get());
    const auto onResult = [&](NamedResult& named) {
        if (csv)
            writeCsvRows(named, [&](std::string_view piece) { return csv->write(piece); });
        // Of many ranks, the values of all steps take more memory than all else. Text and JSON lack them.
        if (!needsRows(command, csv))
            named.result.rows = std::vector<MetricRow>();
    };
    measured.results.results = evaluateAll(requestsOf(command), model, options, onResult);
    if (command.seeResults)
        command.seeResults(model, measured.results.results);
    if (!command.outputJsonFile.empty())
        measured.report = reportValue(model, measured.results.results, command.words);
    if (!command.leaderboardFile.empty()) {
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

/// Returns the value of a single run, or a list for several runs.
Value oneOrList(const std::vector<MeasuredRun>& runs, Value MeasuredRun::*member)
{
    if (runs.size() == 1)
        return runs.front().*member;
    Value::Array list;
    for (const MeasuredRun& run : runs)
        list.push_back(run.*member);
    return list;
}

/// Measures each profiler iteration of a run; empty if the run has no numbered iterations.
Result<std::vector<RunResults>> measureIterations(const ValuesCommand& command, const BatchRun& run,
                                                  const MetricOptions& options)
{
    std::vector<RunResults> measured;
    const auto iterations = iterationsOf(run);
    if (!iterations)
        return iterations.error();
    for (const auto& [number, one] : *iterations) {
        if (number < 0 || isInterrupted())
            continue;
        const auto model = loadRun(command, one, RunContents::EventsOrSums);
        if (!model)
            return model.error();
        measured.push_back({run.label, std::to_string(number), cardFields(**model, options.hardware.get()),
                            evaluateAll(requestsOf(command), **model, options)});
    }
    return measured;
}

/// Returns the CSV. Rows name their run and iteration if there are several.
std::string csvOf(const std::vector<MeasuredRun>& runs)
{
    if (runs.size() == 1 && runs.front().iterations.empty())
        return resultsCsv(runs.front().results.results);
    std::vector<RunResults> rows;
    for (const MeasuredRun& run : runs) {
        rows.push_back(run.results);
        rows.insert(rows.end(), run.iterations.begin(), run.iterations.end());
    }
    return runs.size() > 1 ? runsCsv(rows) : iterationRowsCsv(rows);
}

/// Completes the CSV that was written while the run was measured.
bool commit(WholeFile& csv)
{
    const Status written = csv.commit();
    if (!written)
        say(written.error().message);
    return static_cast<bool>(written);
}

bool writeFiles(const ValuesCommand& command, const std::vector<MeasuredRun>& runs, WholeFile* csv)
{
    const bool several = runs.size() > 1;
    if (!command.outputJsonFile.empty()) {
        Value report = oneOrList(runs, &MeasuredRun::report);
        if (several)
            report = Value::Object{{"schema", "collscope.reports/1"}, {"runs", std::move(report)}};
        if (!writeFile(command.outputJsonFile, jsonText(report)))
            return false;
    }
    if (!command.leaderboardFile.empty()
        && !writeFile(command.leaderboardFile, jsonText(oneOrList(runs, &MeasuredRun::leaderboard))))
        return false;
    if (csv)
        return commit(*csv);
    return command.csvFile.empty() || command.csvFile == "-" || writeFile(command.csvFile, csvOf(runs));
}

/// Whether the values are printed: a table written to a file replaces them.
bool printsValues(const ValuesCommand& command)
{
    return command.json || command.explains || (command.csvFile.empty() && command.leaderboardFile.empty());
}

/// Returns the human-readable text for stdout.
std::string linesOf(const ValuesCommand& command, const std::vector<MeasuredRun>& runs)
{
    const bool several = runs.size() > 1;
    const TextLayout layout = command.requests.empty() ? TextLayout::ValuesFirst : TextLayout::EachRow;
    if (!several && !command.explains)
        return resultsText(runs.front().results.results, layout);
    std::vector<RunResults> results;
    std::string text;
    for (const MeasuredRun& run : runs) {
        results.push_back(run.results);
        if (command.explains)
            text += (text.empty() ? "" : "\n") + (several ? run.results.label + "\n" : std::string())
                + explanationText(run.results.results.front());
    }
    return command.explains ? text : runsText(results, layout);
}

/// Prints data unchanged; in human-readable text, names cannot control the terminal.
bool printOutput(const ValuesCommand& command, const std::vector<MeasuredRun>& runs)
{
    if (command.csvFile == "-")
        return print(csvOf(runs));
    if (!printsValues(command))
        return true;
    if (!command.json)
        return printLines(linesOf(command, runs));
    if (runs.size() == 1)
        return print(resultsJson(runs.front().results.results));
    Value::Object byRun;
    for (const MeasuredRun& run : runs)
        byRun.emplace_back(run.results.label, resultsValue(run.results.results));
    return print(jsonText(byRun));
}

/// Returns the exit code if one metric of one run was requested: whether it has a value.
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

} // namespace

int runValues(const ValuesCommand& command, const HardwareDatabasePtr& hardware)
{
    const std::vector<BatchRun> runs = runsOf(command.input);
    const bool plots = !command.plots.path.empty();
    if (plots && !command.window->canDraw())
        return NotWritten;
    MetricOptions options = metricOptions(command.selection, hardware);
    options.wantReferences = command.explains;
    options.wantEvidence = static_cast<bool>(command.seeResults);
    std::optional<WholeFile> csv;
    std::vector<MeasuredRun> measured;
    int plotted = Done;
    std::size_t unreadable = 0;
    int reason = NothingReadable; ///< why the last of these could not be loaded
    for (const BatchRun& run : runs) {
        const auto model = loadRun(command, run, RunContents::EventsOrSums);
        if (!model) {
            ++unreadable;
            reason = sayNotLoaded(model.error());
            if (reason == Cancelled)
                return reason;
            measured.push_back(
                {{run.label, {}, {}, nothingToEvaluate(command, model.error().message)}, {}, {}, {}});
            continue;
        }
        if (writesCsvAtOnce(command, runs.size()))
            csv.emplace(command.csvFile).write(resultsCsvHeader());
        measured.push_back(measure(command, run, **model, options, csv ? &*csv : nullptr));
        if (plots && runs.size() == 1 && !isInterrupted())
            plotted = command.window->plotResults(command, **model, measured.back().results.results);
    }
    for (std::size_t i = 0; i < runs.size() && unreadable == 0 && measuresIterations(command); ++i) {
        auto iterations = measureIterations(command, runs[i], options);
        if (!iterations)
            return sayNotLoaded(iterations.error());
        measured[i].results.iteration = iterations->empty() ? "" : "all";
        measured[i].iterations = std::move(*iterations);
    }
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    if (unreadable == runs.size())
        return command.json && !printOutput(command, measured) ? NotWritten : reason;
    if (plots && runs.size() > 1) {
        std::vector<RunResults> results;
        results.reserve(measured.size());
        for (const MeasuredRun& run : measured)
            results.push_back(run.results);
        plotted = command.window->plotRuns(command, results);
    }
    if (!writeFiles(command, measured, csv ? &*csv : nullptr) || !printOutput(command, measured))
        return NotWritten;
    const std::vector<NamedResult>& first = measured.front().results.results;
    if (measured.size() == 1 && first.size() == 1) {
        if (const int code = availability(first.front()); code != Done)
            return code;
    }
    return plotted;
}

} // namespace collscope
