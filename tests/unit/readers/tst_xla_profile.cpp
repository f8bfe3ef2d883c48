// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// XLA profiles (JSON of XProf's trace viewer): devices as ranks, lanes, steps, classes, the metrics of group
// 21.

#include "model/kernels/kernel_names.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

#include <QTest>

namespace collscope {

namespace {

std::string named(const char* what, int pid, int tid, const char* name)
{
    return "{\"ph\":\"M\",\"pid\":" + std::to_string(pid) + ",\"tid\":" + std::to_string(tid) + ",\"name\":\""
        + what + "\",\"args\":{\"name\":\"" + name + "\"}},";
}

std::string slice(int pid, int tid, const char* name, int ts, int dur, const std::string& args = "{}")
{
    return "{\"ph\":\"X\",\"pid\":" + std::to_string(pid) + ",\"tid\":" + std::to_string(tid)
        + ",\"ts\":" + std::to_string(ts) + ",\"dur\":" + std::to_string(dur) + ",\"name\":\"" + name
        + "\",\"args\":" + args + "},";
}

std::string hlo(const char* category, const char* more = "")
{
    return std::string("{\"hlo_category\":\"") + category + "\",\"long_name\":\"%x\"" + more + "}";
}

std::string document(const std::string& events)
{
    return R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[)"
        + events.substr(0, events.size() - 1) + "]}";
}

/// A device that multiplies for 30 us and then reduces for so long.
std::string device(int pid, const char* name, int beginUs, int reduceUs)
{
    return named("process_name", pid, 0, name) + named("thread_name", pid, 3, "XLA Ops")
        + slice(pid, 3, "fusion.1", beginUs, 30,
                hlo("convolution fusion", R"(,"model_flops":"1000000000","bytes_accessed":"1000")"))
        + slice(pid, 3, "all-reduce.1", beginUs + 30, reduceUs,
                hlo("all-reduce", R"(,"bytes_accessed":"4000")"));
}

/// Two devices of a TPU: the first with all its lanes.
std::string twoDevices()
{
    return device(3, "/device:TPU:0", 10, 20) + named("thread_name", 3, 1, "Steps")
        + named("thread_name", 3, 2, "XLA Modules") + named("thread_name", 3, 4, "Async XLA Ops")
        + slice(3, 1, "5", 0, 100, R"({"group_id":"5"})") + slice(3, 1, "6", 100, 50)
        + slice(3, 2, "jit_train(1)", 5, 90) + slice(3, 3, "while.3", 10, 80, hlo("while"))
        + slice(3, 3, "copy-start.1", 60, 2, hlo("copy-start"))
        + slice(3, 3, "fusion.2", 62, 28, hlo("loop fusion"))
        + slice(3, 4, "all-gather-start.2", 62, 18, hlo("async-start")) + device(5, "/device:TPU:1", 15, 15)
        + named("process_name", 701, 0, "/host:CPU") + named("thread_name", 701, 9, "python");
}

QString text(std::string_view view)
{
    return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

} // namespace

class TestXlaProfile : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
    void devicesAreRanks()
    {
        const TraceModelPtr run
            = m_folder.writeAndLoad("one/host.trace.json", document(twoDevices() + slice(701, 9, "f", 0, 9)));
        QVERIFY(run);
        QCOMPARE(run->problems.entries().size(), std::size_t{1}); // the second device has no lane of steps
        QVERIFY(findProblem(run->problems, "steps_missing"));
        QCOMPARE(run->ranks(), (std::vector<std::int32_t>{0, 1}));
        QStringList lanes;
        for (const TrackId id : run->timelines.front().tracks) {
            const Track& track = run->track(id);
            QStringList slices;
            for (std::size_t row = 0; row < track.slices.size(); ++row)
                slices << text(run->text(track.slices.name[row])) + u'='
                        + text(kernelClassName(track.slices.kernelClass[row]));
            lanes << text(run->text(track.name)) + QStringLiteral(" [") + slices.join(QStringLiteral(", "))
                    + QStringLiteral("]");
        }
        QCOMPARE(lanes,
                 (QStringList{
                     QStringLiteral("XLA Ops [fusion.1=GEMM, all-reduce.1=AllReduce, copy-start.1=copy, "
                                    "fusion.2=elementwise]"),
                     QStringLiteral("Async XLA Ops [all-gather-start.2=AllGather]"),
                     QStringLiteral("Steps [5=CPU, 6=CPU]"), QStringLiteral("XLA Modules [jit_train(1)=CPU]"),
                     QStringLiteral("XLA Ops [while.3=CPU]"), QStringLiteral("python (9) [f=CPU]")}));
        QCOMPARE(run->timelines[1].tracks.size(), std::size_t{1});
        QCOMPARE(run->timelines[1].device, 1);
    }
    void sumsOfAllChips_data()
    {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* metric, double expected) {
            QTest::newRow(metric) << QString::fromUtf8(metric) << expected;
        };
        row("wall_time_s", 80e-6);
        row("total_compute_time_s", (30 + 2 + 28 + 30) * 1e-6);
        row("total_comm_time_s", 35e-6);
        row("avg_comm_kernel_time_s", 17.5e-6);
        row("allreduce_comm_time_s", 35e-6);
        row("compute_utilization_proxy", 90.0 / 160);
        row("num_comm_kernels", 2);
        row("avg_comm_bandwidth_gbps", 8000 / 35e3);
        row("total_model_flops_from_args", 2e9);
        row("achieved_flops_from_trace_json", 2e9 / 80e-6);
        row("flops_per_token_used", 6e6);
        row("estimated_total_tokens", 2e9 / 6e6);
        row("estimated_throughput_tokens_per_s", 2e9 / 6e6 / 80e-6);
    }
    void sumsOfAllChips()
    {
        QFETCH(QString, metric);
        m_folder.write("card/host.trace.json", document(twoDevices()));
        m_folder.write("card/workload_card.yaml",
                       "workload:\n  model:\n    phase: training\n    num_params: 1000000\n");
        const TraceModelPtr run = m_folder.load("card");
        QVERIFY(run);
        const MetricResult result = measure(*run, metric.toStdString());
        QVERIFY2(result.state == MetricState::Value, result.reason.c_str());
        QTEST(*result.value, "expected");
        QCOMPARE(result.source, std::string("xla"));
    }
    void oneChipOfThem()
    {
        const TraceModelPtr run = m_folder.writeAndLoad("one/host.trace.json", document(twoDevices()));
        QVERIFY(run);
        QCOMPARE(measureRank(*run, "total_comm_time_s", 1).value, std::optional(15e-6));
        QCOMPARE(measureRank(*run, "wall_time_s", 1).value, std::optional(45e-6));
        QVERIFY(measure(*run, "estimated_total_tokens").state == MetricState::NotApplicable); // no card
    }
    void asynchronousPairsAreOneCollective()
    {
        const TraceModelPtr run = m_folder.writeAndLoad(
            "async/host.trace.json",
            document(named("process_name", 3, 0, "/device:TPU:0") + named("thread_name", 3, 3, "XLA Ops")
                     + slice(3, 3, "all-gather-start.1", 0, 1, hlo("async-start"))
                     + slice(3, 3, "collective-permute-done", 5, 4, hlo("collective-permute-done"))
                     + slice(3, 3, "all-gather-done.1", 9, 3, hlo("async-done"))));
        QVERIFY(run);
        QCOMPARE(measure(*run, "num_comm_kernels").value, std::optional(2.0));
        QCOMPARE(measure(*run, "total_comm_time_s").value, std::optional(8e-6));
        QVERIFY(measure(*run, "avg_comm_bandwidth_gbps").state == MetricState::NotApplicable);
        QVERIFY(measure(*run, "total_model_flops_from_args").state == MetricState::NotApplicable);
    }
    void steps()
    {
        const auto stepsOf = [](const TraceModel& run, std::size_t timeline) {
            QStringList steps;
            for (const Step& step : run.timelines[timeline].steps)
                steps << QStringLiteral("%1: %2-%3")
                             .arg(step.number)
                             .arg((step.range.beginNs) / 1000)
                             .arg(step.range.endNs / 1000);
            return steps.join(QStringLiteral(", "));
        };
        // The device's own lane, where the host marks nothing.
        TraceModelPtr run = m_folder.writeAndLoad("steps/a.trace.json", document(twoDevices()));
        QVERIFY(run);
        QCOMPARE(stepsOf(*run, 0), QStringLiteral("5: 0-100, 6: 100-150"));
        QVERIFY(run->timelines[1].stepSource == StepSource::WholeTrace);
        // The host's, for all its devices.
        run = m_folder.writeAndLoad("steps/a.trace.json",
                                    document(twoDevices() + slice(701, 9, "$core.py:331 step", 0, 40)
                                             + slice(701, 9, "$core.py:331 step", 40, 60)));
        QVERIFY(run);
        for (const std::size_t timeline : {0u, 1u}) {
            QCOMPARE(stepsOf(*run, timeline), QStringLiteral("0: 0-40, 1: 40-100"));
            QVERIFY(run->timelines[timeline].stepSource == StepSource::XlaStep);
        }
        // Short StepMarkers are parts of a step.
        run = m_folder.writeAndLoad(
            "steps/a.trace.json",
            document(twoDevices() + slice(701, 9, "StepMarker", 0, 90) + slice(701, 9, "StepMarker", 90, 5)));
        QVERIFY(run);
        QCOMPARE(stepsOf(*run, 1), QStringLiteral("0: 0-90"));
    }
    void hostsOfAPod()
    {
        m_folder.write("pod/t1v-w-0.trace.json",
                       document(device(3, "/device:TPU:0", 0, 9) + device(4, "/device:TPU:1", 0, 9)));
        m_folder.write("pod/t1v-w-1.trace.json",
                       document(device(3, "/device:TPU:0", 0, 9) + device(4, "/device:TPU:1", 0, 9)));
        const TraceModelPtr run = m_folder.load("pod");
        QVERIFY(run);
        QCOMPARE(run->ranks(), (std::vector<std::int32_t>{0, 1, 2, 3}));
    }
    void streamsOfAGpu()
    {
        const TraceModelPtr run = m_folder.writeAndLoad(
            "gpu/host.trace.json",
            document(named("process_name", 1, 0, "/device:GPU:0")
                     + named("thread_name", 1, 20, "Stream #20(Compute)")
                     + named("thread_name", 1, 21, "Stream #21(MemcpyD2H)")
                     + slice(1, 20, "ncclDevKernel_AllGather_RING_LL(x)", 0, 5)
                     + slice(1, 20, "sm80_xmma_gemm_f16", 5, 5) + slice(1, 21, "MemcpyD2H", 0, 2)));
        QVERIFY(run);
        const TraceModel& model = *run;
        QCOMPARE(model.timelines.size(), std::size_t{1});
        const Track& compute = model.track(model.timelines.front().tracks.front());
        QVERIFY(compute.kind == TrackKind::GpuStream);
        QVERIFY(compute.slices.kernelClass[0] == KernelClass::AllGather);
        QVERIFY(compute.slices.kernelClass[1] == KernelClass::Gemm);
        const Track& copies = model.track(model.timelines.front().tracks[1]);
        QVERIFY(copies.slices.category[0] == SliceCategory::Memcpy);
        QCOMPARE(measure(model, "coll_call_num").value, std::optional(1.0));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestXlaProfile)
#include "tst_xla_profile.moc"
