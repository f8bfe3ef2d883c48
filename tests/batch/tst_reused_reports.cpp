// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --skip-tracelens through the real binary: reports that lie there already, of Collscope and of older tools.

#include "tests/batch/program.h"
#include "tests/support/runs/compared_runs.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/sample_trace.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <map>

namespace collscope {

using nlohmann::json;

namespace {

/// The numbers of the columns whose name begins and ends so.
std::vector<double> numbersIn(const json& rows, const std::string& begin, const std::string& end)
{
    std::vector<double> numbers;
    for (std::size_t c = 0; !rows.empty() && c < rows[0].size(); ++c) {
        const std::string column = rows[0][c].is_string() ? rows[0][c].get<std::string>() : std::string();
        for (std::size_t r = 1; column.starts_with(begin) && column.ends_with(end) && r < rows.size(); ++r) {
            if (rows[r][c].is_number())
                numbers.push_back(rows[r][c]);
        }
    }
    return numbers;
}

/// The notes of a workbook, one per line.
std::string notesOf(const json& book)
{
    std::string notes;
    if (book.is_object() && book.contains("Notes")) {
        for (const json& row : book["Notes"]["rows"])
            notes += row[0].get<std::string>() + "\n";
    }
    return notes;
}

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
}

/// The first difference between two workbooks; "" if there is none. 16 digits of a number are written.
std::string differenceOf(const json& a, const json& b)
{
    if (a.is_number() && b.is_number())
        return isNear(a, b) ? "" : a.dump() + ", not " + b.dump();
    if (a.is_structured() && a.type() == b.type() && a.size() == b.size()) {
        for (const auto& [key, own] : a.items()) {
            if (key == "formats")
                continue; // a workbook does not tell 5 from 5.0
            if (a.is_object() && !b.contains(key))
                return key + " is missing";
            const json& other = a.is_object() ? b[key] : b[std::stoul(key)];
            if (const std::string difference = differenceOf(own, other); !difference.empty())
                return key + "/" + difference;
        }
        return "";
    }
    return a == b ? "" : a.dump().substr(0, 200) + ", not " + b.dump().substr(0, 200);
}

} // namespace

