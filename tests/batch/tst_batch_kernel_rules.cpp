// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Rules for kernel names through the real binary: --define, and the configuration folder.

#include "tests/batch/program.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

namespace collscope {

class TestBatchKernelRules : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QString written(const char* name, const char* text) const
    {
        writeFile(path(name).toStdString(), text);
        return path(name);
    }
    ProgramRun measured(const QStringList& more) const
    {
        return runBatchProgram(QStringList{path("trace.json"), QStringLiteral("--metric"),
                                           QStringLiteral("total_communication_time"),
                                           QStringLiteral("--json")}
                               + more);
    }

private slots:
    void initTestCase()
    {
        written("trace.json",
                "{\"distributedInfo\":{\"rank\":0,\"world_size\":2},\"traceEvents\":["
                "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"pid\":1,\"tid\":1,"
                "\"ts\":0,"
                "\"dur\":9000},"
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":0,"
                "\"dur\":9000},{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"void mylib::exchange<4>(int*)\","
                "\"pid\":0,\"tid\":20,\"ts\":0,\"dur\":8000}]}");
    }
    void withoutARuleItIsUnknown()
    {
        const ProgramRun run = measured({});
        QCOMPARE(run.exitCode, 3);
        const auto answer = jsonOf(run.out)["total_communication_time"];
        QVERIFY(answer["value"].is_null());
        QCOMPARE(answer["status"].get<std::string>(), std::string("missing_input"));
        QVERIFY(answer["reason"].get<std::string>().starts_with("Not recorded: none of the 2 kernels"));
        QVERIFY2(run.err.contains("None of the 2 kernels was recognised as communication"),
                 run.err.constData());
    }
    void aRuleOfAFileMakesItKnown()
    {
        const QString rules
            = written("rules.toml",
                      "[[communication]]\nname = \"mylib::exchange\"\nclass = \"alltoall\"\nnote = \"x\"\n");
        const ProgramRun run = measured({QStringLiteral("--define"), rules});
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(jsonOf(run.out)["total_communication_time"]["value"].get<double>(), 0.008);
        QVERIFY2(!run.err.contains("recognised"), run.err.constData());
    }
    void bothKindsOfDefinitionsStandInOneFile()
    {
        const QString both = written("both.toml",
                                     "[[metric]]\nid = \"exchanged\"\nunit = \"s\"\n"
                                     "sum = { time = \"sum\", class = \"alltoall\" }\n"
                                     "[[communication]]\nname = \"EXCHANGE<*int\"\nclass = \"alltoall\"\n");
        const ProgramRun run = runBatchProgram({path("trace.json"), QStringLiteral("--define"), both,
                                                QStringLiteral("--metric"), QStringLiteral("exchanged")});
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.out, QByteArray("0.008\n"));
    }
    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* text, const char* message) {
            QTest::newRow(message) << QByteArray(text) << QByteArray(message);
        };
        row("[[communication]]\nclass = \"alltoall\"\n", "wrong.toml:1: 'name' is missing");
        row("[[communication]]\nname = \"x\"\n", "wrong.toml:1: 'class' is missing");
        row("[[communication]]\nname = \"x\"\nclass = \"dance\"\n", "wrong.toml:3: 'class' must be one of");
        row("[[communication]]\nname = \" * \"\nclass = \"reduce\"\n",
            "wrong.toml:2: 'name' would match every kernel");
        row("[[communication]]\nname = \"x\"\nclass = \"reduce\"\nregex = 1\n",
            "wrong.toml:4: 'regex' is no");
        row("communication = 1\n", "wrong.toml:1: expected tables that start with [[communication]]");
    }
    void mistakes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const ProgramRun run
            = measured({QStringLiteral("--define"), written("wrong.toml", text.constData())});
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.err.contains(message), run.err.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestBatchKernelRules)
#include "tst_batch_kernel_rules.moc"
