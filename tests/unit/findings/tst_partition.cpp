// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The partition of steps: by hand, on every real trace, and against the oracle's figures of real traces.

#include "metrics/partition/rank_sums.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

#include <QFile>

#include <nlohmann/json.hpp>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;

PartTimes partsOf(const TraceModel& model, const MetricOptions& options = {})
{
    Analysis analysis(model, options);
    return partitionOf(analysis).parts;
}

/// In us: compute, communication, waiting, copy, idle.
PartTimes inUs(std::array<std::int64_t, partCount> parts)
{
    PartTimes times;
    for (std::size_t part = 0; part < partCount; ++part)
        times.ns[part] = parts[part] * us;
    return times;
}

std::int64_t sumOf(const IdleTimes& times)
{
    std::int64_t sum = 0;
    for (const std::int64_t ns : times)
        sum += ns;
    return sum;
}

CallText allReduce(int sequence, const std::string& group = "0")
{
    return {.name = "allreduce",
            .inElements = 1000,
            .outElements = 1000,
            .groupSize = 2,
            .group = group,
            .ranks = "[0, 1]",
            .sequence = sequence};
}

/// What two calls own of one partition, by the begin of their kernel in us after the first event.
const CallShare* shareAt(const Partition& partition, const TraceModel& model, std::int32_t rank,
                         std::int64_t beginUs)
{
    for (std::size_t i = 0; i < partition.calls.times.size(); ++i) {
        const SliceRef slice = partition.calls.times[i].slice;
        if (model.timelineOf(slice).rank == rank && model.rangeOf(slice).beginNs == beginUs * us)
            return &partition.calls.shares[i];
    }
    return nullptr;
}

/// Sums that must agree for each step of each rank.
void checkSums(const Partition& partition)
{
    std::int64_t allNs = 0;
    for (const RankShare& rank : partition.ranks) {
        const RankSums sums(rank);
        for (const StepShare& step : rank.steps) {
            QCOMPARE(step.parts.total(), step.step.range.lengthNs());
            QCOMPARE(sumOf(sums.idleOf(step)), step.parts.of(Part::Idle));
            allNs += step.parts.total();
        }
    }
    QCOMPARE(partition.parts.total(), allNs);
    QCOMPARE(partition.perStep().total(), partition.stepNs());
    std::int64_t movingNs = 0;
    std::int64_t waitingNs = 0;
    for (const CallShare& share : partition.calls.shares) {
        movingNs += share.moving.ns;
        waitingNs += share.waiting.ns;
    }
    std::int64_t copyNs = 0;
    for (const RankShare& rank : partition.ranks) {
        for (const CopyShare& copies : rank.copies)
            copyNs += copies.ns;
    }
    QCOMPARE(movingNs, partition.parts.of(Part::Communication));
    QCOMPARE(waitingNs, partition.parts.of(Part::Waiting));
    QCOMPARE(copyNs, partition.parts.of(Part::Copy));
}

} // namespace

