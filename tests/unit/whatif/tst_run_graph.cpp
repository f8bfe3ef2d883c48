// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What had to wait for what, in traces that are written event by event.

#include "metrics/whatif/run_replay.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

/// A trace of one rank. Times in us.
class Events
{
public:
    void step(double start, double duration)
    {
        add("user_annotation", "ProfilerStep#1", 1, 1, start, duration, "");
    }
    void call(const char* name, double start, double duration, int correlation)
    {
        add("cuda_runtime", name, 1, 1, start, duration, id(correlation));
    }
    void work(const char* name, int stream, double start, double duration, int correlation, int device = 0)
    {
        add("kernel", name, device, stream, start, duration,
            id(correlation) + ",\"device\":" + std::to_string(device)
                + ",\"stream\":" + std::to_string(stream));
    }
    void copy(const char* name, int stream, double start, double duration, int correlation)
    {
        add("gpu_memcpy", name, 0, stream, start, duration,
            id(correlation) + ",\"device\":0,\"stream\":" + std::to_string(stream));
    }
    /// The profiler tells that a call makes a stream wait for what another one had got until the event was
    /// recorded.
    void streamWait(int stream, int waited, int correlation, int record)
    {
        add("cuda_sync", "Stream Wait Event", 0, stream, 30, 1,
            id(correlation) + ",\"stream\":" + std::to_string(stream)
                + ",\"wait_on_stream\":" + std::to_string(waited)
                + ",\"wait_on_cuda_event_record_corr_id\":" + std::to_string(record));
    }
    /// The profiler tells for which stream a call waits.
    void synchronization(int stream, int correlation, double start, double duration)
    {
        add("cuda_sync", "Stream Sync", 0, stream, start, duration,
            id(correlation) + ",\"stream\":" + std::to_string(stream) + ",\"wait_on_stream\":"
                + std::to_string(stream) + ",\"wait_on_cuda_event_record_corr_id\":0");
    }
    TraceModelPtr load() const
    {
        return m_folder.writeAndLoad("rank0_trace.json",
                                     "{\"distributedInfo\":{\"rank\":0,\"world_size\":1},"
                                     "\"traceEvents\":["
                                         + m_events + "]}");
    }

private:
    static std::string id(int correlation) { return "\"correlation\":" + std::to_string(correlation); }
    void add(const char* category, const char* name, int pid, int tid, double start, double duration,
             const std::string& args)
    {
        m_events += (m_events.empty() ? "" : ",") + std::string("{\"ph\":\"X\",\"cat\":\"") + category
            + "\",\"name\":\"" + name + "\",\"pid\":" + std::to_string(pid)
            + ",\"tid\":" + std::to_string(tid) + ",\"ts\":" + std::to_string(start)
            + ",\"dur\":" + std::to_string(duration) + ",\"args\":{" + args + "}}";
    }

    RunFolder m_folder;
    std::string m_events;
};

RunGraph graphOf(const TraceModel& model)
{
    const RunCollectivesPtr run = matchRun(model, {});
    static const ClockMap clocks; // the works of the graph refer to it
    std::vector<RankWork> works;
    std::vector<RankGraph> graphs;
    for (const Timeline& timeline : model.timelines) {
        works.push_back(readRankWork(model, *run, clocks, timeline, timeline.steps, [] { return false; }));
        graphs.push_back(graphOfRank(model, works.back()));
    }
    return connectRanks(std::move(works), std::move(graphs), *run);
}

const RunNode& nodeOf(const TraceModel& model, const RunGraph& run, std::string_view name)
{
    return *std::find_if(run.nodes.begin(), run.nodes.end(),
                         [&](const RunNode& node) { return node.slice && model.nameOf(node.slice) == name; });
}

/// The step with other durations: `change` gets each node, and its duration in ns.
template<typename Change>
double changedStepUs(const RunGraph& run, const Change& change)
{
    RunTimes times = timesOf(run, HeldWaits::Kept);
    for (std::uint32_t i = 0; i < run.nodes.size(); ++i)
        change(run.nodes[i], times.durationsNs[run.graph.placeOf(i)]);
    return replayedSteps(run, run.graph.endsOf(times.input())).front() / 1000;
}

