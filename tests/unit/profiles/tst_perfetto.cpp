// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Perfetto traces: tracks, slices, interned names, clocks, what rocprofv3 writes; damage.

#include "model/kernels/kernel_names.h"
#include "model/readers/reader.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/texts/perfetto_bytes.h"
#include "tests/support/texts/xspace_bytes.h"

#include <QTest>

namespace collscope {

namespace {

using Type = PerfettoPacket::Type;

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

std::string slice(std::uint64_t track, const char* name, std::uint64_t begin, std::uint64_t end,
                  const char* category = "")
{
    return perfettoPacket(
               {.type = Type::Begin, .time = begin, .track = track, .name = name, .category = category})
        + perfettoPacket({.type = Type::End, .time = end, .track = track});
}

/// "name start+duration" of the slices of a track, by start.
QStringList slicesOf(const TraceFragment& fragment, std::string_view track)
{
    QStringList slices;
    for (const Track& own : fragment.tracks) {
        if (fragment.strings.view(own.name) != track)
            continue;
        for (std::size_t row = 0; row < own.slices.size(); ++row)
            slices << QStringLiteral("%1 %2+%3")
                          .arg(text(fragment.strings.view(own.slices.name[row])))
                          .arg(own.slices.startNs[row])
                          .arg(own.slices.durationNs[row]);
    }
    return slices;
}

/// What rocprofv3 writes of two GPUs: calls on a thread, kernels on queues.
std::string rocprofTrace()
{
    const auto kernel = [](std::uint64_t track, const char* gpu, const char* name, std::uint64_t begin,
                           std::uint64_t end, std::uint64_t correlation) {
        return perfettoPacket({.type = Type::Begin,
                               .time = begin,
                               .track = track,
                               .name = name,
                               .category = "kernel_dispatch",
                               .texts = {{"agent", gpu}},
                               .numbers = {{"corr_id", correlation}}})
            + perfettoPacket({.type = Type::End, .time = end, .track = track, .category = "kernel_dispatch"});
    };
    return perfettoTrack({.uuid = 10, .pid = 42, .tid = 43, .threadName = "main"})
        + perfettoTrack({.uuid = 20, .name = "AGENT [2] QUEUE [1]"})
        + perfettoTrack({.uuid = 30, .name = "AGENT [3] QUEUE [1]"})
        + slice(10, "train step 7", 900, 5000, "marker_api")
        + perfettoPacket({.type = Type::Begin,
                          .time = 1000,
                          .track = 10,
                          .name = "hipLaunchKernel",
                          .category = "hip_api",
                          .numbers = {{"corr_id", 5}}})
        + perfettoPacket({.type = Type::End, .time = 1100, .track = 10, .category = "hip_api"})
        + kernel(20, "2", "Cijk_Ailk_Bljk_BBS_BH_MT64x32", 2000, 2500, 5)
        + kernel(20, "2", "__amd_rocclr_copyBuffer", 2500, 2600, 6)
        + kernel(30, "3", "ncclDevKernel_Generic_1(x)", 2000, 4000, 7);
}

} // namespace

class TestPerfetto : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

