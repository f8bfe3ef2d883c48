// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/plots/metric_plots.h"

#include "metrics/core/statistics.h"
#include "views/common/format.h"
#include "views/plots/plot_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace collscope {

namespace {

/// Axis title such as "Step time (ms)"; a count has no unit.
QString axisTitle(const QString& name, const QString& unit)
{
    return unit.isEmpty() || unit == QLatin1String("count") ? name
                                                            : QStringLiteral("%1 (%2)").arg(name, unit);
}

void resize(PlotPage& page, const PlotOptions& wanted, double width, double height)
{
    page.widthInches = wanted.widthInches.value_or(width);
    page.heightInches = wanted.heightInches.value_or(height);
    if (!wanted.title.isEmpty())
        page.title = wanted.title;
}

/// The largest of a result's plotted numbers.
double highestOf(const MetricResult& result)
{
    double highest = std::abs(result.value.value_or(0));
    for (const MetricRow& row : result.rows)
        highest = std::max(highest, std::abs(row.value));
    return highest;
}

/// A readable unit for a value of this size, and the factor to convert to it.
std::pair<QString, double> readableUnit(const std::string& unit, double highest)
{
    if (unit == "s" && highest < 0.5)
        return {QStringLiteral("ms"), 1e3};
    if (unit == "bytes" && highest >= 1e6)
        return {QStringLiteral("GB"), 1e-9};
    return {QString::fromStdString(unit), 1.0};
}

constexpr std::size_t mostLines = 16; ///< maximum number of lines that can be distinguished

/// The maximum, mean and minimum of many lines.
std::vector<PlotSeries> spreadOf(const std::map<std::int32_t, PlotSeries>& lines)
{
    std::map<double, std::vector<double>> values; ///< by x
    for (const auto& [rank, line] : lines) {
        for (const QPointF& point : line.points)
            values[point.x()].push_back(point.y());
    }
    std::vector<PlotSeries> spread(3);
    const std::array<const char*, 3> names{"highest rank", "mean over ranks", "lowest rank"};
    for (std::size_t i = 0; i < spread.size(); ++i) {
        spread[i].kind = PlotSeries::Kind::Steps;
        spread[i].name = QString::fromUtf8(names[i]);
        spread[i].color = seriesColor(i == 1 ? 0 : 8);
        spread[i].pen = i == 2 ? Qt::DashLine : Qt::SolidLine;
        spread[i].width = 2.2;
    }
    for (const auto& [x, ofRanks] : values) {
        const auto [least, most] = std::minmax_element(ofRanks.begin(), ofRanks.end());
        spread[0].points.emplace_back(x, *most);
        spread[1].points.emplace_back(x, meanOf(ofRanks));
        spread[2].points.emplace_back(x, *least);
    }
    return spread;
}

/// Horizontal bars of the first numeric column of a table, labelled with the text of each row.
Plot tablePlot(const MetricTable& table)
{
    Plot plot;
    plot.form = Plot::Form::Rows;
    plot.title = toText(table.title);
    PlotSeries bars;
    bars.kind = PlotSeries::Kind::Bars;
    bars.color = seriesColor(0);
    for (const Value::Array& row : table.sheet.rows) {
        QStringList names;
        std::optional<double> number;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string& column = table.sheet.columns[i];
            if (const auto* text = row[i].as<std::string>()) {
                names << toText(column) + u' ' + toText(*text);
            } else if (column == "rank" || column == "step") {
                names << toText(column) + u' ' + toText(numberTextOf(row[i]));
            } else if (!number) {
                number = numberOf(row[i]);
                plot.xTitle = toText(column).replace(u'_', u' ');
            }
        }
        bars.points.emplace_back(plot.categories.size(), number.value_or(0));
        plot.categories << names.join(QStringLiteral(", "));
    }
    plot.series.push_back(std::move(bars));
    return plot;
}

/// Plots of a result's first tables that have rows.
std::vector<Plot> tablePlots(const MetricResult& result)
{
    constexpr std::size_t most = 8;
    std::vector<Plot> plots;
    for (const MetricTable& table : result.tables) {
        if (!table.sheet.isEmpty() && plots.size() < most)
            plots.push_back(tablePlot(table));
    }
    return plots;
}

/// Adds a line of a run's values over its ranks, or over its steps (of all ranks if available, else their
/// mean).
void addRunLine(const LabelledResult& run, std::size_t index, double factor, bool overSteps, Plot& plot)
{
    std::map<double, std::vector<double>> values; ///< by x
    const auto& rows = run.result->rows;
    const bool ofAllRanks
        = std::any_of(rows.begin(), rows.end(), [](const MetricRow& row) { return row.step && !row.rank; });
    for (const MetricRow& row : rows) {
        const bool isWanted = overSteps ? row.step && !(ofAllRanks && row.rank) : row.rank && !row.step;
        if (isWanted && std::isfinite(row.value))
            values[static_cast<double>(overSteps ? *row.step : *row.rank)].push_back(row.value * factor);
    }
    if (values.empty())
        return;
    PlotSeries line;
    line.kind = PlotSeries::Kind::Steps;
    line.width = 2.2;
    line.name = run.run;
    line.color = seriesColor(index);
    for (const auto& [x, ofRanks] : values)
        line.points.emplace_back(x, meanOf(ofRanks));
    plot.series.push_back(std::move(line));
}

