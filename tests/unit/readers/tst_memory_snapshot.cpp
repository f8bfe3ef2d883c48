// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// CUDA memory snapshots: what is in the model, what the metrics say, and files that are not as they should
// be.

#include "metrics/memory/allocations.h"
#include "metrics/memory/replay.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/texts/memory_text.h"
#include "tests/support/workloads/planted_memory.h"

#include <QTest>

namespace collscope {

using namespace py;

class TestMemorySnapshot : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
    void aSmallOneWorkedByHand()
    {
        const TraceModelPtr run
            = m_folder.writeAndLoad("small/rank3_memory_snapshot.pickle", smallSnapshot());
        QVERIFY(run);
        QCOMPARE(run->memory.size(), std::size_t{1});
        const MemorySnapshot& snapshot = run->memory.front();
        QCOMPARE(snapshot.rank, 3);
        QVERIFY(snapshot.hasTimes && snapshot.isOnAxis);
        QCOMPARE(run->axisZeroNs, base * 1000);
        QCOMPARE(run->range, (TimeRange{0, 60'000}));
        const MemoryDevice& device = snapshot.devices.front();
        const MemoryLevels levels = memoryLevels(device);
        const auto inMebibytes = [](std::vector<std::int64_t> bytes) {
            for (std::int64_t& own : bytes)
                own /= mebibyte;
            return bytes;
        };
        using Levels = std::vector<std::int64_t>;
        QCOMPARE(inMebibytes(levels.allocated), (Levels{0, 0, 4, 8, 16, 12, 12, 12, 8}));
        QCOMPARE(inMebibytes(levels.active), (Levels{0, 0, 4, 8, 16, 16, 12, 12, 12}));
        QCOMPARE(inMebibytes(levels.reserved), (Levels{0, 20, 20, 20, 20, 20, 20, 20, 20}));

        const MetricResult peak = measure(*run, "memory_peak");
        QCOMPARE(peak.value, std::optional(16.0 * mebibyte));
        QCOMPARE(peak.scope, std::string("rank 3"));
        QCOMPARE(peak.evidenceRanges.size(), std::size_t{1});
        QCOMPARE(peak.evidenceRanges.front(), (TimeRange{30'000, 40'000}));
        QCOMPARE(peak.details.back().first, std::string("alive_at_peak"));
        const auto* top = peak.details.back().second.as<Value::Array>();
        QVERIFY(top && top->size() == 1);
        const auto* use = top->front().as<Value::Object>();
        QCOMPARE(*use->at(0).second.as<std::int64_t>(), 16 * mebibyte);
        QCOMPARE(*use->at(1).second.as<std::int64_t>(), std::int64_t{3});
        QCOMPARE(*use->at(2).second.as<std::string>(), std::string("forward (model.py:42)"));
        QCOMPARE(measure(*run, "memory_reserved").value, std::optional(20.0 * mebibyte));
        QCOMPARE(measure(*run, "memory_efficiency").value, std::optional(0.6));
        const MetricResult fragmentation = measure(*run, "memory_fragmentation");
        QCOMPARE(fragmentation.value, std::optional(0.6));
        QCOMPARE(numberOf(fragmentation, "external_fragmentation"), 0.0); // one inactive block
        QCOMPARE(numberOf(fragmentation, "inactive_split_bytes"), 8.0 * mebibyte);
        const MetricResult pattern = measure(*run, "memory_allocation_pattern");
        QCOMPARE(pattern.value, std::optional(3 / 60e-6));
        QCOMPARE(numberOf(pattern, "lifetime_p50_ms"), 0.035); // 20 and 50 us
        QCOMPARE(measure(*run, "memory").value, peak.value);
        QVERIFY(measureRank(*run, "memory_peak", 0).state == MetricState::MissingInput);
        QVERIFY(measureRank(*run, "memory_peak", 0).reason.find("exist for rank 3") != std::string::npos);
        QVERIFY(measure(*run, "avg_step_time").state == MetricState::MissingInput);
    }
    void allocationsLiveFromPlaceToPlace()
    {
        const TraceModelPtr run
            = m_folder.writeAndLoad("small/rank3_memory_snapshot.pickle", smallSnapshot());
        const MemoryDevice& device = run->memory.front().devices.front();
        const auto all = allocationsOf(device);
        QCOMPARE(all.size(), std::size_t{3});
        const auto lifeOf = [&](std::size_t i) {
            return std::tuple(all[i].bytes / mebibyte, all[i].begin, all[i].freed, all[i].reusable);
        };
        constexpr auto never = MemoryAllocation::never;
        QCOMPARE(lifeOf(0), std::tuple(std::int64_t{4}, 3u, 5u, 6u));
        QCOMPARE(lifeOf(1), std::tuple(std::int64_t{4}, 2u, 8u, never));
        QCOMPARE(lifeOf(2), std::tuple(std::int64_t{8}, 4u, never, never));
        // At each place, what is alive adds up to the level.
        const MemoryLevels levels = memoryLevels(device);
        for (std::size_t place = 0; place < levels.size(); ++place) {
            std::int64_t allocated = 0, active = 0;
            for (const MemoryAllocation& own : all) {
                allocated += own.isAllocatedAt(place) ? own.bytes : 0;
                active += own.isActiveAt(place) ? own.bytes : 0;
            }
            QCOMPARE(allocated, levels.allocated[place]);
            QCOMPARE(active, levels.active[place]);
        }
        const auto mappings = mappingsOf(device);
        QCOMPARE(mappings.size(), std::size_t{1});
        QCOMPARE(mappings.front().begin, 1u);
    }
    /// A snapshot that an allocator made which kept books while it went forward.
    void peaksAreWhatHappened_data()
    {
        QTest::addColumn<int>("seed");
        QTest::addColumn<int>("cut");
        for (int seed = 1; seed <= 12; ++seed)
            QTest::addRow("%d", seed) << seed << (seed % 3 == 0 ? 1500 : 0);
    }
    void peaksAreWhatHappened()
    {
        QFETCH(int, seed);
        QFETCH(int, cut);
        MemoryDescription description;
        description.events = 4000;
        description.cutEvents = static_cast<std::size_t>(cut);
        description.seed = static_cast<std::uint64_t>(seed);
        description.device = seed % 4;
        const PlantedMemory planted = plantMemory(description);
        const TraceModelPtr run
            = m_folder.writeAndLoad("planted/rank0_memory_snapshot.pickle", planted.bytes);
        QVERIFY(run);
        QVERIFY(run->problems.isEmpty());
        QCOMPARE(run->sources.front().shown, static_cast<std::uint64_t>(planted.events));
        const MemorySnapshot& snapshot = run->memory.front();
        QCOMPARE(snapshot.devices.size(), std::size_t{1});
        const MemoryDevice& device = snapshot.devices.front();
        QCOMPARE(device.device, seed % 4);
        const MemoryLevels levels = memoryLevels(device);
        QCOMPARE(levels.allocated.back(), planted.allocated);
        QCOMPARE(levels.active.back(), planted.active);
        QCOMPARE(levels.reserved.back(), planted.reserved);
        QCOMPARE(levels.active[peakOf(levels.active)], planted.peakActive);
        QCOMPARE(levels.reserved[peakOf(levels.reserved)], planted.peakReserved);
        QCOMPARE(measure(*run, "memory_peak").value,
                 std::optional(static_cast<double>(planted.peakAllocated)));
        const std::size_t place = peakOf(levels.allocated);
        QCOMPARE(place == 0 ? 0 : (device.events.timeNs[place - 1] + run->axisZeroNs) / 1000,
                 planted.peakTimeUs);
        // What lived then is known one by one, also where it is older than the record.
        std::int64_t alive = 0;
        for (const StackUse& use : usesAt(allocationsOf(device), place))
            alive += use.bytes;
        QCOMPARE(alive, planted.peakAllocated);
        QVERIFY(snapshot.stacks.size() <= 50 && snapshot.stacks.size() > 10);
        for (const StackId stack : device.events.stack)
            QVERIFY(stackText(*run, snapshot, stack).starts_with("function"));
        // All that is reserved is one of the segments, and blocks fill them.
        for (const MemorySegment& own : device.segments) {
            std::int64_t bytes = 0;
            for (const MemoryBlock& each : own.blocks)
                bytes += each.bytes;
            QCOMPARE(bytes, own.totalBytes);
        }
    }
    void wholeFiles_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("events");
        QTest::addColumn<double>("peak");
        QTest::addColumn<double>("reserved");
        QTest::addColumn<double>("efficiency");
        QTest::addColumn<double>("fragmentation");
        // Worked out by a few lines of Python from what pickle.load says.
        const auto row = [](const char* file, int events, double peak, double reserved, double efficiency,
                            double fragmentation) {
            QTest::newRow(file) << tracesFolder() + QStringLiteral("/memsnap/") + QString::fromUtf8(file)
                                << events << peak << reserved << efficiency << fragmentation;
        };
        QTest::newRow("by hand") << QString::fromStdString(
            m_folder.write("hand/rank3_memory_snapshot.pickle", smallSnapshot()))
                                 << 8 << 16.0 * mebibyte << 20.0 * mebibyte << 0.6 << 0.6;
        if (tracesFolder().isEmpty())
            return;
        row("bcrafton/memory_snapshot.pickle", 6486, 3857685760.0, 4238344192.0, 0.7250169605857248,
            0.2749830394142751);
        row("magma27/memory_snapshot.pickle", 5163, 13927832064.0, 14180941824.0, 0.0971552959668922,
            0.9028447040331078);
        row("wedsonlin/medium_128_inference_memory_snapshot.pickle", 3840, 1738928128.0, 1763704832.0,
            0.9657378678656362, 0.034262132134363854);
        row("wedsonlin/medium_512_training_memory_snapshot.pickle", 22332, 12435476996.0, 12660506624.0,
            0.540113352102141, 0.45988664789785905);
    }
    void wholeFiles()
    {
        QFETCH(QString, file);
        QFETCH(int, events);
        QFETCH(double, peak);
        QFETCH(double, reserved);
        QFETCH(double, efficiency);
        QFETCH(double, fragmentation);
        const auto loaded = loadPath(file.toStdString());
        QVERIFY(loaded);
        const TraceModel& run = **loaded;
        QCOMPARE(run.sources.front().eventsInFile, static_cast<std::uint64_t>(events));
        QCOMPARE(run.sources.front().excluded, std::uint64_t{0});
        QVERIFY(run.memory.front().isOnAxis);
        QCOMPARE(measure(run, "memory_peak").value, std::optional(peak));
        QCOMPARE(measure(run, "memory_reserved").value, std::optional(reserved));
        QVERIFY(std::abs(*measure(run, "memory_efficiency").value - efficiency) < 1e-12);
        QVERIFY(std::abs(*measure(run, "memory_fragmentation").value - fragmentation) < 1e-12);
        QVERIFY(measure(run, "memory_allocation_pattern").state == MetricState::Value);
        const MemoryDevice& device = run.memory.front().devices.front();
        const MemoryLevels levels = memoryLevels(device);
        std::int64_t alive = 0;
        for (const StackUse& use : usesAt(allocationsOf(device), peakOf(levels.allocated)))
            alive += use.bytes;
        // Not the same: events have the sizes that were asked for, segments the rounded ones.
        QVERIFY(static_cast<double>(alive) <= peak && static_cast<double>(alive) > 0.999 * peak);
    }
    void worstRankSpeaksForTheRun()
    {
        for (int rank = 0; rank < 3; ++rank) {
            const std::int64_t used = (rank == 1 ? 90 : 10) * mebibyte;
            m_folder.write("ranks/rank" + std::to_string(rank) + "_memory_snapshot.pickle",
                           snapshot({segment(1, 100 * mebibyte, used, used, {})}, {}));
        }
        const auto loaded = loadPath(m_folder.path("ranks"));
        QVERIFY(loaded);
        QCOMPARE(measure(**loaded, "memory_peak").value, std::optional(90.0 * mebibyte));
        QCOMPARE(measureRank(**loaded, "memory_peak", 2).value, std::optional(10.0 * mebibyte));
        // Ratios of several ranks are ratios of their sums; the worst stands beside it.
        QCOMPARE(measure(**loaded, "memory_efficiency").value, std::optional(110.0 / 300.0));
        const MetricResult fragmentation = measure(**loaded, "memory_fragmentation");
        QCOMPARE(fragmentation.value, std::optional(190.0 / 300.0));
        QCOMPARE(fragmentation.reduction, std::string("pooled over ranks"));
        QCOMPARE(fragmentation.rows.size(), std::size_t{3});
        QCOMPARE(numberOf(fragmentation, "worst_gpu"), 0.9);
        QCOMPARE(numberOf(fragmentation, "pooled_over_ranks"), 190.0 / 300.0);
    }
    void foundWhereTorchTitanPutsThem()
    {
        const std::string bytes = smallSnapshot();
        const std::string kineto = R"({"traceEvents": [{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,)"
                                   R"("ts":1,"dur":5,"args":{"stream":7}}]})";
        for (const char* iteration : {"iteration_10", "iteration_20"}) {
            m_folder.write(std::string("titan/profile_traces/") + iteration + "/rank0_trace.json", kineto);
            m_folder.write(
                std::string("titan/memory_snapshot/") + iteration + "/rank0_memory_snapshot.pickle", bytes);
        }
        m_folder.write("titan/memory_snapshot/iteration_30_exit/rank0_memory_snapshot.pickle", bytes);
        // Beside the folder that was opened, of the same iteration.
        auto loaded = loadPath(m_folder.path("titan/profile_traces/iteration_10"));
        QVERIFY(loaded && (*loaded)->memory.size() == 1);
        QCOMPARE((*loaded)->memory.front().iteration, std::int64_t{10});
        QCOMPARE((*loaded)->timelines.size(), std::size_t{1});
        QVERIFY(findProblem((*loaded)->problems, "snapshots_beside"));
        loaded = loadPath(m_folder.path("titan"));
        QVERIFY(loaded && (*loaded)->memory.size() == 1);
        QCOMPARE((*loaded)->memory.front().iteration, std::int64_t{20});
        QVERIFY(findProblem((*loaded)->problems, "other_iteration"));
        LoadOptions all;
        all.iteration.mode = IterationChoice::Mode::All;
        loaded = loadPath(m_folder.path("titan"), all);
        QVERIFY(loaded && (*loaded)->memory.size() == 3);
        QVERIFY((*loaded)->memory.back().atExit);
        QCOMPARE(memorySnapshots(**loaded).size(), std::size_t{1});
        QCOMPARE(memorySnapshots(**loaded).front()->iteration, std::int64_t{30});
        QVERIFY(measure(**loaded, "memory_peak").warnings.front().find("2 more snapshots")
                != std::string::npos);
        // Timelines of an iteration that has no snapshot.
        m_folder.write("titan/profile_traces/iteration_40/rank0_trace.json", kineto);
        loaded = loadPath(m_folder.path("titan"));
        QVERIFY(loaded && (*loaded)->memory.size() == 1);
        QCOMPARE((*loaded)->memory.front().iteration, std::int64_t{30});
        QVERIFY(findProblem((*loaded)->problems, "snapshots_of_another_iteration"));
        // The names that newer versions give.
        m_folder.write("new/memory_snapshot/step_000000000040/000002_step_40.pickle", bytes);
        m_folder.write("new/memory_snapshot/step_000000000040/000011_step_40.pickle", bytes);
        loaded = loadPath(m_folder.path("new"));
        QVERIFY(loaded && (*loaded)->memory.size() == 2);
        QCOMPARE((*loaded)->memory.front().rank, 2);
        QCOMPARE((*loaded)->memory.back().rank, 11);
        QCOMPARE((*loaded)->memory.back().iteration, std::int64_t{40});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMemorySnapshot)
#include "tst_memory_snapshot.moc"
