// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Captures without steps, runs without GPU work, waiting, and signs: what comparisons say of runs that were
// made to differ in a known way.

#include "metrics/comparison/compared_locations.h"
#include "metrics/comparison/comparison.h"
#include "metrics/comparison/earlier_reports.h"
#include "metrics/comparison/step_comparison.h"
#include "tests/support/runs/captured_run.h"
#include "tests/support/runs/compared_runs.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/sheet_text.h"

#include <cmath>
#include <set>

namespace collscope {

namespace {

RunSheets sheetsOf(const SmallRun& run, const std::string& label)
{
    const TraceModelPtr model = run.load();
    if (!model)
        throw std::runtime_error("the planted run does not load");
    Analysis analysis(*model, {});
    return runSheets(analysis, label, {});
}

/// Two captures and what is said of them.
struct Compared
{
    Compared(const Capture& first, const Capture& second)
        : base(sheetsOf(capturedRun(first), "base"))
        , test(sheetsOf(capturedRun(second), "test"))
        , work(comparedWork(base, test))
        , sentence(comparisonHeadline(base, test, {}))
        , report(finalReport(base, test, {}))
    { }

    std::string status(const char* sheet, const std::string& row) const
    {
        const Sheet* const found = sheetIn(report, sheet);
        for (const Value::Array& cells : found ? found->rows : std::vector<Value::Array>()) {
            if (keyText(cells.front()) == row)
                return keyText(cells[found->column("status").value()]);
        }
        return "no row " + row;
    }
    std::set<std::string> statuses() const
    {
        std::set<std::string> all;
        for (const Sheet& sheet : report.sheets) {
            const auto status = sheet.column(sheet.name == "Summary_Dashboard" ? "Status" : "status");
            for (std::size_t r = 0; status && r < sheet.rows.size(); ++r)
                all.insert(keyText(sheet.rows[r][*status]));
        }
        return all;
    }

