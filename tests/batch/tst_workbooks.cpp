// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The workbooks of --report and --baseline through the real binary, read back by somebody else's reader.

#include "tests/batch/program.h"
#include "tests/batch/workbook_rows.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/sample_trace.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

namespace collscope {

using nlohmann::json;

namespace {

json oracleOf(const QString& name)
{
    QFile file(oracleFolder() + QStringLiteral("/reports/multirank/cmp/") + name
               + QStringLiteral(".xlsx.json"));
    return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().constData(), nullptr, false)
                                          : json(json::value_t::discarded);
}

/// What the older tools do otherwise, by sheet ("" = all) and column, and why ours is right.
struct Exception
{
    const char* sheet;
    const char* column;
    const char* point;
};
constexpr Exception exceptions[] = {
    {"", "status", "busy time, all communication and all copies are not judged"},
    {"", "Status", "busy time, all communication and all copies are not judged"},
    {"", "node_id", "the traces name no host: nodes are not guessed"},
    {"", "node_span", "the traces name no host: nodes are not guessed"},
    {"straggler_summary", "total_wait_time_us", "exact, where theirs is rounded to a tenth"},
    {"straggler_summary", "mean_wait_time_us", "exact, where theirs is rounded to a tenth"},
    {"straggler_summary", "total_nccl_dur_us", "exact, where theirs is rounded to a tenth"},
    {"straggler_summary", "pct_arrived_last", "A4.18: of the collectives that the rank took part in"},
    {"straggler_summary", "num_collectives", "A4.18"},
};

bool isExcepted(const std::string& sheet, const std::string& column)
{
    return std::any_of(std::begin(exceptions), std::end(exceptions), [&](const Exception& exception) {
        return column == exception.column && sheet.find(exception.sheet) != std::string::npos;
    });
}

/// Tabs that aorta's guide calls otherwise than its code does: ours have the names of the guide.
std::string ourName(const std::string& sheet)
{
    return sheet == "NCCL_ImplicitSyncCmp" ? "NCCL_ImplSync_Cmp"
        : sheet == "NCCL_LongCmp"          ? "NCCL_Long_Cmp"
                                           : sheet;
}

/// Columns that tell the rows of a sheet apart.
std::vector<std::string> keysOf(const json& header)
{
    std::vector<std::string> keys;
    for (const char* column :
         {"collective_id", "index_in_group", "rank", "type", "Metric", "Collective name", "dtype",
          "In msg nelems", "Out msg nelems", "src_rank", "dst_rank", "Process Group Name", "source"}) {
        if (std::find(header.begin(), header.end(), column) != header.end())
            keys.emplace_back(column);
    }
    return keys;
}

/// The first difference between a sheet of ours and the one that is expected; "" if there is none.
std::string differenceOf(const std::string& name, const json& ours, const json& expected)
{
    if (ours["state"] != expected["state"])
        return name + " is " + ours["state"].dump();
    const std::vector<std::string> keys = keysOf(expected["rows"][0]);
    const auto own = rowsOf(ours["rows"], keys);
    const auto theirs = rowsOf(expected["rows"], keys);
    const std::size_t more = name == "Summary_Dashboard" ? 1 : 0; // the collectives
    if (own.size() != theirs.size() + more || theirs.size() != expected["rows"].size() - 1)
        return name + ": " + std::to_string(own.size()) + " rows, not " + std::to_string(theirs.size());
    for (const auto& [key, row] : theirs) {
        const auto found = own.find(key);
        if (found == own.end())
            return name + " has no row " + key;
        for (const auto& [column, cell] : row) {
            const auto mine = found->second.find(column);
            if (mine == found->second.end())
                return name + " has no column " + column;
            if (!isSame(mine->second, cell) && !isExcepted(name, column))
                return name + ", " + key + ", " + column + ": " + mine->second.dump() + ", not "
                    + cell.dump();
        }
    }
    return {};
}

/// Headers of the columns that the colour scales of a sheet are on: "E2:E9" is the fifth.
std::set<std::string> scaledColumns(const json& sheet)
{
    std::set<std::string> columns;
    for (const json& scale : sheet["scales"]) {
        std::size_t column = 0;
        for (const char c : scale["range"].get<std::string>()) {
            if (c < 'A' || c > 'Z')
                break;
            column = column * 26 + static_cast<std::size_t>(c - 'A') + 1;
        }
        columns.insert(sheet["rows"][0].at(column - 1).get<std::string>());
    }
    return columns;
}

} // namespace

