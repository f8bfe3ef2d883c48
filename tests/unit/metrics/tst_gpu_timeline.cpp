// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// gpu_timeline: by hand, against a count of every nanosecond, and against what TraceLens published for real
// traces.

#include "metrics/analysis/analysis.h"
#include "metrics/reports/gpu_timeline_sheets.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/sheet_text.h"

#include <QFile>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

namespace collscope {

namespace {

using nlohmann::json;

bool neverCancelled()
{
    return false;
}

json kernelEvent(const std::string& name, int stream, double ts, double dur, int correlation = 0)
{
    return {{"ph", "X"},     {"cat", "kernel"},
            {"name", name},  {"pid", 0},
            {"tid", stream}, {"ts", ts},
            {"dur", dur},    {"args", {{"device", 0}, {"stream", stream}, {"correlation", correlation}}}};
}

json copyEvent(const std::string& category, int stream, double ts, double dur)
{
    json event = kernelEvent("Memcpy HtoD", stream, ts, dur);
    event["cat"] = category;
    return event;
}

json callEvent(const std::string& name, double ts, int correlation)
{
    json event = kernelEvent(name, 1, ts, 0.5, correlation);
    event["cat"] = "cuda_runtime";
    return event;
}

json flowEvent(const std::string& phase, int id, double ts)
{
    return {{"ph", phase}, {"cat", "ac2g"}, {"name", "ac2g"}, {"id", id}, {"pid", 0}, {"tid", 1}, {"ts", ts}};
}

TraceModelPtr modelOf(const std::vector<json>& events)
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("trace.json")).toStdString();
    std::ofstream(path) << json{{"traceEvents", events}};
    return *loadPath(path);
}

GpuTimeline measure(const TraceModel& model, bool linkedOnly)
{
    GpuTimeline sum;
    GpuTimelineMeter meter(model);
    for (const Timeline& timeline : model.timelines)
        sum += meter.measure(timeline, linkedOnly, neverCancelled);
    return sum;
}

bool addsUp(const GpuTimeline& times)
{
    return times.computationNs + times.exposedCommunicationNs + times.exposedCopyNs + times.idleNs
        == times.totalNs
        && times.busyNs + times.idleNs == times.totalNs;
}

/// Where a trace of the published tables lies here.
QString localPath(const std::string& input)
{
    static const std::pair<std::string, QString> places[]
        = {{"TraceLens:tests/traces/", QStringLiteral("/kineto_tracelens/traces/")},
           {"HTA:tests/data/", QStringLiteral("/kineto/hta/")},
           {"aorta:misc/", QStringLiteral("/kineto/aorta/")}};
    for (const auto& [prefix, place] : places) {
        if (input.starts_with(prefix))
            return tracesFolder() + place + QString::fromStdString(input.substr(prefix.size()));
    }
    return {};
}

/// What double arithmetic on microseconds may be off by, in ms: one grid step of the largest time per event.
double tolerance(const TraceModel& model, std::int64_t events)
{
    const Timeline& timeline = model.timelines.front();
    const double largestUs = nsToUs(timeline.range.endNs - timeline.fileToAxisNs);
    const double grid = std::nextafter(largestUs, std::numeric_limits<double>::infinity()) - largestUs;
    return 1e-6 + static_cast<double>(events) * grid / 1000;
}

/// A trace and, by row, the milliseconds that TraceLens gives for it.
struct Published
{
    std::string input;
    bool linkedOnly = false;
    std::map<std::string, double> ms;
    std::int64_t events = -1; ///< -1 = not told
};

json readJson(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json::array();
}

