// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/plots/comparison_plots.h"

#include "metrics/reports/keyed_rows.h"
#include "metrics/reports/shared_steps.h"

#include <QColor>

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <set>

namespace collscope {

namespace {

using Section = ComparisonPlot::Section;

constexpr std::array<const char*, 8> types{"total_time",          "computation_time", "exposed_comm_time",
                                           "exposed_memcpy_time", "idle_time",        "busy_time",
                                           "total_comm_time",     "total_memcpy_time"};

QString words(std::string_view type)
{
    return QString::fromUtf8(type.data(), static_cast<qsizetype>(type.size())).replace(u'_', u' ');
}

/// Colour of a run; the baseline is grey in all pictures.
QColor runColor(std::size_t run)
{
    return run == 0 ? QColor(0x7d, 0x88, 0x96) : seriesColor(2 * (run - 1));
}

/// Numbers of a sheet column, by the text of the key cells.
std::map<std::string, double> columnOf(const Sheet* sheet, const std::vector<std::string>& keys,
                                       std::string_view column)
{
    std::map<std::string, double> values;
    const auto at = sheet ? sheet->column(column) : std::nullopt;
    for (std::size_t r = 0; at && r < sheet->rows.size(); ++r) {
        std::string key;
        for (const std::string& name : keys) {
            const auto cell = sheet->column(name);
            key.append(key.empty() ? "" : "\n").append(cell ? keyText(sheet->rows[r][*cell]) : std::string());
        }
        if (const auto number = numberOf(sheet->rows[r][*at]))
            values.try_emplace(key, *number);
    }
    return values;
}

/// Improvements between GPU times, in percent. Totals of captures without steps cover different amounts of
/// work; they are compared per unit of work, and omitted if that is unknown.
struct Improvements
{
    std::map<std::string, double> values; ///< by key
    bool isPerUnit = false;
};

Improvements improvementsOf(const RunSheets& base, const RunSheets& test, const CompareOptions& options,
                            const std::vector<std::string>& keys)
{
    const bool byRank = keys.size() > 1;
    const ComparedWork work = comparedWork(base, test);
    if (work.isTold) {
        const Sheet units
            = byRank ? compareUnitsByRank(base, test, options) : compareUnits(base, test, options);
        Improvements improvements{columnOf(&units, keys, "change_percent"), true};
        for (auto& [key, value] : improvements.values)
            value = value == 0 ? 0 : -value; // less time is better
        return improvements;
    }
    if (work.isOfCaptures || !areComparable(base, test))
        return {};
    const Sheet times = byRank ? compareByRank(base, test, options) : compareSummary(base, test, options);
    return {columnOf(&times, keys, "percent_change"), false};
}

Plot changesOf(const Improvements& improvements, const QString& title)
{
    Plot plot;
    plot.form = Plot::Form::Rows;
    plot.judged = true;
    plot.title = title;
    plot.xTitle = improvements.isPerUnit
        ? QStringLiteral("Improvement per unit of work (%), positive is better")
        : QStringLiteral("Improvement (%), positive is better");
    PlotSeries& series = plot.series.emplace_back();
    series.kind = PlotSeries::Kind::Bars;
    const std::map<std::string, double>& values = improvements.values;
    for (const char* type : types) {
        if (const auto found = values.find(type); found != values.end()) {
            series.points.emplace_back(plot.categories.size(), found->second);
            plot.categories << words(type);
        }
    }
    return plot;
}

/// A bar per run for each key that any of the runs has.
Plot barsOf(const std::vector<RunSheets>& runs, const std::vector<std::map<std::string, double>>& values)
{
    Plot plot;
    plot.form = Plot::Form::Bars;
    std::vector<std::string> keys;
    for (const auto& own : values) {
        for (const auto& [key, value] : own) {
            if (std::find(keys.begin(), keys.end(), key) == keys.end())
                keys.push_back(key);
        }
    }
    for (const std::string& key : keys)
        plot.categories << QString::fromStdString(key);
    for (std::size_t run = 0; run < runs.size(); ++run) {
        PlotSeries& series = plot.series.emplace_back();
        series.kind = PlotSeries::Kind::Bars;
        series.name = QString::fromStdString(runs[run].label);
        series.color = runColor(run);
        for (std::size_t k = 0; k < keys.size(); ++k) {
            if (const auto found = values[run].find(keys[k]); found != values[run].end())
                series.points.emplace_back(k, found->second);
        }
    }
    return plot;
}

QString against(const std::vector<RunSheets>& runs)
{
    QStringList tests;
    for (std::size_t i = 1; i < runs.size(); ++i)
        tests << QString::fromStdString(runs[i].label);
    return QStringLiteral("%1 against the baseline %2")
        .arg(tests.join(QStringLiteral(", ")), QString::fromStdString(runs.front().label));
}

class Pictures
{
public:
    Pictures(const std::vector<RunSheets>& runs, const CompareOptions& options)
        : m_runs(runs)
        , m_options(options)
    { }

