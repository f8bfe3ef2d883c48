// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/plots/comparison_plots.h"

#include "metrics/comparison/shared_steps.h"
#include "metrics/comparison/steps_or_captures.h"
#include "views/plots/plot_canvas.h"

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

/// Improvements between GPU times, in percent. Totals of captures without steps cover different amounts of
/// work; they are compared per unit of work, and omitted if that is unknown.
struct Improvements
{
    std::map<std::pair<std::string, int>, double> values; ///< by type and rank; means: of rank 0
    bool isPerUnit = false;
};

Improvements improvementsOf(const RunSheets& base, const RunSheets& test, const CompareOptions& options,
                            bool byRank)
{
    const ComparedWork work = comparedWork(base, test);
    Improvements improvements{{}, work.isTold};
    if (!work.isTold && (work.isOfCaptures || !areComparable(base, test)))
        return improvements;
    for (const ComparedTime& time : comparedTimes(base, test, options, byRank)) {
        // Less time is better, also where the work has no verdict.
        const auto change = time.perUnit.change;
        const auto improvement = !work.isTold ? time.delta.improvement
            : change                          ? std::optional(*change == 0 ? 0 : -*change)
                                              : std::nullopt;
        if (improvement)
            improvements.values.try_emplace({time.type, time.rank.value_or(0)}, *improvement);
    }
    return improvements;
}

/// A kind of collectives on an axis.
std::string textOf(const CallKind& kind)
{
    return kind.name + (kind.name.empty() ? "" : "\n") + keyText(countCell(kind.inElements));
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
    const auto& values = improvements.values;
    for (const char* type : types) {
        if (const auto found = values.find({type, 0}); found != values.end()) {
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
                changesOf(improvementsOf(m_runs.front(), m_runs[i], m_options, false),
                          m_runs.size() > 2 ? QString::fromStdString(m_runs[i].label) : QString()));
        const int columns = static_cast<int>(std::min<std::size_t>(2, changes.size()));
        const std::size_t rows = (changes.size() + 1) / 2;
        add(Section::Overall, "improvement_chart.png", QStringLiteral("GPU time improvement"),
            std::move(changes), columns, 14, 1.6 + 4.4 * static_cast<double>(rows));

        std::vector<std::map<std::string, double>> times;
        for (const RunSheets& run : m_runs) {
            std::map<std::string, double> own;
            for (const GpuTimeRow& time : run.values.means) {
                if (time.ms)
                    own.try_emplace(words(time.type).toStdString(), *time.ms);
            }
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
            const RankTable& table = m_runs[run].values.rankTimes;
            for (const RankTable::Type& own : table.types) {
                for (std::size_t r = 0; own.type == type && r < table.ranks.size(); ++r) {
                    if (own.figures[r])
                        series.points.emplace_back(table.ranks[r], *own.figures[r]);
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
        const Improvements improvements = improvementsOf(m_runs.front(), m_runs.back(), m_options, true);
        const auto& changes = improvements.values;
        std::set<int> ranks;
        for (const auto& [key, value] : changes)
            ranks.insert(key.second);
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
                const auto found = changes.find({type, known[r]});
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
            std::optional<double> CollectiveKindRow::*value;
            const char* file;
            const char* title;
            const char* unit;
        };
        static constexpr Figure figures[]
            = {{&CollectiveKindRow::latencyUs, "NCCL_Communication_Latency_comparison.png",
                "Collective latency", "us, mean"},
               {&CollectiveKindRow::algorithmBandwidth, "NCCL_Algorithm_Bandwidth_comparison.png",
                "Algorithm bandwidth", "GB/s, mean"},
               {&CollectiveKindRow::busBandwidth, "NCCL_Bus_Bandwidth_comparison.png", "Bus bandwidth",
                "GB/s, mean"},
               {&CollectiveKindRow::totalMs, "NCCL_Total_Communication_Latency_comparison.png",
                "Total latency of all calls", "ms"}};
        for (const Figure& figure : figures) {
            std::vector<std::map<std::string, double>> values;
            for (const RunSheets& run : m_runs) {
                std::map<std::string, double>& own = values.emplace_back();
                for (const CollectiveKindRow& row : run.values.collectives
                         ? run.values.collectives->rows
                         : std::vector<CollectiveKindRow>()) {
                    if (row.*figure.value)
                        own.try_emplace(textOf(row.kind), *(row.*figure.value));
                }
            }
            Plot plot = barsOf(m_runs, values);
            plot.yTitle = QString::fromLatin1(figure.unit);
            add(Section::Collectives, figure.file, QString::fromLatin1(figure.title), {std::move(plot)});
        }
        if (m_runs.size() != 2)
            return;
        const auto compared = comparedCollectives(m_runs.front(), m_runs.back(), m_options);
        std::vector<Plot> panels;
        for (const auto& [figure, title] : {std::pair(MeanLatency, "comm latency mean"),
                                            std::pair(AlgorithmBandwidth, "algo bw (GB/s) mean"),
                                            std::pair(BusBandwidth, "bus bw (GB/s) mean")}) {
            Plot plot;
            plot.form = Plot::Form::Rows;
            plot.judged = true;
            plot.title = QString::fromLatin1(title);
            PlotSeries& series = plot.series.emplace_back();
            series.kind = PlotSeries::Kind::Bars;
            std::map<std::string, double> improvements;
            for (const ComparedCalls& calls : compared) {
                if (const auto own = calls.figures[figure].improvement)
                    improvements.try_emplace(textOf(calls.kind), *own);
            }
            for (const auto& [key, change] : improvements) {
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
