// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Communication that only a person knows, and runs without any: what is asked, what is 0, what is unknown.

#include "metrics/comparison/compared_work.h"
#include "metrics/reports/run_report.h"
#include "model/building/kernel_rules.h"
#include "model/kernels/kernel_names.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

QString kineto(int rank, std::optional<int> worldSize, const QStringList& events)
{
    const QString info = worldSize
        ? QStringLiteral(R"("distributedInfo":{"rank":%1,"world_size":%2},)").arg(rank).arg(*worldSize)
        : QString();
    return QStringLiteral("{%1\"traceEvents\":[%2]}").arg(info, events.join(QLatin1Char(',')));
}

QString gpuKernel(const char* name, int stream, double start, double duration)
{
    return QStringLiteral(R"({"ph":"X","cat":"kernel","name":"%1","pid":0,"tid":%2,"ts":%3,"dur":%4,)"
                          R"("args":{"device":0,"stream":%2}})")
        .arg(QLatin1String(name))
        .arg(stream)
        .arg(start)
        .arg(duration);
}

/// A step with 40 ms of computation, and 4 x 5 ms of a library that nobody knows on a stream of its own.
QStringList hiddenExchange()
{
    QStringList events{QStringLiteral(
        R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":40000})")};
    for (int i = 0; i < 40; ++i)
        events << gpuKernel("gemm", 7, 1000.0 * i, 1000);
    for (int i = 0; i < 4; ++i)
        events << gpuKernel("void mylib::exchange<4>(int*)", 20, 10'000.0 * i, 5000);
    return events;
}

const Diagnostic* questionOf(const TraceModel& model)
{
    for (const Diagnostic& problem : model.problems.entries()) {
        if (problem.code == "communication_not_recognised")
            return &problem;
    }
    return nullptr;
}

constexpr std::array<std::string_view, 12> figures{"total_communication_time",
                                                   "exposed_communication_time",
                                                   "communication_fraction",
                                                   "communication_ratio",
                                                   "coll_call_num",
                                                   "collective_vol_total_gb",
                                                   "collective_vol_allreduce_gb",
                                                   "collective_vol_allgather_gb",
                                                   "collective_vol_alltoall_gb",
                                                   "communication_volume",
                                                   "communication_frequency",
                                                   "communication_overhead"};

} // namespace

class TestKernelRules : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

    TraceModelPtr write(const char* name, int rank, std::optional<int> worldSize, const QStringList& events)
    {
        m_folder.write(std::string(name) + "/rank" + std::to_string(rank) + "_trace.json",
                       kineto(rank, worldSize, events).toStdString());
        return m_folder.load(name);
    }

