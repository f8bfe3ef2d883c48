// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Memory by the profiler's [memory] events, where there is no snapshot.

#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/texts/memory_text.h"

#include <QTest>

namespace collscope {

namespace {

std::string memory(int ts, int type, int device, std::int64_t allocated, std::int64_t reserved)
{
    return "{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"s\":\"t\",\"name\":\"[memory]\",\"pid\":1,\"tid\":"
           "1,\"ts\":"
        + std::to_string(ts) + ",\"args\":{\"Total Reserved\":" + std::to_string(reserved)
        + ",\"Total Allocated\":" + std::to_string(allocated) + ",\"Bytes\":4,\"Device Id\":"
        + std::to_string(device) + ",\"Device Type\":" + std::to_string(type) + "}}";
}

std::string profile(int rank, const std::vector<std::string>& events)
{
    std::string text = "{\"distributedInfo\":{\"rank\":" + std::to_string(rank)
        + ",\"world_size\":2},\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,"
          "\"tid\":7,\"ts\":1,\"dur\":2}";
    for (const std::string& event : events)
        text += "," + event;
    return text + "]}";
}

} // namespace

class TestProfiledMemory : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;

private slots:
    void worstGpuOfAllRanks()
    {
        constexpr int cpu = 0, gpu = 1;
        // Out of order, with a CPU's and an impossible device, and sizes that are none.
        m_folder.write("run/rank0.json",
                       profile(0,
                               {memory(30, gpu, 0, 500, 1000), memory(10, gpu, 0, 700, 1000),
                                memory(20, cpu, -1, 9000, 0), memory(40, gpu, -1, 9000, 9000),
                                memory(50, gpu, 0, -5, -5)}));
        m_folder.write("run/rank1.json",
                       profile(1, {memory(10, gpu, 1, 100, 400), memory(20, gpu, 1, 300, 400)}));
        const TraceModelPtr run = m_folder.load("run");
        QVERIFY(run);
        const MetricResult peak = measure(*run, "memory_peak");
        QCOMPARE(peak.value, std::optional(700.0));
        QCOMPARE(peak.source, std::string("kineto"));
        QCOMPARE(peak.rows.size(), std::size_t{2});
        QVERIFY(peak.warnings.front().find("[memory] events") != std::string::npos);
        QCOMPARE(measureRank(*run, "memory_peak", 1).value, std::optional(300.0));
        QCOMPARE(measure(*run, "memory_reserved").value, std::optional(1000.0));
        // 500 of 1000 and 100 of 400 are free: a ratio of two GPUs is one of their sums.
        QCOMPARE(measure(*run, "memory_fragmentation").value, std::optional(600.0 / 1400.0));
        QCOMPARE(numberOf(measure(*run, "memory_fragmentation"), "worst_gpu"), 0.5);
        QVERIFY(measure(*run, "memory_efficiency").state == MetricState::MissingInput); // no "active"
    }
    void aSnapshotKnowsBetter()
    {
        m_folder.write("both/rank0_trace.json", profile(0, {memory(10, 1, 0, 5, 10)}));
        m_folder.write("both/rank0_memory_snapshot.pickle", py::smallSnapshot());
        const TraceModelPtr run = m_folder.load("both");
        QVERIFY(run);
        QCOMPARE(measure(*run, "memory_peak").source, std::string("pickle"));
    }
    void wholeFiles_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<double>("peak");
        QTest::addColumn<double>("reserved");
        QTest::addColumn<double>("allocated");
        QTest::newRow("planted") << QString::fromStdString(m_folder.write(
            "one/rank0.json", profile(0, {memory(10, 1, 0, 700, 1000), memory(30, 1, 0, 500, 1000)})))
                                 << 700.0 << 1000.0 << 500.0;
        if (tracesFolder().isEmpty())
            return;
        // By a few lines of Python.
        const QString real = tracesFolder() + u'/';
        QTest::newRow("particle transformer")
            << real + QStringLiteral("kineto/particle_transformer/profiler_trace_single_sample.json")
            << 304033280.0 << 337641472.0 << 299412992.0;
        QTest::newRow("bert") << real
                + QStringLiteral("kineto_tracelens/traces/h100/gaunernst_bert-small-uncased__1016001.json.gz")
                              << 101305344.0 << 121634816.0 << 91360768.0;
    }
    void wholeFiles()
    {
        QFETCH(QString, file);
        QFETCH(double, reserved);
        QFETCH(double, allocated);
        const auto loaded = loadPath(file.toStdString());
        QVERIFY(loaded);
        QTEST(*measure(**loaded, "memory_peak").value, "peak");
        QCOMPARE(measure(**loaded, "memory_reserved").value, std::optional(reserved));
        QCOMPARE(measure(**loaded, "memory_fragmentation").value,
                 std::optional((reserved - allocated) / reserved));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestProfiledMemory)
#include "tst_profiled_memory.moc"