    RunSheets base, test;
    ComparedWork work;
    std::string sentence;
    ComparisonReport report;
};

/// Each percent has the sign of the difference before it; what is written as zero has none.
bool readsNaturally(const Sheet& sheet)
{
    for (std::size_t c = 1; c < sheet.columns.size(); ++c) {
        if (sheet.columns[c].starts_with("percent_change"))
            return false;
        if (!sheet.columns[c].starts_with("change_percent"))
            continue;
        for (const Value::Array& row : sheet.rows) {
            const auto difference = numberOf(row[c - 1]), change = numberOf(row[c]);
            if (change
                && (!difference || *difference * *change < 0 || (*change == 0 && std::signbit(*change))))
                return false;
        }
    }
    return true;
}

StepPartTimes partsOf(const SmallRun& run, std::int32_t rank)
{
    const TraceModelPtr model = run.load();
    MetricOptions options;
    options.steps.mode = StepChoice::Mode::All;
    Analysis analysis(*model, options);
    for (const RankStepParts& step : stepParts(analysis)) {
        if (step.rank == rank)
            return step.parts;
    }
    return {};
}

std::int64_t partNs(const StepPartTimes& parts, StepPart part)
{
    return parts[static_cast<std::size_t>(part)];
}

} // namespace

class TestComparedWork : public QObject
{
    Q_OBJECT

private slots:
    void whatIsSaid_data()
    {
        QTest::addColumn<int>("units");
        QTest::addColumn<int>("lengthUs");
        QTest::addColumn<int>("gemmUs");
        QTest::addColumn<int>("attentionUs");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("status");
        const auto row = [](const char* name, int units, int lengthUs, int gemmUs, int attentionUs,
                            const char* sentence, const char* status) {
            QTest::newRow(name) << units << lengthUs << gemmUs << attentionUs << QString::fromLatin1(sentence)
                                << QString::fromLatin1(status);
        };
        row("fewer units in the same time", 45, 300'000, 1000, 1000,
            "Both captures last 300 ms. The test did 10 % less work in that time: attention 100 -> 90 calls "
            "on each rank, at 1.00 ms per call in both (0.0 %). It is 11 % slower per unit of work.",
            "Worse");
        row("as many, in another length", 75, 450'000, 1000, 1000,
            "The captures last 300 ms and 450 ms. Both did the same amount of work per second: attention 100 "
            "-> 150 calls on each rank, at 1.00 ms per call in both (0.0 %). It is equally fast per unit of "
            "work, within 1 %.",
            "Similar");
        row("fewer, in another length", 66, 450'000, 1000, 1000,
            "The captures last 300 ms and 450 ms. The test did 12 % less work per second: attention 100 -> "
            "132 calls on each rank, at 1.00 ms per call in both (0.0 %). It is 14 % slower per unit of "
            "work.",
            "Worse");
        row("the same work in less time", 50, 270'000, 800, 900,
            "The captures last 300 ms and 270 ms. Both contain the same work: attention 100 -> 100 calls on "
            "each rank, at 1.00 ms and 900 us per call (-10.0 %). It is 10 % faster per unit of work.",
            "Better");
        row("the same work in hardly more time", 50, 306'000, 1000, 1000,
            "The captures last 300 ms and 306 ms. Both contain the same work: attention 100 -> 100 calls on "
            "each rank, at 1.00 ms per call in both (0.0 %). It is 2.0 % slower per unit of work.",
            "Worse");
        row("one unit less", 49, 300'000, 1000, 1000,
            "Both captures last 300 ms. The test did 2.0 % less work in that time: attention 100 -> 98 calls "
            "on each rank, at 1.00 ms per call in both (0.0 %). It appears 2.0 % slower per unit of work, "
            "but the change is at most one unit of 49, which the ends of a capture can cut off.",
            "Similar (noise)");
    }
    void whatIsSaid()
    {
        QFETCH(int, units);
        QFETCH(int, lengthUs);
        QFETCH(int, gemmUs);
        QFETCH(int, attentionUs);
        QFETCH(QString, sentence);
        QFETCH(QString, status);
        const Compared both({}, {lengthUs, units, 2, gemmUs, attentionUs});
        QCOMPARE(QString::fromStdString(both.sentence), sentence);
        QVERIFY(both.work.isTold && both.work.hasUnits);
        QCOMPARE(both.work.baseUnits, 50.0);
        QCOMPARE(both.work.testUnits, double(units));
        QCOMPARE(QString::fromStdString(both.status("Step_Waterfall", "unit of work")), status);
        // The waterfall of a unit adds up to the difference of the units.
        const Sheet& waterfall = *sheetIn(both.report, "Step_Waterfall");
        double sum = 0;
        for (std::size_t r = 0; r + 1 < waterfall.rows.size(); ++r)
            sum += cellNumber(waterfall.rows[r][3]);
        QVERIFY(std::abs(sum - cellNumber(waterfall.rows.back()[3])) < 1e-9);
        QVERIFY(std::abs(cellNumber(waterfall.rows.back()[2]) - lengthUs / 1000.0 / units) < 1e-5);
        QCOMPARE(both.report.notes.front(), both.sentence);
    }
    void theDashboardImprovesByWhatItsStatusIsOf()
    {
        // The same work per second in a longer capture: nothing became worse.
        const Compared both({}, {450'000, 75, 2, 1000, 1000});
        const Sheet& dashboard = *sheetIn(both.report, "Summary_Dashboard");
        QVERIFY(!dashboard.rows.empty());
        for (const Value::Array& row : dashboard.rows) {
            if (keyText(row[*dashboard.column("Status")]) == "Similar")
                QVERIFY2(std::abs(cellNumber(row[*dashboard.column("Improvement (%)")])) <= 1.0,
                         keyText(row[0]).c_str());
        }
        QVERIFY(both.statuses().contains("Similar"));
    }
    void nothingSaysPerStep()
    {
        const Compared both({}, {300'000, 45});
        const Workbook report = both.report.workbook(true);
        for (const Workbook* book : {&report, &both.base.gpuTimeline}) {
            for (const Sheet& sheet : book->sheets) {
                for (const std::string& column : sheet.columns)
                    QVERIFY2(column.find("per step") == std::string::npos
                                 && column.find("per_step") == std::string::npos,
                             (sheet.name + ": " + column).c_str());
            }
        }
        QVERIFY(!sheetIn(both.report, "Step_Cmp"));
        const Sheet& kernels = *sheetIn(both.report, "Kernel_Cmp");
        QVERIFY(kernels.column("base_us_per_call") && kernels.column("test_calls_per_capture"));
        for (const Value::Array& row : kernels.rows)
            QCOMPARE(keyText(row[kernels.column("status").value()]), std::string("Similar"));
    }
    void noVerdictIsOfAWindow()
    {
        // 10 % less of everything in the window: not better, but slower.
        const Compared both({}, {300'000, 45});
        QCOMPARE(both.status("GPU_Summary_Cmp", "computation_time"), std::string("Similar"));
        QCOMPARE(both.status("GPU_Summary_Cmp", "total_time"), std::string("Worse"));
        QCOMPARE(both.status("GPU_Summary_Cmp", "idle_time"), std::string("Worse"));
        QVERIFY(!both.statuses().contains("Better"));
        // Scripts find the columns and the sign that they expect: positive = better.
        const Sheet& summary = *sheetIn(both.report, "GPU_Summary_Cmp");
        QCOMPARE(summary.columns.size(), std::size_t{10});
        for (const Value::Array& row : summary.rows) {
            if (keyText(row[0]) == "computation_time")
                QVERIFY(std::abs(cellNumber(row[4]) - 10) < 1e-9);
        }
        // People read the times per unit.
        QCOMPARE(both.status("Unit_Summary_Cmp", "computation_time"), std::string("Similar"));
        QCOMPARE(both.status("Unit_Summary_Cmp", "idle_time"), std::string("Worse"));
    }
    void otherKernelsAreNoRatio()
    {
        const Compared both({}, {300'000, 45, 2, 1000, 1000, 200, 1, "gemm_kernel", "fmha_other_kernel"});
        QVERIFY(!both.work.isTold);
        QVERIFY2(both.sentence.starts_with(
                     "Both captures last 300 ms. The amount of work in each capture cannot be determined: "
                     "only 44 % of the compute time of base is in kernels that test also has."),
                 both.sentence.c_str());
        QCOMPARE(both.status("Step_Waterfall", "capture"), std::string("Info"));
        for (const char* none : {"Better", "Worse"})
            QVERIFY2(!both.statuses().contains(none), none);
    }
    void countsThatDisagreeAreNoRatio()
    {
        const Compared both({}, {300'000, 50, 2, 1000, 1000, 200, 2});
        QVERIFY(!both.work.isTold);
        QVERIFY2(
            both.sentence.find("cannot be determined: the call counts of the common kernels do not change by "
                               "one factor (flash_fwd_kernel 100 -> 100 calls, gemm_kernel 50 -> 100 calls)")
                != std::string::npos,
            both.sentence.c_str());
        for (const char* none : {"Better", "Worse"})
            QVERIFY2(!both.statuses().contains(none), none);
    }
    /// Half the kernels, each twice as long, are the same work: a count of calls is no unit then.
    void longerCallsAreNoRatio_data()
    {
        QTest::addColumn<int>("units");
        QTest::addColumn<int>("us"); // of each kernel of a GEMM and of attention
        QTest::addColumn<bool>("isTold");
        QTest::newRow("half as many, twice as long") << 25 << 2000 << false;
        QTest::newRow("more, and shorter") << 60 << 800 << false;
        QTest::newRow("fewer, and a little longer") << 40 << 1040 << true;
        QTest::newRow("as many, and longer") << 50 << 1300 << true;
    }
    void longerCallsAreNoRatio()
    {
        QFETCH(int, units);
        QFETCH(int, us);
        QFETCH(bool, isTold);
        const Compared both({}, {300'000, units, 2, us, us, us / 5});
        QCOMPARE(both.work.isTold, isTold);
        QCOMPARE(both.sentence.find("cannot be determined: attention is called 100 -> "
                                    + std::to_string(2 * units) + " times, and the time per call differs")
                     != std::string::npos,
                 !isTold);
        if (!isTold)
            QVERIFY(!both.statuses().contains("Worse") && !both.statuses().contains("Better"));
    }
    /// Sizes of messages and kinds of collectives say it too where the kernels take as long.
    void otherMessagesAreNoRatio_data()
    {
        QTest::addColumn<int>("elements");
        QTest::addColumn<QString>("kernel");
        QTest::addColumn<QString>("said"); // empty: the work is told
        const QString allReduce = QStringLiteral("ncclDevKernel_AllReduce_Sum_f32_RING_LL");
        QTest::newRow("the same") << 1000 << allReduce << "";
        QTest::newRow("twice the size")
            << 2000 << allReduce << "a call of allreduce sends 1000 -> 2000 elements";
        QTest::newRow("another kind")
            << 1000 << QStringLiteral("ncclDevKernel_AllGather_RING_LL")
            << "AllReduce is called 20 -> 0 times, AllGather 0 -> 16 times per capture";
    }
    void otherMessagesAreNoRatio()
    {
        QFETCH(int, elements);
        QFETCH(QString, kernel);
        QFETCH(QString, said);
        const auto runOf = [](int calls, int size, const std::string& name) {
            SmallRun run(2);
            for (int rank = 0; rank < 2; ++rank) {
                for (int i = 0; i < calls; ++i) {
                    run.kernel(rank, 100 + 1000 * i, 500, 7, "gemm_kernel");
                    SmallCall call;
                    call.name = name.find("AllReduce") == std::string::npos ? "_allgather_base" : "allreduce";
                    call.kernel = name;
                    call.ranks = "[0, 1]";
                    call.groupSize = 2;
                    call.inElements = call.outElements = size;
                    call.sequence = i + 1;
                    run.call(rank, 700 + 1000 * i, 200, call);
                }
            }
            return run;
        };
        const RunSheets base = sheetsOf(runOf(20, 1000, "ncclDevKernel_AllReduce_Sum_f32_RING_LL"), "base");
        const RunSheets test = sheetsOf(runOf(16, elements, kernel.toStdString()), "test");
        const ComparedWork work = comparedWork(base, test);
        QVERIFY2(work.isTold == said.isEmpty(), work.whyNot.c_str());
        QVERIFY2(work.whyNot.find(said.toStdString()) != std::string::npos, work.whyNot.c_str());
    }
    void otherRanksAreNoRatio()
    {
        const Compared both({}, {300'000, 45, 1});
        QVERIFY(both.sentence.find("the runs do not have the same ranks") != std::string::npos);
    }
    void mixesAreNotSlower()
    {
        // Twice the long kernels of a class: no call of it takes longer.
        RunSheets base{"base", {}, {}}, test{"test", {}, {}};
        const std::vector<RankStepParts> capture{{0, 0, {0, 1'000'000}, {1'000'000}, true}};
        for (auto& [run, longCalls] : {std::pair<RunSheets*, int>(&base, 10), {&test, 20}}) {
            run->values.steps = capture;
            run->values.kernels = {{"GEMM", "short", 10.0, 1.0, 100.0},
                                   {"GEMM", "long", double(longCalls), double(longCalls), 1000.0}};
        }
        const Sheet classes = compareKernelClasses(base, test, {});
        QCOMPARE(keyText(classes.rows[0][classes.column("status").value()]), std::string("Similar"));
        QCOMPARE(cellNumber(classes.rows[0][3]), 0.0);
    }
    void signsReadNaturally()
    {
        const RunSheets base = sheetsOf(comparedRun(), "base");
        const RunSheets slow = sheetsOf(comparedRun({700, 70, 0, false}), "slow");
        for (const ComparisonReport& report :
             {finalReport(base, slow, {}), finalReport(slow, base, {}), finalReport(base, base, {}),
              Compared({}, {300'000, 45}).report}) {
            for (const ComparedSheet& sheet : report.sheets) {
                if (sheet.name != "Summary_Dashboard")
                    QVERIFY2(readsNaturally(asRead(sheet)), sheet.name.c_str());
            }
            for (const char* own : {"Step_Waterfall", "Kernel_Cmp", "Kernel_Class_Cmp"})
                QVERIFY2(readsNaturally(*sheetIn(report, own)), own);
        }
        const Delta rate = deltaOf(10, 8, {1.0, MetricDirection::HigherIsBetter});
        QCOMPARE(*rate.change, -20.0);
        QCOMPARE(*rate.improvement, -20.0);
        const Delta time = deltaOf(10, 8, {});
        QCOMPARE(*time.change, -20.0);
        QCOMPARE(*time.improvement, 20.0);
    }
    void waitingIsWaiting()
    {
        const auto runOf = [](int ranks) {
            SmallRun run(ranks);
            for (int rank = 0; rank < ranks; ++rank) {
                run.step(rank, 1, 0, 10'000);
                run.kernel(rank, 100, 500, 7, "gemm_kernel");
                const int begin = rank == 0 ? 2000 : 2400;
                run.kernel(rank, begin, 3000 - begin, 20, "ncclDevKernel_SendRecv(ncclDevComm*)");
            }
            return run;
        };
        const StepPartTimes early = partsOf(runOf(2), 0), late = partsOf(runOf(2), 1);
        QCOMPARE(partNs(early, StepPart::Waiting), std::int64_t{400'000});
        QCOMPARE(partNs(early, StepPart::Moving), std::int64_t{600'000});
        QCOMPARE(partNs(late, StepPart::Waiting), std::int64_t{0});
        QCOMPARE(partNs(late, StepPart::Moving), std::int64_t{600'000});
        // Its partner is not there: nobody knows what of it is waiting.
        const StepPartTimes alone = partsOf(runOf(1), 0);
        QCOMPARE(partNs(alone, StepPart::Unsplit), std::int64_t{1'000'000});
        QCOMPARE(partNs(alone, StepPart::Moving), std::int64_t{0});
        // Sheets of 1.0 have no such column.
        Sheet older = stepPartsSheet({{0, 1, {0, 10}, {1, 2, 3}}});
        const std::size_t column = older.column("communication: not split ms").value();
        older.columns.erase(older.columns.begin() + static_cast<std::ptrdiff_t>(column));
        older.rows[0].erase(older.rows[0].begin() + static_cast<std::ptrdiff_t>(column));
        const RunSheets run = readReports("older", {{older}, {}}, {});
        QCOMPARE(sumOf(run.values.steps.front().parts), std::int64_t{6});
    }
    void runsWithoutGpuWork()
    {
        const auto runOf = [](int slower) {
            SmallRun run(2);
            for (int rank = 0; rank < 2; ++rank) {
                for (int step = 0; step < 5; ++step) {
                    const int begin = 100'000 * step;
                    const int length = 20'000 + (rank == 1 ? slower : 0);
                    run.step(rank, step, begin, length);
                    run.cpu(rank, "aten::linear", begin + 100, length - 10'000, "cpu_op");
                    run.cpu(rank, "aten::addmm", begin + 200, 4000, "cpu_op");
                }
            }
            return run;
        };
        const RunSheets base = sheetsOf(runOf(0), "base"), test = sheetsOf(runOf(5200), "test");
        const ComparisonReport report = finalReport(base, test, {});
        const Sheet* const steps = sheetIn(report, "Step_Cmp");
        QVERIFY(steps);
        QCOMPARE(rowText(*steps, 0, 4), std::string("1 | 1 | 20 | 22.6"));
        QVERIFY(std::abs(cellNumber(steps->rows[0][5]) - 13) < 1e-9);
        const Sheet* const ranks = sheetIn(report, "Step_ByRank_Cmp");
        QVERIFY(ranks);
        QCOMPARE(rowTexts(ranks, 3), (std::vector<std::string>{"0 | 20 | 20", "1 | 20 | 25.2"}));
        QCOMPARE(keyText(ranks->rows[0][5]), std::string("Similar"));
        QCOMPARE(keyText(ranks->rows[1][5]), std::string("Worse"));
        const Sheet* const operators = sheetIn(report, "Operator_Cmp");
        QVERIFY(operators);
        QCOMPARE(rowText(*operators, 0, 3), std::string("aten::linear | 6 | 8.6"));
        QCOMPARE(rowText(*operators, 1, 5), std::string("aten::addmm | 4 | 4 | 0 | 0"));
        QVERIFY(!sheetIn(report, "Step_Waterfall"));
        QCOMPARE(comparisonHeadline(base, test, {}),
                 std::string("Mean step 20.0 ms -> 22.6 ms: +2.60 ms, 13 % slower (Worse)."));
        QVERIFY(report.notes.front().starts_with(
            "Neither run has GPU work: steps are compared by their markers"));
    }
    void idleTimeLeadsToTheLongestGap()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 10'000);
            run.kernel(rank, 0, 4000, 7, "gemm_kernel");
            run.kernel(rank, rank == 1 ? 8000 : 6000, 2000, 7, "gemm_kernel"); // 4 ms on rank 1
        }
        MetricOptions options;
        options.steps.mode = StepChoice::Mode::All;
        options.cancelled = [] { return false; };
        const ComparedRunPtr own = prepareRun(run.load(), options, "run", {});
        ComparedSubject idle;
        idle.part = StepPart::Idle;
        const ComparedLocations places = findLocations(*own, *own, idle, StepPair{1, 1});
        QVERIFY(places.test.gap);
        QCOMPARE(places.test.gapRank, 1);
        QCOMPARE(places.test.gap->lengthNs(), std::int64_t{4'000'000});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestComparedWork)
#include "tst_compared_work.moc"
