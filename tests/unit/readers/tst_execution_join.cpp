// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What execution traces say of communication kernels that say nothing themselves.

#include "model/kernels/kernel_names.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"

#include <QTest>

namespace collscope {

namespace {

/// One call of a process as both files may have it.
struct PlannedCall
{
    const char* kernel;
    const char* collective;
    int id;
    int elements;
    bool says = false; ///< the kernel has its own metadata (7 elements)
};

/// Each call: record_param_comms on the CPU, a launch in it, a kernel that lasts longer than the one before.
std::string timelineText(const std::vector<PlannedCall>& calls)
{
    std::string events;
    int i = 0;
    for (const PlannedCall& call : calls) {
        ++i;
        const auto event = [&](const char* category, const std::string& name, int tid, int ts, int dur,
                               const std::string& args) {
            events.append(events.empty() ? "" : ",").append("{\"ph\":\"X\",\"cat\":\"").append(category);
            events.append("\",\"name\":\"").append(name).append("\",\"pid\":").append(tid == 7 ? "0" : "9");
            events.append(",\"tid\":").append(std::to_string(tid)).append(",\"ts\":");
            events.append(std::to_string(ts)).append(",\"dur\":").append(std::to_string(dur));
            events.append(",\"args\":{").append(args).append("}}");
        };
        const std::string correlation = "\"correlation\":" + std::to_string(i);
        event("cpu_op", "record_param_comms", 9, 100 * i, 50, "\"External id\":" + std::to_string(call.id));
        event("cuda_runtime", "cudaLaunchKernel", 9, 100 * i + 10, 5, correlation);
        event("kernel", call.kernel, 7, 100 * i + 40, 20 + i,
              correlation + ",\"stream\":7,\"External id\":" + std::to_string(10'000 + i)
                  + (call.says ? ",\"Collective name\":\"allreduce\",\"In msg nelems\":7,\"dtype\":\"Float\""
                               : ""));
    }
    return "{\"distributedInfo\":{\"rank\":0,\"world_size\":4},\"traceEvents\":[" + events + "]}";
}

std::string executionText(const std::vector<PlannedCall>& calls)
{
    std::string nodes;
    for (const PlannedCall& call : calls)
        nodes += std::string(nodes.empty() ? "" : ",") + "{\"name\":\"record_param_comms\",\"attrs\":["
            + "{\"name\":\"rf_id\",\"value\":" + std::to_string(call.id)
            + "},{\"name\":\"collective_name\",\"value\":\"" + call.collective
            + "\"},{\"name\":\"dtype\",\"value\":\"Float\"},{\"name\":\"pg_size\",\"value\":4},"
            + "{\"name\":\"in_msg_nelems\",\"value\":" + std::to_string(call.elements)
            + "},{\"name\":\"out_msg_nelems\",\"value\":" + std::to_string(call.elements) + "}]}";
    return "{\"schema\":\"1.1.1-chakra.0.0.4\",\"nodes\":[" + nodes + "]}";
}

constexpr const char* sendRecv = "ncclDevKernel_SendRecv(x)";
constexpr const char* allReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)";

} // namespace

class TestExecutionJoin : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

    TraceModelPtr load(const std::vector<PlannedCall>& timeline,
                       const std::vector<PlannedCall>& executed) const
    {
        m_folder.write("run/rank0_trace.json", timelineText(timeline));
        m_folder.write("run/torch_et_0.json", executionText(executed));
        return m_folder.load("run");
    }

