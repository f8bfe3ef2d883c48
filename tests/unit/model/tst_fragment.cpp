// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

namespace collscope {

namespace {

/// One event: cat, name, pid, tid, start and duration in us, args.
std::string slice(const char* cat, const char* name, const char* pid, const char* tid, int ts, int dur,
                  const char* args = "")
{
    return std::string("{\"ph\":\"X\",\"cat\":\"") + cat + "\",\"name\":\"" + name + "\",\"pid\":" + pid
        + ",\"tid\":" + tid + ",\"ts\":" + std::to_string(ts) + ",\"dur\":" + std::to_string(dur)
        + ",\"args\":{" + args + "}}";
}

TraceFragment read(const std::vector<std::string>& events)
{
    std::string text = "{\"traceEvents\": [";
    for (std::size_t i = 0; i < events.size(); ++i)
        text += (i > 0 ? "," : "") + events[i];
    auto fragment = readKineto(text + "]}");
    if (!fragment)
        qFatal("%s", fragment.error().message.c_str());
    return std::move(*fragment);
}

std::string_view nameAt(const TraceFragment& fragment, const Track& track, std::size_t row)
{
    return fragment.strings.view(track.slices.name[row]);
}

} // namespace

class TestFragment : public QObject
{
    Q_OBJECT

private slots:
    void nestsOnAThread()
    {
        const TraceFragment f
            = read({slice("cpu_op", "inner", "1", "1", 20, 10), slice("cpu_op", "outer", "1", "1", 0, 100),
                    slice("cpu_op", "middle", "1", "1", 20, 30), slice("cpu_op", "next", "1", "1", 100, 5)});
        QCOMPARE(f.tracks.size(), std::size_t{1});
        const Track& track = f.tracks[0];
        QCOMPARE(track.slices.size(), std::size_t{4});
        const std::vector<std::string_view> names{"outer", "middle", "inner", "next"};
        const std::vector<std::uint8_t> depths{0, 1, 2, 0};
        for (std::size_t row = 0; row < 4; ++row) {
            QCOMPARE(nameAt(f, track, row), names[row]);
            QCOMPARE(track.slices.depth[row], depths[row]);
        }
        QCOMPARE(track.maxDepth, std::uint8_t{2});
        QCOMPARE(track.slices.longestNs, 100'000);
    }
    void overlapOnAStreamGoesToASiblingLane()
    {
        const TraceFragment f
            = read({slice("kernel", "a", "0", "7", 0, 10), slice("kernel", "b", "0", "7", 5, 10),
                    slice("kernel", "c", "0", "7", 10, 10), slice("kernel", "d", "0", "7", 15, 5)});
        QCOMPARE(f.tracks.size(), std::size_t{2});
        QCOMPARE(f.tracks[0].lane, std::uint8_t{0});
        QCOMPARE(f.tracks[1].lane, std::uint8_t{1});
        QCOMPARE(f.tracks[0].slices.size() + f.tracks[1].slices.size(), std::size_t{4});
        for (const Track& track : f.tracks) {
            for (std::size_t row = 1; row < track.slices.size(); ++row)
                QVERIFY(track.slices.endNs(row - 1) <= track.slices.startNs[row]);
        }
    }
    void crossingOnAThreadGoesToASiblingLane()
    {
        const TraceFragment f
            = read({slice("cpu_op", "a", "1", "1", 0, 10), slice("cpu_op", "b", "1", "1", 5, 10)});
        QCOMPARE(f.tracks.size(), std::size_t{2});
        QCOMPARE(f.tracks[1].slices.depth[0], std::uint8_t{0});
    }
    void streamsComeFirstAndInNaturalOrder()
    {
        const TraceFragment f = read(
            {slice("cpu_op", "op", "1", "1", 0, 1), slice("kernel", "k", "0", "20", 0, 1),
             slice("kernel", "k", "0", "7", 0, 1), slice("gpu_user_annotation", "step", "0", "7", 0, 1)});
        QCOMPARE(f.tracks.size(), std::size_t{4});
        QVERIFY(f.tracks[0].kind == TrackKind::GpuStream);
        QCOMPARE(f.tracks[0].stream, 7);
        QCOMPARE(f.tracks[1].stream, 20);
        QVERIFY(f.tracks[2].kind == TrackKind::GpuAnnotation);
        QVERIFY(f.tracks[3].kind == TrackKind::CpuThread);
    }
    void numberAndTextNameTheSameThread()
    {
        const TraceFragment f
            = read({slice("cpu_op", "a", "1", "1", 0, 1), slice("cpu_op", "b", "\"1\"", "\"1\"", 5, 1)});
        QCOMPARE(f.tracks.size(), std::size_t{1});
    }
    void metadataOnTheKernel()
    {
        const TraceFragment f = read(
            {slice("kernel", "ncclDevKernel_Generic", "0", "20", 0, 10,
                   "\"Collective name\":\"allreduce\",\"In msg nelems\":8,\"Out msg nelems\":8,\"Group "
                   "size\":4,\"dtype\":\"BFloat16\","
                   "\"Process Group Name\":\"3\",\"Process Group Description\":\"mesh_tp\",\"Seq\":5")});
        QVERIFY(f.tracks[0].slices.kernelClass[0] == KernelClass::AllReduce);
        const CollectiveCall& call = f.timelines[0].collectives.at(f.tracks[0].slices.collective[0]);
        QVERIFY(call.onGpu);
        QVERIFY(call.kind == KernelClass::AllReduce);
        QCOMPARE(call.groupSize.value_or(0), 4);
        QCOMPARE(call.sequence.value_or(0), 5);
        QCOMPARE(f.strings.view(call.groupDescription), std::string_view("mesh_tp"));
        QVERIFY(!call.commsId.has_value());
    }
    void metadataJoinedByExternalId()
    {
        const TraceFragment f
            = read({slice("cpu_op", "record_param_comms", "1", "1", 0, 10,
                          "\"External id\":9,\"Collective name\":\"_allgather_base\",\"Group size\":2"),
                    slice("kernel", "ncclDevKernel_Generic", "0", "20", 20, 10, "\"External id\":9")});
        const Track& stream = f.tracks[0];
        QVERIFY(stream.slices.kernelClass[0] == KernelClass::AllGather);
        const CollectiveCall& call = f.timelines[0].collectives.at(stream.slices.collective[0]);
        QVERIFY(call.onGpu);
        QCOMPARE(call.groupSize.value_or(0), 2);
        QCOMPARE(call.slice.row, 0u);
        QVERIFY(call.slice.track == TrackId{0});
    }
    void metadataJoinedThroughTheEnclosingCall()
    {
        const TraceFragment f
            = read({slice("cpu_op", "record_param_comms", "1", "1", 0, 20,
                          "\"Collective name\":\"allreduce\",\"Group size\":8"),
                    slice("cuda_runtime", "cudaLaunchKernel", "1", "1", 5, 5, "\"correlation\":4"),
                    slice("kernel", "ncclDevKernel_Generic", "0", "20", 30, 10, "\"correlation\":4")});
        const CollectiveCall& call = f.timelines[0].collectives.at(f.tracks[0].slices.collective[0]);
        QVERIFY(call.kind == KernelClass::AllReduce);
        QCOMPARE(call.groupSize.value_or(0), 8);
    }
    void communicationWithoutMetadataIsStillACall()
    {
        const TraceFragment f
            = read({slice("kernel", "ncclKernel_AllReduce_RING_LL_Sum_float", "0", "20", 0, 10)});
        const CollectiveCall& call = f.timelines[0].collectives.at(f.tracks[0].slices.collective[0]);
        QVERIFY(call.kind == KernelClass::AllReduce);
        QVERIFY(!call.groupSize && !call.inElements);
        QVERIFY(f.tracks[0].communication);
    }
    void annotationsAreNeverKernels()
    {
        const TraceFragment f = read({slice("gpu_user_annotation", "nccl:all_reduce", "0", "20", 0, 10,
                                            "\"Collective name\":\"allreduce\""),
                                      slice("user_annotation", "nccl:all_reduce", "1", "1", 0, 10)});
        QVERIFY(f.timelines[0].collectives.empty());
        for (const Track& track : f.tracks)
            QVERIFY(track.slices.kernelClass[0] == KernelClass::None);
    }
    void launchesAreLinkedByTheOutermostCall()
    {
        const TraceFragment f
            = read({slice("cuda_runtime", "cudaLaunchKernel", "1", "1", 0, 10, "\"correlation\":4"),
                    slice("cuda_driver", "cuLaunchKernel", "1", "1", 2, 5, "\"correlation\":4"),
                    slice("kernel", "gemm", "0", "7", 20, 10, "\"correlation\":4")});
        const SliceRef launch = f.timelines[0].launchOf(4);
        QVERIFY(static_cast<bool>(launch));
        QCOMPARE(nameAt(f, f.tracks[launch.track.value], launch.row), std::string_view("cudaLaunchKernel"));
        QVERIFY(!f.timelines[0].launchOf(5));
    }
    void flowsInstantsAndCountersAreKept()
    {
        const auto fragment = readKineto(R"({"traceEvents": [
            {"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":10,"dur":5},
            {"ph":"s","cat":"ac2g","name":"ac2g","id":3,"pid":1,"tid":1,"ts":1},
            {"ph":"f","bp":"e","cat":"ac2g","name":"ac2g","id":3,"pid":0,"tid":7,"ts":10},
            {"ph":"i","name":"mark","pid":1,"tid":1,"ts":4},
            {"ph":"C","name":"util","pid":0,"tid":0,"ts":7,"args":{"value":0.5}},
            {"ph":"C","name":"util","pid":0,"tid":0,"ts":3,"args":{"value":0.25}},
            {"ph":"M","name":"process_name","pid":0,"args":{"name":"python"}}]})");
        QVERIFY(fragment.has_value());
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{7});
        QCOMPARE(fragment->source.shown, std::uint64_t{7});
        const Timeline& timeline = fragment->timelines[0];
        QCOMPARE(timeline.flows.size(), std::size_t{2});
        QVERIFY(timeline.flows.phase(0) == FlowPhase::Start);
        QVERIFY(timeline.flows.track(1) == TrackId{0});
        QCOMPARE(timeline.counters.size(), std::size_t{1});
        QVERIFY(timeline.counters[0].timeNs == (std::vector<std::int64_t>{3000, 7000}));
        QCOMPARE(timeline.counters[0].value[0], 0.25);
        std::size_t instants = 0;
        for (const Track& track : fragment->tracks)
            instants += track.instants.size();
        QCOMPARE(instants, std::size_t{1});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestFragment)
#include "tst_fragment.moc"
