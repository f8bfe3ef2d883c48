// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Collectives that the copy engines carry out, as NCCL does since 2.28: copies inside a call, and no kernel.

#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <QTest>

namespace collscope {

namespace {

constexpr int copyUs = 100;
constexpr int zeroUs = 1000000; ///< of the trace

/// What one rank of two or more recorded: a GEMM, then an all-gather of three copies, of which the last ends
/// 350 us after the first began; times in us.
struct Recorded
{
    int groupSize = 4;
    bool hasKernel = false; ///< the call has a kernel of NCCL, too
    bool describesCopies = false; ///< the profiler writes the call to each copy, as newer ones do
    bool copiesAreOfAnOperator
        = false; ///< that the call ran: they have its id, and were launched in the call
    const char* copy = "Memcpy PtoP (Device -> Device)";
    int begin = 2000;
};

std::string json(int rank, const Recorded& recorded)
{
    std::string text = "{\"schemaVersion\": 1, \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": "
        + std::to_string(rank)
        + ", \"world_size\": 4}, \"baseTimeNanoseconds\": 1700000000000000000, \"traceEvents\": [";
    const auto event = [&](const std::string& category, const std::string& name, int pid, int tid, int begin,
                           int duration, const std::string& args) {
        text += std::string(text.ends_with('[') ? "\n" : ",\n") + "{\"ph\": \"X\", \"cat\": \"" + category
            + "\", \"name\": \"" + name + "\", \"pid\": " + std::to_string(pid)
            + ", \"tid\": " + std::to_string(tid) + ", \"ts\": " + std::to_string(zeroUs + begin)
            + ", \"dur\": " + std::to_string(duration) + ", \"args\": {" + args + "}}";
    };
    const std::string call
        = "\"Collective name\": \"_allgather_base\", \"dtype\": \"Float\", \"In msg nelems\": 250000, "
          "\"Out msg nelems\": 1000000, \"Group size\": "
        + std::to_string(recorded.groupSize)
        + ", \"Process Group Name\": \"0\", \"Process Group Ranks\": \"[0, 1, 2, 3]\", \"Seq\": 1";
    event("user_annotation", "ProfilerStep#1", 100, 100, 0, 5000, "");
    event("kernel", "gemm", rank, 7, 500, 1000, "\"device\": 0, \"stream\": 7, \"correlation\": 1");
    event("cpu_op", "record_param_comms", 100, 100, 600, 100, "\"External id\": 42, " + call);
    const std::string id = std::string("\"External id\": ") + (recorded.copiesAreOfAnOperator ? "43" : "42");
    if (recorded.copiesAreOfAnOperator)
        event("cpu_op", "aten::copy_", 100, 100, 610, 50, "\"External id\": 43");
    for (int i = 0; i < 3; ++i) {
        const std::string correlation = ", \"correlation\": " + std::to_string(10 + i);
        event("cuda_runtime", "cudaMemcpyAsync", 100, 100, 620 + 5 * i, 4, id + correlation);
        event("gpu_memcpy", recorded.copy, rank, 20, recorded.begin + i * 125, copyUs,
              id + ", \"device\": 0, \"stream\": 20, \"bytes\": 1000000" + correlation
                  + (recorded.describesCopies ? ", " + call : std::string()));
    }
    if (recorded.hasKernel)
        event("kernel", "ncclDevKernel_AllGather_RING_LL", rank, 20, recorded.begin + 500, 200,
              "\"External id\": 42, \"device\": 0, \"stream\": 20, \"correlation\": 20");
    return text + "\n]}";
}

TraceModelPtr runOf(const Recorded& recorded)
{
    const QTemporaryDir folder;
    for (int rank = 0; rank < 4; ++rank)
        writeFile(folder.path().toStdString() + "/rank" + std::to_string(rank) + "_trace.json",
                  json(rank, recorded));
    const auto model = loadPath(folder.path().toStdString());
    if (!model)
        throw std::runtime_error("the planted run does not load");
    return *model;
}

double valueOf(const TraceModel& model, const char* metric)
{
    const auto value = measured(model, metric).value;
    return value.value_or(-1);
}

} // namespace

class TestCopiedCollectives : public QObject
{
    Q_OBJECT

private slots:
    void copiesOfACallAreOneCollective_data()
    {
        QTest::addColumn<bool>("describesCopies");
        QTest::newRow("the CPU says what they are") << false;
        QTest::newRow("each copy says what it is") << true;
    }
    void copiesOfACallAreOneCollective()
    {
        QFETCH(bool, describesCopies);
        Recorded recorded;
        recorded.describesCopies = describesCopies;
        const TraceModelPtr model = runOf(recorded);
        QCOMPARE(valueOf(*model, "coll_call_num"), 1.0); // of a rank
        // Three copies of 100 us; the call lasts from the first to the last, 350 us, and gathers 4 MB.
        QCOMPARE(valueOf(*model, "total_communication_time"), 300e-6);
        QCOMPARE(valueOf(*model, "collective_vol_total_gb"), 4e-3);
        QCOMPARE(valueOf(*model, "avg_allgather_bandwidth"), 4e6 / 350e3 * 3 / 4);
        QCOMPARE(measured(*model, "average_memory_bandwidth").state, MetricState::NotApplicable); // no copy
        const MetricResult straggler = measured(*model, "straggler");
        QCOMPARE(numberIn(straggler, {"num_collectives"}), 1.0);
    }
    void copiesForAKernelAreCopies()
    {
        Recorded recorded;
        recorded.hasKernel = true;
        const TraceModelPtr model = runOf(recorded);
        QCOMPARE(valueOf(*model, "coll_call_num"), 1.0);
        QCOMPARE(valueOf(*model, "total_communication_time"), 200e-6); // the kernel
        QCOMPARE(valueOf(*model, "average_memory_bandwidth"), 10.0); // 1 MB in 100 us
    }
    void operatorsInACallCopy_data()
    {
        QTest::addColumn<bool>("hasKernel");
        QTest::newRow("beside a kernel") << true;
        QTest::newRow("alone") << false;
    }
    void operatorsInACallCopy()
    {
        // An operator inside the call brings gathered tensors to their places.
        QFETCH(bool, hasKernel);
        Recorded recorded;
        recorded.hasKernel = hasKernel;
        recorded.copiesAreOfAnOperator = true;
        recorded.copy = "Memcpy DtoD (Device -> Device)";
        const TraceModelPtr model = runOf(recorded);
        QCOMPARE(valueOf(*model, "average_memory_bandwidth"), 10.0);
        if (hasKernel)
            QCOMPARE(valueOf(*model, "total_communication_time"), 200e-6);
    }
    void oneRankCopiesForItself()
    {
        Recorded recorded;
        recorded.groupSize = 1;
        recorded.copy = "Memcpy DtoD (Device -> Device)";
        QCOMPARE(valueOf(*runOf(recorded), "average_memory_bandwidth"), 10.0);
    }
    void argumentsOfACallAreCopies()
    {
        Recorded recorded;
        recorded.copy = "Memcpy HtoD (Pinned -> Device)";
        QCOMPARE(valueOf(*runOf(recorded), "average_memory_bandwidth"), 10.0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCopiedCollectives)
#include "tst_copied_collectives.moc"
