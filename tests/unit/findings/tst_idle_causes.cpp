// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Each cause of idle time in a gap of 100 us, in a trace of a few events, and the rules about halves and
// order.

#include "metrics/findings/finding.h"
#include "tests/support/runs/gap_text.h"
#include "tests/support/suite/suite.h"

#include <algorithm>
#include <functional>

namespace collscope {

namespace {

using Plant = std::function<void(KinetoText& trace)>;

struct Case
{
    const char* name;
    Plant plant;
    const char* expected; ///< cause and name
};

/// What the CPU does in the gap, on the main thread, before it launches at 195 us.
std::vector<Case> cases()
{
    const auto python
        = [](const char* name) { return [name](KinetoText& t) { t.python(name, mainThread, 110, 80); }; };
    const auto call
        = [](const char* name) { return [name](KinetoText& t) { t.call(name, mainThread, 110, 80); }; };
    return {
        {"nothing", [](KinetoText&) {}, "outside last"},
        {"waitsForALock",
         [](KinetoText& t) {
             t.python("train.py(1): main", mainThread, 100, 94);
             t.python("<built-in method acquire of _thread.lock object at 0x7f00>", mainThread, 110, 80);
         },
         "waits <built-in method acquire of _thread.lock object at 0x7f00>"},
        {"sleeps", python("<built-in function sleep>"), "waits <built-in function sleep>"},
        {"receives", python("<built-in method recv_into of _socket.socket object at 0x7f00>"),
         "waits <built-in method recv_into of _socket.socket object at 0x7f00>"},
        {"getsFromQueue", python("<built-in method get of _queue.SimpleQueue object at 0x7f00>"),
         "waits <built-in method get of _queue.SimpleQueue object at 0x7f00>"},
        {"runsBackward", python("<built-in method run_backward of torch._C._EngineBase object at 0x7f00>"),
         "waits <built-in method run_backward of torch._C._EngineBase object at 0x7f00>"},
        {"synchronisesThenSleeps", // the call had ended when the thread went to sleep
         [](KinetoText& t) {
             t.call("cudaStreamSynchronize", mainThread, 60, 42);
             t.python("<built-in function sleep>", mainThread, 104, 88);
         },
         "waits <built-in function sleep>"},
        {"meetsOnTheCpu", [](KinetoText& t) { t.annotation("gloo:all_reduce", mainThread, 110, 80); },
         "waits_for_ranks gloo:all_reduce"},
        {"barrier", [](KinetoText& t) { t.cpuOp("c10d::barrier", mainThread, 110, 80); },
         "waits_for_ranks c10d::barrier"},
        {"waitsForWork", python("<built-in method wait of torch._C._distributed_c10d.Work object at 0x7f00>"),
         "waits_for_ranks <built-in method wait of torch._C._distributed_c10d.Work object at 0x7f00>"},
        {"nonzeroOnTheCpu", // on a tensor of the GPU, a call inside it would wait
         [](KinetoText& t) { t.cpuOp("aten::nonzero", mainThread, 110, 80); }, "cpu_bound aten::nonzero"},
        {"nonzeroOnTheGpu",
         [](KinetoText& t) {
             t.cpuOp("aten::nonzero", mainThread, 108, 84);
             t.call("cudaStreamSynchronize", mainThread, 110, 80);
         },
         "synchronises aten::nonzero"},
        {"allocatesAndLoads",
         [](KinetoText& t) {
             t.call("cudaMalloc", mainThread, 102, 45);
             t.annotation("enumerate(DataLoader)#_Iter.__next__", mainThread, 148, 42);
         },
         "allocates cudaMalloc"},
        {"onlyNamedLikeInput", python("model.py(7): get_batch_norm_stats"),
         "cpu_bound model.py(7): get_batch_norm_stats"},
        {"stateDictWithoutSaving",
         python("torch/distributed/checkpoint/state_dict.py(5): get_model_state_dict"),
         "cpu_bound torch/distributed/checkpoint/state_dict.py(5): get_model_state_dict"},
        {"annotation", [](KinetoText& t) { t.annotation("my loop", mainThread, 100, 94); }, "outside last"},
        {"synchronises", call("cudaDeviceSynchronize"), "synchronises cudaDeviceSynchronize"},
        {"synchronisesInOperator",
         [](KinetoText& t) {
             t.cpuOp("aten::to", mainThread, 101, 90);
             t.cpuOp("aten::_to_copy", mainThread, 102, 88);
             t.call("cudaStreamSynchronize", mainThread, 110, 70);
         },
         "synchronises aten::to"},
        {"synchronisesAtBegin", // launches are 10 us apart here: another 90 us have another cause
         [](KinetoText& t) { t.call("cudaStreamSynchronize", mainThread, 60, 45); }, "outside last"},
        {"synchronisesNearlyHalf", // with the usual time to the next launch it is more than half
         [](KinetoText& t) { t.call("cudaStreamSynchronize", mainThread, 60, 85); },
         "synchronises cudaStreamSynchronize"},
        {"synchronisesThenWorks", // what the CPU did for most of the gap is the cause
         [](KinetoText& t) {
             t.call("cudaStreamSynchronize", mainThread, 60, 45);
             t.cpuOp("aten::add", mainThread, 106, 84);
         },
         "cpu_bound aten::add"},
        {"synchronisesThenCollects",
         [](KinetoText& t) {
             t.call("cudaStreamSynchronize", mainThread, 60, 45);
             t.python("<built-in function collect>", mainThread, 106, 84);
         },
         "collects_garbage <built-in function collect>"},
        {"synchronisedBefore",
         [](KinetoText& t) {
             t.call("cudaStreamSynchronize", mainThread, 60, 39);
             t.cpuOp("aten::add", mainThread, 100, 90);
         },
         "cpu_bound aten::add"},
        {"blockingCopy", call("cudaMemcpy"), "synchronises cudaMemcpy"},
        {"hipSynchronises", call("hipStreamSynchronize"), "synchronises hipStreamSynchronize"},
        {"levelZeroSynchronises", call("zeEventHostSynchronize"), "synchronises zeEventHostSynchronize"},
        {"allocates",
         [](KinetoText& t) {
             t.cpuOp("aten::empty", mainThread, 105, 88);
             t.call("cudaMalloc", mainThread, 110, 80);
         },
         "allocates cudaMalloc"},
        {"freesOnHip", call("hipFree"), "allocates hipFree"},
        {"loads",
         [](KinetoText& t) {
             t.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", mainThread, 110, 80);
             t.cpuOp("aten::stack", mainThread, 112, 70);
         },
         "loads_data enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"},
        {"compiles", python("torch/_dynamo/convert_frame.py(715): _compile"),
         "compiles torch/_dynamo/convert_frame.py(715): _compile"},
        {"loadsModule", call("cuLibraryLoadData"), "compiles cuLibraryLoadData"},
        {"warmRegion", // the next call of the same region takes as long: it runs compiled code
         [](KinetoText& t) {
             t.cpuOp("Torch-Compiled Region: 0/0", mainThread, 110, 80);
             t.cpuOp("Torch-Compiled Region: 0/0", mainThread, 210, 70);
         },
         "cpu_bound Torch-Compiled Region: 0/0"},
        {"coldRegion",
         [](KinetoText& t) {
             t.cpuOp("Torch-Compiled Region: 0/0", mainThread, 110, 80);
             t.cpuOp("Torch-Compiled Region: 0/0", mainThread, 210, 20);
         },
         "compiles Torch-Compiled Region: 0/0"},
        {"runsCompiledCode", python("torch/_dynamo/eval_frame.py(600): _fn"),
         "cpu_bound torch/_dynamo/eval_frame.py(600): _fn"},
        {"collects", python("<built-in function collect>"), "collects_garbage <built-in function collect>"},
        {"saves", python("torch/serialization.py(939): save"), "saves torch/serialization.py(939): save"},
        {"loadsCheckpoint", python("torch/serialization.py(1400): load"),
         "cpu_bound torch/serialization.py(1400): load"},
        {"profiles", [](KinetoText& t) { t.overhead("Buffer Flush", mainThread, 110, 80); },
         "profiles Buffer Flush"},
        {"loadsLazily", [](KinetoText& t) { t.overhead("Lazy Function Loading", mainThread, 110, 80); },
         "compiles Lazy Function Loading"},
        {"selfTime", // the outer one lasts longest, the inner ones together have the largest self time
         [](KinetoText& t) {
             t.python("train.py(7): step", mainThread, 100, 94);
             for (int at = 102; at < 190; at += 8)
                 t.python("<built-in function assert_size_stride>", mainThread, at, 7);
         },
         "cpu_bound <built-in function assert_size_stride>"},
        {"lessThanHalf", [](KinetoText& t) { t.cpuOp("aten::add", mainThread, 110, 48); }, "outside last"},
        {"moreThanHalf", [](KinetoText& t) { t.cpuOp("aten::add", mainThread, 110, 52); },
         "cpu_bound aten::add"},
        {"otherThread", // it ends long before the launch: nothing shows that the launch waited for it
         [](KinetoText& t) { t.cpuOp("aten::add", backwardThread, 0, 10); }, "outside last"},
    };
}

} // namespace

class TestIdleCauses : public QObject
{
    Q_OBJECT

private slots:
    void mainThreadAlone_data()
    {
        QTest::addColumn<int>("index");
        const std::vector<Case> all = cases();
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::newRow(all[i].name) << static_cast<int>(i);
    }
    void mainThreadAlone()
    {
        QFETCH(const int, index);
        const Case test = cases()[static_cast<std::size_t>(index)];
        GapText text;
        test.plant(text.trace);
        text.launchNext();
        const TraceModelPtr model = text.trace.load();
        QVERIFY(model);
        QCOMPARE(textOf(*model, gapOf(*model)), std::string(test.expected));
    }
    /// The backward thread launches when the main thread, which was busy, calls it.
    void handedOver()
    {
        GapText text;
        text.trace.kernel("early", 7, 36, 1, text.trace.call("cudaLaunchKernel", backwardThread, 32, 1));
        text.trace.call("cudaMalloc", mainThread, 101, 85);
        text.trace.cpuOp("MmBackward0", backwardThread, 188, 20);
        text.launchNext(5, backwardThread);
        const TraceModelPtr model = text.trace.load();
        QVERIFY(model);
        QCOMPARE(textOf(*model, gapOf(*model)), std::string("allocates cudaMalloc"));
    }
    /// Launched long before: the GPU held it back. A wait for another stream does not explain 100 us in which
    /// no stream works.
    void queued()
    {
        for (const bool waits : {false, true}) {
            GapText text;
            if (waits)
                text.trace.call("cudaStreamWaitEvent", mainThread, 42, 1);
            text.launchNext(155);
            const TraceModelPtr model = text.trace.load();
            QVERIFY(model);
            QCOMPARE(textOf(*model, gapOf(*model)), std::string("unexplained last"));
        }
    }
    /// Here work starts 150 us after its launch: the same wait explains a gap of 100 us.
    void queuedBehindAStream()
    {
        GapText text;
        text.trace.call("cudaStreamWaitEvent", mainThread, 42, 1);
        text.launchNext(155);
        for (const int at : {600, 900, 1200, 1500})
            text.trace.kernel("later", 7, at, 5,
                              text.trace.call("cudaLaunchKernel", mainThread, at - 150, 1));
        const TraceModelPtr model = text.trace.load();
        QVERIFY(model);
        QCOMPARE(textOf(*model, gapOf(*model)), std::string("waits_on_stream last"));
    }
    /// A copy from the host that takes the time of the CPU is not input data that is late.
    void copiesFromTheHost()
    {
        GapText text;
        text.trace.work("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 7, 200, 10,
                        text.trace.call("cudaMemcpyAsync", mainThread, 105, 100));
        const TraceModelPtr model = text.trace.load();
        QVERIFY(model);
        QCOMPARE(textOf(*model, gapOf(*model)), std::string("copies_from_host cudaMemcpyAsync"));
    }
    /// Another thread saves in the background and copies 2 us. The kernel behind that is launched by the main
    /// thread, which waits for data.
    void smallCopyOfAnotherThread()
    {
        GapText text;
        text.trace.python("torch/serialization.py(939): save", backwardThread, 0, 300);
        text.trace.annotation("enumerate(DataLoader)#_Iter.__next__", mainThread, 101, 190);
        text.trace.work("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 9, 200, 2,
                        text.trace.call("cudaMemcpyAsync", backwardThread, 196, 1));
        text.trace.kernel("last", 7, 298, 1, text.trace.call("cudaLaunchKernel", mainThread, 295, 1));
        const TraceModelPtr model = text.trace.load();
        QVERIFY(model);
        QCOMPARE(textOf(*model, gapOf(*model)),
                 std::string("loads_data enumerate(DataLoader)#_Iter.__next__"));
    }
    /// The launch itself takes the gap, because another thread frees memory.
    void blockedLaunch()
    {
        GapText text;
        text.trace.call("cudaFree", backwardThread, 100, 92);
        text.trace.kernel("last", 7, 200, 90, text.trace.call("cudaLaunchKernel", mainThread, 101, 94));
        const TraceModelPtr model = text.trace.load();
        QVERIFY(model);
        QCOMPARE(textOf(*model, gapOf(*model)), std::string("allocates cudaFree"));
    }
    /// The CPU waits for each of many short kernels: that is why the pauses are as long as they are.
    void synchronisesAfterEachKernel()
    {
        KinetoText trace;
        trace.annotation("ProfilerStep#1", mainThread, 0, 500);
        for (int at = 10; at < 490; at += 40) {
            trace.kernel("small", 7, at, 24, trace.call("cudaLaunchKernel", mainThread, at - 6, 2));
            trace.call("cudaStreamSynchronize", mainThread, at - 3, 29);
        }
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const TimelineGaps gaps = findGaps(*model, model->timelines.front(), {}, [] { return false; });
        QCOMPARE(gaps.launchIntervalNs, 40'000);
        int between = 0;
        for (const GpuGap& gap : gaps.gaps) {
            if (gap.range.lengthNs() != 16'000)
                continue;
            QVERIFY(gap.cause == IdleCause::Synchronises);
            ++between;
        }
        QCOMPARE(between, 11);
    }
    /// The pauses between the kernels of one graph: a graph would not make them shorter.
    void insideAGraph()
    {
        KinetoText trace;
        trace.annotation("ProfilerStep#1", mainThread, 0, 100);
        trace.annotation("ProfilerStep#2", mainThread, 100, 100);
        for (const int step : {0, 100}) {
            const int launched = trace.call("cudaGraphLaunch", mainThread, step + 2, 3);
            for (int at = 10; at < 90; at += 5)
                trace.kernel("tiny", 7, step + at, 2, launched);
        }
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const TimelineGaps gaps = findGaps(*model, model->timelines.front(), {}, [] { return false; });
        const auto inside = std::count_if(gaps.gaps.begin(), gaps.gaps.end(), [](const GpuGap& gap) {
            return gap.isInsideGraph && gap.cause == IdleCause::LaunchOverhead;
        });
        QCOMPARE(inside, 2 * 15);
        Finding overhead;
        overhead.kind = FindingKind::LaunchBound;
        QVERIFY(adviceFor(overhead).find("CUDA graphs") != std::string_view::npos);
        overhead.isInsideGraph = true;
        QVERIFY(adviceFor(overhead).find("CUDA graphs") == std::string_view::npos);
    }
    /// A wait before an earlier launch is for that one.
    void waitOfAnother()
    {
        GapText text;
        text.trace.call("cudaStreamWaitEvent", mainThread, 40, 1);
        text.trace.kernel("other", 8, 50, 5, text.trace.call("cudaLaunchKernel", mainThread, 42, 1));
        text.launchNext(155);
        const TraceModelPtr model = text.trace.load();
        QVERIFY(model);
        QCOMPARE(textOf(*model, gapOf(*model)), std::string("unexplained last"));
    }
    void notRecorded()
    {
        KinetoText trace;
        trace.annotation("ProfilerStep#1", mainThread, 0, 300);
        trace.kernel("gemm", 7, 10, 90, 0);
        trace.kernel("last", 7, 200, 90, 0);
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        TimelineGaps all;
        QCOMPARE(textOf(*model, gapOf(*model, &all)), std::string("not_recorded last"));
        QCOMPARE(all.hasCpuEvents, false);
    }
    /// Launches 10 us apart: 9 us are launch overhead, whatever the CPU did, 11 us are not.
    void launchOverhead()
    {
        KinetoText trace;
        trace.annotation("ProfilerStep#1", mainThread, 0, 100);
        double kernelAt = 5;
        for (const double gap : {9.0, 11.0, 9.0}) {
            const int launched = trace.call("cudaLaunchKernel", mainThread, kernelAt - 4, 1);
            trace.kernel("small", 7, kernelAt, 1, launched);
            kernelAt += 1 + gap;
        }
        trace.kernel("small", 7, kernelAt, 1, trace.call("cudaLaunchKernel", mainThread, kernelAt - 4, 1));
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const TimelineGaps gaps = findGaps(*model, model->timelines.front(), {}, [] { return false; });
        QCOMPARE(gaps.launchIntervalNs, 10'000);
        QCOMPARE(gaps.launchLatencyNs, 4'000);
        std::vector<std::pair<std::int64_t, IdleCause>> found;
        for (const GpuGap& gap : gaps.gaps) {
            if (gap.next && gap.range.beginNs > 0)
                found.emplace_back(gap.range.lengthNs(), gap.cause);
        }
        const std::vector<std::pair<std::int64_t, IdleCause>> expected{{9'000, IdleCause::LaunchOverhead},
                                                                       {11'000, IdleCause::Outside},
                                                                       {9'000, IdleCause::LaunchOverhead}};
        QVERIFY(found == expected);
    }
    /// Before the first event a gap begins at the first step, after the last one it ends with the step.
    void atTheEnds()
    {
        KinetoText trace;
        trace.cpuOp("import", mainThread, 0, 20);
        trace.annotation("ProfilerStep#1", mainThread, 50, 100);
        trace.annotation("ProfilerStep#2", mainThread, 150, 100);
        trace.cpuOp("aten::add", mainThread, 51, 30);
        trace.kernel("gemm", 7, 90, 30, trace.call("cudaLaunchKernel", mainThread, 85, 1));
        trace.call("cudaDeviceSynchronize", mainThread, 100, 140);
        const TraceModelPtr model = trace.load();
        QVERIFY(model);
        const TimelineGaps gaps = findGaps(*model, model->timelines.front(), {}, [] { return false; });
        std::vector<TimeRange> ranges;
        std::vector<IdleCause> causes;
        for (const GpuGap& gap : gaps.gaps) {
            ranges.push_back(gap.range);
            causes.push_back(gap.cause);
        }
        const std::vector<TimeRange> expected{
            {0, 50'000}, {50'000, 90'000}, {120'000, 150'000}, {150'000, 250'000}};
        QVERIFY(ranges == expected);
        QVERIFY(causes[1] == IdleCause::CpuBound);
        QVERIFY(causes[2] == IdleCause::Synchronises);
        QVERIFY(causes[3] == IdleCause::Synchronises);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestIdleCauses)
#include "tst_idle_causes.moc"
