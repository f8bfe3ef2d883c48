// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Options and outputs that scripts of older tools count on: names and sizes of runs, reports of kernels,
// reports that lie in the run, memory snapshots however the run is named.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/memory_text.h"
#include "tests/support/texts/sample_trace.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>

namespace collscope {

class TestPromises : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static QStringList filesIn(const QString& folder)
    {
        return QDir(folder).entryList(QDir::Files, QDir::Name);
    }
    /// `collscope --batch` with the words of a line; RUN, OTHER, BARE, LATE and OUT stand for paths.
    ProgramRun batch(const QString& line) const
    {
        QStringList words = line.split(u' ', Qt::SkipEmptyParts);
        for (QString& word : words) {
            for (const char* name : {"run", "other", "bare", "late", "out"}) {
                if (word.startsWith(QString::fromLatin1(name).toUpper()))
                    word.replace(QString::fromLatin1(name).toUpper(), path(name));
            }
        }
        return runBatchProgram(words);
    }

private slots:
    void initTestCase()
    {
        WorkloadDescription description;
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun(description), path("run").toStdString(), files);
        description.stepNs = 20'000'000;
        writeRun(planRun(description), path("other").toStdString(), files);
        writeRun(planRun(lateDescription()), path("late").toStdString(), files);
        files.card = false;
        writeRun(planRun({}), path("bare").toStdString(), files);
        std::filesystem::create_directories(path("alone").toStdString());
        std::filesystem::create_directories(path("nsys").toStdString());
        std::filesystem::create_directories(path("job/memory_snapshot/iteration_10").toStdString());
    }
    void init() { QDir(path("out")).removeRecursively(); }

    void reportsOfKernels()
    {
        const ProgramRun run
            = batch(QStringLiteral("RUN OTHER --report kernels --output OUT --report-format csv,xlsx"));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QByteArray printed = batch(QStringLiteral("RUN --kernel-summary --csv -")).out;
        QCOMPARE(contentOf(path("out/run/tracelens_analysis/kernel_summary/kernel_summary.csv"))
                     .split('\n')
                     .size(),
                 printed.split('\n').size());
        const auto book = workbookOf(path("out/other/tracelens_analysis/kernel_summary.xlsx"));
        QVERIFY(book.is_object() && book.contains("kernel_summary"));
        QCOMPARE(book["kernel_summary"]["rows"].size(),
                 static_cast<std::size_t>(printed.trimmed().split('\n').size()));
        QVERIFY(!QFile::exists(path("out/run/tracelens_analysis/individual_reports")));
    }
    void aCollectiveReportOfNothing()
    {
        writeFile(path("alone/rank0.json").toStdString(), sampleTrace(0, 40));
        const ProgramRun run = runBatchProgram({QStringLiteral("--report"), QStringLiteral("collective"),
                                                path("alone"), QStringLiteral("--output"), path("out")});
        QCOMPARE(run.exitCode, 3);
        QVERIFY2(run.err.contains("a collective report cannot be written"), run.err.constData());
        const ProgramRun both
            = runBatchProgram({QStringLiteral("--report"), QStringLiteral("individual,collective"),
                               path("alone"), QStringLiteral("--output"), path("out")});
        QCOMPARE(both.exitCode, 0);
        QVERIFY2(both.err.contains("a collective report cannot be written"), both.err.constData());
    }
    void oneNumberOfSeveralRanks()
    {
        const auto answerOf = [&](const char* options) {
            return batch(QStringLiteral("LATE --metric comm_comp_overlap ") + QString::fromLatin1(options))
                .out;
        };
        std::vector<double> ranks;
        for (const QByteArray& line : answerOf("--csv -").split('\n')) {
            const QList<QByteArray> cells = line.split(',');
            if (cells.size() > 4 && cells[3].isEmpty() && !cells[2].isEmpty() && cells[2] != "rank")
                ranks.push_back(cells[4].toDouble());
        }
        QCOMPARE(ranks.size(), std::size_t{6});
        const auto most = jsonOf(answerOf("--json --reduce max"))["comm_comp_overlap"];
        QCOMPARE(most["value"].get<double>(), *std::max_element(ranks.begin(), ranks.end()));
        QCOMPARE(most["reduction"].get<std::string>(), std::string("max of ranks"));
        QVERIFY(answerOf("--reduce max").toDouble() > answerOf("").toDouble());
        QVERIFY(answerOf("--reduce min").toDouble() < answerOf("").toDouble());
        // What is not a mean of ranks, or a sum of shares, stays as it is and says so.
        const ProgramRun straggler = batch(QStringLiteral("LATE --metric straggler --reduce max"));
        QVERIFY2(straggler.err.contains("--reduce has no effect"), straggler.err.constData());
        QCOMPARE(straggler.out, batch(QStringLiteral("LATE --metric straggler")).out);
        QCOMPARE(answerOf("--reduce sum"), answerOf(""));
    }
    void whatAPersonSaysOfTheRun()
    {
        // No card, no TOML: what the options say is what there is.
        QCOMPARE(batch(QStringLiteral("BARE --metric mfu")).exitCode, 3);
        const auto metadata = [&](const QString& options) {
            const auto answer = jsonOf(
                batch(QStringLiteral("BARE --leaderboard OUT/row.json --metric coll_call_num") + options)
                    .out);
            return jsonOf(contentOf(path("out/row.json")));
        };
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("out")));
        const auto row = metadata(QStringLiteral(" --dp 2 --tp 2 --pp 1 --name thirty")).dump();
        QVERIFY2(row.find("\"tp\":2") != std::string::npos && row.find("\"dp_shard\":2") != std::string::npos
                     && row.find("thirty") != std::string::npos,
                 row.c_str());
        const ProgramRun flops = batch(QStringLiteral("RUN --explain mfu --model_params 8.03B"));
        QVERIFY2(flops.out.contains("8030000000"), flops.out.constData());
    }
    void namesOfRunsInReports()
    {
        const ProgramRun run
            = batch(QStringLiteral("--baseline RUN --test OTHER --baseline-label before --test-label "
                                   "after --output OUT --gpu-timeline"));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY(QFile::exists(path("out/before/tracelens_analysis/gpu_timeline_summary_mean.xlsx")));
        const auto book = workbookOf(path("out/gpu_timeline_comparison.xlsx"));
        const std::string header = book["Comparison_By_Rank"]["rows"][0].dump();
        QVERIFY2(header.find("before_time_ms") != std::string::npos
                     && header.find("after_time_ms") != std::string::npos,
                 header.c_str());
    }
    void reportsWrittenIntoTheRunAreFound()
    {
        RunFiles files;
        files.nvlink = false;
        writeRun(planRun({}), path("kept").toStdString(), files);
        QCOMPARE(runBatchProgram({QStringLiteral("--report"), QStringLiteral("individual,collective"),
                                  path("kept"), QStringLiteral("--output"), path("kept")})
                     .exitCode,
                 0);
        const ProgramRun run
            = runBatchProgram({QStringLiteral("--baseline"), path("kept"), QStringLiteral("--test"),
                               path("other"), QStringLiteral("--output"), path("out"),
                               QStringLiteral("--all"), QStringLiteral("--skip-tracelens")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.err.contains("kept/kept/tracelens_analysis."), run.err.constData());
    }
    void degreesOfAReportsName()
    {
        const ProgramRun run = batch(QStringLiteral("BARE --report text --output OUT"));
        QCOMPARE(run.exitCode, 0);
        // By the process groups of the calls: two groups of two, of which one says that it is tensor
        // parallel.
        QVERIFY2(filesIn(path("out")).first().endsWith(QLatin1String("_tp2_gpu4.txt")), run.out.constData());
        const QByteArray report = contentOf(path("out/") + filesIn(path("out")).first());
        QVERIFY(report.contains("tensor_parallel:") && report.contains("by process groups"));
    }
    void snapshotsBesideHoweverTheRunIsNamed()
    {
        RunFiles files;
        files.nvlink = false;
        const std::string run = path("job/profile_traces/iteration_10").toStdString();
        writeRun(planRun({}), run, files);
        writeFile(path("job/memory_snapshot/iteration_10/rank0_memory_snapshot.pickle").toStdString(),
                  py::smallSnapshot());
        QVERIFY(QFile::link(QString::fromStdString(run), path("link")));
        const auto peak = [&](const QString& name, const QString& folder = {}) {
            ProgramSurroundings inFolder;
            if (!folder.isEmpty())
                inFolder.inChild = [at = folder.toStdString()] {
                    if (::chdir(at.c_str()) != 0)
                        ::_exit(9);
                };
            return runBatchProgram({name, QStringLiteral("--metric"), QStringLiteral("memory_peak")},
                                   inFolder);
        };
        const QString name = QString::fromStdString(run);
        const ProgramRun plain = peak(name);
        QVERIFY2(plain.exitCode == 0, plain.err.constData());
        QCOMPARE(peak(name + u'/').out, plain.out);
        QCOMPARE(peak(QStringLiteral("."), name).out, plain.out);
        QCOMPARE(peak(QStringLiteral("./"), name).out, plain.out);
        QCOMPARE(peak(path("link")).out, plain.out);
        QCOMPARE(peak(path("link/")).out, plain.out);
    }
    void jsonOfNsysWithoutEventsIsAnsweredWithWhatToDo()
    {
        for (const char* text : {"{\"data\":[\"[Unknown]\",\"ncclKernel\"]}\n",
                                 "{\"Type\":80,\"CudaEvent\":{\"startNs\":\"1\",\"endNs\":\"2\"}}\n"}) {
            writeFile(path("nsys/report.json").toStdString(), text);
            const ProgramRun run = runBatchProgram({path("nsys")});
            QCOMPARE(run.exitCode, 2);
            QVERIFY2(run.err.contains("nsys export --type sqlite"), run.err.constData());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPromises)
#include "tst_promises.moc"
