// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a comparison of two runs writes: tabs, pictures, the page, the same sheets in other formats.

#include "tests/batch/program.h"
#include "tests/batch/workbook_rows.h"
#include "tests/support/runs/compared_runs.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

namespace collscope {

using nlohmann::json;

namespace {

/// The first difference between the rows of a workbook and a sheet of a JSON report; "" if there is none.
std::string differenceOfRows(const json& book, const json& sheet)
{
    if (book.empty() || book[0].size() != sheet["columns"].size() || book.size() != sheet["rows"].size() + 1)
        return "another size";
    for (std::size_t r = 1; r < book.size(); ++r) {
        for (std::size_t c = 0; c < book[r].size(); ++c) {
            const json& cell = sheet["rows"][r - 1][c];
            if (!isSame(cell, book[r][c]))
                return "row " + std::to_string(r) + ": " + cell.dump() + ", not " + book[r][c].dump();
        }
    }
    return {};
}

/// A sheet of a JSON report as RFC 4180 has it.
std::string csvOf(const json& sheet)
{
    const auto lineOf = [](const json& cells) {
        std::string line;
        for (const json& cell : cells) {
            std::string text = cell.is_string() ? cell.get<std::string>() : cell.is_null() ? "" : cell.dump();
            if (text.find_first_of(",\"") != std::string::npos) {
                for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
                    text.insert(at, 1, '"');
                text = '"' + text + '"';
            }
            line += (&cell == &cells.front() ? "" : ",") + text;
        }
        return line + "\n";
    };
    std::string csv = lineOf(sheet["columns"]);
    for (const json& row : sheet["rows"])
        csv += lineOf(row);
    return csv;
}

} // namespace

class TestComparedOutputs : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    std::map<QString, QString> m_compared; ///< by the folder of the runs