class TestReusedReports : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    QString path(const QString& name) const { return m_folder->filePath(name); }
    static QString multirank() { return oracleFolder() + QStringLiteral("/reports/multirank/"); }
    /// The four traces of a run of the oracle under another name, without the reports that lie beside them.
    QString copyOf(const QString& run, const QString& name) const
    {
        for (int rank = 0; rank < 4; ++rank) {
            const QString trace = QStringLiteral("/torch_profiler/rank%1/trace.json").arg(rank);
            QDir().mkpath(QFileInfo(path(name) + trace).path());
            QFile::copy(multirank() + run + trace, path(name) + trace);
        }
        return path(name);
    }
    ProgramRun compare(const QString& base, const QString& test, const QString& out,
                       const QStringList& more = {}) const
    {
        return runBatchProgram(QStringList{QStringLiteral("--baseline"), base, QStringLiteral("--test"), test,
                                           QStringLiteral("--output"), path(out)}
                               + more);
    }
    json book(const QString& name) const { return workbookOf(path(name)); }

    /// A run of two ranks with kernels and without collectives.
    QString smallRun(const QString& name, int events) const
    {
        QDir().mkpath(path(name));
        for (const int rank : {0, 1})
            writeFile(path(name + QStringLiteral("/rank%1.json").arg(rank)).toStdString(),
                      sampleTrace(rank, events));
        return path(name);
    }
    /// A folder of any name, as a path without it that leads there.
    QString linkTo(const std::string& name, const std::string& link) const
    {
        namespace fs = std::filesystem;
        const fs::path folder = fs::path(m_folder->path().toStdString()) / (link + "_of") / name;
        fs::create_directories(folder);
        writeFile(folder / "rank0.json", sampleTrace(0, 40));
        fs::create_directory_symlink(folder, m_folder->path().toStdString() + '/' + link);
        return path(QString::fromStdString(link));
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup()
    {
        // Qt does not remove names that are no UTF-8.
        std::error_code error;
        std::filesystem::remove_all(m_folder->path().toStdString(), error);
    }

    // Until they were brought to one unit, every bandwidth of the older reports was 7.37 % "Worse".
    void bandwidthsOfOlderToolsAreBroughtToOurUnit_data()
    {
        QTest::addColumn<QStringList>("choice");
        QTest::addColumn<QByteArray>("note");
        QTest::newRow("decimal") << QStringList() << QByteArray("base: Bandwidths are in decimal GB/s; ");
        QTest::newRow("GiB") << QStringList{QStringLiteral("--gib-compat")}
                             << QByteArray("base: Bandwidths are in GiB/s");
    }
    void bandwidthsOfOlderToolsAreBroughtToOurUnit()
    {
        QFETCH(const QStringList, choice);
        QFETCH(const QByteArray, note);
        if (oracleFolder().isEmpty())
            QSKIP("No oracle cases (COLLSCOPE_ORACLE).");
        const QString same = copyOf(QStringLiteral("base"), QStringLiteral("same"));
        const ProgramRun run
            = compare(multirank() + QStringLiteral("base"), same, QStringLiteral("out"),
                      QStringList{QStringLiteral("--skip-tracelens"), QStringLiteral("--all")} + choice);
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.err.contains("base/tracelens_analysis."), run.err.constData());
        const json collectives = book(QStringLiteral("out/collective_comparison.xlsx"));
        const json& rows = collectives["nccl_implicit_sync_cmp"]["rows"];
        const std::vector<double> changes = numbersIn(rows, "percent_change", "bw (GB/s)_mean");
        QVERIFY(changes.size() > 2);
        for (const double change : changes)
            QVERIFY2(std::abs(change) < 1e-6, std::to_string(change).c_str());
        const std::string notes = notesOf(book(QStringLiteral("out/final_analysis_report.xlsx")));
        QVERIFY2(notes.find(note.toStdString()) != std::string::npos, notes.c_str());
        QCOMPARE(notes.find("were read in GiB/s and multiplied by 1.073741824.") != std::string::npos,
                 choice.isEmpty());
    }
    void ourReportsReadAgainSayTheSame_data()
    {
        QTest::addColumn<bool>("isPlanted");
        QTest::newRow("planted") << true;
        if (!oracleFolder().isEmpty())
            QTest::newRow("oracle") << false;
    }
    void ourReportsReadAgainSayTheSame()
    {
        QFETCH(const bool, isPlanted);
        const auto written = [&](const QString& name) {
            if (!isPlanted)
                return copyOf(name, name);
            RunChange change;
            change.slowerGemm = name == QStringLiteral("base") ? 700 : 0;
            comparedRun(change).write(path(name).toStdString());
            return path(name);
        };
        const QString base = written(QStringLiteral("base"));
        const QString test = written(QStringLiteral("test"));
        const QStringList all{QStringLiteral("--all")};
        const QStringList again{QStringLiteral("--all"), QStringLiteral("--skip-tracelens")};
        QCOMPARE(compare(base, test, QStringLiteral("out"), all).exitCode, 0);
        const QStringList names{QStringLiteral("out/final_analysis_report.xlsx"),
                                QStringLiteral("out/collective_combined.xlsx"),
                                QStringLiteral("out/collective_comparison.xlsx"),
                                QStringLiteral("out/gpu_timeline_combined.xlsx")};
        std::vector<json> first;
        for (const QString& name : names)
            first.push_back(book(name));
        QVERIFY(!notesOf(first.front()).empty());
        QVERIFY(notesOf(first.front()).find("Made from") == std::string::npos); // the labels say it
        const ProgramRun run = compare(base, test, QStringLiteral("out"), again);
        QVERIFY2(run.exitCode == 0 && run.err.count("reading the reports of") == 2, run.err.constData());
        for (int i = 0; i < names.size(); ++i) {
            const std::string difference = differenceOf(book(names[i]), first[static_cast<std::size_t>(i)]);
            QVERIFY2(difference.empty(), (names[i].toStdString() + ": " + difference).c_str());
        }
        // In the other unit every bandwidth changes alike, and the notes say so.
        QCOMPARE(
            compare(base, test, QStringLiteral("out"), again + QStringList{QStringLiteral("--gib-compat")})
                .exitCode,
            0);
        const json compat = book(names[0]);
        const auto bandwidths = [](const json& report, const char* label) {
            return numbersIn(report["NCCL_ImplSync_Cmp"]["rows"], label, "bw (GB/s)_mean");
        };
        const std::vector<double> gib = bandwidths(compat, "base_"), decimal = bandwidths(first[0], "base_");
        QVERIFY(!gib.empty() && gib.size() == decimal.size());
        for (std::size_t i = 0; i < gib.size(); ++i)
            QVERIFY(isNear(gib[i] * 1.073741824, decimal[i]));
        QVERIFY(notesOf(compat).find("test: Bandwidths are in GiB/s") != std::string::npos);
    }
    void reportsOfAnotherRunAreMadeAgain()
    {
        const QStringList kind{QStringLiteral("--individual-only"), QStringLiteral("--gpu-timeline"),
                               QStringLiteral("--final-report")};
        const QStringList again = kind + QStringList{QStringLiteral("--skip-tracelens")};
        const QString one = smallRun(QStringLiteral("a/run"), 40);
        const QString other = smallRun(QStringLiteral("b/run"), 80);
        const QString test = smallRun(QStringLiteral("test"), 60);
        QCOMPARE(compare(one, test, QStringLiteral("out"), kind).exitCode, 0);
        const ProgramRun run = compare(other, test, QStringLiteral("out"), again);
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QString says
            = QStringLiteral("reports in %1 were created from %2, not from %3; creating them again.")
                  .arg(path(QStringLiteral("out/run/tracelens_analysis")), QFileInfo(one).canonicalFilePath(),
                       QFileInfo(other).canonicalFilePath());
        QVERIFY2(run.err.contains(says.toUtf8()), run.err.constData());
        QCOMPARE(run.err.count("reading the reports of"), 1);
        QCOMPARE(compare(other, test, QStringLiteral("fresh"), kind).exitCode, 0);
        const std::string difference = differenceOf(book(QStringLiteral("out/final_analysis_report.xlsx")),
                                                    book(QStringLiteral("fresh/final_analysis_report.xlsx")));
        QVERIFY2(difference.empty(), difference.c_str());
        // The reports are all that is needed of a run.
        QVERIFY(QDir(other).removeRecursively());
        const ProgramRun last = compare(other, test, QStringLiteral("out"), again);
        QVERIFY2(last.exitCode == 0 && last.err.count("reading the reports of") == 2, last.err.constData());
    }
    void whatCardsSayIsKept()
    {
        const auto run = [this](const QString& name, const char* batch) {
            const QString folder = smallRun(name, 40);
            writeFile((folder + QStringLiteral("/card.yaml")).toStdString(),
                      std::string("workload:\n  model:\n    phase: training\n  data:\n    batch_size: ")
                          + batch + "\n    seq_len: 512\n");
            return folder;
        };
        const QString base = run(QStringLiteral("base"), "8"), test = run(QStringLiteral("test"), "4");
        for (const QStringList& more : {QStringList(), QStringList{QStringLiteral("--skip-tracelens")}}) {
            const ProgramRun compared = compare(base, test, QStringLiteral("out"), more);
            QVERIFY2(compared.exitCode == 0, compared.err.constData());
            QCOMPARE(compared.err.count("reading the reports of"), more.isEmpty() ? 0 : 2);
            QVERIFY2(compared.err.contains("batch 8 -> 4"), compared.err.constData());
        }
    }
    void aRunThatIsNotThereIsToldBeforeTheFirstIsRead()
    {
        const QString base = smallRun(QStringLiteral("base"), 40);
        for (const QStringList& more : {QStringList(), QStringList{QStringLiteral("--skip-tracelens")}}) {
            const ProgramRun run
                = compare(base, path(QStringLiteral("nowhere")), QStringLiteral("out"), more);
            QCOMPARE(run.exitCode, 2);
            QVERIFY2(run.err.contains("The file or folder " + path(QStringLiteral("nowhere")).toUtf8()),
                     run.err.constData());
            QVERIFY(!QFile::exists(path(QStringLiteral("out"))));
        }
    }
    void nothingIsSaidOfCallsThatAreNotThere()
    {
        const QString base = smallRun(QStringLiteral("base"), 40);
        QCOMPARE(compare(base, smallRun(QStringLiteral("test"), 60), QStringLiteral("out")).exitCode, 0);
        const std::string notes = notesOf(book(QStringLiteral("out/final_analysis_report.xlsx")));
        QVERIFY2(!notes.empty() && notes.find("matched across") == std::string::npos, notes.c_str());
    }
    void anyFolderNamesARun_data()
    {
        QTest::addColumn<QByteArray>("base");
        QTest::addColumn<QByteArray>("test");
        QTest::newRow("85 characters of three bytes")
            << QByteArray("\xE6\xBC\xA2").repeated(85) << QByteArray("b");
        QTest::newRow("not UTF-8") << QByteArray("a\xff") << QByteArray("b\xC3(");
        QTest::newRow("control characters") << QByteArray("a\x01") << QByteArray("a\x1b[2J");
        QTest::newRow("long twins") << QByteArray(128, 'n') << QByteArray(128, 'n');
        QTest::newRow("names of columns") << QByteArray("diff_x") << QByteArray("ratio");
        QTest::newRow("markup") << QByteArray("<a&\"b\">") << QByteArray("=1+1'");
    }
    void anyFolderNamesARun()
    {
        QFETCH(const QByteArray, base);
        QFETCH(const QByteArray, test);
        const ProgramRun run = compare(linkTo(base.toStdString(), "one"), linkTo(test.toStdString(), "two"),
                                       QStringLiteral("out"));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        for (const char* name :
             {"final_analysis_report", "gpu_timeline_comparison", "collective_comparison"}) {
            const json own = book(QStringLiteral("out/%1.xlsx").arg(QLatin1String(name)));
            QVERIFY2(!own.is_discarded() && !own.empty(), name);
        }
        const json own = book(QStringLiteral("out/final_analysis_report.xlsx"));
        QCOMPARE(own["GPU_ByRank_Cmp"]["rows"][0].size(), std::size_t{11});
        // Two runs, each with reports in a folder of its own.
        QCOMPARE(QDir(path(QStringLiteral("out"))).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 3);
    }
    void labelsDoNotChangeHowNumbersLook()
    {
        const ProgramRun run = compare(smallRun(QStringLiteral("iteration_5"), 40),
                                       smallRun(QStringLiteral("percent_x"), 60), QStringLiteral("out"));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const json sheet = book(QStringLiteral("out/final_analysis_report.xlsx"))["GPU_Summary_Cmp"];
        std::map<std::string, std::string> formats;
        for (std::size_t c = 0; c < sheet["formats"].size(); ++c)
            formats[sheet["rows"][0][c]] = sheet["formats"][c];
        const std::map<std::string, std::string> expected{
            {"type", "General"},       {"iteration_5_time_ms", "0.000"}, {"percent_x_time_ms", "0.000"},
            {"diff_time_ms", "0.000"}, {"percent_change", "0.00"},       {"status", "General"},
            {"ratio", "0.0000"},       {"iteration_5_percent", "0.00"},  {"percent_x_percent", "0.00"},
            {"diff_percent", "0.00"}};
        std::string all;
        for (const auto& [column, format] : formats)
            all += column + " " + format + "; ";
        QVERIFY2(formats == expected, all.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestReusedReports)
#include "tst_reused_reports.moc"
