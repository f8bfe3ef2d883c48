// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run planned here, written to disk and measured by the real binary: bare numbers, JSON and CSV.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QFile>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <cmath>

namespace collscope {

class TestGeneratedRun : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    RunPlan m_plan;
    ExpectedNumbers m_expected;

    ProgramRun run(const QStringList& arguments) const
    {
        return runBatchProgram(QStringList{m_folder.path()} + arguments);
    }
    static bool near(double got, double expected)
    {
        return std::abs(got - expected) <= 1e-9 * std::abs(expected);
    }

private slots:
    void initTestCase()
    {
        WorkloadDescription description;
        description.jitter = 0.05;
        description.gapNs = 1'200;
        description.stragglerRank = 1;
        description.lateNs = 100'000;
        m_plan = planRun(description);
        m_expected = expectedNumbers(m_plan);
        RunFiles files;
        files.nsys = true;
        writeRun(m_plan, m_folder.path().toStdString(), files);
    }
    void oneMetricIsABareNumber()
    {
        const ProgramRun step = run({QStringLiteral("--metric"), QStringLiteral("avg_step_time")});
        QCOMPARE(step.exitCode, 0);
        bool isNumber = false;
        QVERIFY(near(step.out.trimmed().toDouble(&isNumber), m_expected.stepSeconds));
        QVERIFY2(isNumber, step.out.constData());
        QCOMPARE(run({QStringLiteral("--metric"), QStringLiteral("coll_call_num")}).out, QByteArray("12\n"));
    }
    void everyMetric()
    {
        const auto answer
            = jsonOf(run({QStringLiteral("--metric"), QStringLiteral("all"), QStringLiteral("--json"),
                          QStringLiteral("--gpu"), QStringLiteral("1")})
                         .out);
        const ExpectedNumbers::Link& link = m_expected.links.at(1);
        QVERIFY(near(answer["avg_step_time"]["value"], m_expected.stepSeconds));
        QVERIFY(near(answer["comm_comp_overlap"]["value"], m_expected.overlapPercent.at(1)));
        QVERIFY(near(answer["max_throughput"]["value"], link.maxGBps));
        QCOMPARE(answer["max_throughput"]["link_id"].get<std::uint32_t>(), link.maxLink);
        QCOMPARE(answer["max_throughput"]["timestamp_us"].get<std::int64_t>(), link.maxBeginUs);
        QVERIFY(near(answer["avg_throughput"]["value"], link.averageGBps));
        QCOMPARE(answer["total_communication"]["tx_bytes"].get<std::uint64_t>(), link.txBytes);
        QCOMPARE(answer["total_communication"]["rx_bytes"].get<std::uint64_t>(), link.rxBytes);
        // The kernels come from Nsight here, which names them shorter; how many there are is the same.
        QCOMPARE(answer["peak_kernels"]["value"].get<std::size_t>(), link.peakKernels.size());
        QCOMPARE(answer["peak_kernels"]["num_nccl_kernels"].get<int>(), link.peakCollectives);
        const auto torch = jsonOf(run({QStringLiteral("--metric"), QStringLiteral("peak_kernels"),
                                       QStringLiteral("--json"), QStringLiteral("--gpu"), QStringLiteral("1"),
                                       QStringLiteral("--profile-mode"), QStringLiteral("torch")})
                                      .out)["peak_kernels"];
        QCOMPARE(torch["kernels"].size(), link.peakKernels.size());
        for (std::size_t i = 0; i < link.peakKernels.size(); ++i)
            QCOMPARE(torch["kernels"][i]["name"].get<std::string>(), link.peakKernels[i]);
    }
    void csv()
    {
        const ProgramRun text = run({QStringLiteral("--csv"), QStringLiteral("-")});
        QCOMPARE(text.exitCode, 0);
        const QList<QByteArray> lines = text.out.split('\n');
        QCOMPARE(lines.first(), QByteArray("metric,scope,rank,step,value,unit,status,reason"));
        QVERIFY(text.out.endsWith('\n') && !text.out.contains('\r'));
        QVERIFY(lines[1].startsWith("avg_step_time,"));

        const QString path = m_folder.path() + QStringLiteral("/../") + QFileInfo(m_folder.path()).fileName()
            + QStringLiteral(".csv");
        QCOMPARE(run({QStringLiteral("--csv"), path}).exitCode, 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), text.out);
        file.remove();
    }
    void threadsDoNotChangeTheAnswer()
    {
        const ProgramRun one
            = run({QStringLiteral("--json"), QStringLiteral("--threads"), QStringLiteral("1")});
        const ProgramRun many
            = run({QStringLiteral("--json"), QStringLiteral("--threads"), QStringLiteral("8")});
        QCOMPARE(one.exitCode, 0);
        QCOMPARE(one.out, many.out);
    }
    void report()
    {
        const QString path = m_folder.filePath(QStringLiteral("report.out"));
        QCOMPARE(run({QStringLiteral("--output-json"), path}).exitCode, 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto report = jsonOf(file.readAll());
        file.remove();
        QCOMPARE(report["schema"].get<std::string>(), std::string("collscope.report/1"));
        QCOMPARE(report["tool"]["version"].get<std::string>(), std::string(COLLSCOPE_VERSION));
        QCOMPARE(report["run"]["ranks"].size(), m_plan.ranks.size());
        QCOMPARE(report["run"]["world_size"].get<int>(), m_plan.description.ranks());
        for (const auto& source : report["run"]["files"])
            QCOMPARE(source["events"].get<std::uint64_t>(),
                     source["shown"].get<std::uint64_t>() + source["excluded"].get<std::uint64_t>());
        QVERIFY(report.contains("card") && report.contains("options") && report.contains("problems"));
        QVERIFY(report["metrics"].contains("peak_kernels"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGeneratedRun)
#include "tst_generated_run.moc"
