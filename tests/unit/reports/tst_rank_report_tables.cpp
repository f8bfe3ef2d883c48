// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The report about a rank against the tables that TraceLens wrote about real traces.

#include "metrics/core/launch_links.h"
#include "metrics/reports/rank_report.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/sheet_text.h"

#include <QDir>
#include <QFile>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace collscope {

namespace {

/// Where a trace of the published tables lies here.
QString localPath(const std::string& input)
{
    static const std::pair<std::string, QString> places[]
        = {{"TraceLens:tests/traces/", QStringLiteral("/kineto_tracelens/traces/")},
           {"HTA:tests/data/", QStringLiteral("/kineto/hta/")}};
    for (const auto& [prefix, place] : places) {
        if (input.starts_with(prefix))
            return tracesFolder() + place + QString::fromStdString(input.substr(prefix.size()));
    }
    return {};
}

struct Table
{
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;

    /// A number of a row.
    double at(std::size_t row, std::size_t column) const { return std::stod(rows[row][column]); }
};

/// A CSV file as pandas writes it; no columns if it is not there.
Table readTable(const QString& path)
{
    Table table;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return table;
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : file.readAll().toStdString()) {
        if (c == '"') {
            quoted = !quoted; // no cell holds a quotation mark
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else if (c == '\n' && !quoted) {
            if (table.columns.empty())
                table.columns = cells;
            else
                table.rows.push_back(cells);
            cells.assign(1, "");
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return table;
}

/// A trace, the way TraceLens was run over it, and the folder of the tables that it wrote.
struct Published
{
    std::string input, mode;
    QString folder;
};

/// What double arithmetic on microseconds may be off by, in ms: one grid step of the largest time per event.
double toleranceMs(const TraceModel& model)
{
    const Timeline& timeline = model.timelines.front();
    std::int64_t events = 0;
    for (const TrackId id : timeline.tracks) {
        if (model.track(id).kind == TrackKind::GpuStream)
            events += static_cast<std::int64_t>(model.track(id).slices.size());
    }
    const double largestUs = nsToUs(timeline.range.endNs - timeline.fileToAxisNs);
    const double grid = std::nextafter(largestUs, std::numeric_limits<double>::infinity()) - largestUs;
    return 1e-6 + static_cast<double>(events) * grid / 1000;
}

} // namespace

class TestRankReportTables : public QObject
{
    Q_OBJECT

private:
    std::vector<Published> m_published;
    QString m_path; ///< of m_model
    TraceModelPtr m_model;

    int m_tables = 0; ///< that were compared
    static constexpr double text = -1; ///< tolerance of a column that holds no numbers

    QString reportsFolder() const { return oracleFolder() + QStringLiteral("/reports/"); }
    void load(const QString& path)
    {
        if (m_path == path)
            return;
        const auto model = loadPath(path.toStdString());
        QVERIFY(model);
        m_model = *model;
        m_path = path;
    }
    void compareNumber(const Sheet& ours, std::size_t row, std::size_t column, double wanted,
                       double tolerance)
    {
        const double got = cellNumber(ours.rows[row][column]);
        QVERIFY2(std::abs(got - wanted) <= tolerance,
                 (ours.name + ", " + rowText(ours, row, 1) + ", " + ours.columns[column] + ": "
                  + numberText(got) + " is not " + numberText(wanted))
                     .c_str());
    }
    /// Each row of theirs is one of ours with the same text in the `keys` first columns and numbers that
    /// differ by what tolerances[column] allows; the sums in `sortedBy` fall. A negative tolerance: text.
    void compareTable(const Sheet& ours, const Table& theirs, std::size_t keys,
                      const std::vector<double>& tolerances, std::optional<std::size_t> sortedBy)
    {
        QCOMPARE(ours.columns, theirs.columns);
        QCOMPARE(ours.rows.size(), theirs.rows.size());
        std::map<std::string, std::size_t> rowOf;
        for (std::size_t row = 0; row < ours.rows.size(); ++row) {
            rowOf.emplace(rowText(ours, row, keys), row);
            QVERIFY(row == 0 || !sortedBy
                    || cellNumber(ours.rows[row - 1][*sortedBy]) >= cellNumber(ours.rows[row][*sortedBy]));
        }
        QCOMPARE(rowOf.size(), ours.rows.size());
        for (std::size_t row = 0; row < theirs.rows.size(); ++row) {
            std::string key;
            for (std::size_t column = 0; column < keys; ++column) {
                const std::string& cell = theirs.rows[row][column];
                key += (column > 0 ? " | " : "") + (cell.empty() ? "-" : cell);
            }
            QVERIFY2(rowOf.contains(key), (ours.name + " has no row " + key).c_str());
            const std::size_t own = rowOf[key];
            QVERIFY(sortedBy || own == row);
            for (std::size_t column = keys; column < theirs.columns.size(); ++column) {
                // Sums up to a row: of as many rows, because rows of equal times stand in any order.
                const std::size_t at = theirs.columns[column].starts_with("Cumulative") ? row : own;
                if (tolerances[column] < 0)
                    QCOMPARE(cellText(ours.rows[own][column]), theirs.rows[row][column]);
                else
                    CHECKED(compareNumber(ours, at, column, theirs.at(row, column), tolerances[column]));
            }
        }
    }
    /// Where launches lack their arrows, TraceLens takes their work from the operators; the correlation says
    /// whose it is (A1, "correlation first"). What ours has more is that work, all of it.
    void compareWithoutArrows(const Sheet& ours, const Sheet& linked, std::size_t direct)
    {
        std::int64_t withoutArrowNs = 0;
        const Timeline& timeline = m_model->timelines.front();
        LaunchLinks links(*m_model, timeline);
        for (const TrackId id : timeline.tracks) {
            const Track& track = m_model->track(id);
            for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < track.slices.size();
                 ++row) {
                const std::uint32_t correlation = track.slices.correlation[row];
                if (timeline.launchOf(correlation) && !links.launchOf(correlation))
                    withoutArrowNs += track.slices.durationNs[row];
            }
        }
        QVERIFY(withoutArrowNs > 0);
        double moreMs = 0;
        for (const Value::Array& row : ours.rows)
            moreMs += cellNumber(row[direct]);
        for (const Value::Array& row : linked.rows)
            moreMs -= cellNumber(row[direct]);
        QVERIFY2(std::abs(moreMs - nsToMs(withoutArrowNs)) < 1e-9,
                 (numberText(moreMs) + " is not " + numberText(nsToMs(withoutArrowNs))).c_str());
    }
    /// Durations are decimals in the file: only theirs add up with an error.
    void compareKernels(const Sheet& ours, const Table& theirs, double ofTotal)
    {
        const std::size_t keys = static_cast<std::size_t>(
            std::find(ours.columns.begin(), ours.columns.end(), "Kernel stream") - ours.columns.begin() + 1);
        std::vector<double> tolerances(keys, 0);
        for (const double tolerance : {1e-6, 0.0, 1e-6, 1e-9, 1e-9, 1e-9, ofTotal})
            tolerances.push_back(tolerance);
        compareTable(ours, theirs, keys, tolerances, keys);
    }
    /// Counts up to each edge are the same, but for kernels that lie exactly on it: numpy rounds the edge.
    void compareHistogram(const Sheet& ours, const Table& theirs, std::int64_t thresholdNs)
    {
        QCOMPARE(ours.columns, theirs.columns);
        QCOMPARE(ours.rows.size(), theirs.rows.size());
        std::multiset<std::int64_t> durations;
        for (const TrackId id : m_model->timelines.front().tracks) {
            const SliceColumns& slices = m_model->track(id).slices;
            for (std::size_t row = 0; row < slices.size(); ++row) {
                if (slices.category[row] == SliceCategory::Kernel && slices.durationNs[row] < thresholdNs)
                    durations.insert(slices.durationNs[row]);
            }
        }
        std::int64_t difference = 0; // ours minus theirs so far
        for (std::size_t row = 0; row < theirs.rows.size(); ++row) {
            CHECKED(compareNumber(ours, row, 0, theirs.at(row, 0), 1e-9));
            CHECKED(compareNumber(ours, row, 1, theirs.at(row, 1), 1e-9));
            difference += *ours.rows[row][2].as<std::int64_t>() - std::stoll(theirs.rows[row][2]);
            const std::int64_t widthNs = *durations.rbegin() - *durations.begin();
            const std::int64_t edge = widthNs * static_cast<std::int64_t>(row + 1);
            const bool isWhole = edge % 100 == 0;
            const auto onEdge = isWhole ? durations.count(*durations.begin() + edge / 100) : 0;
            QVERIFY2(difference == 0
                         || (row + 1 < theirs.rows.size() && std::abs(difference) <= std::int64_t(onEdge)),
                     (ours.name + ", bin " + std::to_string(row) + ": " + std::to_string(difference)
                      + " kernels more up to here than TraceLens has")
                         .c_str());
        }
        QCOMPARE(difference, std::int64_t{0});
    }

private slots:
    void published_data()
    {
        QTest::addColumn<int>("index");
        if (oracleFolder().isEmpty() || tracesFolder().isEmpty())
            return;
        QFile file(reportsFolder() + QStringLiteral("perf_index.json"));
        if (!file.open(QIODevice::ReadOnly))
            return;
        for (const nlohmann::json& entry : nlohmann::json::parse(file.readAll().toStdString())) {
            m_published.push_back(
                {entry["input"], entry["mode"], reportsFolder() + QString::fromStdString(entry["out"])});
            QTest::addRow("%s %s", m_published.back().input.c_str(), m_published.back().mode.c_str())
                << static_cast<int>(m_published.size() - 1);
        }
    }
    void published()
    {
        if (m_published.empty())
            QSKIP("no published tables or traces: set COLLSCOPE_ORACLE and COLLSCOPE_TRACES");
        QFETCH(int, index);
        const Published& one = m_published[static_cast<std::size_t>(index)];
        const QString path = localPath(one.input);
        if (!QFile::exists(path))
            QSKIP("this trace is not here: set COLLSCOPE_TRACES");
        CHECKED(load(path));
        RankReportOptions options;
        options.linkedOnly = one.mode == "linked";
        options.shortKernelNs = options.linkedOnly ? 10'000 : 50'000;
        const Timeline* const timeline = &m_model->timelines.front();
        const Workbook report = rankReport(*m_model, {&timeline, 1}, options);
        for (const QString& file : QDir(one.folder).entryList({QStringLiteral("*.csv")}))
            QVERIFY(file == QStringLiteral("coll_analysis.csv") // of the collective report
                    || report.sheet(file.chopped(4).toStdString()));
        const double ms = toleranceMs(*m_model);
        const double us = 1000 * ms;
        const auto shareOf = [&](double totalMs) { return 200 * ms / totalMs; }; // both may be off
        const double ofTotal = shareOf(cellNumber(report.sheet("gpu_timeline")->rows[5][1]));
        RankReportOptions linkedOnly = options;
        linkedOnly.linkedOnly = true;
        const Workbook linked = rankReport(*m_model, {&timeline, 1}, linkedOnly);
        for (const Sheet& own : report.sheets) {
            // Here 81 hipMemsetAsync of convolutions have no arrow.
            const bool lacksArrows = one.mode == "aorta" && own.name.starts_with("ops_")
                && one.input.ends_with("resnet_act_checkpoint.json.gz");
            const Sheet& sheet = lacksArrows ? *linked.sheet(own.name) : own;
            if (lacksArrows)
                CHECKED(compareWithoutArrows(own, sheet, own.name == "ops_summary" ? 3 : 2));
            const Table theirs
                = readTable(one.folder + u'/' + QString::fromStdString(sheet.name) + QStringLiteral(".csv"));
            if (theirs.columns.empty()) {
                // Theirs is written on demand only, or was not kept because it has columns that ours has not.
                QVERIFY(sheet.name == "short_kernels_summary"
                        || (sheet.name == "kernel_summary" && one.mode == "aorta"));
                continue;
            }
            ++m_tables;
            double sumMs = 0; // of the operators
            for (const Value::Array& row : sheet.rows)
                sumMs += sheet.name == "ops_summary_by_category" ? cellNumber(row[2])
                    : sheet.name == "ops_summary"                ? cellNumber(row[3])
                                                                 : 0;
            const double ofSum = shareOf(sumMs);
            if (sheet.name == "gpu_timeline")
                CHECKED(compareTable(sheet, theirs, 1, {0, ms, ofTotal}, std::nullopt));
            else if (sheet.name == "ops_summary_by_category")
                CHECKED(compareTable(sheet, theirs, 1, {0, 0, ms, ofSum, ofSum}, 2));
            else if (sheet.name == "ops_summary")
                CHECKED(compareTable(sheet, theirs, 1, {0, us, us, ms, ms, 0, text, ofSum, ofSum}, 1));
            else if (sheet.name == "kernel_summary")
                compareKernels(sheet, theirs, ofTotal);
            else
                CHECKED(compareHistogram(sheet, theirs, options.shortKernelNs));
            if (QTest::currentTestFailed())
                return;
        }
    }
    /// Generated ranks without operators, whose times are small enough for double to be exact.
    void publishedRanks()
    {
        if (oracleFolder().isEmpty())
            QSKIP("no published tables: set COLLSCOPE_ORACLE");
        for (const char* run : {"base", "test"}) {
            for (int rank = 0; rank < 4; ++rank) {
                const QString folder = reportsFolder() + QStringLiteral("multirank/") + QLatin1String(run);
                CHECKED(load(folder + QStringLiteral("/torch_profiler/rank%1/trace.json").arg(rank)));
                const QString tables
                    = folder + QStringLiteral("/tracelens_analysis/individual_reports/csv_rank%1/").arg(rank);
                const Timeline* const timeline = &m_model->timelines.front();
                const Workbook report = rankReport(*m_model, {&timeline, 1}, {});
                QVERIFY(!report.sheet("ops_summary"));
                CHECKED(compareTable(*report.sheet("gpu_timeline"),
                                     readTable(tables + QStringLiteral("gpu_timeline.csv")), 1,
                                     {0, 1e-12, 1e-10}, std::nullopt));
                CHECKED(compareHistogram(*report.sheet("short_kernel_histogram"),
                                         readTable(tables + QStringLiteral("short_kernel_histogram.csv")),
                                         50'000));
                QVERIFY(report.sheet("short_kernels_summary")->isEmpty());
            }
        }
    }
    void allTablesWereCompared()
    {
        if (m_published.empty())
            QSKIP("no published tables or traces: set COLLSCOPE_ORACLE and COLLSCOPE_TRACES");
        QCOMPARE(m_published.size(), std::size_t{22});
        QCOMPARE(m_tables, 95);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRankReportTables)
#include "tst_rank_report_tables.moc"
