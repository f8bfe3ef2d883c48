// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What --batch prints of metrics: values first, runs side by side, rows for what is no single number, and the
// kernels of NVLink peaks.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/network_export.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace collscope {

class TestValues : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QByteArray contentOf(const char* name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// `collscope --batch` with the words of a line; RUN, OTHER, ITERATIONS and OUT stand for paths.
    ProgramRun batch(const QString& line) const
    {
        QStringList words = line.split(u' ', Qt::SkipEmptyParts);
        for (QString& word : words) {
            word.replace(QLatin1String("RUN"), path("run"));
            word.replace(QLatin1String("OTHER"), path("other"));
            word.replace(QLatin1String("ITERATIONS"), path("iterations"));
            word.replace(QLatin1String("OUT"), path("out"));
        }
        return runBatchProgram(words);
    }
    static QList<QByteArray> linesOf(const QByteArray& text) { return text.trimmed().split('\n'); }

private slots:
    void initTestCase()
    {
        WorkloadDescription description;
        description.peaks = {{1, 150}, {2, 120}};
        RunFiles files;
        writeRun(planRun(description), path("run").toStdString(), files);
        files.nvlink = false;
        description.stepNs = 20'000'000;
        writeRun(planRun(description), path("other").toStdString(), files);
        for (const int iteration : {10, 20}) {
            description.stepNs = 1'000'000 * iteration;
            writeRun(planRun(description),
                     path("iterations").toStdString() + "/profile_traces/iteration_"
                         + std::to_string(iteration),
                     files);
        }
        QDir().mkpath(path("out"));
    }

    void valuesFirstThenALineForEachReason()
    {
        const ProgramRun run = batch(QStringLiteral("RUN"));
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(batch(QStringLiteral("RUN --metric auto")).out, run.out);
        const QList<QByteArray> all = linesOf(batch(QStringLiteral("RUN --metric all")).out);
        const QList<QByteArray> lines = linesOf(run.out);
        QVERIFY(lines.size() < all.size());
        bool areReasons = false;
        int named = 0;
        QList<QByteArray> reasons;
        for (const QByteArray& line : lines) {
            const bool isReason = line.contains(" not applicable: ") || line.contains(" missing input: ");
            QVERIFY2(isReason || !areReasons, ("a value stands behind a reason: " + line).constData());
            areReasons |= isReason;
            if (!isReason) {
                ++named;
                continue;
            }
            const QByteArray reason
                = line.mid(line.indexOf(": "), line.lastIndexOf(" [") - line.indexOf(": "));
            QVERIFY2(!reasons.contains(reason), ("said twice: " + line).constData());
            reasons << reason;
            const int count = line.left(line.indexOf(' ')).toInt();
            QCOMPARE(count, line.mid(line.lastIndexOf(" [")).count(',') + 1);
            named += count;
        }
        QVERIFY(areReasons);
        const auto list = jsonOf(batch(QStringLiteral("--list-metrics --json")).out);
        const auto isUsual = [](const auto& metric) { return !metric.contains("on_request"); };
        QCOMPARE(named, static_cast<int>(std::count_if(list.begin(), list.end(), isUsual)));
        for (const auto& metric : list)
            QVERIFY2(!isUsual(metric) || run.out.contains(metric["id"].get<std::string>().c_str()),
                     run.out.constData());
    }
    void aNamedFileTakesThePlaceOfTheTable()
    {
        for (const char* line : {"RUN --csv OUT/a.csv", "RUN --leaderboard OUT/a.json",
                                 "RUN --metric avg_step_time --csv OUT/a.csv --output-json OUT/b.json"}) {
            const ProgramRun run = batch(QString::fromLatin1(line));
            QCOMPARE(run.exitCode, 0);
            QVERIFY2(run.out.isEmpty(), line);
        }
        QVERIFY(contentOf("out/a.csv").startsWith("metric,scope,"));
        QVERIFY(jsonOf(batch(QStringLiteral("RUN --metric avg_step_time --json --csv OUT/a.csv")).out)
                    .contains("avg_step_time"));
        const ProgramRun missing = batch(QStringLiteral("OTHER --metric max_throughput --csv OUT/a.csv"));
        QCOMPARE(missing.exitCode, 3);
        QVERIFY(missing.err.contains("max_throughput is not available"));
    }
    void runsStandInOneTable()
    {
        const ProgramRun run = batch(QStringLiteral("RUN OTHER --metric avg_step_time,max_throughput"));
        QCOMPARE(run.exitCode, 0);
        const QList<QByteArray> lines = linesOf(run.out);
        QCOMPARE(lines[0].simplified(), QByteArray("metric run other unit"));
        QCOMPARE(lines[1].simplified(), QByteArray("avg_step_time 0.01 0.02 s"));
        QVERIFY2(lines[2].startsWith("max_throughput ") && lines[2].contains(" missing_input "),
                 run.out.constData());
        QVERIFY2(lines[3].startsWith("other: 1 metric missing input: ")
                     && lines[3].endsWith(" [max_throughput]"),
                 run.out.constData());
        QCOMPARE(lines.size(), 4);
        QVERIFY(linesOf(batch(QStringLiteral("RUN OTHER")).out)[0].startsWith("metric "));
    }
    void eachRowSaysItsIteration()
    {
        const ProgramRun run
            = batch(QStringLiteral("ITERATIONS --iteration all --metric avg_step_time --csv -"));
        QCOMPARE(run.exitCode, 0);
        const QList<QByteArray> lines = linesOf(run.out);
        QCOMPARE(lines[0], QByteArray("metric,scope,rank,step,value,unit,status,reason,iteration"));
        QVERIFY(lines[1].endsWith(",s,value,,all"));
        QVERIFY(run.out.contains("\navg_step_time,4 ranks,,,0.01,s,value,,10\n"));
        QVERIFY(run.out.contains("\navg_step_time,4 ranks,,,0.02,s,value,,20\n"));
        const ProgramRun two
            = batch(QStringLiteral("ITERATIONS RUN --iteration all --metric avg_step_time --csv -"));
        QVERIFY2(two.out.contains('\n' + path("iterations").toUtf8()
                                  + ",avg_step_time,4 ranks,,,0.02,s,value,,20,"),
                 two.out.constData());
        QVERIFY2(
            two.out.contains('\n' + path("run").toUtf8() + ",avg_step_time,4 ranks,,,0.01,s,value,,,run,"),
            two.out.constData());
    }
    void objectsHaveRows_data()
    {
        QTest::addColumn<QString>("metric");
        QTest::addColumn<QString>("row");
        const auto row = [](const char* metric, const char* expression) {
            QTest::newRow(metric) << QString::fromLatin1(metric) << QString::fromLatin1(expression);
        };
        row("gpu_timeline", "\ngpu_timeline,total_time_ms,3,,\\d+(\\.\\d+)?,ms,value,\n");
        row("training_phases", "\ntraining_phases,forward_ms,,,\\d+(\\.\\d+)?,ms,value,\n");
        row("kernel_breakdown",
            "\nkernel_breakdown,\"by_name, [^\n]*, sum_ms\",,,\\d+(\\.\\d+)?,ms,value,\n");
    }
    void objectsHaveRows()
    {
        QFETCH(QString, metric);
        QFETCH(QString, row);
        const ProgramRun run = batch(QStringLiteral("RUN --csv - --metric ") + metric);
        QCOMPARE(run.exitCode, 0);
        QVERIFY(run.out.startsWith("metric,scope,rank,step,value,unit,status,reason\n"));
        QVERIFY2(QRegularExpression(row).match(QString::fromUtf8(run.out)).hasMatch(), run.out.constData());
    }
    void kernelsOfThePeaks()
    {
        const ProgramRun run = batch(QStringLiteral("RUN --metric peak_kernels --gpu 0 --top 3"));
        QCOMPARE(run.exitCode, 0);
        const auto json
            = jsonOf(batch(QStringLiteral("RUN --metric peak_kernels --gpu 0 --top 3 --json")).out);
        const auto& peaks = json["peak_kernels"]["peaks"];
        const QList<QByteArray> lines = linesOf(run.out);
        QCOMPARE(lines[0].toInt(), json["peak_kernels"]["value"].get<int>());
        qsizetype at = 1;
        for (std::size_t i = 0; i < peaks.size(); ++i) {
            QVERIFY2(lines[at].startsWith("peak " + QByteArray::number(static_cast<int>(i + 1)) + ": "),
                     run.out.constData());
            const auto& kernels = peaks[i]["kernels"];
            at += kernels.empty() ? 1 : 2;
            for (std::size_t k = 0; k < std::min<std::size_t>(kernels.size(), 20); ++k, ++at) {
                const QByteArray line = lines[at].simplified();
                QVERIFY2(line.startsWith("0 " + QByteArray::number(kernels[k]["stream_id"].get<int>()) + ' '),
                         line.constData());
                QVERIFY2(line.endsWith(QByteArray::fromStdString(kernels[k]["name"].get<std::string>())),
                         line.constData());
            }
        }
        QCOMPARE(at, lines.size());
        QVERIFY(batch(QStringLiteral("RUN --explain peak_kernels --gpu 0")).out.contains("\npeak 1: "));
        QVERIFY(batch(QStringLiteral("RUN --metric peak_kernels --gpu 0 --csv -"))
                    .out.contains("\npeak_kernels,\"peak 1, stream "));
        QCOMPARE(
            batch(QStringLiteral("RUN --metric peak_kernels --gpu 0 --top 3 --plot OUT/peaks.png")).exitCode,
            0);
        QVERIFY(!QImage(path("out/peaks.png")).isNull());
    }
    void nvlinkReport()
    {
        const ProgramRun run = batch(QStringLiteral("RUN --report nvlink"));
        QCOMPARE(run.exitCode, 0);
        for (const char* text : {"NVLINK REPORT", "Max GB/s", "GPU 3: the intervals of highest throughput",
                                 "\npeak 5: ", "overlap_us", "END OF REPORT"})
            QVERIFY2(run.out.contains(text), run.out.constData());
        const ProgramRun one = batch(QStringLiteral("RUN --report nvlink --gpu 1 --top 1 --output OUT"));
        QCOMPARE(one.exitCode, 0);
        QCOMPARE(one.out.trimmed(), path("out/nvlink_report.txt").toUtf8());
        const QByteArray report = contentOf("out/nvlink_report.txt");
        QVERIFY(report.contains("GPU 1: ") && !report.contains("GPU 0: ") && !report.contains("\npeak 2: "));
        const ProgramRun none = batch(QStringLiteral("OTHER --report nvlink"));
        QCOMPARE(none.exitCode, 3);
        QVERIFY(none.out.isEmpty() && none.err.contains("the NVLink report is not available: "));
        // A section of the report of a run that has counters, and of no other.
        QCOMPARE(batch(QStringLiteral("RUN --report text --output OUT/with")).exitCode, 0);
        QCOMPARE(batch(QStringLiteral("OTHER --report text --output OUT/without")).exitCode, 0);
        for (const bool has : {true, false}) {
            QDir folder(path(has ? "out/with" : "out/without"));
            QFile file(folder.filePath(folder.entryList(QDir::Files).value(0)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll().contains("\n5. NVLINK\n"), has);
        }
    }
    /// The export does not state which maximum the percentages refer to, so they are not turned into bytes.
    void nvlinkReportOfNsight()
    {
        WorkloadDescription description;
        RunFiles files;
        files.kineto = files.nvlink = false;
        files.nsys = files.gpuMetrics = true;
        writeRun(planRun(description), path("other_nsight").toStdString(), files);
        const ProgramRun run = batch(QStringLiteral("OTHER_nsight --report nvlink --top 2"));
        QCOMPARE(run.exitCode, 0);
        for (const char* text : {"NVLINK REPORT", "NVLink TX Requests User Data", "so these are not bytes",
                                 "Rank 1 (GPU 1): the highest peaks", "\npeak 2: 20",
                                 " 80.0 % NVLink TX Requests User Data", "ncclDevKernel"})
            QVERIFY2(run.out.contains(text), run.out.constData());
        QVERIFY2(!run.out.contains("GB/s") && !run.out.contains("\npeak 3: "), run.out.constData());
        const ProgramRun one = batch(QStringLiteral("OTHER_nsight --report nvlink --gpu 1"));
        QVERIFY(one.out.contains("Rank 1 ") && !one.out.contains("Rank 0 "));
        // Metrics in bytes stay without a value.
        QCOMPARE(batch(QStringLiteral("OTHER_nsight --metric max_throughput")).exitCode, 3);
    }
    /// Sampled in three ms: 1, 3 and 2 GB/s.
    void exportOfSampledCounters()
    {
        NetworkExport file(NetworkSchema::Of2026);
        file.addKernel(0, 10'000'000);
        file.addCard(0, 1, "mlx5_0");
        file.addMetric(6, "IB: Bytes sent", "bytes/ms");
        std::int64_t at = 0;
        for (const int value : {1, 3, 2}) {
            file.addSample(at, at + 1'000'000, 1, 0, 6, std::to_string(1'000'000 * value));
            at += 1'000'000;
        }
        file.write(path("other_card/rank0.sqlite").toStdString());
        QCOMPARE(batch(QStringLiteral("export OTHER_card --csv OUT/card")).exitCode, 0);
        const QList<QByteArray> rows = linesOf(contentOf("out/card/counters.csv"));
        QCOMPARE(rows.size(), 2);
        QVERIFY2(rows[1].trimmed() == "0,,Network card mlx5_0,IB: Bytes sent,GB/s,3,2,3,2000000",
                 rows[1].constData());
    }
    void aReportBesideTracesIsANotice()
    {
        QFile report(path("other/profile.nsys-rep"));
        QVERIFY(report.open(QIODevice::WriteOnly));
        report.write("NVIDIA Tegra Profiler Report");
        report.close();
        const ProgramRun run = batch(QStringLiteral("OTHER --metric avg_step_time"));
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.out, QByteArray("0.02\n"));
        QVERIFY2(run.err.contains("notice: ") && !run.err.contains("error: "), run.err.constData());
        QVERIFY(report.remove());
    }
    void namesOfOtherToolsAreCompleted()
    {
        const ProgramRun completion = runProgram({QStringLiteral("--completion"), QStringLiteral("bash")});
        QCOMPARE(batch(QStringLiteral("--write-scripts OUT/scripts")).exitCode, 0);
        for (const char* name :
             {"iter_time_16", "comm_comp_overlap_16", "hardware_saturation_16", "pipeline_bubble_16",
              "straggler_lag_16", "throughput_tokens_16", "traffic_distribution_16"}) {
            QVERIFY2(completion.out.contains(name), name);
            QVERIFY2(QFile::exists(path("out/scripts/get_") + QLatin1String(name) + QLatin1String(".sh")),
                     name);
        }
        const ProgramRun unknown = batch(QStringLiteral("RUN --metric bubble_size"));
        QCOMPARE(unknown.exitCode, 1);
        QVERIFY2(unknown.err.contains("Nearest: bubble_size_pipeline"), unknown.err.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestValues)
#include "tst_values.moc"