    Result<TraceFragment> read(const std::string& bytes)
    {
        SourceFile file;
        file.path = m_folder.write("t.pftrace", bytes);
        file.bytes = bytes.size();
        auto fragment = readerOf(SourceKind::Perfetto).read(file, ReadContext());
        if (fragment && fragment->source.shown + fragment->source.excluded != fragment->source.eventsInFile)
            qFatal("the accounts of the trace do not add up");
        return fragment;
    }

private slots:
    void tracksAndSlices()
    {
        const auto fragment
            = read(perfettoTrack({.uuid = 1, .name = "python", .pid = 7}) + slice(1, "outer", 100, 900)
                   + perfettoTrack({.uuid = 2, .parent = 1, .pid = 7, .tid = 8, .threadName = "worker"})
                   + slice(2, "inner", 200, 300) + slice(99, "unnamed track", 1, 2)
                   + perfettoPacket({.type = Type::Instant, .time = 250, .track = 2, .name = "mark"}));
        QVERIFY(fragment);
        QCOMPARE(slicesOf(*fragment, "python"), QStringList{QStringLiteral("outer 100+800")});
        QCOMPARE(slicesOf(*fragment, "worker (8)"), QStringList{QStringLiteral("inner 200+100")});
        QCOMPARE(slicesOf(*fragment, "track 99"), QStringList{QStringLiteral("unnamed track 1+1")});
        QCOMPARE(fragment->source.shown, std::uint64_t{7});
        QVERIFY(findProblem(fragment->problems, "generic_trace"));
        std::size_t instants = 0;
        for (const Track& track : fragment->tracks)
            instants += track.instants.size();
        QCOMPARE(instants, std::size_t{1});
    }
    void slicesNest()
    {
        const auto fragment
            = read(perfettoTrack({.uuid = 1, .name = "t"})
                   + perfettoPacket({.type = Type::Begin, .time = 10, .track = 1, .name = "a"})
                   + perfettoPacket({.type = Type::Begin, .time = 20, .track = 1, .name = "b"})
                   + perfettoPacket({.type = Type::End, .time = 30, .track = 1})
                   + perfettoPacket({.type = Type::End, .time = 50, .track = 1}));
        QVERIFY(fragment);
        QCOMPARE(slicesOf(*fragment, "t"),
                 (QStringList{QStringLiteral("a 10+40"), QStringLiteral("b 20+10")}));
    }
    void internedNamesBelongToTheirSequence()
    {
        const auto begin = [](std::uint64_t sequence, std::uint64_t time) {
            return perfettoPacket(
                       {.type = Type::Begin, .time = time, .sequence = sequence, .flags = 2, .nameId = 5})
                + perfettoPacket({.type = Type::End, .time = time + 1, .sequence = sequence, .flags = 2});
        };
        const auto fragment
            = read(perfettoPacket({.sequence = 1,
                                   .flags = 1,
                                   .more = perfettoNames(2, {{5, "first"}}) + perfettoDefaults({}, 11)})
                   + perfettoPacket({.sequence = 2,
                                     .flags = 1,
                                     .more = perfettoNames(2, {{5, "second"}}) + perfettoDefaults({}, 22)})
                   + begin(1, 100)
                   + begin(2, 200)
                   // The writer begins anew: the number means another name.
                   + perfettoPacket({.sequence = 1,
                                     .flags = 1,
                                     .more = perfettoNames(2, {{5, "third"}}) + perfettoDefaults({}, 11)})
                   + begin(1, 300)
                   // Nothing is known of this one.
                   + begin(3, 400));
        QVERIFY(fragment);
        QCOMPARE(slicesOf(*fragment, "track 11"),
                 (QStringList{QStringLiteral("first 100+1"), QStringLiteral("third 300+1")}));
        QCOMPARE(slicesOf(*fragment, "track 22"), QStringList{QStringLiteral("second 200+1")});
        QCOMPARE(fragment->source.excluded, std::uint64_t{2});
        QVERIFY(findProblem(fragment->problems, "lost_state"));
    }
    void clocksAreConverted()
    {
        // A clock of the sequence counts differences in units of 1000 ns; it began at 5000 us, when the boot
        // clock showed 9000 us. 1970 was 1'700'000'000 s before.
        const std::uint64_t boot = 9'000'000, epoch = 1'700'000'000'000'000'000;
        const auto fragment
            = read(perfettoPacket({.sequence = 1,
                                   .flags = 1,
                                   .more = perfettoClocks({{6, boot, 1, false},
                                                           {1, epoch + boot, 1, false},
                                                           {3, boot - 4000, 1, false},
                                                           {64, 5000, 1000, true}})
                                       + perfettoDefaults(64, 1)})
                   + perfettoPacket({.type = Type::Begin, .time = 10, .name = "a"}) // 5010 us = 9010 us
                   + perfettoPacket({.type = Type::End, .time = 3})
                   + perfettoPacket({.type = Type::Begin, .time = boot + 50'000, .clock = 6, .name = "b"})
                   + perfettoPacket({.type = Type::End, .time = boot + 60'000 - 4000, .clock = 3}));
        QVERIFY(fragment);
        QCOMPARE(slicesOf(*fragment, "track 1"),
                 (QStringList{QStringLiteral("a 9010000+3000"), QStringLiteral("b 9050000+10000")}));
        QVERIFY(fragment->hasWallClock);
        QCOMPARE(fragment->clockOffsetNs, static_cast<std::int64_t>(epoch));
    }
    void countersAreValues()
    {
        const auto fragment
            = read(perfettoTrack({.uuid = 4, .name = "allocated", .isCounter = true, .countsBytes = true})
                   + perfettoTrack({.uuid = 5, .name = "packets", .isCounter = true, .isIncremental = true})
                   + perfettoPacket({.type = Type::Counter, .time = 10, .track = 4, .count = 4096})
                   + perfettoPacket({.type = Type::Counter, .time = 10, .track = 5, .count = 3})
                   + perfettoPacket({.type = Type::Counter, .time = 20, .track = 5, .count = 4}));
        QVERIFY(fragment);
        const auto& counters = fragment->timelines.front().counters;
        QCOMPARE(counters.size(), std::size_t{2});
        QVERIFY(counters[0].unit == CounterUnit::Bytes);
        QCOMPARE(counters[0].value, std::vector<double>{4096});
        QCOMPARE(counters[1].value, (std::vector<double>{3, 7}));
    }
    void traceOfRocprof()
    {
        const TraceModelPtr run = m_folder.writeAndLoad("r/1_results.pftrace", rocprofTrace());
        QVERIFY(run);
        QCOMPARE(run->ranks(), (std::vector<std::int32_t>{0, 1})); // agents 2 and 3
        QVERIFY(run->timelines.front().stepSource == StepSource::NvtxStep);
        QCOMPARE(run->timelines.front().steps.front().number, std::int64_t{7});
        const Track& queue = run->track(run->timelines.front().tracks.front());
        QVERIFY(queue.kind == TrackKind::GpuStream);
        QVERIFY(queue.slices.kernelClass[0] == KernelClass::Gemm);
        QVERIFY(queue.slices.kernelClass[1] == KernelClass::Copy); // the runtime's kernel that copies
        const SliceRef launch = run->timelines.front().launchOf(5);
        QVERIFY(launch);
        QCOMPARE(text(run->nameOf(launch)), QStringLiteral("hipLaunchKernel"));
        QCOMPARE(measureRank(*run, "coll_call_num", 1).value, std::optional(1.0));
        QCOMPARE(measureRank(*run, "total_kernel_time", 0).value, std::optional(0.5e-6));
    }
    void workOfGpus()
    {
        const auto fragment = read(
            perfettoPacket({.flags = 1, .more = perfettoNames(24, {{1, "queue A"}, {2, "dgemm_kernel"}})})
            + perfettoPacket({.time = 100, .flags = 2, .more = perfettoGpuWork(40, 0, 1, 2)}));
        QVERIFY(fragment);
        QCOMPARE(slicesOf(*fragment, "queue A"), QStringList{QStringLiteral("dgemm_kernel 100+40")});
    }
    void tracesWithoutTheBootClockAreRead()
    {
        // A clock of the sequence began at 5000 us, when the monotonic clock showed 9000 us.
        const auto fragment
            = read(perfettoPacket({.sequence = 1,
                                   .flags = 1,
                                   .more = perfettoClocks({{3, 9'000'000, 1, false}, {64, 5000, 1000, true}})
                                       + perfettoDefaults(64, 1)})
                   + perfettoPacket({.type = Type::Begin, .time = 10, .name = "a"})
                   + perfettoPacket({.type = Type::End, .time = 3}));
        QVERIFY(fragment);
        QCOMPARE(slicesOf(*fragment, "track 1"), QStringList{QStringLiteral("a 9010000+3000")});
        QVERIFY(!findProblem(fragment->problems, "unknown_clock"));
    }
    void slicesArePairedByTime()
    {
        const auto edge = [](Type type, std::uint64_t time, const char* name) {
            return perfettoPacket({.type = type, .time = time, .track = 1, .name = name});
        };
        // As of several writers: neither the file order of the slices nor that of their ends is that of time.
        const auto fragment
            = read(perfettoTrack({.uuid = 1, .name = "T"}) + edge(Type::End, 200, "")
                   + edge(Type::Begin, 300, "late") + edge(Type::Begin, 100, "early")
                   + edge(Type::Begin, 120, "inner") + edge(Type::End, 400, "") + edge(Type::End, 150, ""));
        QVERIFY(fragment);
        QStringList slices = slicesOf(*fragment, "T");
        slices.sort();
        QCOMPARE(slices,
                 (QStringList{QStringLiteral("early 100+100"), QStringLiteral("inner 120+30"),
                              QStringLiteral("late 300+100")}));
        QVERIFY(!findProblem(fragment->problems, "unbalanced_end"));
        QVERIFY(!findProblem(fragment->problems, "open_range"));
    }
    void hostileTraces_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char* name, const std::string& bytes, const char* problem) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromUtf8(problem);
        };
        const std::string sound = slice(1, "a", 10, 20);
        row("an end without a begin", sound + perfettoPacket({.type = Type::End, .time = 5, .track = 7}),
            "unbalanced_end");
        row("an end before its begin",
            perfettoPacket({.type = Type::Begin, .time = 9, .track = 1, .name = "x"})
                + perfettoPacket({.type = Type::End, .time = 5, .track = 1}),
            "unbalanced_end");
        row("a begin without an end", sound + perfettoPacket({.type = Type::Begin, .time = 15, .track = 1}),
            "open_range");
        row("no time", sound + perfettoPacket({.type = Type::Begin, .time = {}, .track = 1}), "bad_time");
        row("a time beyond all",
            sound + perfettoPacket({.type = Type::Begin, .time = ~std::uint64_t{0}, .track = 1}), "bad_time");
        row("an unknown clock",
            sound + perfettoPacket({.type = Type::Begin, .time = 5, .clock = 70, .track = 1}),
            "unknown_clock");
        row("compressed packets", sound + perfettoPacket({.time = {}, .more = "\x92\x03\x03zzz"}),
            "compressed_packets");
        row("kernel events", sound + perfettoPacket({.time = {}, .more = std::string("\x0a\x01x", 3)}),
            "packets_not_shown");
        row("an old kind of event",
            sound + perfettoPacket({.type = static_cast<Type>(9), .time = 5, .track = 1}), "legacy_events");
        row("a packet that claims a gigabyte", sound + "\x0a\x80\x80\x80\x80\x04zz", "truncated");
        row("bytes that are not protobuf", sound + std::string("\x07\x07\x07", 3), "damaged_packet");
        row("a packet with damage inside", sound + std::string("\x0a\x03\x5a\x7fx", 5), "damaged_packet");
        row("tracks in a circle",
            perfettoTrack({.uuid = 1, .parent = 2}) + perfettoTrack({.uuid = 2, .parent = 1}) + sound,
            "generic_trace");
        row("a name with line ends and zeros", slice(1, "a\nb\t\"c", 10, 20), "generic_trace");
    }
    void hostileTraces()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, problem);
        const auto fragment = read(bytes.toStdString());
        QVERIFY(fragment);
        QVERIFY2(findProblem(fragment->problems, problem.toStdString()),
                 fragment->problems.isEmpty() ? "none" : fragment->problems.entries().front().code.c_str());
    }
    void everyCutIsSurvived()
    {
        const std::string bytes = rocprofTrace();
        for (std::size_t size = 0; size < bytes.size(); ++size)
            (void)read(bytes.substr(0, size));
        const std::string empty = perfettoTrack({.uuid = 1});
        QVERIFY(!read(empty)); // describes a track, and has no event
    }
    void tracesAreKnownByTheirContent()
    {
        const TraceModelPtr run = m_folder.writeAndLoad("n/trace.pb", rocprofTrace());
        QVERIFY(run);
        QVERIFY(run->sources.front().kind == SourceKind::Perfetto);
        QCOMPARE(run->ranks(), (std::vector<std::int32_t>{0, 1}));
    }
    void otherBinaryFilesAreNotTraces()
    {
        const ReaderDescriptor& reader = readerOf(SourceKind::Perfetto);
        QVERIFY(reader.sniff("x.pftrace", rocprofTrace()) == Sniff::Yes);
        // As a protobuf of something else would look: messages that state no writer.
        QVERIFY(reader.sniff("x.pb", "\x0a\x02\x08\x01\x0a\x02\x08\x02") == Sniff::No);
        QVERIFY(
            reader.sniff("x.pb", xspaceBytes({{{"/host:CPU", {{1, "python", 0, {{"f", 0, 9, {}, {}}}}}}}}))
            == Sniff::No);
        QVERIFY(reader.sniff("x.pftrace", "{\"traceEvents\":[]}") == Sniff::No);
        QVERIFY(reader.sniff("x.pftrace", "\x12\x01x") == Sniff::No);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPerfetto)
#include "tst_perfetto.moc"