private slots:
    void appliesToWhatHoldsTheText()
    {
        const auto applies = [](const char* text, const char* name) {
            return appliesTo({text, KernelClass::AllToAll}, name);
        };
        QVERIFY(applies("mylib::Exchange", "void mylib::exchange<4>(int*)"));
        QVERIFY(applies("exchange<*int", "void mylib::exchange<4>(int*)"));
        QVERIFY(!applies("exchange<*float", "void mylib::exchange<4>(int*)"));
        QVERIFY(!applies("int*exchange", "void mylib::exchange<4>(int*)"));
        QVERIFY(applies("*exchange*", "exchange"));
        QVERIFY(!applies("", "exchange"));
        const std::vector<KernelRule> rules{{"exchange", KernelClass::AllToAll},
                                            {"exchange<4>", KernelClass::OtherCompute}};
        QVERIFY(kernelRuleOf(rules, "exchange<4>")->kernelClass == KernelClass::OtherCompute);
        QVERIFY(kernelRuleOf(rules, "exchange<5>")->kernelClass == KernelClass::AllToAll);
        QVERIFY(!kernelRuleOf(rules, "gemm"));
    }
    void whatARuleSaysIsCommunication()
    {
        write("taught", 0, 2, hiddenExchange());
        LoadOptions options;
        options.kernelRules = {{"mylib::exchange", KernelClass::AllToAll}};
        const auto loaded = loadPath(m_folder.path("taught"), options);
        QVERIFY(loaded);
        const TraceModel& run = **loaded;
        QCOMPARE(measure(run, "total_communication_time").value, std::optional(0.020));
        QCOMPARE(measure(run, "exposed_communication_time").value, std::optional(0.0));
        QCOMPARE(measure(run, "coll_call_num").value, std::optional(4.0));
        QCOMPARE(numberOf(measure(run, "gpu_timeline"), "total_comm_time_ms"), 20.0);
        QVERIFY(!questionOf(run));
        const Timeline& timeline = run.timelines.front();
        QCOMPARE(timeline.collectives.size(), std::size_t{4});
        for (const CollectiveCall& call : timeline.collectives) {
            QVERIFY(call.kind == KernelClass::AllToAll && call.onGpu);
            QCOMPARE(run.nameOf(call.slice), std::string_view("void mylib::exchange<4>(int*)"));
            QVERIFY(run.collectiveOf(call.slice) == &call);
            QVERIFY(run.track(call.slice.track).communication);
        }
    }
    void theSheetOfKernelsKnowsTheRule()
    {
        write("sheet", 0, 2, hiddenExchange());
        LoadOptions options;
        options.kernelRules = {{"mylib::exchange", KernelClass::AllToAll}};
        const auto loaded = loadPath(m_folder.path("sheet"), options);
        QVERIFY(loaded);
        Analysis analysis(**loaded, {});
        std::map<std::string, std::string> classOf;
        const RunSheets run = runSheets(analysis, "run", {});
        for (const KernelRow& row : run.values.kernels)
            classOf[row.name] = row.kernelClass;
        QCOMPARE(classOf.size(), std::size_t{2});
        QCOMPARE(classOf["gemm"], std::string("GEMM"));
        QCOMPARE(classOf["void mylib::exchange<4>(int*)"],
                 std::string(kernelClassName(KernelClass::AllToAll)));
    }
    void aRuleTakesCommunicationAwayToo()
    {
        write("told", 0, 2,
              {gpuKernel("my_all_reduce_of_one", 7, 0, 100), gpuKernel("ncclKernel_AllReduce", 7, 200, 50)});
        LoadOptions options;
        options.kernelRules = {{"my_all_reduce_of_one", KernelClass::OtherCompute}};
        const auto loaded = loadPath(m_folder.path("told"), options);
        QVERIFY(loaded);
        QCOMPARE(measure(**loaded, "coll_call_num").value, std::optional(1.0));
        QCOMPARE((*loaded)->timelines.front().collectives.size(), std::size_t{1});
        QCOMPARE((*loaded)->nameOf((*loaded)->timelines.front().collectives.front().slice),
                 std::string_view("ncclKernel_AllReduce"));
    }
    void aCollectiveOfTheProfilerStaysOne()
    {
        KinetoText trace(0, 2);
        trace.collective("allreduce", "default_pg", 20, 10, 5, 0);
        const TraceModelPtr run = trace.load();
        QVERIFY(run && run->timelines.front().collectives.size() == 1);
    }

    /// 1.0 answered 0 with the status "value" for all of these.
    void unknownIsNotZero()
    {
        const TraceModelPtr run = write("unknown", 0, std::nullopt, hiddenExchange());
        QVERIFY(run);
        for (const std::string_view figure : figures) {
            const MetricResult result = measure(*run, figure);
            QVERIFY2(result.state == MetricState::MissingInput && !result.value, figure.data());
            QVERIFY2(result.reason.find("none of the 44 kernels") != std::string::npos,
                     result.reason.c_str());
        }
        const MetricResult kernels = measure(*run, "total_kernel_time");
        QCOMPARE(numberOf(kernels, "kernels"), 44.0);
        QVERIFY(std::isnan(numberOf(kernels, "communication_kernels")));
    }
    void aloneIsZero()
    {
        const TraceModelPtr run = write("alone", 0, 1, hiddenExchange());
        QVERIFY(run);
        for (const std::string_view figure : figures) {
            const MetricResult result = measure(*run, figure);
            if (figure == "coll_call_num")
                QVERIFY2(result.state == MetricState::NotApplicable, result.reason.c_str());
            else
                QVERIFY2(result.value == std::optional(0.0), figure.data());
        }
        QVERIFY(!questionOf(*run));
    }
    void aTypeWithoutCallsIsZero()
    {
        KinetoText trace(0, 2);
        trace.collective("ncclKernel_AllReduce", "default_pg", 20, 10, 5, 0);
        const TraceModelPtr run = trace.load();
        QVERIFY(run);
        QCOMPARE(measure(*run, "collective_vol_alltoall_gb").value, std::optional(0.0));
    }
    void issuedCallsNeedNames()
    {
        const TraceModelPtr run
            = write("unnamed", 0, 2, {gpuKernel("ncclKernel_AllReduce_RING_LL_Sum_float", 20, 0, 100)});
        QVERIFY(run);
        const MetricResult calls = measure(*run, "coll_call_num");
        QCOMPARE(calls.value, std::optional(1.0));
        QVERIFY(std::isnan(numberOf(calls, "collectives_issued"))); // 1.0: 0
    }
    void kernelsOfNoLengthCount()
    {
        const TraceModelPtr run = write("instant", 0, 1,
                                        {gpuKernel("a", 7, 0, 10), gpuKernel("b", 7, 20, 0),
                                         gpuKernel("b", 7, 30, 0), gpuKernel("a", 7, 40, 10)});
        QVERIFY(run);
        QCOMPARE(measure(*run, "total_kernel_time").value, std::optional(20e-6));
        const MetricResult breakdown = measure(*run, "kernel_breakdown");
        QCOMPARE(numberOf(breakdown, "kernels"), 4.0);
        QCOMPARE(numberOf(breakdown, "distinct_kernels"), 2.0);
    }

    void severalRanksAskAQuestion()
    {
        const QStringList one{gpuKernel("gemm", 7, 0, 1000)};
        QVERIFY(!questionOf(*write("pair", 0, std::nullopt, one)));
        const TraceModelPtr run = write("pair", 1, std::nullopt, one);
        QVERIFY(run && questionOf(*run));
        QCOMPARE(questionOf(*run)->explanation.substr(0, 80),
                 std::string("None of the 2 kernels was recognised as communication, in a run of 2 ranks. If "
                             "some of these kernels")
                     .substr(0, 80));
    }
    void aStreamBesideTheBusiestAsksAQuestion()
    {
        const TraceModelPtr run = write("beside", 0, std::nullopt, hiddenExchange());
        QVERIFY(run && questionOf(*run));
        QVERIFY2(questionOf(*run)->explanation.starts_with(
                     "None of the 44 kernels was recognised as communication. On one rank, kernels run for "
                     "20.0 ms on a stream other than the busiest one: mylib::exchange. If"),
                 questionOf(*run)->explanation.c_str());
        // One kernel that is known ends the question.
        QStringList known = hiddenExchange();
        known << gpuKernel("ncclDevKernel_SendRecv", 21, 0, 10);
        QVERIFY(!questionOf(*write("answered", 0, std::nullopt, known)));
    }
    void littleBesideTheBusiestIsNoQuestion()
    {
        QStringList events;
        for (int i = 0; i < 40; ++i)
            events << gpuKernel("gemm", 7, 1000.0 * i, 1000);
        events << gpuKernel("prefetch", 20, 0, 3000);
        QVERIFY(!questionOf(*write("little", 0, std::nullopt, events)));
        // Much, but one after the other: nothing is hidden behind computation.
        for (int i = 0; i < 4; ++i)
            events << gpuKernel("post", 21, 50'000 + 10'000.0 * i, 5000);
        QVERIFY(!questionOf(*write("after", 0, std::nullopt, events)));
    }
    void wholeRuns_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("asks");
        QTest::newRow("generated") << generatedRun() << false;
        QTest::newRow("generated, Nsight") << generatedRun() + QStringLiteral("/nsys_0.sqlite") << false;
        if (tracesFolder().isEmpty())
            return;
        const auto real = [](const char* what, const char* file, bool asks) {
            QTest::newRow(what) << tracesFolder() + u'/' + QLatin1String(file) << asks;
        };
        real("one stream", "kineto/kineto/resnet50_num_workers_0", false);
        real("world of one", "kineto/hta/ns_resolution_trace", false);
        real("multimem", "kineto_tracelens/traces/b200/eager_trace.json.gz", false);
        real("two GPUs, nothing known", "nsys_sqlite/nsys-ai/h100_2gpu_1s.sqlite", true);
        real("NCCL", "nsys_sqlite/nsys-ai/mfu_2gpu_before.sqlite", false);
        real("NCCL of eight", "multirank/param_dlrm_8rank/kineto", false);
    }
    void wholeRuns()
    {
        QFETCH(QString, path);
        QFETCH(bool, asks);
        const auto loaded = loadPath(path.toStdString());
        QVERIFY(loaded);
        QCOMPARE(questionOf(**loaded) != nullptr, asks);
    }
    void kernelsAreCounted_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<double>("kernels");
        write("instants", 0, 1,
              {gpuKernel("a", 7, 0, 10), gpuKernel("b", 7, 20, 0), gpuKernel("b", 7, 30, 0),
               gpuKernel("a", 7, 40, 10)});
        QTest::newRow("two of four without a length")
            << QString::fromStdString(m_folder.path("instants")) << 4.0;
        if (!tracesFolder().isEmpty())
            QTest::newRow("resnet50")
                << tracesFolder() + QStringLiteral("/kineto/kineto/resnet50_num_workers_0") << 8772.0;
    }
    void kernelsAreCounted()
    {
        QFETCH(QString, path);
        QFETCH(double, kernels);
        const auto loaded = loadPath(path.toStdString());
        QVERIFY(loaded);
        MetricOptions all;
        all.steps.mode = StepChoice::Mode::All;
        QCOMPARE(numberOf(measure(**loaded, "total_kernel_time"), "kernels"), kernels);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestKernelRules)
#include "tst_kernel_rules.moc"
