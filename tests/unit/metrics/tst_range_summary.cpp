// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What happens in a range, on runs whose numbers are worked out by hand.

#include "metrics/analysis/range_summary.h"
#include "metrics/partition/partition.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/workloads/run_writer.h"

#include <map>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;

/// What a row says, in us.
struct Line
{
    std::uint64_t count = 0;
    double totalUs = 0, longestUs = 0;
    friend bool operator==(const Line&, const Line&) = default;
};

Line lineOf(const RangeRow& row)
{
    return {row.count, nsToUs(row.totalNs), nsToUs(row.longestNs)};
}

} // namespace

class TestRangeSummary : public QObject
{
    Q_OBJECT

private:
    using Lines = std::map<std::string, Line>;

    static Lines byName(const TraceModel& model, const RangePivot& pivot)
    {
        Lines lines;
        for (const RangeRow& row : pivot.rows)
            lines[std::string(model.text(row.name))] = lineOf(row);
        return lines;
    }
    static Lines byName(const TraceModel& model, const RangeSummary& summary,
                        RangeWork work = RangeWork::Everything)
    {
        return byName(model, pivotOf(model, summary, RangeGrouping::Name, work));
    }
    /// The ranks' clocks are ahead by so many us.
    static ClockMap clocksAhead(std::initializer_list<double> byUs)
    {
        std::vector<ClockFit> fits;
        for (const double ahead : byUs) {
            fits.emplace_back();
            fits.back().offsetNs = std::llround(ahead * us);
        }
        return ClockMap(std::move(fits));
    }

private slots:
    void slicesAreCutOffAtTheEndsOfTheRange()
    {
        SmallRun run(1);
        run.kernel(0, 0, 40, 7, "early"); // 20 of it inside
        run.kernel(0, 50, 10, 7, "inside");
        run.kernel(0, 70, 20, 7, "inside");
        run.kernel(0, 100, 60, 7, "late"); // 20 of it inside
        run.kernel(0, 170, 10, 7, "after");
        const TraceModelPtr model = run.load();
        const auto summary = summarizeRange(*model, ClockMap(), {20 * us, 120 * us});
        QCOMPARE(summary->slices, std::uint64_t{4});
        QVERIFY(byName(*model, *summary)
                == (Lines{{"early", {1, 20, 20}}, {"inside", {2, 30, 20}}, {"late", {1, 20, 20}}}));
        QCOMPARE(*summary->busyShare(), 0.7);
        for (const RangeRow& row : summary->rows) {
            if (model->text(row.name) == "inside")
                QCOMPARE(model->rangeOf(row.longest).beginNs, 70 * us);
        }
        QVERIFY2(summarizeRange(*model, ClockMap(), {60 * us, 70 * us})->slices == 0,
                 "a slice that ends where the range begins is not in it");
    }
    void workOfTwoStreamsAtATimeIsBusyOnce()
    {
        SmallRun run(1);
        run.kernel(0, 0, 40, 7, "gemm");
        run.kernel(0, 30, 30, 20, "ncclDevKernel_AllReduce_Sum_f32_RING_LL");
        run.copy(0, 80, 20, -1, 22);
        run.cpu(0, "train", 0, 100);
        const TraceModelPtr model = run.load();
        const auto summary = summarizeRange(*model, ClockMap(), {0, 100 * us});
        QCOMPARE(summary->gpus.size(), std::size_t{1});
        QCOMPARE(summary->gpus.front().busyNs, 80 * us); // 0-60 and 80-100
        QCOMPARE(pivotOf(*model, *summary, RangeGrouping::Name, RangeWork::Gpu).totalNs, 90 * us);
        QCOMPARE(pivotOf(*model, *summary, RangeGrouping::Name, RangeWork::Cpu).totalNs, 100 * us);
        QCOMPARE(pivotOf(*model, *summary, RangeGrouping::Name, RangeWork::Everything).totalNs, 190 * us);
    }
    void aRangeLiesOnTheAxisAndSlicesOnTheirOwnClocks()
    {
        SmallRun run(2);
        run.kernel(0, 0, 100, 7, "a");
        run.kernel(1, 50, 100, 7, "b"); // on the axis at 20
        const TraceModelPtr model = run.load();
        const TimeRange range{0, 40 * us};
        const auto raw = summarizeRange(*model, ClockMap(), range);
        QVERIFY(byName(*model, *raw) == (Lines{{"a", {1, 40, 40}}}));
        const auto aligned = summarizeRange(*model, clocksAhead({0, 30}), range);
        QVERIFY(aligned->range == range);
        QVERIFY(byName(*model, *aligned) == (Lines{{"a", {1, 40, 40}}, {"b", {1, 20, 20}}}));
        QCOMPARE(aligned->gpus[0].share(), 1.0);
        QCOMPARE(aligned->gpus[1].share(), 0.5);
        QCOMPARE(*aligned->busyShare(), 0.75);
    }
    void hiddenRanksDoNotCount()
    {
        SmallRun run(3);
        for (int rank = 0; rank < 3; ++rank)
            run.kernel(rank, 0, 20 * (rank + 1), 7, "gemm");
        const TraceModelPtr model = run.load();
        const TimeRange range{0, 60 * us};
        const auto all = summarizeRange(*model, ClockMap(), range);
        QCOMPARE(all->slices, std::uint64_t{3});
        COLLSCOPE_CLOSE(*all->busyShare(), 2.0 / 3);
        const auto two = summarizeRange(*model, ClockMap(), range, {1});
        QCOMPARE(two->slices, std::uint64_t{2});
        COLLSCOPE_CLOSE(*two->busyShare(), 2.0 / 3); // 20 and 60 of 60
        const RangePivot ranks = pivotOf(*model, *two, RangeGrouping::Rank, RangeWork::Gpu);
        QCOMPARE(ranks.rows.size(), std::size_t{2});
        QVERIFY(lineOf(ranks.rows[0]) == (Line{1, 20, 20}) && lineOf(ranks.rows[1]) == (Line{1, 60, 60}));
        const auto none = summarizeRange(*model, ClockMap(), range, {0, 1, 2});
        QVERIFY(none->slices == 0 && none->rows.empty() && !none->busyShare());
    }
    void nestedCallsCountInEach()
    {
        SmallRun run(1);
        run.cpu(0, "train", 0, 100);
        run.cpu(0, "forward", 10, 60);
        run.cpu(0, "forward", 20, 10); // calls itself
        const TraceModelPtr model = run.load();
        const auto summary = summarizeRange(*model, ClockMap(), {0, 50 * us});
        QVERIFY(byName(*model, *summary) == (Lines{{"train", {1, 50, 50}}, {"forward", {2, 50, 40}}}));
        QVERIFY2(!summary->busyShare(), "there is no GPU work in this run");
        QVERIFY(pivotOf(*model, *summary, RangeGrouping::Name, RangeWork::Gpu).rows.empty());
    }
    void groupsAddUp()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.kernel(rank, 0, 10, 7, "sm90_gemm_a");
            run.kernel(rank, 20, 30 + rank, 7, "sm90_gemm_b");
            run.kernel(rank, 20, 5, 8, "sm90_gemm_a");
            run.kernel(rank, 60, 4, 7, "softmax");
            run.cpu(rank, "train", 0, 90);
        }
        const TraceModelPtr model = run.load();
        const auto summary = summarizeRange(*model, ClockMap(), {0, 100 * us});
        const auto lines = [&](RangeGrouping grouping, RangeWork work = RangeWork::Gpu) {
            std::vector<Line> all;
            for (const RangeRow& row : pivotOf(*model, *summary, grouping, work).rows)
                all.push_back(lineOf(row));
            return all;
        };
        QVERIFY(lines(RangeGrouping::Class) == (std::vector<Line>{{6, 91, 31}, {2, 8, 4}}));
        QVERIFY(lines(RangeGrouping::Name) == (std::vector<Line>{{4, 30, 10}, {2, 61, 31}, {2, 8, 4}}));
        QVERIFY(lines(RangeGrouping::Rank) == (std::vector<Line>{{4, 49, 30}, {4, 50, 31}}));
        QVERIFY(lines(RangeGrouping::Track)
                == (std::vector<Line>{{3, 44, 30}, {1, 5, 5}, {3, 45, 31}, {1, 5, 5}}));
        QVERIFY(lines(RangeGrouping::Class, RangeWork::Everything)
                == (std::vector<Line>{{6, 91, 31}, {2, 8, 4}, {2, 180, 90}}));
        const RangePivot classes = pivotOf(*model, *summary, RangeGrouping::Class, RangeWork::Gpu);
        QVERIFY2(model->nameOf(classes.rows[0].longest) == "sm90_gemm_b"
                     && model->timelineOf(classes.rows[0].longest).rank == 1,
                 "31 us is the longest of the class");
    }
    void wantedAreNamesOrClasses()
    {
        SmallRun run(1);
        run.kernel(0, 0, 10, 7, "sm90_gemm_a");
        run.kernel(0, 20, 30, 7, "cutlass_f16"); // a GEMM by another name
        run.kernel(0, 60, 5, 7, "softmax");
        const TraceModelPtr model = run.load();
        const auto summary = summarizeRange(*model, ClockMap(), {0, 100 * us});
        std::map<std::string, int> asked;
        const auto named = [&](std::string_view wanted) {
            return pivotOf(*model, *summary, RangeGrouping::Name, RangeWork::Gpu,
                           [wanted, &asked](std::string_view text) {
                               ++asked[std::string(text)];
                               return text.find(wanted) != std::string_view::npos;
                           });
        };
        QVERIFY(byName(*model, named("soft")) == (Lines{{"softmax", {1, 5, 5}}}));
        for (const auto& [text, times] : asked)
            QVERIFY2(times == 1, text.c_str());
        QCOMPARE(named("GEMM").rows.size(), std::size_t{2});
        QCOMPARE(named("GEMM").totalNs, 45 * us);
        QCOMPARE(named("no such name").rows.size(), std::size_t{0});
    }
    void busyIsWhatTheMetricSays()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            for (int i = 0; i < 50; ++i) {
                run.kernel(rank, 10.0 * i, 3 + (i * 7 + rank) % 9, 7, "gemm");
                run.kernel(rank, 17.0 * i, 2 + (i * 5 + rank) % 11, 8, "softmax");
            }
        }
        const TraceModelPtr model = run.load();
        MetricOptions options;
        options.range = TimeRange{33 * us, 411 * us};
        const auto percent = measured(*model, "aggregate_gpu_utilization", options).value;
        QVERIFY(percent && *percent > 50 && *percent < 100);
        COLLSCOPE_CLOSE(*summarizeRange(*model, ClockMap(), *options.range)->busyShare(), *percent / 100);
    }
    void whatTwoSourcesTracedCountsOnce()
    {
        const auto summaryOf = [](bool nsys) {
            const QTemporaryDir folder;
            RunFiles files;
            files.nsys = nsys;
            writeRun(planRun(WorkloadDescription()), folder.path().toStdString(), files);
            const auto model = loadPath(folder.path().toStdString());
            return model ? summarizeRange(**model, ClockMap(), (*model)->range) : nullptr;
        };
        const auto one = summaryOf(false), both = summaryOf(true);
        QVERIFY(one && both && one->slices > 0);
        QCOMPARE(both->slices, one->slices);
        QCOMPARE(both->gpus.size(), one->gpus.size());
        QVERIFY(one->timelinesLeftOut == 0 && both->timelinesLeftOut > 0);
    }
    void emptyRangesAndRangesWithoutAnything()
    {
        SmallRun run(1);
        run.kernel(0, 0, 10, 7, "gemm");
        run.kernel(0, 90, 10, 7, "gemm");
        const TraceModelPtr model = run.load();
        const auto empty = summarizeRange(*model, ClockMap(), {5 * us, 5 * us});
        QVERIFY(empty && empty->slices == 0 && empty->rows.empty() && !empty->busyShare());
        const auto gap = summarizeRange(*model, ClockMap(), {20 * us, 80 * us});
        QVERIFY(gap->slices == 0);
        QCOMPARE(*gap->busyShare(), 0.0);
        const auto outside = summarizeRange(*model, ClockMap(), {500 * us, 600 * us});
        QVERIFY2(outside->slices == 0 && !outside->busyShare(), "the rank was not traced then");
    }
    void instantsAndSlicesWithoutALength()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("trace.json")).toStdString();
        writeFile(path, R"({"traceEvents": [
            {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 0, "dur": 100,
             "args": {"device": 0, "stream": 7}},
            {"ph": "X", "cat": "cpu_op", "name": "mark", "pid": 100, "tid": 100, "ts": 20, "dur": 0},
            {"ph": "X", "cat": "cpu_op", "name": "mark", "pid": 100, "tid": 100, "ts": 40, "dur": 0},
            {"ph": "i", "s": "t", "name": "[memory]", "pid": 100, "tid": 100, "ts": 20},
            {"ph": "i", "s": "t", "name": "[memory]", "pid": 100, "tid": 100, "ts": 39.999},
            {"ph": "i", "s": "t", "name": "[memory]", "pid": 100, "tid": 100, "ts": 40}]})");
        const auto loaded = loadPath(path);
        QVERIFY(loaded);
        const TraceModelPtr& model = *loaded;
        const auto summary = summarizeRange(*model, ClockMap(), {20 * us, 40 * us});
        QCOMPARE(summary->instants, std::uint64_t{2});
        QVERIFY(byName(*model, *summary) == (Lines{{"gemm", {1, 20, 20}}, {"mark", {1, 0, 0}}}));
    }
    /// 100 us: gemm 0 to 30, memset 30 to 50, copy 50 to 60, a copy kernel of ROCm 60 to 70, a collective 65
    /// to 90.
    void computingAgreesWithTheSummary()
    {
        KinetoText trace;
        trace.kernel("gemm", 7, 0, 30, 0);
        trace.work("gpu_memset", "Memset (Device)", 7, 30, 20, 0);
        trace.copy(7, 50, 10);
        trace.kernel("__amd_rocclr_copyBuffer", 7, 60, 10, 0);
        trace.kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", 20, 65, 25,
                     0);
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const auto summary = summarizeRange(*model, ClockMap(), {0, 100 * us});
        QCOMPARE(*summary->busyShare(), 0.9);
        QCOMPARE(*summary->computeShare(), 0.5);
        QCOMPARE(*summary->exposedNs(), 40 * us);
        MetricOptions options;
        options.range = TimeRange{0, 100 * us};
        Analysis analysis(*model, options);
        const PartTimes parts = partitionOf(analysis).perStep();
        QCOMPARE(parts.of(Part::Compute), 50 * us);
        QCOMPARE(parts.of(Part::Idle), 10 * us);
    }
    void itCanBeCancelled()
    {
        SmallRun run(1);
        run.kernel(0, 0, 10, 7, "gemm");
        const TraceModelPtr model = run.load();
        QVERIFY(!summarizeRange(*model, ClockMap(), {0, 10 * us}, {}, [] { return true; }));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRangeSummary)
#include "tst_range_summary.moc"
