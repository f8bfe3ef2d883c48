// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Jobs without GPUs through the real binary, and the script of the recording kit that must not end a
// training.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/gloo_jobs.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QDirIterator>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

class TestCpuJobs : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    static QString word(const char* text) { return QString::fromLatin1(text); }
    /// A Python that has PyTorch; empty if there is none.
    static QString python()
    {
        for (const char* name : {"python3", "/usr/bin/python3"}) {
            QProcess probe;
            probe.start(word(name), {word("-c"), word("import torch.profiler")});
            if (probe.waitForFinished(60'000) && probe.exitStatus() == QProcess::NormalExit
                && probe.exitCode() == 0)
                return word(name);
        }
        return {};
    }

private slots:
    void explainsTheStep_data() { addGlooRuns(GlooJob::Straggler, "torch214_ddp4_straggler", m_folder); }
    void explainsTheStep()
    {
        QFETCH(QString, run);
        const ProgramRun step = runBatchProgram({run, word("--explain-step"), word("3")});
        QVERIFY2(step.exitCode == 0, step.err.constData());
        QVERIFY2(step.out.startsWith("Step 3: Rank 2 delayed the other ranks: "), step.out.constData());
        QVERIFY2(!step.out.contains("GPU"), step.out.constData());
    }
    void tableSaysOnceWhy_data() { addGlooRuns(GlooJob::Straggler, "torch214_ddp4_straggler", m_folder); }
    void tableSaysOnceWhy()
    {
        QFETCH(QString, run);
        const ProgramRun all = runBatchProgram({run});
        QVERIFY2(all.exitCode == 0, all.err.constData());
        QCOMPARE(all.out.count("This run used only CPUs (backend gloo)"), 1);
        QVERIFY(!all.out.contains("ProfilerActivity.CUDA"));
    }
    void executionTracesAlone_data() { addGlooRuns(GlooJob::ExecutionTraces, "torch214_et_only", m_folder); }
    void executionTracesAlone()
    {
        QFETCH(QString, run);
        const ProgramRun calls = runBatchProgram({run, word("--metric"), word("coll_call_num")});
        QCOMPARE(calls.exitCode, 0);
        QCOMPARE(calls.out, QByteArray("4\n"));
    }
    /// Rank 0 has one span in each of its steps 2 to 7, of which 3 to 6 are the inner ones.
    void metricsOfOnesOwn_data() { addGlooRuns(GlooJob::Straggler, "torch214_ddp4_straggler", m_folder); }
    void metricsOfOnesOwn()
    {
        QFETCH(QString, run);
        const QString file = m_folder.filePath(word("mine.toml"));
        writeFile(file.toStdString(),
                  "[[metric]]\nid = \"gloo_spans\"\ntitle = \"Spans of gloo\"\nunit = \"count\"\n"
                  "numerator = { count = true, class = \"annotation\", name = \"^gloo:\" }\n");
        const ProgramRun count = runBatchProgram(
            {run, word("--define"), file, word("--metric"), word("gloo_spans"), word("--rank"), word("0")});
        QVERIFY2(count.exitCode == 0, count.err.constData());
        QCOMPARE(count.out, QByteArray("4\n"));
    }
    void textReport_data() { addGlooRuns(GlooJob::Straggler, "torch214_ddp4_straggler", m_folder); }
    void textReport()
    {
        QFETCH(QString, run);
        const QTemporaryDir folder;
        const QString out = folder.path();
        const ProgramRun report
            = runBatchProgram({run, word("--report"), word("text"), word("--output"), out});
        QVERIFY2(report.exitCode == 0, report.err.constData());
        const ProgramRun book
            = runBatchProgram({run, word("--report"), word("collective"), word("--output"), out});
        QVERIFY2(book.exitCode == 0, book.err.constData());
        QDirIterator files(out, QDir::Files, QDirIterator::Subdirectories);
        QByteArray text;
        bool hasWorkbook = false;
        while (files.hasNext()) {
            const QString path = files.next();
            hasWorkbook |= path.contains(word("collective")) && path.endsWith(word(".xlsx"));
            if (!path.endsWith(word(".txt")))
                continue;
            QVERIFY2(path.endsWith(word("_ranks4.txt")), qPrintable(path));
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            text = file.readAll();
        }
        QVERIFY2(hasWorkbook, report.err.constData());
        QVERIFY2(text.contains("Ranks (on CPUs)") && !text.contains("GPUs:"), text.constData());
    }
    /// A training is worth more than its execution trace.
    void wrapperNeverEndsTheTraining_data()
    {
        QTest::addColumn<bool>("canWrite");
        QTest::newRow("writes a trace") << true;
        QTest::newRow("cannot write one") << false;
    }
    void wrapperNeverEndsTheTraining()
    {
        const QString interpreter = python();
        if (interpreter.isEmpty())
            QSKIP("no Python with PyTorch (Debian: python3-torch)");
        QFETCH(bool, canWrite);
        writeFile(m_folder.filePath(word("toy_training.py")).toStdString(),
                  "import torch\nfrom torch.profiler import ProfilerActivity, profile, schedule\n"
                  "layer = torch.nn.Linear(8, 8)\n"
                  "steps = schedule(wait=1, warmup=1, active=2, repeat=1)\n"
                  "with profile(activities=[ProfilerActivity.CPU], schedule=steps) as profiler:\n"
                  "    for _ in range(6):\n"
                  "        layer(torch.randn(4, 8)).sum().backward()\n"
                  "        profiler.step()\n"
                  "print('trained')\n");
        writeFile(m_folder.filePath(word("in_the_way")).toStdString(), "a file, not a folder");
        const QString traces = m_folder.filePath(canWrite ? word("et") : word("in_the_way/et"));
        QProcess training;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(word("PYTHONPATH"), m_folder.path());
        environment.insert(word("RANK"), word("3"));
        training.setProcessEnvironment(environment);
        training.start(interpreter,
                       {QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/resources/collect/tools/et_wrapper.py"),
                        word("--et-folder"), traces, word("--module"), word("toy_training")});
        QVERIFY(training.waitForFinished(120'000));
        const QByteArray said = training.readAllStandardError();
        QVERIFY2(training.exitCode() == 0, said.constData());
        QVERIFY(training.readAllStandardOutput().contains("trained"));
        if (!canWrite) {
            QVERIFY2(said.contains("et_wrapper.py: no execution trace: "), said.constData());
            return;
        }
        QFile trace(traces + word("/torch_et_3.json"));
        QVERIFY2(trace.open(QIODevice::ReadOnly), said.constData());
        QVERIFY(jsonOf(trace.readAll())["nodes"].size() > 20);
        const ProgramRun read = runBatchProgram({traces, word("--metric"), word("coll_call_num")});
        QCOMPARE(read.exitCode, 3); // it holds no collectives
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCpuJobs)
#include "tst_cpu_jobs.moc"