    std::vector<ComparisonPlot> all()
    {
        overall();
        ranks();
        collectives();
        return std::move(m_plots);
    }

private:
    void add(Section section, const char* file, const QString& title, std::vector<Plot> plots,
             int columns = 1, double width = 14, double height = 6)
    {
        std::erase_if(plots, [](const Plot& plot) {
            return std::all_of(plot.series.begin(), plot.series.end(),
                               [](const PlotSeries& series) { return series.points.empty(); });
        });
        if (plots.empty())
            return;
        PlotPage page;
        page.title = title;
        page.subtitle = against(m_runs);
        page.plots = std::move(plots);
        page.columns = columns;
        page.widthInches = width;
        page.heightInches = height;
        m_plots.push_back({section, QString::fromLatin1(file), std::move(page)});
    }

    void overall()
    {
        std::vector<Plot> changes;
        for (std::size_t i = 1; i < m_runs.size(); ++i)
            changes.push_back(
                changesOf(improvementsOf(m_runs.front(), m_runs[i], m_options, {"type"}),
                          m_runs.size() > 2 ? QString::fromStdString(m_runs[i].label) : QString()));
        const int columns = static_cast<int>(std::min<std::size_t>(2, changes.size()));
        const std::size_t rows = (changes.size() + 1) / 2;
        add(Section::Overall, "improvement_chart.png", QStringLiteral("GPU time improvement"),
            std::move(changes), columns, 14, 1.6 + 4.4 * static_cast<double>(rows));

        std::vector<std::map<std::string, double>> times;
        for (const RunSheets& run : m_runs) {
            std::map<std::string, double> own;
            for (const auto& [type, ms] : columnOf(run.gpuTimeline.sheet("Summary"), {"type"}, "time ms"))
                own[words(type).toStdString()] = ms;
            times.push_back(std::move(own));
        }
        Plot plot = barsOf(m_runs, times);
        plot.yTitle = QStringLiteral("ms, mean over ranks");
        add(Section::Overall, "abs_time_comparison.png", QStringLiteral("GPU times"), {std::move(plot)});
    }

    /// Times of one type over the ranks, one line per run.
    Plot byRank(const char* type) const
    {
        Plot plot;
        plot.xTitle = QStringLiteral("rank");
        plot.yTitle = QStringLiteral("ms");
        plot.wholeNumbers = true;
        for (std::size_t run = 0; run < m_runs.size(); ++run) {
            PlotSeries& series = plot.series.emplace_back();
            series.kind = PlotSeries::Kind::Steps;
            series.name = QString::fromStdString(m_runs[run].label);
            series.color = runColor(run);
            series.width = 2;
            const Sheet* const sheet = m_runs[run].gpuTimeline.sheet("Per_Rank_Time_ms");
            for (std::size_t r = 0; sheet && r < sheet->rows.size(); ++r) {
                if (keyText(sheet->rows[r].front()) != type)
                    continue;
                for (std::size_t c = 1; c < sheet->columns.size(); ++c) {
                    bool isRank = false;
                    const int rank = QString::fromStdString(sheet->columns[c]).toInt(&isRank);
                    if (const auto ms = numberOf(sheet->rows[r][c]); ms && isRank)
                        series.points.emplace_back(rank, *ms);
                }
            }
            std::sort(series.points.begin(), series.points.end(),
                      [](const QPointF& a, const QPointF& b) { return a.x() < b.x(); });
        }
        return plot;
    }

    void ranks()
    {
        std::vector<const char*> lines{"total_time", "computation_time", "total_comm_time", "idle_time"};
        if (m_runs.size() > 2)
            lines.assign(types.begin(), types.end());
        if (m_runs.size() == 2)
            changesByRank();
        for (const char* type : lines)
            add(Section::Ranks, std::string(type).append("_by_rank.png").c_str(),
                words(type).replace(0, 1, words(type).at(0).toUpper()) + QStringLiteral(" by rank"),
                {byRank(type)});
    }

