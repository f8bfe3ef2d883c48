// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command lines that the guides of other tools print, CCL-Bench's among them, work with `collscope
// --batch` in the place of those tools.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

class TestSeedCommands : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    /// With this test's folders in the place of those that the guides name.
    QString withPaths(QString line) const
    {
        line.replace(QLatin1String("/path/to/trace"), path("trace"));
        line.replace(QLatin1String("/path/to/profile_traces/iteration_10/"),
                     path("workload/profile_traces/iteration_10/"));
        line.replace(QLatin1String("<path>"), path("workload"));
        line.replace(QLatin1String("torchtitan/outputs/profile_trace/llama3_8B_dp2_tp2_ngpu4/iteration_10"),
                     path("workload/profile_traces/iteration_10"));
        line.replace(QLatin1String("torchtitan/torchtitan/models/llama3/train_configs/llama3_8b.toml"),
                     path("trace/train_config.toml"));
        line.replace(QLatin1String("$SCRATCH/ccl-bench-traces/llama3.1-8b-torchtitan-tp-perlmutter-16"),
                     path("trace"));
        return line;
    }

private slots:
    void initTestCase()
    {
        const RunPlan plan = planRun({});
        RunFiles files;
        files.nsys = true;
        writeRun(plan, path("trace").toStdString(), files);
        files.nsys = files.nvlink = false;
        writeRun(plan, path("workload/profile_traces/iteration_10").toStdString(), files);
    }
    void command_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("inOutput");
        const auto row = [](const char* line, const char* inOutput = "") {
            QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(inOutput);
        };
        // CCL-Bench: main.py
        row("--trace=/path/to/trace --metric=coll_call_num");
        row("--trace /path/to/trace --metric coll_call_num");
        row("--trace /path/to/trace --metric nvlink_all --json", "avg_throughput");
        row("--trace /path/to/trace --metric max_throughput --link 0 --direction tx");
        row("--trace /path/to/trace --metric max_throughput --link 0 --direction TX");
        row("--trace /path/to/trace --metric peak_kernels --gpu 0 --top 5", "\npeak 5: ");
        row("--trace /path/to/trace --metric peak_kernels --gpu 0 --top 5 --nccl-only --json", "num_peaks");
        row("--trace /path/to/trace --metric avg_throughput");
        row("--trace /path/to/trace --metric total_communication");
        row("--trace /path/to/trace --metric iteration_wall_clock_time");
        row("--trace /path/to/trace --metrics coll_call_num avg_throughput comm_comp_overlap",
            "comm_comp_overlap");
        row("--metrics coll_call_num avg_throughput /path/to/trace", "coll_call_num");
        row("--list", "coll_call_num");
        // The nine tool sets: python -m tools.main, and the tools on one iteration
        row("--workload-dir <path> --tools throughput", "\"throughput\"");
        row("--workload-dir <path> --tools throughput,communication", "\"communication\"");
        row("--tools all /path/to/profile_traces/iteration_10/", "\"gpu_utilization\"");
        row("--tools all --profile-mode torch --trace /path/to/profile_traces/iteration_10/", "\"fsdp\"");
        // LLM Collectives Profiler: tools/main.py DIR --config TOML
        row("torchtitan/outputs/profile_trace/llama3_8B_dp2_tp2_ngpu4/iteration_10 --config "
            "torchtitan/torchtitan/models/llama3/train_configs/llama3_8b.toml",
            "avg_step_time");
        // ccl-torchtitan-train: ccl-metrics
        row("--trace $SCRATCH/ccl-bench-traces/llama3.1-8b-torchtitan-tp-perlmutter-16 --metric "
            "coll_call_num_16");
        row("--trace $SCRATCH/ccl-bench-traces/llama3.1-8b-torchtitan-tp-perlmutter-16 --metric "
            "iter_time_16");
        row("--trace $SCRATCH/ccl-bench-traces/llama3.1-8b-torchtitan-tp-perlmutter-16 --metric "
            "comm_comp_overlap_16");
        row("--list-metrics", "coll_call_num");
        row("--report gpu-kern-summary --format json "
            "$SCRATCH/ccl-bench-traces/llama3.1-8b-torchtitan-tp-perlmutter-16/nsys_0.sqlite",
            "\"Total Time (ns)\"");
    }
    void command()
    {
        QFETCH(QString, line);
        QFETCH(QString, inOutput);
        const ProgramRun run = runBatchProgram(withPaths(line).split(u' ', Qt::SkipEmptyParts));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.out.contains(inOutput.toUtf8()) && !run.out.isEmpty(), run.out.constData());
    }
    /// Each name that a guide prints has a value, or a reason that the planned run gives: a dense model is
    /// trained in one pipeline stage.
    void everyPlannedMetricIsKnown_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        for (const char* name : {"coll_call_num",
                                 "max_throughput",
                                 "avg_throughput",
                                 "total_communication",
                                 "nvlink_all",
                                 "peak_kernels",
                                 "throughput_tokens_sec",
                                 "mfu",
                                 "sm",
                                 "traffic_window",
                                 "traffic_distribution",
                                 "straggler",
                                 "comm_comp_overlap",
                                 "iteration_wall_clock_time",
                                 "coll_call_num_16",
                                 "throughput_tokens_16",
                                 "iter_time_16",
                                 "comm_comp_overlap_16",
                                 "straggler_lag_16",
                                 "traffic_distribution_16"})
            QTest::newRow(name) << QString::fromLatin1(name) << QString();
        const auto without = [](const char* name, const char* reason) {
            QTest::newRow(name) << QString::fromLatin1(name) << QString::fromLatin1(reason);
        };
        without("bubble_size_pipeline", "one pipeline stage");
        without("pipeline_bubble_16", "one pipeline stage");
        without("token_to_expert_assignment", "no experts");
        without("TTFT", "does not serve requests");
        without("TPOT", "does not serve requests");
    }
    void everyPlannedMetricIsKnown()
    {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        const ProgramRun run
            = runBatchProgram({QStringLiteral("--trace"), path("trace"), QStringLiteral("--metric"), name});
        QVERIFY2(run.exitCode == (reason.isEmpty() ? 0 : 3), run.err.constData());
        QVERIFY2(run.err.contains(reason.toUtf8()), run.err.constData());
        bool isNumber = false;
        run.out.split('\n').front().toDouble(&isNumber); // lists follow
        QVERIFY2(isNumber == reason.isEmpty(), run.out.constData());
    }
    void resultOfTheLinkIsThatOfTheProgram()
    {
        const QString link = path("ccl-metrics");
        QVERIFY(QFile::link(QStringLiteral(COLLSCOPE_PROGRAM), link));
        QProcess process;
        process.start(link,
                      {QStringLiteral("--trace"), path("trace"), QStringLiteral("--metric"),
                       QStringLiteral("iter_time_16")});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(process.readAllStandardOutput(), QByteArray("10\n"));
        // What --batch does with a word, the link does.
        process.start(link,
                      {QStringLiteral("plan"), path("trace"), QStringLiteral("--tasks"), QStringLiteral("1"),
                       QStringLiteral("-o"), path("plan.json")});
        QVERIFY(process.waitForFinished());
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QVERIFY(QFile::exists(path("plan.json")));
    }
    void scriptsPrintTheMetric()
    {
        QCOMPARE(runBatchProgram({QStringLiteral("--write-scripts"), path("scripts")}).exitCode, 0);
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("COLLSCOPE"), QStringLiteral(COLLSCOPE_PROGRAM));
        process.setProcessEnvironment(environment);
        process.start(path("scripts/get_coll_call_num.sh"), {path("trace"), QStringLiteral("--json")});
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 0);
        QVERIFY(jsonOf(process.readAllStandardOutput()).contains("coll_call_num"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSeedCommands)
#include "tst_seed_commands.moc"
