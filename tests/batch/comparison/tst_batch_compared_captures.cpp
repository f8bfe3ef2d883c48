// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Real captures without steps, and real runs without GPU work, compared on the command line.

#include "tests/batch/program.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/gloo_jobs.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <SQLiteCpp/SQLiteCpp.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace collscope {

namespace {

using json = nlohmann::json;

/// What the database says: how often attention ran on a GPU, and its mean in us.
std::pair<int, double> attentionIn(const QString& file, int device)
{
    const SQLite::Database database(file.toStdString(), SQLite::OPEN_READONLY);
    SQLite::Statement query(
        database,
        "SELECT count(*), avg(k.end - k.start) / 1000.0 FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN "
        "StringIds s ON s.id = k.shortName WHERE s.value = 'flash_fwd_kernel' AND "
        "k.deviceId = ?");
    query.bind(1, device);
    query.executeStep();
    return {query.getColumn(0).getInt(), query.getColumn(1).getDouble()};
}

QByteArray textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The cell of a sheet that read_workbook.py found, by its first cell and its heading.
json cellOf(const json& sheet, const std::string& row, const std::string& column)
{
    const json& rows = sheet["rows"];
    for (std::size_t c = 0; c < rows[0].size(); ++c) {
        for (std::size_t r = 1; r < rows.size() && rows[0][c] == json(column); ++r) {
            if (rows[r][0] == json(row))
                return rows[r][c];
        }
    }
    return {};
}

} // namespace

class TestBatchComparedCaptures : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private slots:
    void twoCapturesByWork()
    {
        const QString folder = tracesFolder() + QStringLiteral("/nsys_sqlite/nsys-ai/");
        const QString before = folder + QStringLiteral("mfu_2gpu_before.sqlite");
        const QString after = folder + QStringLiteral("mfu_2gpu_after.sqlite");
        if (!QFile::exists(before) || !QFile::exists(after))
            QSKIP("No real traces (COLLSCOPE_TRACES).");
        for (const int device : {0, 1}) { // the truth: the same time per call, 34 and 30 calls
            QCOMPARE(attentionIn(before, device).first, 34);
            QCOMPARE(attentionIn(after, device).first, 30);
            QVERIFY(std::abs(attentionIn(after, device).second / attentionIn(before, device).second - 1)
                    < 0.01);
        }
        const QTemporaryDir out;
        const ProgramRun run
            = runBatchProgram({QStringLiteral("--baseline"), before, QStringLiteral("--test"), after,
                               QStringLiteral("--output"), out.path()});
        QCOMPARE(run.exitCode, 0);
        const QByteArray sentence(
            "The test did 12 % less work in that time: attention 34 -&gt; 30 calls on each "
            "rank, at 4.00 ms and 4.01 ms per call (+0.2 %). It is 13 % slower per unit of work.");
        QByteArray plain = sentence;
        QVERIFY2(run.err.contains(plain.replace("&gt;", ">")), run.err.constData());
        const QByteArray page = textOf(out.filePath(QStringLiteral("performance_analysis_report.html")));
        QVERIFY(page.contains(sentence));
        // Above the single kernels nothing is better.
        QVERIFY(!page.left(page.indexOf("<details>")).contains(">Better<"));
        const json book = workbookOf(out.filePath(QStringLiteral("final_analysis_report.xlsx")));
        for (const auto& [name, sheet] : book.items()) {
            for (const json& header : sheet["rows"][0])
                QVERIFY2(!header.is_string()
                             || (header.get<std::string>().find("per step") == std::string::npos
                                 && header.get<std::string>().find("per_step") == std::string::npos),
                         name.c_str());
        }
        QVERIFY(cellOf(book["GPU_Summary_Cmp"], "total_time", "status") == json("Worse"));
        QVERIFY(cellOf(book["GPU_Summary_Cmp"], "computation_time", "status") != json("Better"));
        QVERIFY(cellOf(book["Kernel_Class_Cmp"], "attention", "status") == json("Similar"));
        // What scripts read stays: positive = less.
        QVERIFY(cellOf(book["GPU_Summary_Cmp"], "computation_time", "percent_change").get<double>() > 10);
        // Send/Recv waits longer for the other rank; it does not move more.
        const json waiting = cellOf(book["Step_Waterfall"], "communication: waiting", "diff_ms_per_unit");
        const json moving = cellOf(book["Step_Waterfall"], "communication: moving", "diff_ms_per_unit");
        QVERIFY(waiting.get<double>() > 10 * std::abs(moving.get<double>()));
    }
    void runsWithoutGpuWork_data()
    {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("test");
        QTest::addColumn<double>("stepMs"); // of step 3 of rank 0, as its marker says
        const QString base = m_folder.filePath(QStringLiteral("base"));
        const QString test = m_folder.filePath(QStringLiteral("test"));
        for (const QString& folder : {base, test})
            writeGlooJob(GlooJob::Straggler, folder.toStdString());
        QTest::newRow("planted") << base << test << 395.0;
        const QString folder = tracesFolder() + QStringLiteral("/pytorch_gloo/");
        if (!tracesFolder().isEmpty() && QFile::exists(folder + QStringLiteral("torch214_ddp4_straggler")))
            QTest::newRow("recorded") << folder + QStringLiteral("torch214_ddp4_et")
                                      << folder + QStringLiteral("torch214_ddp4_straggler") << 464.559664;
    }
    void runsWithoutGpuWork()
    {
        QFETCH(QString, base);
        QFETCH(QString, test);
        QFETCH(double, stepMs);
        const QTemporaryDir out;
        const ProgramRun run = runBatchProgram({QStringLiteral("--baseline"), base, QStringLiteral("--test"),
                                                test, QStringLiteral("--output"), out.path()});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("Mean step ") && run.err.contains("Neither run has GPU work"),
                 run.err.constData());
        const json book = workbookOf(out.filePath(QStringLiteral("final_analysis_report.xlsx")));
        QVERIFY(book["Step_Cmp"]["rows"].size() > 1);
        QCOMPARE(book["Step_ByRank_Cmp"]["rows"].size(), std::size_t{5}); // a heading and four ranks
        QVERIFY(book["Operator_Cmp"]["rows"].size() > 2); // a heading and at least two operators
        const json number = book["Step_ByRank_Cmp"]["rows"][1][2];
        QVERIFY2(std::abs(number.get<double>() - stepMs) < 1e-6, number.dump().c_str());
        QVERIFY(
            textOf(out.filePath(QStringLiteral("performance_analysis_report.html"))).contains("Mean step "));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestBatchComparedCaptures)
#include "tst_batch_compared_captures.moc"