    void changesByRank()
    {
        const Improvements improvements
            = improvementsOf(m_runs.front(), m_runs.back(), m_options, {"type", "rank"});
        const std::map<std::string, double>& changes = improvements.values;
        std::set<int> ranks;
        for (const auto& [key, value] : changes)
            ranks.insert(QString::fromStdString(key.substr(key.find('\n') + 1)).toInt());
        const std::vector<int> known(ranks.begin(), ranks.end());
        Plot cells;
        cells.form = Plot::Form::Cells;
        cells.judged = true;
        cells.xTitle = QStringLiteral("rank");
        std::vector<Plot> bars;
        for (const int rank : known)
            cells.categories << QString::number(rank);
        for (const char* type : types) {
            PlotSeries series;
            series.kind = PlotSeries::Kind::Bars;
            series.name = words(type);
            for (std::size_t r = 0; r < known.size(); ++r) {
                const auto found
                    = changes.find(std::string(type).append("\n").append(std::to_string(known[r])));
                if (found != changes.end())
                    series.points.emplace_back(r, found->second);
            }
            cells.series.push_back(series);
            Plot plot;
            plot.form = Plot::Form::Bars;
            plot.judged = true;
            plot.title = series.name;
            plot.yTitle = improvements.isPerUnit ? QStringLiteral("improvement per unit of work (%)")
                                                 : QStringLiteral("improvement (%)");
            plot.categories = cells.categories;
            plot.series.push_back(std::move(series));
            bars.push_back(std::move(plot));
        }
        const QString title = improvements.isPerUnit
            ? QStringLiteral("Improvement by rank, per unit of work (%), positive is better")
            : QStringLiteral("Improvement by rank (%), positive is better");
        add(Section::Ranks, "gpu_time_heatmap.png", title, {std::move(cells)});
        add(Section::Ranks, "gpu_time_change_percentage_summary_by_rank.png", title, std::move(bars), 4, 20,
            9);
    }

    void collectives()
    {
        struct Figure
        {
            const char* column;
            const char* file;
            const char* title;
            const char* unit;
        };
        static constexpr Figure figures[]
            = {{"comm_latency_mean", "NCCL_Communication_Latency_comparison.png", "Collective latency",
                "us, mean"},
               {"algo bw (GB/s)_mean", "NCCL_Algorithm_Bandwidth_comparison.png", "Algorithm bandwidth",
                "GB/s, mean"},
               {"bus bw (GB/s)_mean", "NCCL_Bus_Bandwidth_comparison.png", "Bus bandwidth", "GB/s, mean"},
               {"Total comm latency (ms)", "NCCL_Total_Communication_Latency_comparison.png",
                "Total latency of all calls", "ms"}};
        const std::vector<std::string> keys{"Collective name", "In msg nelems"};
        for (const Figure& figure : figures) {
            std::vector<std::map<std::string, double>> values;
            for (const RunSheets& run : m_runs)
                values.push_back(
                    columnOf(run.collective.sheet("nccl_summary_implicit_sync"), keys, figure.column));
            Plot plot = barsOf(m_runs, values);
            plot.yTitle = QString::fromLatin1(figure.unit);
            add(Section::Collectives, figure.file, QString::fromLatin1(figure.title), {std::move(plot)});
        }
        if (m_runs.size() != 2)
            return;
        const Sheet compared = compareCollectives(m_runs.front(), m_runs.back(), m_options);
        std::vector<Plot> panels;
        for (const char* column : {"comm_latency_mean", "algo bw (GB/s)_mean", "bus bw (GB/s)_mean"}) {
            Plot plot;
            plot.form = Plot::Form::Rows;
            plot.judged = true;
            plot.title = words(column);
            PlotSeries& series = plot.series.emplace_back();
            series.kind = PlotSeries::Kind::Bars;
            for (const auto& [key, change] :
                 columnOf(&compared, keys, std::string("percent_change_").append(column))) {
                series.points.emplace_back(plot.categories.size(), change);
                plot.categories << QString::fromStdString(key);
            }
            panels.push_back(std::move(plot));
        }
        add(Section::Collectives, "NCCL_Performance_Percentage_Change_comparison.png",
            QStringLiteral("Collective improvement (%), positive is better"), std::move(panels), 3, 18, 6);
    }

    const std::vector<RunSheets>& m_runs;
    const CompareOptions& m_options;
    std::vector<ComparisonPlot> m_plots;
};

} // namespace

std::vector<ComparisonPlot> comparisonPlots(const std::vector<RunSheets>& runs, const CompareOptions& options)
{
    assert(runs.size() >= 2);
    return Pictures(runs, options).all();
}

} // namespace collscope