/// A picture of a metric over iterations.
struct HistoryPlot
{
    const char* file;
    std::string_view metric;
    const char* title;
    const char* yTitle;
    double factor; ///< from the metric's unit to the unit of the axis
    std::array<std::pair<double, const char*>, 2> references; ///< no label: no reference line
};

constexpr std::array<HistoryPlot, 10> historyPlots{{
    {"iter_time", "avg_step_time", "Iteration time", "Time per step (ms)", 1000.0, {}},
    {"throughput", "throughput_tokens_sec", "Throughput", "Tokens per second", 1.0, {}},
    {"comm_comp_overlap",
     "comm_comp_overlap",
     "Compute-communication overlap",
     "Overlap (%)",
     1.0,
     {{{80.0, "good: 80 %"}, {50.0, "fair: 50 %"}}}},
    {"pipeline_bubble",
     "bubble_size_pipeline",
     "Pipeline bubble",
     "Bubble (% of the step)",
     100.0,
     {{{5.0, "target: 5 %"}, {}}}},
    {"straggler_lag", "straggler", "Straggler", "Relative lag (% of the step)", 100.0, {}},
    {"traffic_distribution", "traffic_distribution", "Traffic by parallelism", "Share of bytes (%)", 1.0, {}},
    {"coll_calls", "coll_call_num", "Collective calls", "Calls per step", 1.0, {}},
    {"hardware_saturation", "mfu", "Model FLOP utilization", "MFU (%)", 1.0, {{{50.0, "good: 50 %"}, {}}}},
    {"comm_volume", "communication_volume", "Communication volume", "Message bytes per step (GB)", 1.0, {}},
    {"variability", "load_imbalance_ratio", "Variability across ranks", "Slowest / fastest rank", 1.0, {}},
}};

std::optional<Plot> historyPlot(const HistoryPlot& spec, const std::vector<MetricHistory>& histories,
                                const QStringList& runs)
{
    Plot plot;
    plot.form = runs.isEmpty() ? Plot::Form::Axes : Plot::Form::Bars;
    plot.categories = runs;
    plot.xTitle = runs.isEmpty() ? QStringLiteral("Profiler iteration") : QString();
    plot.yTitle = QString::fromUtf8(spec.yTitle);
    plot.wholeNumbers = true;
    for (const MetricHistory& history : histories) {
        // If a metric has shares, plot them: its scalar is only the largest of them.
        const bool hasParts
            = std::any_of(histories.begin(), histories.end(), [&](const MetricHistory& other) {
                  return other.id == spec.metric && !other.part.empty();
              });
        if (history.id != spec.metric || history.points.empty() || (hasParts && history.part.empty()))
            continue;
        PlotSeries line;
        line.kind = runs.isEmpty() ? PlotSeries::Kind::Steps : PlotSeries::Kind::Bars;
        line.width = 2.2;
        line.name = QString::fromStdString(history.part).toUpper();
        if (!history.run.empty())
            line.name = toText(history.run)
                + (line.name.isEmpty() ? QString() : QStringLiteral(" \u00b7 ") + line.name);
        line.color = seriesColor(plot.series.size());
        const double factor = history.part.empty() ? spec.factor : 100.0;
        for (const QPointF& point : history.points)
            line.points.emplace_back(point.x(), point.y() * factor);
        plot.series.push_back(std::move(line));
    }
    if (plot.series.empty())
        return std::nullopt;
    for (const auto& [value, label] : spec.references) {
        if (label != nullptr)
            plot.references.push_back({value, QString::fromUtf8(label)});
    }
    return plot;
}

} // namespace

