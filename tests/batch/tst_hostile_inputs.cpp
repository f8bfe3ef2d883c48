// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files that are damaged or made to harm, through the real binary: what is sound of them, and no more memory
// than is allowed.

#include "tests/batch/program.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QFileInfo>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

namespace collscope {

class TestHostileInputs : public QObject
{
    Q_OBJECT

private slots:
    void theDoctorAccountsForAll_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("events"); // in the file; -1: not known, but some
        QTest::addColumn<int>("mostLost");
        QTest::addColumn<QString>("finding"); // or a word of it
        const auto row = [](const char* file, int events, int mostLost, const char* finding) {
            QTest::newRow(file) << QString::fromLatin1(file) << events << mostLost
                                << QString::fromLatin1(finding);
        };
        for (const char* file : {"swallow_aiu_default_q76.json", "swallow_aiu_indent1_q450.json",
                                 "swallow_aiu_indent2_q202.json", "swallow_aiu_indent4_q77.json",
                                 "swallow_aiu_indentt_s217.json", "swallow_aiu_one_quote.json"})
            row(file, 56, 2, ""); // a begin and its end
        row("two_events_one_byte.json", 71, 1, "malformed_event");
        row("quadratic_traceEvents_320kB.json", 0, 0, "truncated");
        row("pickle_one_byte.pickle", -1, 0, "damaged_pickle");
        row("et_one_byte.json", 6, 1, "bad_node");
        row("sqlite_default_amplification.sqlite", -1, 0, "StringIds");
    }
    void theDoctorAccountsForAll()
    {
        QFETCH(const QString, file);
        QFETCH(const int, events);
        QFETCH(const int, mostLost);
        QFETCH(const QString, finding);
        const QString path = oracleFolder() + QStringLiteral("/hostile/") + file;
        if (!QFileInfo::exists(path))
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        ProgramSurroundings narrow;
        narrow.inChild = [] {
            const rlimit most{rlim_t{600} << 20, rlim_t{600} << 20};
            if (!isSanitized) // a sanitizer's shadow is larger
                setrlimit(RLIMIT_DATA, &most);
            const rlimit seconds{60, 60}; // of CPU; hours, where a time grows with the square of the text
            setrlimit(RLIMIT_CPU, &seconds);
        };
        const ProgramRun run = runBatchProgram({QStringLiteral("--doctor"), QStringLiteral("--json"),
                                                QStringLiteral("--threads"), QStringLiteral("1"),
                                                QStringLiteral("--max-memory"), QStringLiteral("500M"), path},
                                               narrow);
        QCOMPARE(run.exitCode, 0);
        const nlohmann::json answer = jsonOf(run.out);
        QVERIFY(answer.is_object() && answer["conserved"].get<bool>());
        const nlohmann::json& ledger = answer["files"].at(0);
        if (events >= 0)
            QCOMPARE(ledger["events_in_file"].get<int>(), events);
        else
            QVERIFY(ledger["events_in_file"].get<int>() > 0);
        QVERIFY2(ledger["excluded"].get<int>() <= mostLost, run.out.constData());
        QVERIFY2(run.out.contains(finding.toUtf8()), run.out.constData());
    }

    /// SQLite allocates what a record of the schema claims before it finds that the file does not hold it.
    void sqliteGetsNoHugePiece()
    {
        const QString path = QStringLiteral(COLLSCOPE_SOURCE_FOLDER)
            + QStringLiteral("/tests/fuzz/corpus/nsys_sqlite/claims_much.sqlite");
        const ProgramRun run = runBatchProgram({QStringLiteral("--doctor"), path});
        QCOMPARE(run.exitCode, 2);
        QVERIFY2(run.out.contains("SQLite asked for more than 32 MiB in one piece"), run.out.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHostileInputs)
#include "tst_hostile_inputs.moc"