std::vector<Published> publishedRaw(const QString& reports)
{
    std::vector<Published> all;
    for (const json& record : readJson(reports + QStringLiteral("/gpu_timeline_raw.json"))) {
        Published one{record["input"], false, {}, record["n_gpu"]};
        for (const auto& [row, us] : record["gpu_timeline_us"].items())
            one.ms[row] = us.get<double>() / 1000;
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<Published> publishedTables(const QString& reports)
{
    std::vector<Published> all;
    for (const json& record : readJson(reports + QStringLiteral("/perf_index.json"))) {
        Published one{record["input"], record["mode"] == "linked", {}, -1};
        QFile file(reports + u'/' + QString::fromStdString(record["out"])
                   + QStringLiteral("/gpu_timeline.csv"));
        if (file.open(QIODevice::ReadOnly)) {
            for (const QByteArray& line : file.readAll().split('\n').mid(1)) {
                const QList<QByteArray> cells = line.trimmed().split(',');
                if (cells.size() >= 2)
                    one.ms[cells[0].toStdString()] = cells[1].toDouble();
            }
        }
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace

class TestGpuTimeline : public QObject
{
    Q_OBJECT

private:
    std::vector<Published> m_published;
    QString m_path; ///< of m_model
    TraceModelPtr m_model;

private slots:
    void classesOfTheReport()
    {
        // Computation [0,10) and the memset [20,22); communication [5,15); copies [12,18), [30,34), [36,37).
        const auto model = modelOf({kernelEvent("gemm", 7, 0, 10), kernelEvent("RCCL_Generic", 8, 5, 10),
                                    copyEvent("gpu_memcpy", 9, 12, 6), copyEvent("gpu_memset", 9, 20, 2),
                                    kernelEvent("MEMORY_COPY_HOST_TO_DEVICE", 7, 30, 4),
                                    kernelEvent("__amd_rocclr_copyBufferRectAligned.kd", 7, 36, 1),
                                    kernelEvent("__amd_rocclr_fillBufferAligned", 7, 40, 1),
                                    copyEvent("gpu_user_annotation", 7, 0, 99)});
        const GpuTimeline times = measure(*model, false);
        QCOMPARE(times.events, std::int64_t{7});
        QCOMPARE(times.computationNs, std::int64_t{13'000});
        QCOMPARE(times.exposedCommunicationNs, std::int64_t{5'000});
        QCOMPARE(times.exposedCopyNs, std::int64_t{3'000 + 4'000 + 1'000});
        QCOMPARE(times.communicationNs, std::int64_t{10'000});
        QCOMPARE(times.copyNs, std::int64_t{11'000});
        QCOMPARE(times.totalNs, std::int64_t{41'000});
        QVERIFY(addsUp(times));
    }
    void severalGpusOfOneRank()
    {
        // Both GPUs compute half of the time; together they are never idle.
        json second = kernelEvent("gemm", 7, 10, 10);
        second["pid"] = 1;
        second["args"]["device"] = 1;
        json third = kernelEvent("gemm", 7, 30, 10);
        third["pid"] = 1;
        third["args"]["device"] = 1;
        const auto model
            = modelOf({kernelEvent("gemm", 7, 0, 10), kernelEvent("gemm", 7, 20, 10), second, third});
        Analysis analysis(*model, {});
        const Workbook book = gpuTimelineSummary(gpuTimelines(analysis), RankMean::Arithmetic).gpuTimeline;
        const auto rows = rowTexts(book.sheet("Per_Device_Time_ms"), 4);
        QCOMPARE(rows.size(), std::size_t{16});
        QCOMPARE(rows[0], std::string("0 | 0 | busy_time | 0.02"));
        QCOMPARE(rows[4], std::string("0 | 0 | idle_time | 0.01"));
        QCOMPARE(rows[12], std::string("0 | 1 | idle_time | 0.01"));
        QCOMPARE(rowText(*book.sheet("All_Ranks_Combined"), 4), std::string("idle_time | 0 | 0 | 0"));
        QCOMPARE(book.notes.size(), std::size_t{1});
        const auto single = modelOf({kernelEvent("gemm", 7, 0, 10)});
        Analysis alone(*single, {});
        const Workbook one = gpuTimelineSummary(gpuTimelines(alone), RankMean::Arithmetic).gpuTimeline;
        QVERIFY(one.sheet("Summary") && !one.sheet("Per_Device_Time_ms") && one.notes.empty());
    }
    void summaryNamesTheSlowestRank()
    {
        // The percentage is the sum of the times over the sum of the totals: a mean of percentages would give
        // a short file the weight of a long one.
        std::vector<RankGpuTimeline> ranks;
        for (const std::int64_t busy : {1, 2, 3, 10}) {
            RankGpuTimeline& rank = ranks.emplace_back();
            rank.rank = static_cast<std::int32_t>(ranks.size() - 1);
            rank.times.busyNs = busy * 1'000'000;
            rank.times.totalNs = 2 * rank.times.busyNs + (rank.rank == 0 ? 8'000'000 : 0);
        }
        const Workbook book = gpuTimelineSummary(ranks, RankMean::Arithmetic).gpuTimeline;
        const Sheet& summary = *book.sheet("Summary");
        QCOMPARE(summary.columns,
                 (std::vector<std::string>{"type", "time ms", "percent", "num_ranks", "min ms", "max ms",
                                           "p50 ms", "p95 ms", "slowest rank"}));
        QCOMPARE(rowText(summary, 0, 7), std::string("busy_time | 4 | 40 | 4 | 1 | 10 | 2.5"));
        QVERIFY(std::abs(cellNumber(summary.rows[0][7]) - 8.95) < 1e-9);
        QCOMPARE(cellNumber(summary.rows[0][8]), 3.0);
    }
    /// The event that ends the file may last no time at all; it still ends the file.
    void zeroLengthEventsSpanTheTotal()
    {
        const GpuTimeline times
            = measure(*modelOf({kernelEvent("a", 7, 10, 5), kernelEvent("b", 7, 40, 0)}), false);
        QCOMPARE(times.totalNs, std::int64_t{30'000});
        QCOMPARE(times.idleNs, std::int64_t{25'000});
    }
    void linkedMeansCallAndCompleteFlow()
    {
        const auto model
            = modelOf({callEvent("cudaLaunchKernel", 0, 1), flowEvent("s", 1, 0), flowEvent("f", 1, 10),
                       kernelEvent("whole link", 7, 10, 1, 1), // counts
                       callEvent("cudaLaunchKernel", 1, 2), flowEvent("s", 2, 1),
                       kernelEvent("flow without an end", 7, 20, 1, 2), // does not
                       flowEvent("s", 3, 2), flowEvent("f", 3, 30),
                       kernelEvent("flow without a call", 7, 30, 1, 3), // does not
                       callEvent("cudaGraphLaunch", 3, 4), kernelEvent("graph", 7, 40, 1, 4),
                       kernelEvent("graph", 7, 45, 1, 4), // count
                       callEvent("cudaLaunchKernel", 4, 5), kernelEvent("no flow", 7, 50, 1, 5), // does not
                       kernelEvent("no correlation", 7, 60, 1)}); // does not
        const GpuTimeline linked = measure(*model, true);
        QCOMPARE(linked.events, std::int64_t{3});
        QCOMPARE(linked.unlinked, std::int64_t{4});
        QCOMPARE(linked.computationNs, std::int64_t{3'000});
        QCOMPARE(linked.totalNs, std::int64_t{36'000});
        QCOMPARE(measure(*model, false).events, std::int64_t{7});
    }
    void withoutAnyLinkThereIsNoNumber()
    {
        MetricOptions options;
        options.linkedOnly = true;
        const auto model = modelOf({kernelEvent("gemm", 7, 0, 10, 1)});
        const MetricResult result = evaluate(*model, *findMetric("gpu_timeline"), options);
        QCOMPARE(result.state, MetricState::NotApplicable);
        QVERIFY(result.reason.find("linked-only") != std::string::npos);
    }
    void rowsInTheOrderOfTheReport()
    {
        MetricOptions lastStep; // the window is the whole file whatever the steps
        lastStep.steps.mode = StepChoice::Mode::Range;
        const auto model = modelOf({kernelEvent("gemm", 7, 0, 10), kernelEvent("nccl", 8, 20, 20)});
        const MetricResult result = evaluate(*model, *findMetric("gpu_timeline"), lastStep);
        QVERIFY(result.state == MetricState::Value && !result.value);
        const std::vector<std::string> keys{
            "computation_time_ms", "exposed_comm_time_ms", "exposed_memcpy_time_ms", "busy_time_ms",
            "idle_time_ms",        "total_time_ms",        "total_comm_time_ms",     "total_memcpy_time_ms"};
        for (std::size_t i = 0; i < keys.size(); ++i)
            QCOMPARE(result.details[i].first, keys[i]);
        QCOMPARE(*result.details[0].second.as<double>(), 0.01);
        QCOMPARE(result.details[8].first, std::string("computation_time_percent"));
        QCOMPARE(*result.details[8].second.as<double>(), 25.0);
        QCOMPARE(result.window, std::string("whole file"));
    }
    /// Random streams, every nanosecond counted one by one.
    void equalsACountOfEveryNanosecond()
    {
        std::mt19937 random(20261014);
        const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        for (int round = 0; round < 25; ++round) {
            constexpr std::size_t horizon = 3000;
            std::vector<unsigned> kinds(horizon, 0);
            std::vector<json> events;
            std::size_t first = horizon;
            std::size_t last = 0;
            for (int i = 0; i < 40; ++i) {
                const int kind = below(4);
                const auto begin = static_cast<std::size_t>(below(2700));
                const auto length = static_cast<std::size_t>(below(kind == 0 ? 300 : 60));
                json event
                    = kernelEvent(kind == 1 ? "ncclKernel" : "gemm", below(3),
                                  static_cast<double>(begin) / 1000, static_cast<double>(length) / 1000);
                if (kind >= 2)
                    event["cat"] = kind == 2 ? "gpu_memcpy" : "gpu_memset";
                events.push_back(std::move(event));
                const unsigned bit = kind == 1 ? 2u : kind == 2 ? 4u : 1u; // memsets compute
                for (std::size_t t = begin; t < begin + length; ++t)
                    kinds[t] |= bit;
                first = std::min(first, begin);
                last = std::max(last, begin + length);
            }
            const auto count = [&](auto&& counts) {
                return static_cast<std::int64_t>(
                    std::count_if(kinds.begin(), kinds.end(), [&](unsigned kind) { return counts(kind); }));
            };
            const GpuTimeline times = measure(*modelOf(events), false);
            QCOMPARE(times.events, std::int64_t{40});
            QCOMPARE(times.totalNs, static_cast<std::int64_t>(last - first));
            QCOMPARE(times.computationNs, count([](unsigned kind) { return (kind & 1u) != 0; }));
            QCOMPARE(times.exposedCommunicationNs, count([](unsigned kind) { return (kind & 3u) == 2; }));
            QCOMPARE(times.exposedCopyNs, count([](unsigned kind) { return kind == 4; }));
            QCOMPARE(times.busyNs, count([](unsigned kind) { return kind != 0; }));
            QCOMPARE(times.communicationNs, count([](unsigned kind) { return (kind & 2u) != 0; }));
            QCOMPARE(times.copyNs, count([](unsigned kind) { return (kind & 4u) != 0; }));
            QVERIFY(addsUp(times));
        }
    }
    void published_data()
    {
        QTest::addColumn<int>("index");
        if (oracleFolder().isEmpty() || tracesFolder().isEmpty())
            return;
        const QString reports = oracleFolder() + QStringLiteral("/reports");
        m_published = publishedRaw(reports);
        const std::vector<Published> tables = publishedTables(reports);
        m_published.insert(m_published.end(), tables.begin(), tables.end());
        // Rows of the same trace one after the other: it is read once.
        std::stable_sort(m_published.begin(), m_published.end(),
                         [](const Published& a, const Published& b) { return a.input < b.input; });
        for (std::size_t i = 0; i < m_published.size(); ++i)
            QTest::addRow("%zu %s%s", i, m_published[i].input.c_str(),
                          m_published[i].linkedOnly ? " linked" : "")
                << static_cast<int>(i);
    }
    void published()
    {
        if (m_published.empty())
            QSKIP("no published values or traces: set COLLSCOPE_ORACLE and COLLSCOPE_TRACES");
        QFETCH(int, index);
        const Published& expected = m_published[static_cast<std::size_t>(index)];
        const QString path = localPath(expected.input);
        if (!QFile::exists(path))
            QSKIP("this trace is not here: set COLLSCOPE_TRACES");
        QCOMPARE(expected.ms.size(), gpuTimelineRows().size());
        if (m_path != path) {
            const auto model = loadPath(path.toStdString());
            QVERIFY(model);
            m_model = *model;
            m_path = path;
        }
        const GpuTimeline times = measure(*m_model, expected.linkedOnly);
        QVERIFY(addsUp(times));
        if (expected.events >= 0)
            QCOMPARE(times.events, expected.events);
        for (const GpuTimelineRow& row : gpuTimelineRows()) {
            const double got = nsToMs(times.*row.ns);
            const double wanted = expected.ms.at(std::string(row.name));
            QVERIFY2(
                std::abs(got - wanted) <= tolerance(*m_model, times.events),
                (std::string(row.name) + " " + numberText(got) + " is not " + numberText(wanted)).c_str());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGpuTimeline)
#include "tst_gpu_timeline.moc"