/// The step if the work of a name took less time.
double stepUsWithLess(const TraceModel& model, const RunGraph& run, std::string_view name, int us)
{
    const RunNode* const shorter = &nodeOf(model, run, name);
    return changedStepUs(run, [&](const RunNode& node, std::int64_t& ns) {
        if (&node == shorter)
            ns -= 1000 * us;
    });
}

void halveGpuWork(const RunNode& node, std::int64_t& ns)
{
    if (node.kind == NodeKind::Gpu)
        ns /= 2;
}

double stepUs(const RunGraph& run, HeldWaits waits)
{
    return replayedSteps(run, run.graph.endsOf(timesOf(run, waits).input())).front() / 1000;
}

} // namespace

class TestRunGraph : public QObject
{
    Q_OBJECT

private slots:
    /// Stream 20 starts 30 us after what it waits for: nothing but the profiler's event explains it.
    void statedWaitsOfStreams()
    {
        for (const bool isStated : {false, true}) {
            Events events;
            events.step(0, 400);
            events.call("cudaLaunchKernel", 10, 5, 1);
            events.call("cudaEventRecord", 20, 1, 2);
            events.call("cudaStreamWaitEvent", 30, 1, 3);
            events.call("cudaLaunchKernel", 40, 5, 4);
            events.call("cudaDeviceSynchronize", 50, 300, 5);
            events.work("first", 7, 20, 180, 1);
            events.work("second", 20, 230, 100, 4);
            if (isStated)
                events.streamWait(20, 7, 3, 2);
            const TraceModelPtr model = events.load();
            QVERIFY(model);
            const std::vector<SyncDetail> expected{{3, 20, 7, 2}};
            QCOMPARE(model->timelines.front().syncs == expected, isStated);
            const RunGraph run = graphOf(*model);
            const RunNode& second = nodeOf(*model, run, "second");
            QCOMPARE(second.heldBy, HeldBy::Unexplained);
            // 230 - (40 + 10), or 230 - (200 + at most 5 and a gap).
            QVERIFY(isStated ? second.heldNs <= 30'000 : second.heldNs >= 150'000);
        }
    }
    /// A call that loads a kernel before it launches it holds the kernel up, not the queue.
    void firstLaunchesLoadTheKernel()
    {
        Events events;
        events.step(0, 3000);
        events.call("cudaLaunchKernel", 10, 2000, 1);
        events.call("cudaLaunchKernel", 2020, 5, 2);
        events.call("cudaDeviceSynchronize", 2040, 200, 3);
        events.work("first", 7, 2004, 100, 1);
        events.work("second", 7, 2105, 100, 2);
        const TraceModelPtr model = events.load();
        QVERIFY(model);
        const RunGraph run = graphOf(*model);
        QCOMPARE(nodeOf(*model, run, "first").heldBy == HeldBy::Unexplained, false);
        QVERIFY(std::abs(stepUs(run, HeldWaits::Dropped) - 3000) < 15);
        // Loading it in no time would make the step shorter by that.
        const double shorter = changedStepUs(run, [](const RunNode& node, std::int64_t& ns) {
            if (node.kind == NodeKind::Cpu && node.durationNs > 1'900'000)
                ns = 0;
        });
        QVERIFY2(std::abs(shorter - 1016) < 30, std::to_string(shorter).c_str());
    }
    /// What a call waited for is the stream that the profiler tells, not what happened to end last.
    void synchronizationsOfAStream()
    {
        for (const bool isStated : {false, true}) {
            Events events;
            events.step(0, 500);
            events.call("cudaLaunchKernel", 10, 5, 1);
            events.call("cudaLaunchKernel", 20, 5, 2);
            events.call("cudaStreamSynchronize", 30, 174, 3);
            events.work("awaited", 7, 20, 180, 1);
            events.work("other", 20, 30, 173, 2);
            if (isStated)
                events.synchronization(7, 3, 30, 172);
            const TraceModelPtr model = events.load();
            QVERIFY(model);
            const RunGraph run = graphOf(*model);
            QVERIFY(std::abs(stepUsWithLess(*model, run, "awaited", 100) - (isStated ? 400 : 500)) < 1);
            QVERIFY(std::abs(stepUsWithLess(*model, run, "other", 100) - (isStated ? 500 : 400)) < 1);
        }
    }
    /// A trace that nobody marked ends when the GPU is done, not when the CPU is: the GPU decides.
    void unmarkedTracesEndWithTheGpu()
    {
        Events events;
        for (int i = 0; i < 20; ++i) {
            events.call("cudaLaunchKernel", 10 + 5 * i, 4, i + 1);
            events.work("gemm", 7, 20 + 100 * i, 99, i + 1);
        }
        const TraceModelPtr model = events.load();
        QVERIFY(model);
        const RunGraph run = graphOf(*model);
        QVERIFY2(std::abs(stepUs(run, HeldWaits::Kept) - 2009) < 5,
                 std::to_string(stepUs(run, HeldWaits::Kept)).c_str());
        const double shorter = changedStepUs(run, halveGpuWork);
        QVERIFY2(std::abs(shorter - 1009) < 40, std::to_string(shorter).c_str());
    }
    /// AMD does not say whether the memory can be paged; a call that returns after its copy waited for it.
    void copiesToTheHostAreAwaited()
    {
        Events events;
        events.step(0, 1200);
        events.call("hipLaunchKernel", 10, 5, 1);
        events.call("hipMemcpyWithStream", 20, 1080, 2);
        events.work("kernel", 7, 20, 1000, 1);
        events.copy("Memcpy DtoH (Device -> Host)", 7, 1021, 6, 2);
        const TraceModelPtr model = events.load();
        QVERIFY(model);
        const RunGraph run = graphOf(*model);
        QVERIFY(std::abs(stepUs(run, HeldWaits::Kept) - 1200) < 1);
        const double shorter = stepUsWithLess(*model, run, "kernel", 500);
        QVERIFY2(std::abs(shorter - 700) < 2, std::to_string(shorter).c_str());
    }
    /// A collective waits for what its own GPU was given, not for another GPU of the process.
    void gpusOfAProcessAreApart()
    {
        Events events;
        events.step(0, 500);
        events.call("cudaLaunchKernel", 5, 2, 1);
        events.call("cudaLaunchKernel", 10, 2, 2);
        events.call("cudaLaunchKernel", 15, 2, 3);
        events.call("cudaDeviceSynchronize", 20, 434, 4);
        events.work("own", 7, 12, 100, 1, 1);
        events.work("other", 8, 17, 80, 2, 0);
        events.work("ncclDevKernel_AllReduce", 20, 113, 340, 3, 1);
        const TraceModelPtr model = events.load();
        QVERIFY(model);
        const RunGraph run = graphOf(*model);
        QVERIFY(std::abs(stepUsWithLess(*model, run, "own", 50) - 450) < 2);
        QVERIFY(std::abs(stepUsWithLess(*model, run, "other", 50) - 500) < 2);
    }
    /// Kernels that overlap on a stream still follow each other: in half of their time, they do so twice as
    /// fast, and no faster.
    void overlappingWorkKeepsItsOrder()
    {
        Events events;
        events.step(0, 2200);
        for (int i = 0; i < 100; ++i) {
            events.call("cudaLaunchKernel", 2 + i, 0.5, i + 1);
            events.work("gemm", 7, 10 + 20 * i, 100, i + 1);
        }
        events.call("cudaDeviceSynchronize", 110, 1984, 200);
        const TraceModelPtr model = events.load();
        QVERIFY(model);
        const RunGraph run = graphOf(*model);
        const double asRecorded = stepUs(run, HeldWaits::Kept);
        QVERIFY(std::abs(asRecorded - 2200) < 10);
        const double shorter = changedStepUs(run, halveGpuWork);
        QVERIFY2(std::abs(shorter - (asRecorded - 1040)) < 15, std::to_string(shorter).c_str());
    }
    /// The CPU waits for the GPU: a shorter kernel makes the step shorter, by as much.
    void callsWaitForTheGpu()
    {
        Events events;
        events.step(0, 500);
        events.call("cudaLaunchKernel", 10, 5, 1);
        events.call("cudaDeviceSynchronize", 20, 304, 2);
        events.work("kernel", 7, 20, 300, 1);
        const TraceModelPtr model = events.load();
        QVERIFY(model);
        const RunGraph run = graphOf(*model);
        QVERIFY(std::abs(stepUs(run, HeldWaits::Dropped) - 500) < 1);
        const double shorter = stepUsWithLess(*model, run, "kernel", 100);
        QVERIFY2(std::abs(shorter - 400) < 1, std::to_string(shorter).c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRunGraph)
#include "tst_run_graph.moc"
