// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// CUDA memory snapshots: what is in the model, what the metrics say, and files that are not as they should
// be.

#include "metrics/analysis.h"
#include "metrics/memory/allocations.h"
#include "metrics/memory/replay.h"
#include "model/readers/load_trace.h"
#include "tests/support/data_folders.h"
#include "tests/support/pickle_text.h"
#include "tests/support/planted_memory.h"
#include "tests/support/suite.h"

#include <QTest>

#include <filesystem>
#include <fstream>

namespace collscope {

namespace {

namespace fs = std::filesystem;
using namespace py;

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

void writeFile(const fs::path& path, const std::string& bytes)
{
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
}

Result<TraceModelPtr> load(const std::string& path, const LoadOptions& options = {})
{
    auto plan = planLoad({path}, options);
    return plan ? loadTrace(*plan, {}) : Result<TraceModelPtr>(plan.error());
}

MetricResult metric(const TraceModel& model, std::string_view id, std::optional<std::int32_t> rank = {})
{
    MetricOptions options;
    options.rank = rank;
    return evaluate(model, *findMetric(id), options);
}

const Value* detail(const MetricResult& result, std::string_view key)
{
    const auto found = std::find_if(result.details.begin(), result.details.end(),
                                    [key](const auto& own) { return own.first == key; });
    return found == result.details.end() ? nullptr : &found->second;
}

bool hasProblem(const TraceModel& model, std::string_view code)
{
    const auto& all = model.problems.entries();
    return std::any_of(all.begin(), all.end(), [code](const Diagnostic& own) { return own.code == code; });
}

std::string memoryEvent(const char* action, std::int64_t address, std::int64_t bytes, std::int64_t timeUs,
                        const std::string& frames = "]")
{
    return dict({{"action", text(action)},
                 {"addr", integer(address)},
                 {"size", integer(bytes)},
                 {"stream", integer(0)},
                 {"time_us", integer(timeUs)},
                 {"frames", frames}});
}

std::string frame(const char* name, const char* file, int line)
{
    return dict({{"name", text(name)}, {"filename", text(file)}, {"line", integer(line)}});
}

std::string block(std::int64_t address, std::int64_t bytes, const char* state,
                  const std::string& frames = "]")
{
    return dict({{"address", integer(address)},
                 {"size", integer(bytes)},
                 {"requested_size", integer(bytes / 2)},
                 {"state", text(state)},
                 {"frames", frames}});
}

std::string segment(std::int64_t address, std::int64_t total, std::int64_t allocated, std::int64_t active,
                    const std::vector<std::string>& blocks, const std::string& more = {})
{
    return "}(" + text("device") + integer(0) + text("address") + integer(address) + text("total_size")
        + integer(total) + text("allocated_size") + integer(allocated) + text("active_size") + integer(active)
        + text("segment_type") + text("large") + more + text("blocks") + list(blocks) + "u";
}

std::string snapshot(const std::vector<std::string>& segments, const std::vector<std::string>& events)
{
    return pickle(dict({{"segments", list(segments)}, {"device_traces", list({list(events)})}}));
}

constexpr std::int64_t base = 1'700'000'000'000'000; // us

/// Two tensors of 4 MiB, then one of 8; the second is freed, a little later its block is, and a third lives.
std::string smallSnapshot()
{
    const std::string model = list({frame("unwind", "??", 0), frame("linear", "/x/torch/nn/functional.py", 7),
                                    frame("forward", "/job/model.py", 42)});
    return snapshot({segment(1 << 30, 20 * mebibyte, 8 * mebibyte, 12 * mebibyte,
                             {block(1 << 30, 8 * mebibyte, "active_allocated", model),
                              block((1 << 30) + 8 * mebibyte, 4 * mebibyte, "active_pending_free"),
                              block((1 << 30) + 12 * mebibyte, 8 * mebibyte, "inactive")})},
                    {memoryEvent("segment_alloc", 1 << 30, 20 * mebibyte, base),
                     memoryEvent("alloc", (1 << 30) + 8 * mebibyte, 4 * mebibyte, base + 10, model),
                     memoryEvent("alloc", (1 << 30) + 12 * mebibyte, 4 * mebibyte, base + 20, model),
                     memoryEvent("alloc", 1 << 30, 8 * mebibyte, base + 30, model),
                     memoryEvent("free_requested", (1 << 30) + 12 * mebibyte, 4 * mebibyte, base + 40),
                     memoryEvent("free_completed", (1 << 30) + 12 * mebibyte, 4 * mebibyte, base + 50),
                     memoryEvent("oom", 123, 64 * mebibyte, base + 55),
                     memoryEvent("free_requested", (1 << 30) + 8 * mebibyte, 4 * mebibyte, base + 60)});
}

} // namespace

class TestMemorySnapshot : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }

    TraceModelPtr model(const std::string& name, const std::string& bytes) const
    {
        writeFile(path(name), bytes);
        auto loaded = load(path(name));
        return loaded ? *loaded : nullptr;
    }

