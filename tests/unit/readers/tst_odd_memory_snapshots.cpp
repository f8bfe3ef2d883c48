// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// CUDA memory snapshots that are old, odd, cut off or hostile.

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

class TestOddMemorySnapshots : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
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
        const TraceModelPtr run = m_folder.writeAndLoad(
            "old/rank0_memory_snapshot.pickle",
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
        const MetricResult reserved = measure(*run, "memory_reserved");
        QCOMPARE(numberOf(reserved, "private_pool_bytes"), 12288.0);
        QCOMPARE(numberOf(reserved, "expandable_segment_bytes"), 12288.0);
        const MetricResult peak = measure(*run, "memory_peak");
        QCOMPARE(peak.value, std::optional(0.0));
        QVERIFY(peak.warnings.front().find("lower bound") != std::string::npos);
        QVERIFY(measure(*run, "memory_allocation_pattern").state == MetricState::NotApplicable);
    }
    void impossibleValuesAreToldAndCountNothing()
    {
        const TraceModelPtr run = m_folder.writeAndLoad(
            "odd/rank0_memory_snapshot.pickle",
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
            QVERIFY2(findProblem(run->problems, code), code);
        QCOMPARE(measure(*run, "memory_peak").value, std::optional(75.0));
    }
    void withoutTimesTheyAreInTheirOrder()
    {
        const std::string plain
            = dict({{"action", text("alloc")}, {"addr", integer(1)}, {"size", integer(5)}});
        const TraceModelPtr run
            = m_folder.writeAndLoad("timeless/rank0_memory_snapshot.pickle",
                                    snapshot({segment(1, 100, 15, 15, {})}, {plain, plain, plain}));
        QVERIFY(run && findProblem(run->problems, "no_times"));
        QVERIFY(!run->memory.front().hasTimes && !run->memory.front().isOnAxis);
        QCOMPARE(run->memory.front().devices.front().events.timeNs,
                 (std::vector<std::int64_t>{0, 1000, 2000}));
        QCOMPARE(measure(*run, "memory_peak").value, std::optional(15.0));
        QVERIFY(measure(*run, "memory_allocation_pattern").state == MetricState::NotApplicable);
    }
    void nothingIsTakenForWhatItIsNot()
    {
        // Said twice, the second time as a number; frames without a name; sizes whose sum no GPU has.
        const std::string twice = "}(" + text("action") + text("alloc") + text("action") + integer(5)
            + text("addr") + integer(1) + text("size") + integer(8) + "u";
        const std::string nameless
            = list({dict({{"filename", text("a.py")}, {"name", integer(3)}, {"line", integer(-4)}})});
        std::string many;
        for (int i = 0; i < 20'000; ++i)
            many += "h" + std::string(1, '\0');
        const std::string huge
            = dict({{"action", text("free_requested")}, {"size", integer(std::int64_t{1} << 50)}}) + "\x94";
        const TraceModelPtr run = m_folder.writeAndLoad(
            "types/rank0_memory_snapshot.pickle",
            "\x80\x04}(" + text("segments")
                + list({segment(1, 100, 8, 8, {block(1, 8, "active_allocated", nameless)})})
                + text("device_traces") + "](](" + huge + many + twice + "eeu.");
        QVERIFY(run && findProblem(run->problems, "bad_event"));
        QCOMPARE(run->sources.front().eventsInFile, std::uint64_t{20'002});
        const MemoryDevice& device = run->memory.front().devices.front();
        QVERIFY(device.events.action.back() == MemoryAction::Alloc);
        QVERIFY(*measure(*run, "memory_peak").value > 0);
        QCOMPARE(frameText(*run, run->memory.front().stacks.frames.front()), std::string("?  a.py:0"));
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
        const TraceModelPtr run = m_folder.writeAndLoad("bomb/rank0_memory_snapshot.pickle", bomb);
        QVERIFY(run);
        QCOMPARE(run->memory.front().devices.front().segments.size(), std::size_t{1});
        QCOMPARE(run->memory.front().devices.front().segments.front().blocks.size(), std::size_t{1});
        QVERIFY(findProblem(run->problems, "bad_segment"));
    }
    /// Grown frame by frame, a stack would take room for each of its lengths.
    void endlessStacksEnd()
    {
        std::string frames;
        for (int i = 0; i < 30'000; ++i)
            frames += "h" + std::string(1, '\0') + "a";
        const std::string bytes = "\x80\x04}(" + text("x") + frame("f", "a.py", 1) + "\x94" + text("segments")
            + "](" + "}(" + text("total_size") + integer(7) + text("blocks") + "](}(" + text("size")
            + integer(7) + text("frames") + "]" + frames + "ueueu.";
        const TraceModelPtr run = m_folder.writeAndLoad("endless/rank0_memory_snapshot.pickle", bytes);
        QVERIFY(run && findProblem(run->problems, "endless_stacks"));
        QVERIFY(run->memory.front().stacks.stackFrames.size() < std::size_t{10'000'000});
    }
    void cutOffAnywhere()
    {
        const std::string whole = plantMemory({300, 0, 0, 5, 4, 3}).bytes;
        std::size_t events = 0;
        for (std::size_t cut = 40; cut < whole.size(); cut += static_cast<std::size_t>(share(97, 997))) {
            const TraceModelPtr run
                = m_folder.writeAndLoad("cut/rank0_memory_snapshot.pickle", whole.substr(0, cut));
            if (!run) // not even one list has begun
                continue;
            QVERIFY(findProblem(run->problems, "truncated"));
            QVERIFY(run->sources.front().shown >= events);
            events = run->sources.front().shown;
            const MetricResult peak = measure(*run, "memory_peak");
            if (run->memory.front().devices.empty())
                continue;
            const MemoryDevice& device = run->memory.front().devices.front();
            QCOMPARE(peak.value, std::optional(static_cast<double>(device.allocatedBytes())));
            QVERIFY(peak.warnings.front().find("truncated") != std::string::npos);
        }
        QVERIFY(events > 290);
    }
    void hostileOnesLeaveTheRestAlone()
    {
        const std::string hostile
            = pickle(dict({{"segments", list({"cos\nsystem\n(" + text("touch /tmp/x") + "tR"})}}));
        m_folder.write("mixed/rank0_memory_snapshot.pickle", smallSnapshot());
        m_folder.write("mixed/rank1_memory_snapshot.pickle", hostile);
        m_folder.write("mixed/other.pickle", pickle("cbuiltins\nexec\n")); // no snapshot by name or content
        const auto loaded = loadPath(m_folder.path("mixed"));
        QVERIFY(loaded);
        QCOMPARE((*loaded)->memory.size(), std::size_t{1});
        QVERIFY(findProblem((*loaded)->problems, "unreadable")
                && findProblem((*loaded)->problems, "not_recognised"));
        const auto alone = loadPath(m_folder.path("mixed/rank1_memory_snapshot.pickle"));
        QVERIFY(!alone);
        QVERIFY(alone.error().message.find("os.system") != std::string::npos);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOddMemorySnapshots)
#include "tst_odd_memory_snapshots.moc"
