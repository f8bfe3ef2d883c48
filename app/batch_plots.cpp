// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch_plots.h"

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "app/command_line_outputs.h"
#include "metrics/analysis.h"

#include <QBuffer>

#include <algorithm>
#include <filesystem>
#include <map>

namespace collscope {

namespace {

bool isOfNvlink(const NamedResult& named)
{
    return named.request.metric->group == "NVLink" && named.request.metric->id != "peak_kernels";
}

/// Every result as a picture with the name of its file.
std::vector<NamedPlot> plotsOf(const CommandLine& command, const TraceModel& model,
                               const std::vector<NamedResult>& results, bool intoOneFile)
{
    PlotOptions wanted = plotOptions(command.outputs);
    std::vector<NamedPlot> plots;
    bool linksDone = false;
    for (const NamedResult& named : results) {
        const bool wasNamed = !command.requests.empty();
        if (named.result.state != MetricState::Value) {
            if (wasNamed)
                say("nothing to plot of " + named.request.name + ": " + named.result.reason);
            continue;
        }
        if (isOfNvlink(named)) {
            // All of them come from the same counters: one set of pictures. One file holds both directions.
            wanted.combined = wanted.combined || (intoOneFile && !command.metricOptions.direction);
            auto more
                = linksDone ? std::vector<NamedPlot>() : nvlinkPlots(model, command.metricOptions, wanted);
            plots.insert(plots.end(), more.begin(), more.end());
            linksDone = true;
            continue;
        }
        PlotPage page = metricPlot(named.request, named.result, QString::fromStdString(model.title), wanted);
        if (page.plots.empty() && wasNamed)
            say("nothing to plot of " + named.request.name + ": it has no value per rank or step.");
        if (!page.plots.empty())
            plots.emplace_back(QString::fromStdString(named.request.name) + QStringLiteral(".png"),
                               std::move(page));
    }
    return plots;
}

/// The numbers of the metrics that iterationPlots() draws, over the iterations.
std::vector<MetricHistory>
historiesOf(const std::vector<std::pair<std::int64_t, std::vector<NamedResult>>>& iterations)
{
    std::map<std::pair<std::string_view, std::string>, MetricHistory> histories;
    const auto put = [&](std::string_view id, const std::string& part, std::int64_t iteration, double value) {
        MetricHistory& history = histories[{id, part}];
        history.id = id;
        history.part = part;
        history.points.emplace_back(static_cast<double>(std::max<std::int64_t>(iteration, 0)), value);
    };
    for (const auto& [iteration, results] : iterations) {
        for (const auto& [request, result] : results) {
            if (request.name != request.metric->id)
                continue; // another unit
            if (result.value)
                put(request.metric->id, {}, iteration, *result.value);
            if (request.metric->id != "traffic_distribution")
                continue;
            // The scalar is the largest share only.
            for (const auto& [key, value] : result.details) {
                const auto* shares = key == "fractions" ? value.as<Value::Object>() : nullptr;
                for (const auto& [part, share] : shares ? *shares : Value::Object()) {
                    if (const auto* number = share.as<double>(); number && *number > 0)
                        put(request.metric->id, part, iteration, *number);
                }
            }
        }
    }
    std::vector<MetricHistory> list;
    list.reserve(histories.size());
    for (auto& [key, history] : histories)
        list.push_back(std::move(history));
    return list;
}

/// What was asked for, and what the plots need beside it.
std::vector<MetricRequest> iterationRequests(const CommandLine& command)
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

} // namespace

bool canPaint()
{
    if (hasFonts())
        return true;
    say(noFontSentence);
    return false;
}

QByteArray pngOf(const PlotPage& page)
{
    QByteArray png;
    QBuffer buffer(&png);
    return buffer.open(QIODevice::WriteOnly) && paintPlots(page).save(&buffer, "PNG") ? png : QByteArray();
}

bool writePlot(const std::string& path, const PlotPage& page)
{
    if (const QByteArray png = pngOf(page); !png.isEmpty())
        return writeFile(path, {png.constData(), static_cast<std::size_t>(png.size())});
    say("cannot paint " + path + ".");
    return false;
}

PlotOptions plotOptions(const BatchOutputs& outputs)
{
    return {outputs.linear, outputs.combined, QString::fromStdString(outputs.title), outputs.widthInches,
            outputs.heightInches};
}

int plotResults(const CommandLine& command, const TraceModel& model, const std::vector<NamedResult>& results)
{
    const std::string& target = command.outputs.plotPath;
    const bool intoOneFile = isPng(target);
    const std::vector<NamedPlot> plots = plotsOf(command, model, results, intoOneFile);
    if (plots.empty()) {
        if (command.requests.empty())
            say("there is nothing to plot: no value per rank or step, and no NVLink samples.");
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

int runIterations(const CommandLine& command, const KnowledgePtr& knowledge)
{
    const std::vector<BatchRun> runs = runsOf(command);
    if (!isOneRun(runs, "--summary is"))
        return WrongUsage;
    const auto iterations = iterationsOf(runs.front());
    if (!iterations)
        return sayNotLoaded(iterations.error());
    const MetricOptions options = metricOptions(command, knowledge);
    std::vector<std::pair<std::int64_t, std::vector<NamedResult>>> measured;
    std::string title;
    for (const auto& [number, run] : *iterations) {
        const auto model = loadRun(command, run);
        if (!model)
            return sayNotLoaded(model.error());
        measured.emplace_back(number, evaluateAll(iterationRequests(command), **model, options));
        title = (*model)->title;
        if (isInterrupted()) {
            say("cancelled.");
            return Cancelled;
        }
    }
    const std::string& folder = command.outputs.folder;
    const std::string table = pathIn(folder, "metrics_summary.csv");
    if (!makeFolder(folder) || !writeFile(table, iterationsCsv(measured)))
        return NotWritten;
    std::string written = table + "\n";
    if (!canPaint())
        return NotWritten;
    for (const auto& [name, page] :
         iterationPlots(historiesOf(measured), QString::fromStdString(title), plotOptions(command.outputs))) {
        const std::string path = pathIn(folder, name.toStdString());
        if (!writePlot(path, page))
            return NotWritten;
        written += path + "\n";
    }
    if (!command.json)
        return print(written) ? Done : NotWritten;
    Value::Object byIteration;
    for (const auto& [number, results] : measured)
        byIteration.emplace_back(number < 0 ? title : "iteration_" + std::to_string(number),
                                 resultsValue(results));
    return print(jsonText(byIteration)) ? Done : NotWritten;
}

} // namespace collscope