    /// "AllToAll 100, AllReduce -": kinds and elements of the kernels in time order; those that the execution
    /// trace describes have a star.
    static QString callsOf(const TraceModel& model)
    {
        QStringList calls;
        for (const CollectiveCall& call : model.timelines.front().collectives) {
            if (!call.onGpu)
                continue;
            const SliceColumns& slices = model.track(call.slice.track).slices;
            calls << QString::fromUtf8(kernelClassName(slices.kernelClass[call.slice.row]).data())
                    + (call.inElements ? QStringLiteral(" %1").arg(*call.inElements) : QStringLiteral(" -"))
                    + (call.fromExecutionTrace ? QStringLiteral("*") : QString());
        }
        return calls.join(QStringLiteral(", "));
    }

private slots:
    void joined_data()
    {
        QTest::addColumn<QList<int>>("timeline"); // per call: kernel (0 = SendRecv, 1 = AllReduce), id, says
        QTest::addColumn<QList<int>>("executed"); // per call: collective (0 = all_to_all, 1 = allreduce), id
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QString>("notice");
        using L = QList<int>;
        QTest::newRow("by id, in any order, of one step of two")
            << L{0, 5, 0, 1, 6, 0, 0, 7, 0, 1, 8, 0} << L{1, 8, 0, 7}
            << "Send/Recv -, AllReduce -, AllToAll 200*, AllReduce 100*"
            << "joined_by_id";
        QTest::newRow("by order where ids are others") << L{0, 5, 0, 1, 6, 0, 0, 7, 0} << L{0, 4, 1, 5, 0, 9}
                                                       << "AllToAll 100*, AllReduce 200*, AllToAll 300*"
                                                       << "joined_by_order";
        QTest::newRow("ids that are others by accident")
            << L{1, 5, 0, 1, 6, 0, 1, 7, 0} << L{1, 1, 1, 5, 1, 9}
            << "AllReduce 100*, AllReduce 200*, AllReduce 300*"
            << "joined_by_order";
        QTest::newRow("more calls than kernels") << L{0, 5, 0} << L{0, 1, 0, 2} << "Send/Recv -"
                                                 << "execution_trace_differs";
        QTest::newRow("other kinds") << L{1, 5, 0, 0, 6, 0} << L{0, 5, 1, 6} << "AllReduce -, Send/Recv -"
                                     << "execution_trace_differs";
        QTest::newRow("one id for two calls") << L{1, 5, 0, 1, 5, 0} << L{1, 5} << "AllReduce -, AllReduce -"
                                              << "execution_trace_differs";
        QTest::newRow("kernels that say it themselves") << L{1, 5, 1} << L{1, 5} << "AllReduce 7"
                                                        << "";
        QTest::newRow("one of two says it itself")
            << L{1, 5, 1, 0, 6, 0} << L{1, 5, 0, 6} << "AllReduce 7, AllToAll 200*"
            << "joined_by_id";
    }
    void joined()
    {
        QFETCH(QList<int>, timeline);
        QFETCH(QList<int>, executed);
        std::vector<PlannedCall> kernels, calls;
        for (int i = 0; i < timeline.size(); i += 3)
            kernels.push_back(
                {timeline[i] == 1 ? allReduce : sendRecv, "", timeline[i + 1], 0, timeline[i + 2] == 1});
        for (int i = 0; i < executed.size(); i += 2)
            calls.push_back(
                {"", executed[i] == 1 ? "allreduce" : "all_to_all", executed[i + 1], 50 * (i + 2)});
        const TraceModelPtr run = load(kernels, calls);
        QVERIFY(run);
        QTEST(callsOf(*run), "expected");
        QFETCH(QString, notice);
        for (const char* code : {"joined_by_id", "joined_by_order", "execution_trace_differs"})
            QCOMPARE(findProblem(run->problems, code) != nullptr, notice == QLatin1String(code));
        for (const Track& track : run->tracks) { // what is drawn when zoomed out knows the classes too
            SliceColumns again = track.slices;
            again.buildIndex();
            QVERIFY(track.slices.index == again.index);
        }
    }
    void metricsSayWhereTheyHaveItFrom()
    {
        const TraceModelPtr run = load({{sendRecv, "", 5, 0}}, {{"", "all_to_all", 5, 1000}});
        QVERIFY(run);
        for (const char* id : {"communication_volume", "bandwidth_utilization_alltoall"}) {
            const MetricResult result = measure(*run, id);
            QVERIFY2(result.state == MetricState::Value, id);
            QVERIFY(std::any_of(result.warnings.begin(), result.warnings.end(), [](const std::string& text) {
                return text.starts_with("The execution trace supplies the type and size of 1 of 1 calls");
            }));
        }
        // 4000 bytes in 21 us, three quarters of them leave the GPU.
        QCOMPARE(measure(*run, "bandwidth_utilization_alltoall").value,
                 std::optional(4000.0 / 21'000.0 * 0.75));
    }
    void twoOfARankBelongToNobody()
    {
        m_folder.write("two/rank0_trace.json", timelineText({{sendRecv, "", 5, 0}}));
        m_folder.write("two/torch_et_0.json", executionText({{"", "all_to_all", 5, 100}}));
        m_folder.write("two/more/torch_et_0.json", executionText({{"", "all_to_all", 5, 300}}));
        const TraceModelPtr run = m_folder.load("two");
        QVERIFY(run);
        if (run->executionTraces.size() == 2)
            QCOMPARE(callsOf(*run), QStringLiteral("Send/Recv -"));
        else
            QVERIFY(findProblem(run->problems, "duplicate_rank"));
    }
    void aRealJob()
    {
        if (tracesFolder().isEmpty())
            QSKIP("no real traces: set COLLSCOPE_TRACES");
        const auto loaded
            = loadPath((tracesFolder() + QStringLiteral("/multirank/param_dlrm_8rank")).toStdString());
        QVERIFY(loaded);
        const TraceModel& run = **loaded;
        QVERIFY(findProblem(run.problems, "joined_by_order"));
        QCOMPARE(callsOf(run),
                 QStringLiteral("AllToAll 6144*, AllToAll 24*, AllToAll 384*, AllToAll 3392*, "
                                "AllReduce 394241*, AllToAll 6144*, AllReduce 112*, AllReduce 226960*"));
        // float, long int, int, int, float, float, float, float.
        const double bytes = 4 * (6144 + 384 + 3392 + 394241 + 6144 + 112 + 226960) + 8 * 24;
        QCOMPARE(measureRank(run, "communication_volume", 0).value, std::optional(bytes / 1e9));
        // Uneven all-to-alls list a part for each of the 8 ranks; the group of all calls is one.
        for (const CollectiveCall& call : run.timelines.front().collectives)
            QVERIFY(!call.onGpu || call.groupSize == 8);
        QVERIFY(measure(run, "bandwidth_utilization_allreduce").state == MetricState::Value);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestExecutionJoin)
#include "tst_execution_join.moc"