    QString newFolder() const
    {
        QTemporaryDir folder(m_folder.filePath(QStringLiteral("out-XXXXXX")));
        folder.setAutoRemove(false);
        return folder.path();
    }
    /// Folders with the runs `base` and `test`: planted ones, whose base takes 0.7 ms longer for a step of 10
    /// ms, and, if they are here, those of the oracle.
    void addRuns() const
    {
        QTest::addColumn<QString>("runs");
        QTest::addColumn<double>("change"); // of the time from the first kernel to the last one, in percent
        QTest::addColumn<bool>("hasSteps");
        QTest::newRow("planted") << m_folder.filePath(QStringLiteral("planted/"))
                                 << 100 * (50.9 - 47.4) / 50.9 << true;
        if (!oracleFolder().isEmpty())
            QTest::newRow("oracle") << oracleFolder() + QStringLiteral("/reports/multirank/")
                                    << 4.66792298358652 << false;
    }
    /// The reports of `base` and `test`.
    QString compared(const QString& runs)
    {
        QString& out = m_compared[runs];
        if (out.isEmpty()) {
            const QString folder = newFolder();
            const ProgramRun run
                = runBatchProgram({QStringLiteral("--baseline"), runs + QStringLiteral("base"),
                                   QStringLiteral("--test"), runs + QStringLiteral("test"),
                                   QStringLiteral("--output"), folder, QStringLiteral("--gib-compat")});
            out = run.exitCode == 0 ? folder : QString();
        }
        return out;
    }

private slots:
    void initTestCase()
    {
        RunChange slower;
        slower.slowerGemm = 700;
        comparedRun(slower).write(m_folder.filePath(QStringLiteral("planted/base")).toStdString());
        comparedRun().write(m_folder.filePath(QStringLiteral("planted/test")).toStdString());
    }
    void tabsOfTheReport_data() { addRuns(); }
    /// Runs with steps have a sheet of them, captures without steps are compared by units of work.
    void tabsOfTheReport()
    {
        QFETCH(const QString, runs);
        QFETCH(const bool, hasSteps);
        const QString file = compared(runs) + QStringLiteral("/final_analysis_report.xlsx");
        QProcess list; // in the order of the file, which JSON objects do not keep
        list.start(
            QStringLiteral("/usr/bin/python3"),
            {QStringLiteral("-c"),
             QStringLiteral("import openpyxl,sys;b=openpyxl.load_workbook(sys.argv[1]);"
                            "print(b.active.title,','.join(s.title for s in b if s.sheet_state=='visible'))"),
             file});
        list.waitForFinished();
        QCOMPARE(
            list.readAllStandardOutput().trimmed(),
            QByteArray("Summary_Dashboard Summary_Dashboard,GPU_Summary_Cmp,GPU_ByRank_Cmp,"
                       "NCCL_ImplSync_Cmp,NCCL_Long_Cmp,")
                + (hasSteps ? "Step_Waterfall,Step_Cmp," : "Unit_Summary_Cmp,Unit_ByRank_Cmp,Step_Waterfall,")
                + "Kernel_Class_Cmp,Kernel_Cmp,Notes");
    }
    void picturesAndAPage_data() { addRuns(); }
    void picturesAndAPage()
    {
        QFETCH(const QString, runs);
        const QStringList pictures{QStringLiteral("NCCL_Algorithm_Bandwidth_comparison.png"),
                                   QStringLiteral("NCCL_Bus_Bandwidth_comparison.png"),
                                   QStringLiteral("NCCL_Communication_Latency_comparison.png"),
                                   QStringLiteral("NCCL_Performance_Percentage_Change_comparison.png"),
                                   QStringLiteral("NCCL_Total_Communication_Latency_comparison.png"),
                                   QStringLiteral("abs_time_comparison.png"),
                                   QStringLiteral("computation_time_by_rank.png"),
                                   QStringLiteral("gpu_time_change_percentage_summary_by_rank.png"),
                                   QStringLiteral("gpu_time_heatmap.png"),
                                   QStringLiteral("idle_time_by_rank.png"),
                                   QStringLiteral("improvement_chart.png"),
                                   QStringLiteral("total_comm_time_by_rank.png"),
                                   QStringLiteral("total_time_by_rank.png")};
        QCOMPARE(QDir(compared(runs) + QStringLiteral("/plots")).entryList(QDir::Files, QDir::Name),
                 pictures);
        QFile page(compared(runs) + QStringLiteral("/performance_analysis_report.html"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray html = page.readAll();
        // Every picture is in the page, and nothing comes from elsewhere.
        QCOMPARE(html.count("src=\"data:image/png;base64,"), pictures.size());
        QVERIFY(!html.contains("src=\"http") && !html.contains("href"));
        QVERIFY(html.contains("<td class=\"name better\">Better</td>"));
    }
    void otherFormatsHoldTheSame_data() { addRuns(); }
    void otherFormatsHoldTheSame()
    {
        QFETCH(const QString, runs);
        const QString out = newFolder();
        const ProgramRun run
            = runBatchProgram({QStringLiteral("--baseline"), runs + QStringLiteral("base"),
                               QStringLiteral("--test"), runs + QStringLiteral("test"),
                               QStringLiteral("--output"), out, QStringLiteral("--report-format"),
                               QStringLiteral("xlsx,csv,json"), QStringLiteral("--final-report")});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QString reports = out + QStringLiteral("/base/tracelens_analysis/");
        for (const QString& name : {out + QStringLiteral("/final_analysis_report"),
                                    reports + QStringLiteral("collective_reports/collective_all_ranks"),
                                    reports + QStringLiteral("individual_reports/rank2_individual_report")}) {
            const json book = workbookOf(name + QStringLiteral(".xlsx"));
            QVERIFY2(!book.is_discarded(), qPrintable(name));
            const json again = jsonOf(contentOf(name + QStringLiteral(".json")));
            QCOMPARE(again["schema"].get<std::string>(), std::string("collscope.workbook/1"));
            const std::size_t notes = again["notes"].empty() ? 0 : 1;
            QCOMPARE(again["sheets"].size() + notes, book.size());
            QCOMPARE(QDir(name).entryList(QDir::Files).size(), static_cast<int>(book.size()));
            for (const json& sheet : again["sheets"]) {
                const std::string title = sheet["name"];
                QCOMPARE(sheet["hidden"].get<bool>(), book[title]["state"] == json("hidden"));
                const std::string difference = differenceOfRows(book[title]["rows"], sheet);
                QVERIFY2(difference.empty(), (title + ": " + difference).c_str());
                QFile csv(name + QLatin1Char('/') + QString::fromStdString(title) + QStringLiteral(".csv"));
                QVERIFY2(csv.open(QIODevice::ReadOnly), title.c_str());
                QCOMPARE(csv.readAll().toStdString(), csvOf(sheet));
            }
            if (notes > 0)
                QVERIFY(QFile::exists(name + QStringLiteral("/Notes.csv")));
        }
    }
    void severalTestsInOneTable_data() { addRuns(); }
    void severalTestsInOneTable()
    {
        QFETCH(const QString, runs);
        QFETCH(const double, change);
        const QString out = newFolder();
        const QString base = runs + QStringLiteral("base");
        const QString test = runs + QStringLiteral("test");
        const ProgramRun run
            = runBatchProgram({QStringLiteral("--baseline"), base, QStringLiteral("--test"), test,
                               QStringLiteral("--test"), base, QStringLiteral("--test"), test,
                               QStringLiteral("--compare-all-runs"), QStringLiteral("--output"), out});
        QVERIFY2(run.exitCode == 0, run.err.constData()); // aorta's tool fails with four runs
        const json book = workbookOf(out + QStringLiteral("/final_analysis_report_for_all.xlsx"));
        const auto rows = rowsOf(book["Summary"]["rows"], {"type"});
        const auto& total = rows.at("total_time|");
        const json got = total.at("percent_change_test");
        QVERIFY2(std::abs(got.get<double>() - change) < 1e-9, got.dump().c_str());
        QCOMPARE(total.at("percent_change_test_2").get<double>(), 0.0);
        QVERIFY(total.at("status_test") == json("Better"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestComparedOutputs)
#include "tst_compared_outputs.moc"