PlotPage metricPlot(const MetricRequest& request, const MetricResult& result, const QString& run,
                    const PlotOptions& wanted)
{
    const QString name = toText(request.metric->title);
    const auto [unit, factor] = readableUnit(result.unit, highestOf(result));
    PlotPage page;
    page.title = name;
    page.subtitle
        = QStringLiteral("%1 \u00b7 %2 \u00b7 %3")
              .arg(run, QString::fromStdString(result.window), QString::fromStdString(result.scope));
    Plot ranks;
    ranks.xTitle = QStringLiteral("Rank");
    ranks.yTitle = axisTitle(name, unit);
    ranks.wholeNumbers = true;
    PlotSeries bars;
    bars.kind = PlotSeries::Kind::Bars;
    bars.color = seriesColor(0);
    std::map<std::int32_t, PlotSeries> lines; ///< by rank; -1: all ranks
    for (const MetricRow& row : result.rows) {
        if (!std::isfinite(row.value))
            continue;
        if (row.step)
            lines[row.rank.value_or(-1)].points.emplace_back(static_cast<double>(*row.step),
                                                             row.value * factor);
        else if (row.rank)
            bars.points.emplace_back(*row.rank, row.value * factor);
    }
    if (!bars.points.empty()) {
        ranks.series.push_back(std::move(bars));
        if (result.value && ranks.series.front().points.size() > 1)
            ranks.references.push_back({*result.value * factor, QString::fromStdString(result.reduction)});
        page.plots.push_back(std::move(ranks));
    }
    Plot steps;
    steps.xTitle = QStringLiteral("Step");
    steps.yTitle = axisTitle(name, unit);
    steps.wholeNumbers = true;
    std::size_t index = 0;
    if (lines.size() > mostLines) {
        steps.series = spreadOf(lines);
        lines.clear();
    }
    for (auto& [rank, line] : lines) {
        line.kind = PlotSeries::Kind::Steps;
        line.width = 2.2;
        line.color = seriesColor(index);
        line.pen = index % 20 < 10 ? Qt::SolidLine : Qt::DashLine;
        line.name = rank < 0 ? QStringLiteral("all ranks") : QStringLiteral("Rank %1").arg(rank);
        std::sort(line.points.begin(), line.points.end(),
                  [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
        steps.series.push_back(std::move(line));
        ++index;
    }
    if (!steps.series.empty())
        page.plots.push_back(std::move(steps));
    const auto tables = tablePlots(result);
    if (!tables.empty()) {
        // The tables show the same values with names. All get the same height, that of the longest.
        qsizetype most = 0;
        for (const Plot& table : tables)
            most = std::max(most, table.categories.size());
        page.plots = tables;
        const double height = 1.0 + 0.26 * static_cast<double>(most);
        resize(page, wanted, 12, 1.2 + height * static_cast<double>(tables.size()));
        return page;
    }
    resize(page, wanted, 12, page.plots.size() > 1 ? 9 : 5.5);
    return page;
}

PlotPage runsPlot(const MetricRequest& request, const std::vector<LabelledResult>& runs,
                  const PlotOptions& wanted)
{
    const QString name = toText(request.metric->title);
    double highest = 0;
    for (const LabelledResult& run : runs)
        highest = std::max(highest, highestOf(*run.result));
    const auto [unit, factor] = readableUnit(runs.front().result->unit, highest);
    PlotPage page;
    page.title = name;
    page.subtitle = QStringLiteral("%1 runs").arg(runs.size());
    Plot values;
    values.form = Plot::Form::Bars;
    values.yTitle = axisTitle(name, unit);
    PlotSeries bars;
    bars.kind = PlotSeries::Kind::Bars;
    bars.color = seriesColor(0);
    Plot ranks;
    ranks.xTitle = QStringLiteral("Rank");
    Plot steps;
    steps.xTitle = QStringLiteral("Step");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (const auto& value = runs[i].result->value)
            bars.points.emplace_back(values.categories.size(), *value * factor);
        values.categories << runs[i].run;
        addRunLine(runs[i], i, factor, false, ranks);
        addRunLine(runs[i], i, factor, true, steps);
    }
    if (!bars.points.empty()) {
        values.series.push_back(std::move(bars));
        page.plots.push_back(std::move(values));
    }
    for (Plot* plot : {&ranks, &steps}) {
        plot->yTitle = axisTitle(name, unit);
        plot->wholeNumbers = true;
        if (!plot->series.empty())
            page.plots.push_back(std::move(*plot));
    }
    resize(page, wanted, 12, 1 + 4.2 * static_cast<double>(page.plots.size()));
    return page;
}

std::vector<std::string_view> iterationPlotMetrics()
{
    std::vector<std::string_view> ids;
    ids.reserve(historyPlots.size());
    for (const HistoryPlot& spec : historyPlots)
        ids.push_back(spec.metric);
    return ids;
}

std::vector<NamedPlot> iterationPlots(const std::vector<MetricHistory>& histories, const QString& run,
                                      const PlotOptions& wanted, const QStringList& runs)
{
    std::vector<NamedPlot> result;
    PlotPage all;
    all.title = runs.isEmpty() ? QStringLiteral("Metrics over profiler iterations")
                               : QStringLiteral("Metrics of the runs");
    all.subtitle = run;
    all.columns = 2;
    for (const HistoryPlot& spec : historyPlots) {
        std::optional<Plot> plot = historyPlot(spec, histories, runs);
        if (!plot)
            continue;
        PlotPage page;
        page.title = QString::fromUtf8(spec.title);
        page.subtitle = run;
        page.plots.push_back(*plot);
        resize(page, wanted, 12, 6);
        result.emplace_back(QString::fromUtf8(spec.file) + QStringLiteral(".png"), std::move(page));
        plot->title = QString::fromUtf8(spec.title);
        all.plots.push_back(std::move(*plot));
    }
    if (all.plots.empty())
        return result;
    const double rows = std::ceil(static_cast<double>(all.plots.size()) / 2.0);
    resize(all, wanted, 16, 1.2 + 3.4 * rows);
    result.emplace_back(QStringLiteral("summary_dashboard.png"), std::move(all));
    return result;
}

} // namespace collscope
