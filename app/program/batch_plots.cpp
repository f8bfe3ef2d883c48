// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/program/batch_plots.h"

#include "app/cli/command_interrupts.h"
#include "app/files/batch_io.h"
#include "app/files/page_origin.h"
#include "app/pictures/png_plots.h"
#include "metrics/analysis/analysis.h"
#include "metrics/comparison/comparison.h"
#include "metrics/export/page/values_page.h"
#include "views/plots/metric_plots.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

namespace collscope {

namespace {

PlotOptions plotOptions(const PlotChoices& choices)
{
    return {choices.linear, choices.combined, QString::fromStdString(choices.title), choices.widthInches,
            choices.heightInches};
}

bool isOfNvlink(const NamedResult& named)
{
    return named.request.metric->group == "NVLink" && named.request.metric->id != "peak_kernels";
}

/// Returns a plot of every result, with its file name.
std::vector<NamedPlot> plotsOf(const ValuesCommand& command, const TraceModel& model,
                               const std::vector<NamedResult>& results, bool intoOneFile)
{
    PlotOptions wanted = plotOptions(command.plots);
    std::vector<NamedPlot> plots;
    bool linksDone = false;
    for (const NamedResult& named : results) {
        const bool wasNamed = !command.requests.empty();
        if (named.result.state != MetricState::Value) {
            if (wasNamed)
                say("nothing to plot for " + named.request.name + ": " + named.result.reason);
            continue;
        }
        if (isOfNvlink(named)) {
            // All NVLink metrics come from the same counters: one set of plots. A single file contains both
            // directions.
            wanted.combined = wanted.combined || (intoOneFile && !command.selection.options.direction);
            auto more = linksDone ? std::vector<NamedPlot>()
                                  : nvlinkPlots(model, command.selection.options, wanted);
            plots.insert(plots.end(), more.begin(), more.end());
            linksDone = true;
            continue;
        }
        PlotPage page = metricPlot(named.request, named.result, QString::fromStdString(model.title), wanted);
        if (page.plots.empty() && wasNamed)
            say("nothing to plot for " + named.request.name + ": it has no values per rank or step.");
        if (!page.plots.empty())
            plots.emplace_back(QString::fromStdString(named.request.name) + QStringLiteral(".png"),
                               std::move(page));
    }
    return plots;
}

/// Returns the parts of a distribution that are above 0, with their shares.
std::vector<std::pair<std::string, double>> sharesOf(const MetricResult& distribution)
{
    std::vector<std::pair<std::string, double>> shares;
    for (const auto& [key, value] : distribution.details) {
        const auto* const fractions = key == "fractions" ? value.as<Value::Object>() : nullptr;
        if (!fractions)
            continue;
        for (const auto& [part, share] : *fractions) {
            if (const auto* number = share.as<double>(); number && *number > 0)
                shares.emplace_back(part, *number);
        }
    }
    return shares;
}

/// Returns the values of the metrics that iterationPlots() draws, over the iterations. `byRun`: one history
/// with a point per run; otherwise one history per run.
std::vector<MetricHistory> historiesOf(const std::vector<IterationResults>& iterations, bool byRun)
{
    std::map<std::tuple<std::string_view, std::string, std::string>, MetricHistory> histories;
    double place = 0;
    const auto put = [&](std::string_view id, const std::string& part, const std::string& run, double value) {
        MetricHistory& history = histories[{id, run, part}];
        history.id = id;
        history.part = part;
        history.run = run;
        history.points.emplace_back(place, value);
    };
    for (std::size_t i = 0; i < iterations.size(); ++i) {
        const std::string run = byRun ? std::string() : iterations[i].run;
        place = byRun ? static_cast<double>(i)
                      : static_cast<double>(std::max<std::int64_t>(iterations[i].number, 0));
        for (const auto& [request, result] : iterations[i].results) {
            if (request.name != request.metric->id)
                continue; // the same metric in another unit
            if (result.value)
                put(request.metric->id, {}, run, *result.value);
            if (request.metric->id != "traffic_distribution")
                continue;
            // The scalar is only the largest share.
            for (const auto& [part, share] : sharesOf(result))
                put(request.metric->id, part, run, share);
        }
    }
    std::vector<MetricHistory> list;
    list.reserve(histories.size());
    for (auto& [key, history] : histories)
        list.push_back(std::move(history));
    return list;
}

/// Returns the table name of an iteration, or of a run without iterations.
std::string nameOf(const IterationResults& iteration, const std::string& title)
{
    const std::string number
        = iteration.number < 0 ? std::string() : "iteration_" + std::to_string(iteration.number);
    if (iteration.run.empty())
        return number.empty() ? title : number;
    return iteration.run + (number.empty() ? "" : " ") + number;
}

/// One row per metric with at least one value, one column per iteration.
Sheet iterationsSheet(const std::vector<IterationResults>& iterations, const std::string& title)
{
    Sheet sheet{"metrics", {"metric", "unit"}, {}};
    for (const IterationResults& iteration : iterations)
        sheet.columns.push_back(nameOf(iteration, title));
    for (std::size_t m = 0; !iterations.empty() && m < iterations.front().results.size(); ++m) {
        const NamedResult& named = iterations.front().results[m];
        Value::Array row{named.request.name, std::string(named.request.unit)};
        bool isKnown = false;
        for (const IterationResults& iteration : iterations) {
            row.push_back(numberCell(iteration.results[m].result.value));
            isKnown = isKnown || iteration.results[m].result.value;
        }
        if (isKnown)
            sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

/// Keyed by iteration, and by run if there are several.
Value iterationsValue(const std::vector<IterationResults>& iterations, const std::string& title)
{
    Value::Object all;
    for (const IterationResults& iteration : iterations)
        all.emplace_back(nameOf(iteration, title), resultsValue(iteration.results));
    return all;
}

/// Writes metrics_summary, report.html and the plots into the folder. Returns the names of the written files,
/// or nullopt.
std::optional<std::string> writeIterations(const MetricsCommand& command,
                                           const std::vector<IterationResults>& measured,
                                           const std::string& title)
{
    const std::string& folder = command.folder;
    std::string written;
    const auto write = [&](const char* name, std::string_view bytes) {
        const std::string path = pathIn(folder, name);
        written += path + "\n";
        return writeFile(path, bytes);
    };
    if (!makeFolder(folder) || !write("metrics_summary.csv", iterationsCsv(measured))
        || !write("metrics_summary.json", jsonText(iterationsValue(measured, title))) || !canPaint())
        return std::nullopt;
    QStringList runs;
    bool byRun = true; // one entry per run, without iterations
    for (const IterationResults& iteration : measured) {
        runs << QString::fromStdString(iteration.run);
        byRun = byRun && !iteration.run.empty() && !runs.mid(0, runs.size() - 1).contains(runs.back());
    }
    ValuesPage page;
    page.title = byRun ? "Metrics of the runs" : "Metrics over profiler iterations: " + title;
    page.version = originOf({}).version;
    page.tables.push_back(iterationsSheet(measured, title));
    for (const auto& [name, plots] :
         iterationPlots(historiesOf(measured, byRun), QString::fromStdString(title),
                        plotOptions(command.plots), byRun ? runs : QStringList())) {
        const QByteArray png = pngOf(plots);
        if (png.isEmpty()) {
            say("cannot draw " + name.toStdString() + ".");
            return std::nullopt;
        }
        if (!write(name.toUtf8().constData(), {png.constData(), static_cast<std::size_t>(png.size())}))
            return std::nullopt;
        if (name != QLatin1String("summary_dashboard.png")) // it repeats the others
            page.pictures.push_back({plots.title.toStdString(), png.toBase64().toStdString()});
    }
    return write("report.html", valuesPage(page)) ? std::optional(written) : std::nullopt;
}

/// Returns the requested metrics and those that the plots need in addition.
std::vector<MetricRequest> iterationRequests(const ValuesCommand& command)
{
    std::vector<MetricRequest> requests = requestsOf(command);
    for (const std::string_view id : iterationPlotMetrics()) {
        const bool isThere = std::any_of(requests.begin(), requests.end(),
                                         [&](const MetricRequest& request) { return request.name == id; });
        if (auto request = isThere ? std::nullopt : findMetric(id))
            requests.push_back(std::move(*request));
    }
    return requests;
}

/// Writes the plot to the named file, or each plot into the named folder; lists the files on stderr.
int writePlots(const ValuesCommand& command, const std::vector<NamedPlot>& plots)
{
    const std::string& target = command.plots.path;
    const bool intoOneFile = isPng(target);
    if (plots.empty()) {
        if (command.requests.empty())
            say("nothing to plot: no metric has values per rank or step, and no NVLink samples were found.");
        return NotAvailable;
    }
    if (!intoOneFile && !makeFolder(target))
        return NotWritten;
    for (const auto& [name, page] : plots) {
        const std::string path = intoOneFile ? target : pathIn(target, name.toStdString());
        if (!writePlot(path, page))
            return NotWritten;
        say("wrote " + path);
    }
    return Done;
}

} // namespace

int plotResults(const ValuesCommand& command, const TraceModel& model,
                const std::vector<NamedResult>& results)
{
    return writePlots(command, plotsOf(command, model, results, isPng(command.plots.path)));
}

int plotRuns(const ValuesCommand& command, const std::vector<RunResults>& runs)
{
    std::vector<std::string> paths;
    paths.reserve(runs.size());
    for (const RunResults& run : runs)
        paths.push_back(run.label);
    const std::vector<std::string> labels = runLabels(paths);
    std::vector<NamedPlot> plots;
    for (std::size_t i = 0; i < runs.front().results.size(); ++i) {
        std::vector<LabelledResult> results;
        for (std::size_t run = 0; run < runs.size(); ++run)
            results.push_back({QString::fromStdString(labels[run]), &runs[run].results[i].result});
        const MetricRequest& request = runs.front().results[i].request;
        PlotPage page = runsPlot(request, results, plotOptions(command.plots));
        if (!page.plots.empty())
            plots.emplace_back(QString::fromStdString(request.name) + QStringLiteral(".png"),
                               std::move(page));
        else if (!command.requests.empty())
            say("nothing to plot for " + request.name + ": no run has a value.");
    }
    return writePlots(command, plots);
}

int runIterations(const MetricsCommand& command, const HardwareDatabasePtr& hardware)
{
    const std::vector<BatchRun> runs = runsOf(command.input);
    const MetricOptions options = metricOptions(command.selection, hardware);
    std::vector<IterationResults> measured;
    std::string title;
    for (const BatchRun& one : runs) {
        const auto iterations = iterationsOf(one);
        if (!iterations)
            return sayNotLoaded(iterations.error());
        for (const auto& [number, run] : *iterations) {
            const auto model = loadRun(command, run);
            if (!model)
                return sayNotLoaded(model.error());
            measured.push_back({number, evaluateAll(iterationRequests(command), **model, options),
                                runs.size() > 1 ? one.label : std::string()});
            title = (*model)->title;
            if (isInterrupted()) {
                say("cancelled.");
                return Cancelled;
            }
        }
    }
    if (runs.size() > 1)
        title = std::to_string(runs.size()) + " runs";
    const auto written = writeIterations(command, measured, title);
    if (!written)
        return NotWritten;
    return print(command.json ? jsonText(iterationsValue(measured, title)) : *written) ? Done : NotWritten;
}

} // namespace collscope
