// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What --batch writes: reports, plots, tables of several runs and iterations; whole or not at all.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <set>

namespace collscope {

class TestOutputs : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static QStringList filesIn(const QString& folder)
    {
        return QDir(folder).entryList(QDir::Files, QDir::Name);
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
    static bool isDark(QRgb pixel) { return qGray(pixel) < 128; }
    /// Ink in the outermost pixels would be something clipped.
    static bool isFramedByBackground(const QImage& image)
    {
        for (int x = 0; x < image.width(); ++x) {
            if (isDark(image.pixel(x, 2)) || isDark(image.pixel(x, image.height() - 3)))
                return false;
        }
        for (int y = 0; y < image.height(); ++y) {
            if (isDark(image.pixel(2, y)) || isDark(image.pixel(image.width() - 3, y)))
                return false;
        }
        return true;
    }

private slots:
    void initTestCase()
    {
        WorkloadDescription description;
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
    }
    void init() { QDir(path("out")).removeRecursively(); }

    void textReport()
    {
        qputenv("SOURCE_DATE_EPOCH", "1700000000");
        const ProgramRun run = batch(QStringLiteral("RUN --report text --output OUT --prefix nccl"));
        QCOMPARE(run.exitCode, 0);
        const QStringList files = filesIn(path("out"));
        QCOMPARE(files.size(), 1);
        QVERIFY2(files.first().startsWith(QLatin1String("nccl_20231114-221320_"))
                     && files.first().endsWith(QLatin1String("_dp1x2_tp2_gpu4.txt")),
                 qPrintable(files.first()));
        QCOMPARE(run.out.trimmed(), path("out/").append(files.first()).toUtf8());
        const QByteArray first = contentOf(path("out/").append(files.first()));
        QVERIFY(first.endsWith("END OF REPORT\n" + QByteArray(80, '=') + '\n'));
        QCOMPARE(batch(QStringLiteral("RUN --report text --output OUT --prefix nccl")).exitCode, 0);
        QCOMPARE(contentOf(path("out/").append(files.first())), first);
        // Two runs of one configuration in the same second: two reports.
        QCOMPARE(batch(QStringLiteral("RUN OTHER --report text --output OUT")).exitCode, 0);
        QCOMPARE(filesIn(path("out")).size(), 3);
        qunsetenv("SOURCE_DATE_EPOCH");
    }
    void jobsThatDoNotGoTogether_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("word");
        const auto row = [](const char* line, const char* word) {
            QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(word);
        };
        row("RUN --report pdf", "pdf");
        row("RUN --report text --tools all", "separate jobs");
        row("RUN --tools nccl", "straggler");
        row("RUN --report text --metric avg_step_time", "--metric");
        row("RUN --kernel-summary --plot OUT", "--plot");
        row("RUN --metric avg_step_time --linear", "--plot");
        row("RUN --metric avg_step_time --prefix x", "--prefix");
        row("RUN --metric avg_step_time,coll_call_num --plot OUT/a.png", "one metric");
        row("RUN --metric avg_step_time --plot OUT --output OUT", "give only one");
        row("RUN OTHER --kernel-summary", "one run");
        row("RUN --name a --name b --report text", "more --name");
        row("RUN OTHER --name a --name a --report text", "both");
        row("RUN --name a/b --report text", "folder");
        row("RUN --model_params many --metric mfu", "8.03B");
        row("RUN --tp 0 --metric mfu", "--tp");
        row("RUN --reduce most --metric mfu", "--reduce");
        row("RUN --test-label x --metric mfu", "--batch compare");
        row("--baseline RUN --test OTHER --test-label x --test-label y --output OUT", "more --test-label");
        row("RUN --plot OUT --width 1", "--width");
        row("RUN --tools all --output OUT", "--output");
        row("RUN --report text --json", "--json");
        row("RUN --report nvlink --json", "nvlink_all");
        row("RUN --report nvlink --csv -", "--csv");
    }
    void jobsThatDoNotGoTogether()
    {
        QFETCH(QString, line);
        QFETCH(QString, word);
        const ProgramRun run = batch(line);
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.err.contains(word.toUtf8()), run.err.constData());
        QVERIFY(run.out.isEmpty() && !QFileInfo::exists(path("out")));
    }
    void tools()
    {
        const ProgramRun all = batch(QStringLiteral("--workload-dir RUN --tools all"));
        QCOMPARE(all.exitCode, 0);
        const auto json = jsonOf(all.out);
        QCOMPARE(json.size(), std::size_t{9});
        QCOMPARE(json["throughput"]["avg_step_time"]["value"].get<double>(), 0.01);
        for (const auto& [tool, metrics] : json.items()) {
            for (const auto& [id, result] : metrics.items())
                QVERIFY2(result["status"] == "value" || !result["reason"].get<std::string>().empty(),
                         id.c_str());
        }
        const auto one = jsonOf(batch(QStringLiteral("--tools overlap RUN")).out);
        QCOMPARE(one.size(), std::size_t{1});
        QVERIFY(one["overlap"].contains("comm_comp_overlap"));
        // The guide says --tools <metric_name>.
        QVERIFY(jsonOf(batch(QStringLiteral("--tools coll_call_num RUN")).out)["coll_call_num"].contains(
            "coll_call_num"));
    }
    void severalRuns()
    {
        const ProgramRun run = batch(QStringLiteral("--json --metric avg_step_time RUN OTHER"));
        QCOMPARE(run.exitCode, 0);
        const auto json = jsonOf(run.out);
        QCOMPARE(json[path("run").toStdString()]["avg_step_time"]["value"].get<double>(), 0.01);
        QCOMPARE(json[path("other").toStdString()]["avg_step_time"]["value"].get<double>(), 0.02);
        const ProgramRun table = batch(QStringLiteral("RUN OTHER --metric avg_step_time --csv -"));
        QVERIFY(table.out.startsWith(
            "run,metric,scope,rank,step,value,unit,status,reason,iteration,workload_name,"));
        QVERIFY(
            table.out.contains('\n' + path("run").toUtf8() + ",avg_step_time,4 ranks,,,0.01,s,value,,,run,"));
        QVERIFY(table.out.contains('\n' + path("other").toUtf8() + ",avg_step_time,"));
        // One run stays as it was, and so does one of several parts.
        const QByteArray header = "metric,scope,rank,step,value,unit,status,reason\n";
        QVERIFY(batch(QStringLiteral("RUN --csv -")).out.startsWith(header));
        QVERIFY(batch(QStringLiteral("RUN OTHER --merge-paths --csv -")).out.startsWith(header));
    }
    void anUnreadableRunIsARowOfItsOwn()
    {
        QDir().mkpath(path("empty"));
        const QString empty = path("empty");
        const ProgramRun run
            = batch(QStringLiteral("RUN ") + empty + QStringLiteral(" --metric avg_step_time --json"));
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(jsonOf(run.out)[empty.toStdString()]["avg_step_time"]["status"].get<std::string>(),
                 std::string("missing_input"));
        QVERIFY(!run.err.isEmpty());
    }
    void leaderboard()
    {
        QDir().mkpath(path("out"));
        const ProgramRun run = batch(QStringLiteral("RUN --metric avg_step_time --leaderboard OUT/row.json"));
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.isEmpty(), "the file takes the place of the number");
        const auto row = jsonOf(contentOf(path("out/row.json")));
        QCOMPARE(row["metadata"]["workload_name"].get<std::string>(), std::string("run"));
        QCOMPARE(row["metrics"]["avg_step_time"].get<double>(), 0.01);
        QCOMPARE(batch(QStringLiteral("RUN OTHER --leaderboard OUT/row.json")).exitCode, 0);
        QCOMPARE(jsonOf(contentOf(path("out/row.json"))).size(), std::size_t{2});
    }
    void kernelSummary()
    {
        QDir().mkpath(path("out"));
        const ProgramRun text = batch(QStringLiteral("--kernel-summary RUN"));
        QCOMPARE(text.exitCode, 0);
        QVERIFY(text.out.startsWith("Time (%)  Total Time (ns)  Instances"));
        const auto json = jsonOf(batch(QStringLiteral("--report gpu-kern-summary --format json RUN")).out);
        QVERIFY(json.is_array() && json[0].contains("Name"));
        const ProgramRun file = batch(QStringLiteral("RUN --kernel-summary=OUT/kernels.csv"));
        QCOMPARE(file.exitCode, 0);
        QVERIFY(file.out.isEmpty());
        QVERIFY(contentOf(path("out/kernels.csv")).startsWith("Time (%),"));
        QVERIFY(batch(QStringLiteral("RUN --kernel-summary --csv -")).out.startsWith("Time (%),"));
    }
    void nvlinkPlots()
    {
        QCOMPARE(batch(QStringLiteral("RUN --metric nvlink_all --gpu 0 --output OUT")).exitCode, 0);
        QCOMPARE(filesIn(path("out")),
                 (QStringList{QStringLiteral("nvlink_throughput_rx_all_links_log.png"),
                              QStringLiteral("nvlink_throughput_tx_all_links_log.png")}));
        const ProgramRun combined = batch(QStringLiteral(
            "RUN --metric max_throughput --gpu 0 --link 0 --combined --linear --title T --width 8 --height 5 "
            "--show --plot OUT"));
        QCOMPARE(combined.exitCode, 0);
        QVERIFY2(combined.err.contains("no display"), combined.err.constData());
        const QImage image(path("out/nvlink_throughput_combined_link0.png"));
        QCOMPARE(image.size(), QSize(1600, 1000));
        QVERIFY(isFramedByBackground(image));
        QCOMPARE(
            batch(QStringLiteral("RUN --metric max_throughput --gpu 0 --link 0 --direction TX --plot OUT"))
                .exitCode,
            0);
        QVERIFY(QFile::exists(path("out/nvlink_throughput_tx_link0_log.png")));
    }
    void metricPlots()
    {
        QDir().mkpath(path("out"));
        QCOMPARE(batch(QStringLiteral("RUN --metric comm_comp_overlap --plot OUT/one.png")).exitCode, 0);
        const QImage image(path("out/one.png"));
        QVERIFY(!image.isNull() && isFramedByBackground(image));
        QVERIFY2(image.pixelColor(1, 1) == QColor(Qt::white), "a light background");
        QCOMPARE(
            batch(QStringLiteral("RUN --metric comm_comp_overlap,avg_step_time --plot OUT/all")).exitCode, 0);
        QCOMPARE(filesIn(path("out/all")),
                 (QStringList{QStringLiteral("avg_step_time.png"), QStringLiteral("comm_comp_overlap.png")}));
        // Several runs in one picture.
        QCOMPARE(batch(QStringLiteral("RUN OTHER --metric avg_step_time --plot OUT/both.png")).exitCode, 0);
        const QImage both(path("out/both.png"));
        QVERIFY(!both.isNull() && isFramedByBackground(both));
        QCOMPARE(
            batch(QStringLiteral("RUN OTHER --metric avg_step_time,coll_call_num --plot OUT/runs")).exitCode,
            0);
        QCOMPARE(filesIn(path("out/runs")),
                 (QStringList{QStringLiteral("avg_step_time.png"), QStringLiteral("coll_call_num.png")}));
        // Nothing to draw: no file.
        const ProgramRun none = batch(QStringLiteral("OTHER --metric max_throughput --plot OUT/none.png"));
        QCOMPARE(none.exitCode, 3);
        QVERIFY(!QFile::exists(path("out/none.png")));
    }
    void iterations()
    {
        const ProgramRun run = batch(QStringLiteral("ITERATIONS --iteration all --output OUT"));
        QCOMPARE(run.exitCode, 0);
        const QList<QByteArray> lines = contentOf(path("out/metrics_summary.csv")).trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith("iteration,"));
        const auto column = lines[0].split(',').indexOf("avg_step_time_value");
        QVERIFY(column > 0);
        QVERIFY(lines[1].startsWith("10,") && lines[2].startsWith("20,"));
        QVERIFY(lines[1].split(',')[column].toDouble() < lines[2].split(',')[column].toDouble());
        for (const char* name :
             {"iter_time.png", "comm_comp_overlap.png", "coll_calls.png", "summary_dashboard.png"}) {
            const QImage image(path("out/") + QString::fromLatin1(name));
            QVERIFY2(!image.isNull() && isFramedByBackground(image), name);
            QVERIFY2(run.out.contains(name), run.out.constData());
        }
        const ProgramRun asJson = batch(QStringLiteral("--trace-base ITERATIONS --summary OUT --json"));
        const auto json = jsonOf(asJson.out);
        QVERIFY(json.contains("iteration_10") && json.contains("iteration_20"));
        QCOMPARE(contentOf(path("out/metrics_summary.json")), asJson.out);
        const QByteArray page = contentOf(path("out/report.html"));
        QVERIFY(page.contains("<td class=\"name\">avg_step_time</td>") && page.contains("iteration 20"));
        QVERIFY(page.count("data:image/png;base64,") >= 3 && !page.contains("http:")
                && !page.contains("https:"));
    }
    void summaryOfSeveralRuns()
    {
        const ProgramRun run = batch(QStringLiteral("RUN OTHER --summary OUT --name fast --name slow"));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QList<QByteArray> lines = contentOf(path("out/metrics_summary.csv")).trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        QVERIFY(lines[0].startsWith("run,iteration,"));
        QVERIFY(lines[1].startsWith("fast,,") && lines[2].startsWith("slow,,"));
        const auto column = lines[0].split(',').indexOf("avg_step_time_value");
        QVERIFY(lines[1].split(',')[column].toDouble() < lines[2].split(',')[column].toDouble());
        const QImage image(path("out/iter_time.png"));
        QVERIFY(!image.isNull() && isFramedByBackground(image));
        QVERIFY(contentOf(path("out/report.html")).contains(">slow</th>"));
        QVERIFY(jsonOf(contentOf(path("out/metrics_summary.json"))).contains("fast"));
    }
    void withoutAFontNoPicture()
    {
        // A configuration that knows no folder with fonts.
        QFile file(path("fonts.conf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("<?xml version=\"1.0\"?><fontconfig><dir>/nonexistent</dir></fontconfig>");
        file.close();
        qputenv("FONTCONFIG_FILE", QFile::encodeName(path("fonts.conf")));
        const ProgramRun plot = batch(QStringLiteral("RUN --metric comm_comp_overlap --plot OUT"));
        const ProgramRun number = batch(QStringLiteral("RUN --metric comm_comp_overlap"));
        qunsetenv("FONTCONFIG_FILE");
        QCOMPARE(plot.exitCode, 4);
        QVERIFY2(plot.err.contains("font"), plot.err.constData());
        QVERIFY(!QFileInfo::exists(path("out")));
        QCOMPARE(number.exitCode, 0);
    }
    void unwritable_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"RUN --leaderboard OUT/no/row.json", "RUN --kernel-summary=OUT/no/k.txt",
              "RUN --metric avg_step_time --plot OUT/no/x.png",
              "RUN --report text --output RUN/workload_card.yaml",
              "RUN --write-scripts RUN/workload_card.yaml", "RUN --summary RUN/workload_card.yaml"})
            QTest::newRow(line) << QString::fromLatin1(line);
    }
    void unwritable()
    {
        QFETCH(QString, line);
        const QStringList before = filesIn(path("run"));
        const ProgramRun run = batch(line);
        QCOMPARE(run.exitCode, 4);
        QVERIFY(run.err.contains("cannot"));
        QCOMPARE(filesIn(path("run")), before);
    }
    void scripts()
    {
        QCOMPARE(batch(QStringLiteral("--write-scripts OUT")).exitCode, 0);
        QVERIFY(filesIn(path("out")).contains(QLatin1String("get_coll_call_num.sh")));
        QVERIFY(QFileInfo(path("out/get_coll_call_num.sh")).isExecutable());
    }
    void nothingIsWrittenIntoTheRun()
    {
        const QStringList before = filesIn(path("run"));
        for (const char* line : {"RUN --report text --output OUT", "RUN --tools all", "RUN --plot OUT",
                                 "RUN --kernel-summary", "RUN --summary OUT"})
            batch(QString::fromLatin1(line));
        QCOMPARE(filesIn(path("run")), before);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOutputs)
#include "tst_outputs.moc"
