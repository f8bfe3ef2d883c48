// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Two runs that differ in a known way: what the sheets of their comparison say.

#include "metrics/comparison/comparison.h"
#include "metrics/comparison/earlier_reports.h"
#include "metrics/comparison/step_comparison.h"
#include "metrics/comparison/workbook_reader.h"
#include "metrics/export/workbook.h"
#include "metrics/reports/reused_reports.h"
#include "metrics/reports/run_report.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/sheet_text.h"

#include <cmath>

namespace collscope {

namespace {

constexpr int ranks = 4;
constexpr int steps = 5;

/// What the test run does otherwise; times in us.
struct Planted
{
    int slowerAllReduce = 0; ///< on rank 2
    int slowerGemm = 0; ///< on every rank
    bool lacksAllGather = false;
};

/// Steps of 10 ms: a GEMM of 2 ms, an all-reduce of 1 ms, an all-gather of 0.5 ms.
std::shared_ptr<CollectiveRun> plantedRun(const Planted& planted)
{
    auto run = std::make_shared<CollectiveRun>();
    for (int rank = 0; rank < ranks; ++rank) {
        for (int step = 0; step < steps; ++step) {
            const int begin = 10'000 * step;
            run->step(rank, step, begin, 10'000);
            run->compute(rank, begin + 100, 2000 + planted.slowerGemm);
            CallText call{"allreduce", 250'000, 250'000, ranks, "0", "[0, 1, 2, 3]", 2 * step};
            const int slower = rank == 2 ? planted.slowerAllReduce : 0;
            run->call(rank, "AllReduce", begin + 4000 - slower, 1000 + slower, call);
            call.name = "_allgather_base";
            call.sequence = 2 * step + 1;
            if (!planted.lacksAllGather)
                run->call(rank, "AllGather", begin + 6000, 500, call);
        }
    }
    return run;
}

RunSheets sheetsOf(const Planted& planted, const std::string& label)
{
    const auto run = plantedRun(planted);
    const TraceModelPtr model = run->load();
    if (!model)
        throw std::runtime_error("the planted run does not load");
    Analysis analysis(*model, {});
    return runSheets(analysis, label, {});
}

/// The cell of a column in the first row whose first cell is that text.
Value cellOf(const Sheet& sheet, std::string_view row, std::string_view column)
{
    for (const Value::Array& cells : sheet.rows) {
        if (keyText(cells.front()) == row)
            return cells[sheet.column(column).value()];
    }
    return {};
}

/// The columns of a comparison whose name begins so, of all rows.
std::vector<double> numbersIn(const Sheet& sheet, std::string_view prefix)
{
    std::vector<double> numbers;
    for (std::size_t c = 0; c < sheet.columns.size(); ++c) {
        for (const Value::Array& row : sheet.rows) {
            if (sheet.columns[c].starts_with(prefix) && numberOf(row[c]))
                numbers.push_back(*numberOf(row[c]));
        }
    }
    return numbers;
}

std::vector<Sheet> comparisons(const RunSheets& base, const RunSheets& test)
{
    const CompareOptions options;
    return {compareByRank(base, test, options),        compareSummary(base, test, options),
            compareCollectives(base, test, options),   compareCalls(base, test, options),
            waterfallSheet(base, test, options),       compareSteps(base, test, options),
            compareKernelClasses(base, test, options), compareKernels(base, test, options)};
}

} // namespace

class TestComparison : public QObject
{
    Q_OBJECT

private slots:
    void aRunWithItself()
    {
        const RunSheets base = sheetsOf({}, "base");
        const RunSheets test = sheetsOf({}, "test");
        for (const Sheet& sheet : comparisons(base, test)) {
            QVERIFY2(!sheet.isEmpty(), sheet.name.c_str());
            for (const std::string_view prefix : {"diff_", "percent_change", "change_percent"}) {
                const std::vector<double> numbers = numbersIn(sheet, prefix);
                QVERIFY2(!numbers.empty() || prefix != "diff_", sheet.name.c_str());
                for (const double number : numbers)
                    QCOMPARE(number, 0.0);
            }
            for (const Value::Array& row : sheet.rows) {
                const std::string status = keyText(row[sheet.column("status").value()]);
                QVERIFY2(status == "Similar" || status == "Info", (sheet.name + ": " + status).c_str());
            }
        }
    }
    void thereAndBack()
    {
        const RunSheets a = sheetsOf({}, "base");
        RunSheets b = sheetsOf({70, 140, false}, "test");
        const std::vector<Sheet> there = comparisons(a, b);
        const std::vector<Sheet> back = comparisons(b, a);
        for (std::size_t i = 0; i < there.size(); ++i) {
            const std::vector<double> forth = numbersIn(there[i], "diff_");
            const std::vector<double> mirrored = numbersIn(back[i], "diff_");
            QCOMPARE(forth.size(), mirrored.size());
            for (std::size_t n = 0; n < forth.size(); ++n)
                QVERIFY2(std::abs(forth[n] + mirrored[n]) < 1e-9, there[i].name.c_str());
            for (std::size_t c = 0; c < there[i].columns.size(); ++c) {
                const bool isChange = there[i].columns[c].starts_with("change_percent");
                if (!isChange && !there[i].columns[c].starts_with("percent_change"))
                    continue;
                for (std::size_t r = 0; r < there[i].rows.size(); ++r) {
                    const auto own = numberOf(there[i].rows[r][c]), other = numberOf(back[i].rows[r][c]);
                    if (!own || !other)
                        continue;
                    // What is better by a part of itself there is worse by a part of the other back:
                    // test/base times base/test, which is 1 - improvements of times, and 1 + those of
                    // bandwidths or changes of anything.
                    const double times = (1 - *own / 100) * (1 - *other / 100);
                    const double rates = (1 + *own / 100) * (1 + *other / 100);
                    const bool isRate
                        = isChange || there[i].columns[c].find("bw (GB/s)") != std::string::npos;
                    QVERIFY2(std::abs((isRate ? rates : times) - 1) < 1e-9, there[i].name.c_str());
                }
            }
            const std::size_t status = there[i].column("status").value();
            for (std::size_t r = 0; r < there[i].rows.size(); ++r) {
                const std::string own = keyText(there[i].rows[r][status]);
                const std::string other = keyText(back[i].rows[r][status]);
                if (own == "n.a." || other == "n.a.")
                    continue; // no percents of nothing
                QVERIFY2(own == "Worse"        ? other == "Better"
                             : own == "Better" ? other == "Worse"
                                               : own == other,
                         (there[i].name + ": " + own + ", " + other).c_str());
            }
        }
    }
    void aSlowerCollectiveOfOneRank()
    {
        const RunSheets base = sheetsOf({}, "base");
        const RunSheets test = sheetsOf({70, 0, false}, "test"); // 7 % of 1 ms
        const Sheet calls = compareCalls(base, test, {});
        QCOMPARE(rowText(calls, 0, 3), std::string("2 | allreduce | Float"));
        const std::size_t sum = calls.column("base_dur_sum").value();
        QCOMPARE(cellNumber(calls.rows[0][sum]), 5000.0); // five calls of 1 ms, in us
        QCOMPARE(cellNumber(calls.rows[0][sum + 1]), 5350.0);
        QCOMPARE(cellNumber(calls.rows[0][sum + 2]), 350.0);
        COLLSCOPE_CLOSE(cellNumber(calls.rows[0][sum + 3]), -7.0);
        QCOMPARE(keyText(calls.rows[0].back()), std::string("Worse"));
        QCOMPARE(keyText(calls.rows[1].back()), std::string("Similar"));
        // The shortest of the four is as it was: rank 2 waits longer. A quarter of 70 us on the mean rank.
        const Sheet waterfall = waterfallSheet(base, test, {});
        QCOMPARE(rowText(waterfall, 0, 4), std::string("communication: waiting | 0 | 0.0175 | 0.0175"));
        QCOMPARE(keyText(cellOf(waterfall, "communication: moving", "diff_ms")), std::string("0"));
        QCOMPARE(keyText(cellOf(waterfall, "idle", "diff_ms")), std::string("-0.0175"));
        QCOMPARE(keyText(cellOf(waterfall, "step", "diff_ms")), std::string("0"));
    }
    void slowerComputing()
    {
        const RunSheets base = sheetsOf({}, "base");
        const RunSheets test = sheetsOf({0, 140, false}, "test"); // 7 % of 2 ms
        const Sheet waterfall = waterfallSheet(base, test, {});
        QCOMPARE(rowText(waterfall, 0, 4), std::string("GEMM | 2 | 2.14 | 0.14"));
        COLLSCOPE_CLOSE(cellNumber(waterfall.rows[0][4]), 7.0); // as the difference
        QCOMPARE(keyText(waterfall.rows[0][5]), std::string("Worse"));
        const Sheet kernels = compareKernels(base, test, {});
        QCOMPARE(rowText(kernels, 0, 2), std::string("GEMM | gemm"));
        QCOMPARE(keyText(kernels.rows[0][kernels.column("diff_ms_per_step").value()]).substr(0, 4),
                 std::string("0.14"));
        QCOMPARE(keyText(cellOf(compareSummary(base, test, {}), "computation_time", "status")),
                 std::string("Worse"));
    }
    void whatOnlyOneRunHas()
    {
        const RunSheets base = sheetsOf({0, 0, true}, "base");
        const RunSheets test = sheetsOf({}, "test");
        const auto statusOf
            = [](const Sheet& sheet) { return keyText(cellOf(sheet, "_allgather_base", "status")); };
        QCOMPARE(statusOf(compareCollectives(base, test, {})), std::string("new"));
        QCOMPARE(statusOf(compareCollectives(test, base, {})), std::string("gone"));
        QCOMPARE(keyText(cellOf(compareKernelClasses(base, test, {}), "AllGather", "status")),
                 std::string("new"));
    }
    void partsOfAStepLeaveNothingOut()
    {
        const auto run = plantedRun({70, 0, false});
        const TraceModelPtr model = run->load();
        MetricOptions options;
        options.steps.mode = StepChoice::Mode::All;
        Analysis analysis(*model, options);
        const std::vector<RankStepParts> parts = stepParts(analysis);
        QCOMPARE(parts.size(), static_cast<std::size_t>(ranks * steps));
        for (const RankStepParts& step : parts) {
            std::int64_t sum = 0;
            for (const std::int64_t ns : step.parts)
                sum += ns;
            QCOMPARE(sum, step.range.lengthNs());
        }
        // Read back from a sheet they are the same.
        const std::vector<RankStepParts> again
            = readReports("run", {{stepPartsSheet(parts)}, {}}, {}).values.steps;
        QCOMPARE(again.size(), parts.size());
        for (std::size_t i = 0; i < parts.size(); ++i)
            QVERIFY(again[i].parts == parts[i].parts && again[i].rank == parts[i].rank);
    }
    void waterfallsAddUp()
    {
        // Means that are no whole nanoseconds.
        SharedSteps shared{std::vector<RankStepParts>(3), std::vector<RankStepParts>(7), true, {}};
        std::int64_t next = 1;
        for (std::vector<RankStepParts>* run : {&shared.base, &shared.test}) {
            for (RankStepParts& step : *run) {
                for (std::int64_t& ns : step.parts)
                    ns = (next = next * 48271 % 2147483647) % 1000;
            }
        }
        const StepWaterfall waterfall = stepWaterfall(shared);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < stepPartCount; ++i) {
            sum += waterfall.change(static_cast<StepPart>(i));
            QVERIFY(waterfall.base[i] >= 0);
        }
        QCOMPARE(sum, waterfall.testNs - waterfall.baseNs);
        QCOMPARE(waterfall.baseSteps, std::size_t{3});
    }
    void rowsOfTheSameKeyAreNotDropped()
    {
        // Two collectives of a kind in each run, from a tool that knows no groups and no types.
        const auto runOf = [](const char* label, std::vector<Value::Array> rows) {
            Workbook book;
            book.sheets.push_back({"nccl_summary_implicit_sync",
                                   {"Collective name", "In msg nelems", "count"},
                                   std::move(rows)});
            return readReports(label, {}, book);
        };
        const RunSheets base = runOf("base", {{"allreduce", 8, 1}, {"allreduce", 8, 2}, {"broadcast", 8, 3}});
        const RunSheets test = runOf("test", {{"allreduce", 8, 4}, {"allreduce", 8, 5}, {"allreduce", 8, 6}});
        const Workbook report = allRunsReport({base, test, {"empty", {}, {}}, base}, {});
        const std::vector<std::string> expected{
            "allreduce_8 | allreduce | 8 | 1 | allreduce | 8 | 4 | allreduce | 8 | 1",
            "allreduce_8 | allreduce | 8 | 2 | allreduce | 8 | 5 | allreduce | 8 | 2",
            "broadcast_8 | broadcast | 8 | 3 | - | - | - | broadcast | 8 | 3",
            "allreduce_8 | - | - | - | allreduce | 8 | 6 | - | - | -"};
        QCOMPARE(rowTexts(report.sheet("NCCL_Summary")), expected);
    }
    void noiseIsNoVerdict()
    {
        const DeltaRule rule;
        const std::vector<double> base{10, 14, 6, 10}, test{11, 15, 7, 11}, scattered{11, 6, 15, 12};
        QVERIFY(deltaOf(10, 11, rule).status == DeltaStatus::Worse);
        QVERIFY(deltaOf(10, 11, rule, base, scattered).status == DeltaStatus::SimilarNoise);
        // The same ranks, each 1 ms slower: that is no noise, however different the ranks are.
        QVERIFY(deltaOf(10, 11, rule, base, test, true).status == DeltaStatus::Worse);
        QVERIFY(deltaOf(10, 11, rule, base, test).status == DeltaStatus::SimilarNoise);
        QVERIFY(deltaOf(10, 11, {1.0, MetricDirection::HigherIsBetter}).status == DeltaStatus::Better);
        QVERIFY(deltaOf(10, 11, {10.0, MetricDirection::LowerIsBetter}).status == DeltaStatus::Similar);
        QVERIFY(deltaOf(0, 1, rule).status == DeltaStatus::NotApplicable);
        QVERIFY(deltaOf(0, 0, rule).status == DeltaStatus::Similar);
        QVERIFY(deltaOf({}, 1, rule).status == DeltaStatus::New);
        QVERIFY(deltaOf(1, {}, rule).status == DeltaStatus::Gone);
    }
    void runsHaveNamesOfTheirOwn()
    {
        using Names = std::vector<std::string>;
        QCOMPARE(runLabels({"/x/56cu", "/x/37cu"}), (Names{"56cu", "37cu"}));
        QCOMPARE(runLabels({"/a/run", "/b/run"}), (Names{"a_run", "b_run"}));
        QCOMPARE(runLabels({"/a/run/", "/a/run", "/a/run"}), (Names{"base", "test", "test_2"}));
    }
    void namesOfRunsFitEverywhere()
    {
        using Names = std::vector<std::string>;
        std::string han;
        for (int i = 0; i < 85; ++i)
            han += "\u6f22";
        // 21 characters of three bytes: the 64th byte is the first of one.
        QCOMPARE(runLabels({"/x/" + han}), (Names{han.substr(0, 63)}));
        QCOMPARE(runLabels({"/x/a\xff", "/x/b\x01\nc"}), (Names{"a\uFFFD", "b__c"}));
        const std::string twin(128, 'n');
        QCOMPARE(runLabels({"/a/" + twin, "/b/" + twin}), (Names{"base", "test"}));
        QCOMPARE(runLabels({"/a/" + twin, "/b/other"}), (Names{twin.substr(0, 64), "other"}));
        // Cut or cleaned they may be equal.
        QCOMPARE(runLabels({"/a/" + twin + "1", "/a/" + twin + "2"}), (Names{"base", "test"}));
        QCOMPARE(runLabels({"/a/x\x01", "/b/x\x02"}), (Names{"a_x_", "b_x_"}));
        QCOMPARE(runLabels({"/a/diff_x", "/a/ratio", "/a/percent_change_of", "/a/different"}),
                 (Names{"run_diff_x", "run_ratio", "run_percent_change_of", "different"}));
        QCOMPARE(runLabels({"../..", "/"}), (Names{"base", "test"}));
    }
    void namesThatCannotBeLabels_data()
    {
        QTest::addColumn<std::string>("name");
        QTest::addColumn<std::string>("sentence");
        const auto row = [](const std::string& name, const char* end) {
            QTest::newRow(end) << name << "The run name '" + name + "' " + end;
        };
        QTest::newRow("valid") << std::string("new driver") << std::string();
        row(std::string(65, 'n'), "is longer than 64 bytes.");
        row("a/b", "cannot be used as a folder name.");
        row("diff_x", "starts like the title of a difference column.");
    }
    void namesThatCannotBeLabels()
    {
        QFETCH(const std::string, name);
        QFETCH(const std::string, sentence);
        const Status status = checkLabel(name);
        QCOMPARE(status ? std::string() : status.error().message, sentence);
    }
    void headersAreCutAtACharacter()
    {
        std::string han;
        for (int i = 0; i < 85; ++i)
            han += "\u6f22";
        Workbook book;
        book.sheets.push_back({"s", {"a" + han, "b" + han, "a" + han, "a\x01\xff"}, {{1, 2, 3, 4}}});
        const auto read = readWorkbook(writeWorkbook(book, "")->bytes, "book.xlsx");
        QVERIFY(static_cast<bool>(read));
        const std::string cut = "a" + han.substr(0, 252);
        QCOMPARE(read->sheets.front().columns,
                 (std::vector<std::string>{cut, "b" + han.substr(0, 252), "a" + han.substr(0, 246) + "_2",
                                           "a_\uFFFD"}));
    }
    void notesOnTheSource()
    {
        Workbook book;
        QVERIFY(!sourceOf(book));
        book.notes = {"Something.", sourceNote("/a/b.c/run")};
        QCOMPARE(sourceOf(book).value(), std::string("/a/b.c/run"));
        QVERIFY(saysItsLabel(book.notes[1], "run") && saysItsLabel(book.notes[1], "b.c_run"));
        QVERIFY(!saysItsLabel(book.notes[1], "base") && !saysItsLabel(book.notes[0], "run"));
        // Both reports of a run say it; the comparison once, and only where the label does not.
        for (const auto& [label, notes] :
             {std::pair("run", std::vector<std::string>{"run: Something."}),
              std::pair("test",
                        std::vector<std::string>{"test: Something.", "test: Made from /a/b.c/run."})}) {
            std::vector<std::string> said;
            addNotes({label, book, book}, said);
            QCOMPARE(said, notes);
        }
    }
    void summariesAlone()
    {
        const auto run = plantedRun({70, 0, false});
        const TraceModelPtr model = run->load();
        Analysis analysis(*model, {});
        RunReportOptions options;
        options.collective.summariesOnly = true;
        const RunSheets all = runSheets(analysis, "all", {});
        const RunSheets summaries = runSheets(analysis, "summaries", options);
        std::vector<std::string> names;
        for (const Sheet& sheet : summaries.collective.sheets) {
            names.push_back(sheet.name);
            QCOMPARE(rowTexts(&sheet), rowTexts(all.collective.sheet(sheet.name)));
        }
        QCOMPARE(names,
                 (std::vector<std::string>{"nccl_summary_implicit_sync", "nccl_summary_long",
                                           "straggler_summary"}));
        QCOMPARE(summaries.collective.notes, all.collective.notes);
    }
    void aWorkbookReadBack()
    {
        const RunSheets run = sheetsOf({70, 0, false}, "run");
        const auto written = writeWorkbook(run.collective, "run_");
        QVERIFY(static_cast<bool>(written));
        QVERIFY(written->spills.empty());
        const auto read = readWorkbook(written->bytes, "run.xlsx");
        QVERIFY2(static_cast<bool>(read), read ? "" : read.error().message.c_str());
        QCOMPARE(read->sheets.size(), run.collective.sheets.size());
        QVERIFY(!run.collective.notes.empty());
        QCOMPARE(read->notes, run.collective.notes);
        for (const Sheet& sheet : run.collective.sheets) {
            const Sheet* const again = read->sheet(sheet.name);
            QVERIFY2(again, sheet.name.c_str());
            QCOMPARE(again->columns, sheet.columns);
            QCOMPARE(again->rows.size(), sheet.rows.size());
            for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
                for (std::size_t c = 0; c < sheet.columns.size(); ++c) {
                    const auto own = numberOf(sheet.rows[r][c]);
                    if (own) // 16 digits are written
                        QVERIFY(std::abs(*own - numberOf(again->rows[r][c]).value_or(NAN))
                                <= 1e-15 * std::abs(*own));
                    else
                        QCOMPARE(keyText(again->rows[r][c]), keyText(sheet.rows[r][c]));
                }
            }
        }
    }
    void whatDoesNotFitIsSpilled()
    {
        Workbook book;
        book.sheets.push_back({"long", {"n", "=text"}, {{1, "a"}, {2, "=HYPERLINK(\"x\")"}, {3, "c"}}});
        const auto written = writeWorkbook(book, "book_", {3, 10});
        QVERIFY(static_cast<bool>(written));
        QCOMPARE(written->spills.size(), std::size_t{1});
        std::string csv;
        written->spills[0].csv([&](std::string_view piece) {
            csv += piece;
            return true;
        });
        QCOMPARE(csv, std::string("n,'=text\n1,a\n2,\"'=HYPERLINK(\"\"x\"\")\"\n3,c\n"));
        const auto read = readWorkbook(written->bytes, "book.xlsx");
        QVERIFY(static_cast<bool>(read));
        QCOMPARE(read->sheet("long")->rows.size(), std::size_t{2});
        QCOMPARE(keyText(read->sheet("long")->rows[1][1]), std::string("=HYPERLINK(\"x\")"));
        QVERIFY(!read->sheet("Notes"));
        QCOMPARE(read->notes.size(), std::size_t{1});
        QVERIFY(read->notes.front().find("book_long.csv") != std::string::npos);
    }
    void dataMayBeCalledNotes()
    {
        Workbook book;
        book.sheets.push_back({"Notes", {"n"}, {{"a"}, {"b"}}});
        const auto read = readWorkbook(writeWorkbook(book, "")->bytes, "book.xlsx");
        QVERIFY(static_cast<bool>(read));
        QCOMPARE(rowTexts(read->sheet("Notes")), (std::vector<std::string>{"a", "b"}));
        QVERIFY(read->notes.empty());
    }
    void damagedWorkbooksAreErrors()
    {
        Workbook book;
        book.sheets.push_back({"s", {"n"}, {{1}, {2}}});
        const std::string bytes = writeWorkbook(book, "")->bytes;
        QVERIFY(!readWorkbook("", "x"));
        QVERIFY(!readWorkbook("PK\x03\x04 no", "x"));
        // Cut or changed anywhere it is an error or a workbook, and nothing worse.
        for (std::size_t i = 0; i < bytes.size(); i += isSanitized ? 97 : 13) {
            static_cast<void>(readWorkbook(std::string_view(bytes).substr(0, i), "x"));
            std::string changed = bytes;
            changed[i] = static_cast<char>(changed[i] ^ 0x41);
            static_cast<void>(readWorkbook(changed, "x"));
        }
    }
    void workbooksKeepToTheMemory()
    {
        Sheet sheet{"s", {"name", "n"}, {}};
        for (int i = 0; i < 20'000; ++i)
            sheet.rows.push_back({"cell " + std::to_string(i), i});
        Workbook book;
        book.sheets.push_back(sheet);
        const std::string bytes = writeWorkbook(book, "")->bytes;
        constexpr std::uint64_t enough = std::uint64_t{40} << 20;
        QVERIFY(static_cast<bool>(readWorkbook(bytes, "book.xlsx", enough)));
        // Less than the tree of its sheet, and less than its text.
        for (const std::uint64_t memory : {std::uint64_t{4} << 20, std::uint64_t{100'000}}) {
            const auto read = readWorkbook(bytes, "book.xlsx", memory);
            QVERIFY(!read);
            QCOMPARE(read.error().kind, Error::Kind::TooLarge);
            QVERIFY(read.error().message.find("--max-memory") != std::string::npos);
        }
    }
    void namesThatExcelTakes()
    {
        QCOMPARE(sheetName("a/b[1]:c?"), std::string("a_b_1__c_"));
        QCOMPARE(sheetName(std::string(40, 'x')).size(), std::size_t{31});
        QCOMPARE(sheetName("'a'"), std::string("_a_"));
        QCOMPARE(sheetName(""), std::string("Sheet"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestComparison)
#include "tst_comparison.moc"