class TestPartition : public QObject
{
    Q_OBJECT

private:
    QString m_loadedPath; ///< of m_loaded
    TraceModelPtr m_loaded;

private slots:
    /// Compute hides all, a memset is compute, communication hides copies.
    void precedence()
    {
        KinetoText trace;
        trace.annotation("ProfilerStep#1", 1, 0, 100);
        trace.kernel("gemm", 7, 10, 20, 0);
        trace.work("gpu_memset", "Memset (Device)", 8, 25, 10, 0);
        trace.kernel("ncclDevKernel_AllReduce_Sum_f32", 20, 20, 30, 0);
        trace.work("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 9, 40, 30, 0);
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        QCOMPARE(partsOf(*model).ns, inUs({25, 15, 0, 20, 40}).ns);
    }
    /// Rank 1 arrives 30 us late: rank 0 waits, then data moves on both.
    void waiting()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            run.step(rank, 1, 0, 100);
            run.compute(rank, 0, rank == 0 ? 20 : 50);
            run.call(rank, "AllReduce_Sum_f32", rank == 0 ? 20 : 50, rank == 0 ? 60 : 30, allReduce(1));
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        const Partition& partition = partitionOf(analysis);
        QCOMPARE(partition.ranks[0].steps[0].parts.ns, inUs({20, 30, 30, 0, 20}).ns);
        QCOMPARE(partition.ranks[1].steps[0].parts.ns, inUs({50, 30, 0, 0, 20}).ns);
        QCOMPARE(partition.parts.ns, inUs({70, 60, 30, 0, 40}).ns);
        QCOMPARE(partition.unsplit, 0);
        const CallShare* const early = shareAt(partition, *model, 0, 20);
        QVERIFY(early);
        QCOMPARE(early->waiting.ns, 30 * us);
        QCOMPARE(early->waiting.longest, (TimeRange{20 * us, 50 * us}));
        QCOMPARE(early->moving.ns, 30 * us);
        CHECKED(checkSums(partition));
    }
    /// Two collectives at once share what is exposed; while one moves and one waits, it is communication.
    void sharedTime()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            run.step(rank, 1, 0, 200);
            // Rank 1 arrives at the first one at 40, at the second one at 60; both end together.
            run.call(rank, "AllReduce_Sum_f32", rank == 0 ? 20 : 40, rank == 0 ? 81 : 61, allReduce(1, "0"),
                     20);
            run.call(rank, "AllReduce_Sum_f32", rank == 0 ? 30 : 60, rank == 0 ? 71 : 41, allReduce(1, "1"),
                     21);
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        const Partition& partition = partitionOf(analysis);
        // Rank 0: 20-30 the first waits, 30-40 both wait, 40-60 the first moves, 60-101 both move.
        QCOMPARE(partition.ranks[0].steps[0].parts.ns, inUs({0, 61, 20, 0, 119}).ns);
        const CallShare* const first = shareAt(partition, *model, 0, 20);
        const CallShare* const second = shareAt(partition, *model, 0, 30);
        QVERIFY(first && second);
        QCOMPARE(first->waiting.ns, 15 * us);
        QCOMPARE(second->waiting.ns, 5 * us);
        QCOMPARE(first->moving.ns, 20 * us + 20'500);
        QCOMPARE(second->moving.ns, 20'500LL);
        CHECKED(checkSums(partition));
    }
    /// A nanosecond that cannot be divided has one owner.
    void oddTime()
    {
        KinetoText trace;
        trace.annotation("ProfilerStep#1", 1, 0, 1);
        for (int stream = 20; stream < 23; ++stream)
            trace.kernel("ncclDevKernel_AllReduce_Sum_f32", stream, 0.1, 0.1, 0);
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        Analysis analysis(*model, {});
        const Partition& partition = partitionOf(analysis);
        QCOMPARE(partition.parts.of(Part::Communication), 100);
        QCOMPARE(partition.unsplit, 3);
        CHECKED(checkSums(partition));
    }
    /// Sends and receives show no clocks, and the files have no wall clock: nobody knows who waited.
    void withoutClocks()
    {
        CollectiveRun run;
        for (const int rank : {0, 1}) {
            CallText text = allReduce(1);
            text.name = rank == 0 ? "send" : "recv";
            text.source = 0;
            text.destination = 1;
            run.step(rank, 1, 0, 100);
            run.call(rank, "SendRecv", rank == 0 ? 50 : 20, rank == 0 ? 30 : 60, text);
        }
        const TraceModelPtr model = run.load();
        for (const bool isRaw : {false, true}) {
            MetricOptions options;
            options.clocks = isRaw ? ClockChoice::Raw : ClockChoice::Auto;
            Analysis analysis(*model, options);
            const Partition& partition = partitionOf(analysis);
            const std::int64_t waitUs = isRaw ? 30 : 0;
            QCOMPARE(partition.ranks[1].steps[0].parts.ns, inUs({0, 60 - waitUs, waitUs, 0, 40}).ns);
            QCOMPARE(partition.unsplit, isRaw ? 0 : 2);
        }
    }
    /// A call without partners is communication, and said to be so.
    void withoutPartners()
    {
        CollectiveRun run;
        run.step(0, 1, 0, 100);
        run.call(0, "AllReduce_Sum_f32", 20, 60, allReduce(1));
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        const Partition& partition = partitionOf(analysis);
        QCOMPARE(partition.parts.ns, inUs({0, 60, 0, 0, 40}).ns);
        QCOMPARE(partition.unsplit, 1);
    }
    /// Every step of every real trace, and whole traces, add up.
    void realTraces_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path :
             allTraces({QStringLiteral("json"), QStringLiteral("json.gz"), QStringLiteral("sqlite")}))
            QTest::newRow(qPrintable(traceLabel(path))) << path;
    }
    void realTraces()
    {
        QFETCH(const QString, path);
        const auto model = loadPath(path.toStdString());
        if (!model)
            return; // no trace: other tests say so
        MetricOptions options;
        options.steps.mode = StepChoice::Mode::All;
        Analysis analysis(**model, options);
        CHECKED(checkSums(partitionOf(analysis)));
    }
    /// The oracle's partition of real traces, made by another program.
    void oracle_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("window");
        QTest::addColumn<QByteArray>("expected");
        QFile file(oracleFolder() + QStringLiteral("/findings/real_partitions.json"));
        if (oracleFolder().isEmpty() || !file.open(QIODevice::ReadOnly))
            return;
        const auto all = nlohmann::json::parse(file.readAll().toStdString());
        for (const auto& [path, entry] : all.items()) {
            for (const auto& [window, times] : entry["windows"].items()) {
                const std::string label = path + " " + window;
                QTest::newRow(label.c_str())
                    << tracesFolder() + QLatin1Char('/') + QString::fromStdString(path)
                    << QString::fromStdString(window) << QByteArray::fromStdString(times.dump());
            }
        }
    }
    void oracle()
    {
        if (!QTest::currentDataTag())
            QSKIP("No oracle here.");
        QFETCH(const QString, path);
        QFETCH(const QString, window);
        QFETCH(const QByteArray, expected);
        if (path != m_loadedPath) { // the windows of a file come one after the other
            const auto loaded = loadPath(path.toStdString());
            QVERIFY(loaded);
            m_loaded = *loaded;
            m_loadedPath = path;
        }
        const TraceModel& model = *m_loaded;
        MetricOptions options;
        if (window.startsWith(QStringLiteral("ProfilerStep#"))) {
            const std::int64_t number = window.section(QLatin1Char('#'), 1).toLongLong();
            options.steps = {StepChoice::Mode::Range, number, number};
        } else {
            TimeRange range = model.timelines.front().range;
            if (window == QStringLiteral("gpu_span"))
                range = gpuSpan(model);
            options.range = range;
        }
        const auto times = nlohmann::json::parse(expected.toStdString());
        if (times["window_ns"] == 0)
            return;
        const PartTimes parts = partsOf(model, options);
        QCOMPARE(parts.total(), times["window_ns"].get<std::int64_t>());
        QCOMPARE(parts.of(Part::Compute), times["compute"].get<std::int64_t>());
        QCOMPARE(parts.of(Part::Communication) + parts.of(Part::Waiting),
                 times["communication"].get<std::int64_t>());
        QCOMPARE(parts.of(Part::Copy), times["copy"].get<std::int64_t>());
        QCOMPARE(parts.of(Part::Idle), times["idle"].get<std::int64_t>());
    }

private:
    static TimeRange gpuSpan(const TraceModel& model)
    {
        std::optional<TimeRange> span;
        for (const Track& track : model.tracks) {
            for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < track.slices.size();
                 ++row) {
                if (isGpuWork(track.slices.category[row]))
                    span = span ? span->united(track.slices.range(row)) : track.slices.range(row);
            }
        }
        return span.value_or(TimeRange{});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPartition)
#include "tst_partition.moc"