class TestWorkbooks : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_compared; ///< the oracle's runs, with the bandwidths of the older tools

    QString path(const QString& name) const { return m_folder.filePath(name); }
    static QString multirank() { return oracleFolder() + QStringLiteral("/reports/multirank/"); }
    QString compared()
    {
        if (m_compared.isEmpty()) {
            const QString out = path(QStringLiteral("compared"));
            const ProgramRun run
                = runBatchProgram({QStringLiteral("--baseline"), multirank() + QStringLiteral("base"),
                                   QStringLiteral("--test"), multirank() + QStringLiteral("test"),
                                   QStringLiteral("--output"), out, QStringLiteral("--gib-compat")});
            m_compared = run.exitCode == 0 ? out : QString();
        }
        return m_compared;
    }

private slots:
    void asTheOlderTools_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"gpu_timeline_combined", "gpu_timeline_comparison", "collective_combined",
                                 "collective_comparison", "final_analysis_report"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void asTheOlderTools()
    {
        QFETCH(const QString, name);
        if (oracleFolder().isEmpty())
            QSKIP("No oracle cases (COLLSCOPE_ORACLE).");
        QVERIFY(!compared().isEmpty());
        const json ours = workbookOf(compared() + QLatin1Char('/') + name + QStringLiteral(".xlsx"));
        const json expected = oracleOf(name);
        QVERIFY(!ours.is_discarded() && !expected.is_discarded());
        // Raw sheets that stand there a second time under another name.
        const std::set<std::string> copies{"NCCL_nccl_summary_implicit_sync", "NCCL_nccl_summary_long",
                                           "NCCL_nccl_summary_all2allv", "straggler_summary"};
        for (const auto& [theirName, sheet] : expected.items()) {
            if (name == QStringLiteral("final_analysis_report") && copies.count(theirName) > 0)
                continue;
            const std::string own = ourName(theirName);
            QVERIFY2(ours.contains(own), own.c_str());
            // Theirs compares no column, and has no rank among its keys.
            if (own != "NCCL_Long_Cmp" && own != "nccl_long_cmp") {
                const std::string difference = differenceOf(own, ours[own], sheet);
                QVERIFY2(difference.empty(), difference.c_str());
            }
            for (const auto& [tableName, table] : sheet["tables"].items()) {
                const json& mine = ours[own]["tables"][ourName(tableName)];
                for (const char* key : {"style", "stripes", "filter"})
                    QVERIFY2(mine[key] == table[key], own.c_str());
                const std::string last = mine["ref"];
                QVERIFY2(last.ends_with(std::to_string(ours[own]["rows"].size())), last.c_str());
            }
            QVERIFY2(ours[own]["scales"].size() >= sheet["condfmt"].size(), own.c_str());
            std::set<std::string> changes;
            for (const json& header : ours[own]["rows"][0]) {
                if (header == "Improvement (%)" || textOf(header).starts_with("percent_change"))
                    changes.insert(header);
            }
            QVERIFY2(scaledColumns(ours[own]) == changes, own.c_str());
            for (const json& scale : ours[own]["scales"]) {
                QVERIFY(scale["points"][0][0] == json("min"));
                QVERIFY(scale["points"][1][0] == json("num"));
                QVERIFY(scale["points"][2][0] == json("max"));
                QVERIFY(scale["colors"] == json({"F8696B", "FFFFFF", "63BE7B"}));
            }
        }
    }
    void reportsOfOlderToolsAreReused()
    {
        if (oracleFolder().isEmpty())
            QSKIP("No oracle cases (COLLSCOPE_ORACLE).");
        const QString out = path(QStringLiteral("reused"));
        const ProgramRun run
            = runBatchProgram({QStringLiteral("--baseline"), multirank() + QStringLiteral("base"),
                               QStringLiteral("--test"), multirank() + QStringLiteral("test"),
                               QStringLiteral("--output"), out, QStringLiteral("--skip-tracelens")});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.err.contains("reading the reports of"), run.err.constData());
        const json ours = workbookOf(out + QStringLiteral("/gpu_timeline_comparison.xlsx"));
        const json expected = oracleOf(QStringLiteral("gpu_timeline_comparison"));
        const std::string difference
            = differenceOf("Summary_Comparison", ours["Summary_Comparison"], expected["Summary_Comparison"]);
        QVERIFY2(difference.empty(), difference.c_str());
    }
    void bandwidthsAreDecimal()
    {
        if (oracleFolder().isEmpty())
            QSKIP("No oracle cases (COLLSCOPE_ORACLE).");
        const QString out = path(QStringLiteral("decimal"));
        const ProgramRun run
            = runBatchProgram({QStringLiteral("--report"), QStringLiteral("collective"),
                               multirank() + QStringLiteral("base"), QStringLiteral("--output"), out});
        QCOMPARE(run.exitCode, 0);
        const QString book
            = out + QStringLiteral("/base/tracelens_analysis/collective_reports/collective_all_ranks.xlsx");
        QVERIFY2(run.out.contains(book.toUtf8()), run.out.constData());
        const auto rows = rowsOf(workbookOf(book)["nccl_implicit_sync"]["rows"], {"collective_id"});
        const json expected = oracleOf(QStringLiteral("collective_combined"))["nccl_implicit_sync"];
        for (const auto& [key, row] : rowsOf(expected["rows"], {"collective_id", "source"})) {
            if (!key.ends_with("|base|"))
                continue;
            const double decimal = rows.at(key.substr(0, key.size() - 5)).at("algo bw (GB/s)");
            QVERIFY(std::abs(decimal / row.at("algo bw (GB/s)").get<double>() - 1.073741824) < 1e-9); // GiB
        }
    }
    void individualReports()
    {
        const QString run = path(QStringLiteral("run"));
        QVERIFY(QDir().mkpath(run));
        for (const int rank : {0, 1})
            writeFile((run + QStringLiteral("/rank%1.json").arg(rank)).toStdString(), sampleTrace(rank, 40));
        const QStringList before = QDir(run).entryList();
        const QString out = path(QStringLiteral("individual"));
        const ProgramRun program
            = runBatchProgram({QStringLiteral("--report"), QStringLiteral("individual,collective"), run,
                               QStringLiteral("--output"), out});
        QVERIFY2(program.exitCode == 0, program.err.constData());
        const QString folder = out + QStringLiteral("/run/tracelens_analysis/individual_reports/");
        for (const int rank : {0, 1}) {
            const json book = workbookOf(folder + QStringLiteral("rank%1_individual_report.xlsx").arg(rank));
            QVERIFY(!book.is_discarded());
            QCOMPARE(book["gpu_timeline"]["rows"].size(), std::size_t{9});
            QVERIFY(book["gpu_timeline"]["tables"].contains("gpu_timeline"));
        }
        QCOMPARE(QDir(run).entryList(), before); // nothing beside the traces
    }
    void formatsThatWereNotAskedForAreNotWritten()
    {
        const QString run = path(QStringLiteral("one"));
        QVERIFY(QDir().mkpath(run));
        writeFile((run + QStringLiteral("/rank0.json")).toStdString(), sampleTrace(0, 40));
        const QString out = path(QStringLiteral("json"));
        const ProgramRun program = runBatchProgram({QStringLiteral("--report"), QStringLiteral("individual"),
                                                    run, QStringLiteral("--report-format"),
                                                    QStringLiteral("json"), QStringLiteral("--output"), out});
        QVERIFY2(program.exitCode == 0, program.err.constData());
        QStringList files;
        QDirIterator all(out, QDir::Files, QDirIterator::Subdirectories);
        while (all.hasNext())
            files += QFileInfo(all.next()).fileName();
        files.sort();
        QCOMPARE(files,
                 (QStringList{QStringLiteral("gpu_timeline_summary_mean.json"),
                              QStringLiteral("rank0_individual_report.json")}));
    }
    /// Sheets that are too long for memory are written row by row: the reader must see no difference.
    void longSheets()
    {
        constexpr int calls = 3000;
        SmallRun made(2);
        for (int rank = 0; rank < 2; ++rank) {
            made.step(rank, 1, 0, calls * 100.0);
            for (int i = 0; i < calls; ++i) {
                SmallCall call{"allreduce", "=dp & <more>", "[0, 1]", 2, 100 + i, 100 + i};
                call.sequence = i + 1;
                made.call(rank, i * 100.0 + 10 * rank, 50 - 10 * rank, call);
            }
        }
        const QString run = path(QStringLiteral("long"));
        made.write(run.toStdString());
        const QString out = path(QStringLiteral("long out"));
        const ProgramRun written
            = runBatchProgram({QStringLiteral("report"), run, QStringLiteral("--kind"),
                               QStringLiteral("collective"), QStringLiteral("--report-format"),
                               QStringLiteral("xlsx,json,csv"), QStringLiteral("--output"), out});
        QVERIFY2(written.exitCode == 0, written.err.constData());
        const QString stem
            = out + QStringLiteral("/long/tracelens_analysis/collective_reports/collective_all_ranks");
        const json book = workbookOf(stem + QStringLiteral(".xlsx"));
        QFile file(stem + QStringLiteral(".json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const json sheets = json::parse(file.readAll().constData())["sheets"];
        std::set<std::string> found;
        for (const json& sheet : sheets) {
            const std::string name = sheet["name"];
            found.insert(name);
            const json& rows = book[name]["rows"];
            QCOMPARE(rows.size(), sheet["rows"].size() + 1);
            QVERIFY2(rows[0] == sheet["columns"], name.c_str());
            for (std::size_t r = 0; r < sheet["rows"].size(); ++r) {
                for (std::size_t c = 0; c < sheet["columns"].size(); ++c) {
                    QVERIFY2(isSame(rows[r + 1][c], sheet["rows"][r][c]), name.c_str());
                }
            }
            const json& table = book[name]["tables"][name];
            QVERIFY2(table.is_object() && table["filter"] == true, name.c_str());
            QVERIFY(QString::fromStdString(table["ref"].get<std::string>())
                        .endsWith(QString::number(rows.size())));
            QFile csv(stem + u'/' + QString::fromStdString(name) + QStringLiteral(".csv"));
            QVERIFY(csv.open(QIODevice::ReadOnly));
            QCOMPARE(csv.readAll().count('\n'), static_cast<qsizetype>(rows.size()));
        }
        QVERIFY(found.contains("nccl_long") && found.contains("nccl_implicit_sync"));
        QCOMPARE(book["nccl_long"]["rows"].size(), std::size_t{2 * calls + 1});
        QVERIFY(book["nccl_long"]["rows"][2 * calls][8] == 100 + calls - 1); // In msg nelems
        QVERIFY(book["nccl_long"]["rows"][1][3] == "=dp & <more>");
    }
    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* what, const char* arguments, const char* says) {
            QTest::newRow(what) << QString::fromLatin1(arguments).split(QLatin1Char(' ')) << QByteArray(says);
        };
        row("no test", "--baseline a --output o", "needs --baseline A and --test B");
        row("no folder", "--baseline a --test b", "--output DIR");
        row("two tests", "--baseline a --test b --test c --output o", "--compare-all-runs");
        row("another run", "c --baseline a --test b --output o", "remove the other run");
        row("choices alone", "a --final-report", "--final-report applies to --batch compare");
        row("both only", "--baseline a --test b --output o --individual-only --collective-only",
            "--collective-only cannot be combined");
        row("a threshold alone", "a --threshold 3",
            "--threshold applies to --batch page and --batch compare");
        row("means alone", "a --geo-mean", "applies to --batch report and --batch compare");
        row("means of a text", "a --report text --geo-mean", "apply to --report individual,collective");
        row("a format that is none", "--report collective a --output o --report-format pdf",
            "takes xlsx, csv and json, not 'pdf'");
        row("books of two runs",
            "--baseline a --test b --test c --compare-all-runs --gpu-timeline --output o",
            "remove --all, --gpu-timeline");
        row("a report without a folder", "--report individual a", "--output DIR");
    }
    void wrongUsage()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, says);
        const ProgramRun run = runBatchProgram(arguments);
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(run.err.contains(says), run.err.constData());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWorkbooks)
#include "tst_workbooks.moc"