private slots:
    void aSmallOneWorkedByHand()
    {
        const TraceModelPtr run = model("small/rank3_memory_snapshot.pickle", smallSnapshot());
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

        const MetricResult peak = metric(*run, "memory_peak");
        QCOMPARE(peak.value, std::optional(16.0 * mebibyte));
        QCOMPARE(peak.scope, std::string("rank 3"));
        QCOMPARE(peak.evidenceRanges.size(), std::size_t{1});
        QCOMPARE(peak.evidenceRanges.front(), (TimeRange{30'000, 40'000}));
        const auto* top = detail(peak, "alive_at_peak")->as<Value::Array>();
        QVERIFY(top && top->size() == 1);
        const auto* use = top->front().as<Value::Object>();
        QCOMPARE(*use->at(0).second.as<std::int64_t>(), 16 * mebibyte);
        QCOMPARE(*use->at(1).second.as<std::int64_t>(), std::int64_t{3});
        QCOMPARE(*use->at(2).second.as<std::string>(), std::string("forward (model.py:42)"));
        QCOMPARE(metric(*run, "memory_reserved").value, std::optional(20.0 * mebibyte));
        QCOMPARE(metric(*run, "memory_efficiency").value, std::optional(0.6));
        const MetricResult fragmentation = metric(*run, "memory_fragmentation");
        QCOMPARE(fragmentation.value, std::optional(0.6));
        QCOMPARE(*detail(fragmentation, "external_fragmentation")->as<double>(), 0.0); // one inactive block
        QCOMPARE(*detail(fragmentation, "inactive_split_bytes")->as<std::int64_t>(), 8 * mebibyte);
        const MetricResult pattern = metric(*run, "memory_allocation_pattern");
        QCOMPARE(pattern.value, std::optional(3 / 60e-6));
        QCOMPARE(*detail(pattern, "lifetime_p50_ms")->as<double>(), 0.035); // 20 and 50 us
        QCOMPARE(metric(*run, "memory").value, peak.value);
        QVERIFY(metric(*run, "memory_peak", 0).state == MetricState::MissingInput);
        QVERIFY(metric(*run, "memory_peak", 0).reason.find("of the ranks 3") != std::string::npos);
        QVERIFY(metric(*run, "avg_step_time").state == MetricState::MissingInput);
    }
    void allocationsLiveFromPlaceToPlace()
    {
        const TraceModelPtr run = model("small/rank3_memory_snapshot.pickle", smallSnapshot());
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
        const TraceModelPtr run = model("planted/rank0_memory_snapshot.pickle", planted.bytes);
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
        QCOMPARE(metric(*run, "memory_peak").value,
                 std::optional(static_cast<double>(planted.peakAllocated)));
        const std::size_t place = peakOf(levels.allocated);
        QCOMPARE(place == 0 ? 0 : (device.events.timeNs[place - 1] + run->axisZeroNs) / 1000,
                 planted.peakTimeUs);
        // What lived then is known one by one, also where it is older than the record.
        std::int64_t alive = 0;
        for (const StackUse& use : usesAt(allocationsOf(device), place))
            alive += use.bytes;
        QCOMPARE(alive, planted.peakAllocated);
        QVERIFY(snapshot.stackCount() <= 50 && snapshot.stackCount() > 10);
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
    void realOnes_data()
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
            QTest::newRow(file) << QString::fromUtf8(file) << events << peak << reserved << efficiency
                                << fragmentation;
        };
        row("bcrafton/memory_snapshot.pickle", 6486, 3857685760.0, 4238344192.0, 0.7250169605857248,
            0.2749830394142751);
        row("magma27/memory_snapshot.pickle", 5163, 13927832064.0, 14180941824.0, 0.0971552959668922,
            0.9028447040331078);
        row("wedsonlin/medium_128_inference_memory_snapshot.pickle", 3840, 1738928128.0, 1763704832.0,
            0.9657378678656362, 0.034262132134363854);
        row("wedsonlin/medium_512_training_memory_snapshot.pickle", 22332, 12435476996.0, 12660506624.0,
            0.540113352102141, 0.45988664789785905);
    }
    void realOnes()
    {
        if (tracesFolder().isEmpty())
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        QFETCH(QString, file);
        QFETCH(int, events);
        QFETCH(double, peak);
        QFETCH(double, reserved);
        QFETCH(double, efficiency);
        QFETCH(double, fragmentation);
        const auto loaded = load((tracesFolder() + QStringLiteral("/memsnap/") + file).toStdString());
        QVERIFY(loaded);
        const TraceModel& run = **loaded;
        QCOMPARE(run.sources.front().eventsInFile, static_cast<std::uint64_t>(events));
        QCOMPARE(run.sources.front().excluded, std::uint64_t{0});
        QVERIFY(run.memory.front().isOnAxis);
        QCOMPARE(metric(run, "memory_peak").value, std::optional(peak));
        QCOMPARE(metric(run, "memory_reserved").value, std::optional(reserved));
        QVERIFY(std::abs(*metric(run, "memory_efficiency").value - efficiency) < 1e-12);
        QVERIFY(std::abs(*metric(run, "memory_fragmentation").value - fragmentation) < 1e-12);
        QVERIFY(metric(run, "memory_allocation_pattern").state == MetricState::Value);
        const MemoryDevice& device = run.memory.front().devices.front();
        const MemoryLevels levels = memoryLevels(device);
        std::int64_t alive = 0;
        for (const StackUse& use : usesAt(allocationsOf(device), peakOf(levels.allocated)))
            alive += use.bytes;
        // Not the same: events have the sizes that were asked for, segments the rounded ones.
        QVERIFY(static_cast<double>(alive) <= peak && static_cast<double>(alive) > 0.999 * peak);
    }
    void oldAndOddOnes()
    {
        // Blocks without addresses, with a history instead of frames, and another word for what is pending.
        const std::string old = "}(" + text("size") + integer(4096) + text("state")
            + text("active_awaiting_free") + text("history")
            + list({dict({{"addr", integer(5)},
                          {"real_size", integer(4000)},
                          {"frames", list({frame("f", "a.py", 1)})}})})
            + "u";
        const std::string inactive = dict({{"size", integer(8192)}, {"state", text("inactive")}});
        const TraceModelPtr run
            = model("old/rank0_memory_snapshot.pickle",
                    pickle(dict({{"segments",
                                  list({segment(4096, 12288, 0, 4096, {old, inactive},
                                                text("segment_pool_id") + tuple({integer(0), integer(3)})
                                                    + text("is_expandable") + boolean(true))})}})));
        QVERIFY(run);
        const MemorySnapshot& snapshot = run->memory.front();
        const MemorySegment& own = snapshot.devices.front().segments.front();
        QCOMPARE(own.blocks[0].address, std::uint64_t{4096});
        QCOMPARE(own.blocks[1].address, std::uint64_t{8192});
        QVERIFY(own.blocks[0].state == BlockState::PendingFree);
        QCOMPARE(own.blocks[0].requestedBytes, std::int64_t{4000});
        QCOMPARE(stackText(*run, snapshot, own.blocks[0].stack), std::string("f (a.py:1)"));
        QVERIFY(own.isPrivate() && own.isExpandable);
        const MetricResult reserved = metric(*run, "memory_reserved");
        QCOMPARE(*detail(reserved, "private_pool_bytes")->as<std::int64_t>(), std::int64_t{12288});
        QCOMPARE(*detail(reserved, "expandable_segment_bytes")->as<std::int64_t>(), std::int64_t{12288});
        const MetricResult peak = metric(*run, "memory_peak");
        QCOMPARE(peak.value, std::optional(0.0));
        QVERIFY(peak.warnings.front().find("lower bound") != std::string::npos);
        QVERIFY(metric(*run, "memory_allocation_pattern").state == MetricState::NotApplicable);
    }
    void impossibleValuesAreToldAndCountNothing()
    {
        const TraceModelPtr run
            = model("odd/rank0_memory_snapshot.pickle",
                    snapshot({segment(1, 100, 50, 50, {}), "N", segment(2, -5, 0, 0, {})},
                             {memoryEvent("alloc", 1, 50, base), memoryEvent("dance", 1, 50, base + 1),
                              memoryEvent("alloc", 1, -50, base + 2), "N",
                              memoryEvent("free_requested", 9, 25, base - 5),
                              memoryEvent("user_defined", 0, 0, base + 9)}));
        QVERIFY(run);
        const SourceInfo& source = run->sources.front();
        QCOMPARE(source.eventsInFile, std::uint64_t{6});
        QCOMPARE(source.excluded, std::uint64_t{3});
        QCOMPARE(source.shown, std::uint64_t{3});
        QCOMPARE(run->problems.excludedEvents(), std::uint64_t{3});
        for (const char* code : {"bad_event", "bad_segment", "bad_size", "time_backwards"})
            QVERIFY2(hasProblem(*run, code), code);
        QCOMPARE(metric(*run, "memory_peak").value, std::optional(75.0));
    }
    void withoutTimesTheyAreInTheirOrder()
    {
        const std::string plain
            = dict({{"action", text("alloc")}, {"addr", integer(1)}, {"size", integer(5)}});
        const TraceModelPtr run = model("timeless/rank0_memory_snapshot.pickle",
                                        snapshot({segment(1, 100, 15, 15, {})}, {plain, plain, plain}));
        QVERIFY(run && hasProblem(*run, "no_times"));
        QVERIFY(!run->memory.front().hasTimes && !run->memory.front().isOnAxis);
        QCOMPARE(run->memory.front().devices.front().events.timeNs,
                 (std::vector<std::int64_t>{0, 1000, 2000}));
        QCOMPARE(metric(*run, "memory_peak").value, std::optional(15.0));
        QVERIFY(metric(*run, "memory_allocation_pattern").state == MetricState::NotApplicable);
    }
    /// One segment in a hundred thousand places, each with one list of blocks: read once.
    void sharedContainersAreReadOnce()
    {
        std::string blocks;
        for (int i = 0; i < 20'000; ++i)
            blocks += "h" + std::string(1, '\0');
        std::string segments;
        for (int i = 0; i < 20'000; ++i)
            segments += "h" + std::string(1, '\1');
        const std::string bomb = "\x80\x04}(" + text("x") + block(1, 1, "inactive") + "\x94"
            + text("segments") + "](}\x94(" + text("total_size") + integer(7) + text("blocks") + "](" + blocks
            + "eu" + segments + "e" + "u.";
        const TraceModelPtr run = model("bomb/rank0_memory_snapshot.pickle", bomb);
        QVERIFY(run);
        QCOMPARE(run->memory.front().devices.front().segments.size(), std::size_t{1});
        QCOMPARE(run->memory.front().devices.front().segments.front().blocks.size(), std::size_t{1});
        QVERIFY(hasProblem(*run, "bad_segment"));
    }
    void cutOffAnywhere()
    {
        const std::string whole = plantMemory({300, 0, 0, 5, 4, 3}).bytes;
        std::size_t events = 0;
        for (std::size_t cut = 40; cut < whole.size(); cut += static_cast<std::size_t>(share(97, 997))) {
            const TraceModelPtr run = model("cut/rank0_memory_snapshot.pickle", whole.substr(0, cut));
            if (!run) // not even one list has begun
                continue;
            QVERIFY(hasProblem(*run, "truncated"));
            QVERIFY(run->sources.front().shown >= events);
            events = run->sources.front().shown;
            const MetricResult peak = metric(*run, "memory_peak");
            if (run->memory.front().devices.empty())
                continue;
            const MemoryDevice& device = run->memory.front().devices.front();
            QCOMPARE(peak.value, std::optional(static_cast<double>(device.allocatedBytes())));
            QVERIFY(peak.warnings.front().find("cut off") != std::string::npos);
        }
        QVERIFY(events > 290);
    }
    void hostileOnesLeaveTheRestAlone()
    {
        const std::string hostile
            = pickle(dict({{"segments", list({"cos\nsystem\n(" + text("touch /tmp/x") + "tR"})}}));
        writeFile(path("mixed/rank0_memory_snapshot.pickle"), smallSnapshot());
        writeFile(path("mixed/rank1_memory_snapshot.pickle"), hostile);
        writeFile(path("mixed/other.pickle"), pickle("cbuiltins\nexec\n")); // no snapshot by name or content
        const auto loaded = load(path("mixed"));
        QVERIFY(loaded);
        QCOMPARE((*loaded)->memory.size(), std::size_t{1});
        QVERIFY(hasProblem(**loaded, "unreadable") && hasProblem(**loaded, "not_recognised"));
        const auto alone = load(path("mixed/rank1_memory_snapshot.pickle"));
        QVERIFY(!alone);
        QVERIFY(alone.error().message.find("os.system") != std::string::npos);
    }
    void worstRankSpeaksForTheRun()
    {
        for (int rank = 0; rank < 3; ++rank) {
            const std::int64_t used = (rank == 1 ? 90 : 10) * mebibyte;
            writeFile(path("ranks/rank" + std::to_string(rank) + "_memory_snapshot.pickle"),
                      snapshot({segment(1, 100 * mebibyte, used, used, {})}, {}));
        }
        const auto loaded = load(path("ranks"));
        QVERIFY(loaded);
        QCOMPARE(metric(**loaded, "memory_peak").value, std::optional(90.0 * mebibyte));
        QCOMPARE(metric(**loaded, "memory_peak", 2).value, std::optional(10.0 * mebibyte));
        QCOMPARE(metric(**loaded, "memory_efficiency").value, std::optional(0.1));
        const MetricResult fragmentation = metric(**loaded, "memory_fragmentation");
        QCOMPARE(fragmentation.value, std::optional(0.9));
        QCOMPARE(fragmentation.reduction, std::string("max of ranks"));
        QCOMPARE(fragmentation.rows.size(), std::size_t{3});
        QCOMPARE(*detail(fragmentation, "pooled_over_ranks")->as<double>(), 190.0 / 300.0);
    }
    void foundWhereTorchTitanPutsThem()
    {
        const std::string bytes = smallSnapshot();
        const std::string kineto = R"({"traceEvents": [{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,)"
                                   R"("ts":1,"dur":5,"args":{"stream":7}}]})";
        for (const char* iteration : {"iteration_10", "iteration_20"}) {
            writeFile(path(std::string("titan/profile_traces/") + iteration + "/rank0_trace.json"), kineto);
            writeFile(
                path(std::string("titan/memory_snapshot/") + iteration + "/rank0_memory_snapshot.pickle"),
                bytes);
        }
        writeFile(path("titan/memory_snapshot/iteration_30_exit/rank0_memory_snapshot.pickle"), bytes);
        // Beside the folder that was opened, of the same iteration.
        auto loaded = load(path("titan/profile_traces/iteration_10"));
        QVERIFY(loaded && (*loaded)->memory.size() == 1);
        QCOMPARE((*loaded)->memory.front().iteration, std::int64_t{10});
        QCOMPARE((*loaded)->timelines.size(), std::size_t{1});
        loaded = load(path("titan"));
        QVERIFY(loaded && (*loaded)->memory.size() == 1);
        QCOMPARE((*loaded)->memory.front().iteration, std::int64_t{20});
        QVERIFY(hasProblem(**loaded, "other_iteration"));
        LoadOptions all;
        all.iteration.mode = IterationChoice::Mode::All;
        loaded = load(path("titan"), all);
        QVERIFY(loaded && (*loaded)->memory.size() == 3);
        QVERIFY((*loaded)->memory.back().atExit);
        QCOMPARE(memorySnapshots(**loaded).size(), std::size_t{1});
        QCOMPARE(memorySnapshots(**loaded).front()->iteration, std::int64_t{30});
        QVERIFY(metric(**loaded, "memory_peak").warnings.front().find("2 more snapshots")
                != std::string::npos);
        // The names that newer versions give.
        writeFile(path("new/memory_snapshot/step_000000000040/000002_step_40.pickle"), bytes);
        writeFile(path("new/memory_snapshot/step_000000000040/000011_step_40.pickle"), bytes);
        loaded = load(path("new"));
        QVERIFY(loaded && (*loaded)->memory.size() == 2);
        QCOMPARE((*loaded)->memory.front().rank, 2);
        QCOMPARE((*loaded)->memory.back().rank, 11);
        QCOMPARE((*loaded)->memory.back().iteration, std::int64_t{40});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMemorySnapshot)
#include "tst_memory_snapshot.moc"
