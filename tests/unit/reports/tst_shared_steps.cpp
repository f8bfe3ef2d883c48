// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which steps of two runs are compared, and what is said of the others.

#include "metrics/comparison/comparison.h"
#include "metrics/comparison/earlier_reports.h"
#include "metrics/comparison/step_comparison.h"
#include "metrics/comparison/steps_or_captures.h"
#include "metrics/reports/run_report.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/json_text.h"
#include "tests/support/texts/sheet_text.h"

#include <QTemporaryDir>

#include <array>
#include <fstream>

namespace collscope {

namespace {

std::string statusOfStep(const Sheet& waterfall)
{
    return keyText(waterfall.rows.back()[waterfall.column("status").value()]);
}

} // namespace

class TestSharedSteps : public QObject
{
    Q_OBJECT

private slots:
    void otherStepsAreTold()
    {
        const auto runOf = [](const char* label, std::initializer_list<int> numbers) {
            std::vector<RankStepParts> parts;
            for (const int number : numbers)
                parts.push_back({0, number, {0, 1}, {}});
            RunSheets run{label, {}, {}};
            run.values.described = {"toy", 8, 512}; // the same work in a step
            run.values.steps = parts;
            run.values.hasStepParts = true;
            return run;
        };
        const RunSheets base = runOf("a", {2, 3, 4});
        QVERIFY(!stepsNote(base, runOf("b", {2, 3, 4})));
        QVERIFY(!stepsNote(base, {"b", {}, {}}));
        QCOMPARE(
            stepsNote(base, runOf("b", {7, 8, 9})).value(),
            std::string("a has 3 steps (2 to 4) in its window, b has 3 steps (7 to 9): the same number of "
                        "steps, but different steps."));
        const std::string unequal = stepsNote(base, runOf("b", {2, 4})).value();
        QVERIFY2(unequal.starts_with(
                     "a has 3 steps (2 to 4) in its window, b has 2 steps: only common steps are compared"),
                 unequal.c_str());
        QCOMPARE(finalReport(base, runOf("b", {2, 4}), {}).notes, std::vector{unequal});
        QCOMPARE(allRunsReport({base, base, runOf("b", {2, 4})}, {}).notes,
                 std::vector{"b against a: " + unequal});
    }
    void numbersMayBeAsFarApartAsTheyCanBe()
    {
        const auto runOf = [](const char* label, std::initializer_list<std::int64_t> numbers) {
            RunSheets run{label, {}, {}};
            for (const std::int64_t number : numbers) {
                RankStepParts step{0, number, {0, 1'000'000}, {}};
                step.parts[0] = 1'000'000;
                run.values.steps.push_back(step);
            }
            run.values.described = {"toy", 8, 512};
            run.values.hasStepParts = true;
            return run;
        };
        const RunSheets far = runOf("a", {INT64_MIN, INT64_MAX});
        const RunSheets near = runOf("b", {INT64_MAX - 1, INT64_MAX});
        const std::string note = stepsNote(far, near).value();
        QVERIFY2(note.starts_with("a has 2 steps in its window, b has 2 steps ("
                                  + std::to_string(INT64_MAX - 1) + " to " + std::to_string(INT64_MAX) + ")"),
                 note.c_str());
        QCOMPARE(sharedSteps(far, near).base.size(), std::size_t{1});
        QVERIFY(comparisonHeadline(far, near, {}).starts_with("Mean step 1.00 ms -> 1.00 ms: no difference"));
    }
    void stepsTooLargeAreNotCalledMissing_data()
    {
        QTest::addColumn<double>("ms");
        QTest::addColumn<bool>("isTooLarge");
        QTest::newRow("a step of 30 years") << 0.95 * mostStepsMs << false;
        QTest::newRow("a step of 33 years") << 1.05 * mostStepsMs << true;
    }
    void stepsTooLargeAreNotCalledMissing()
    {
        QFETCH(const double, ms);
        QFETCH(const bool, isTooLarge);
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("rank0.json")).toStdString();
        std::ofstream(file) << json(
            "{'traceEvents':[{'ph':'X','cat':'user_annotation','name':'ProfilerStep#1','pid':1,'tid':1,'ts':"
            "0,'dur':"
            + std::to_string(1000 * ms)
            + "},{'ph':'X','cat':'kernel','name':'gemm','pid':0,'tid':7,'ts':10,'dur':100,'args':{'device':0,"
              "'stream':7}}]}");
        const auto model = loadPath(file);
        QVERIFY(model.has_value());
        const MetricOptions options = allSteps();
        Analysis analysis(**model, options);
        const RunSheets traced = runSheets(analysis, "a", {});
        Workbook earlier;
        earlier.sheets.push_back({"Step_Parts",
                                  {"rank", "step", "idle ms", "window"},
                                  {{Value(0), Value(1), Value(ms), Value("step")}}});
        const RunSheets read = readReports("a", std::move(earlier), {});
        const std::string said = "The numbers or times of the steps of a are too large to be added up, so no "
                                 "steps are compared.";
        for (const RunSheets* run : {&traced, &read}) {
            QCOMPARE(run->values.steps.empty(), isTooLarge);
            QCOMPARE(comparisonHeadline(*run, *run, {}) == said, isTooLarge);
        }
    }
    void onlySharedStepsAreCompared()
    {
        // Rank 1 is slower; the test lacks it in step 3, and rank 2 altogether.
        const auto runOf = [](const char* label, std::initializer_list<std::array<int, 3>> steps) {
            std::vector<RankStepParts> parts;
            for (const auto& [rank, number, ms] : steps) {
                RankStepParts step{rank, number, {0, ms * 1'000'000}, {}};
                step.parts[0] = ms * 1'000'000;
                parts.push_back(step);
            }
            RunSheets run{label, {}, {}};
            run.values.steps = parts;
            run.values.hasStepParts = true;
            return run;
        };
        const RunSheets base
            = runOf("a", {{0, 2, 10}, {0, 3, 10}, {1, 2, 30}, {1, 3, 30}, {2, 2, 50}, {2, 3, 50}});
        const RunSheets test = runOf("b", {{0, 2, 10}, {0, 3, 10}, {1, 2, 30}});
        QCOMPARE(sharedSteps(base, test).base.size(), std::size_t{3});
        // Steps of other numbers are compared in order.
        const SharedSteps other = sharedSteps(base, runOf("b", {{0, 12, 11}, {0, 13, 12}, {1, 13, 31}}));
        QCOMPARE(other.test.size(), std::size_t{3});
        QCOMPARE(other.base[2].rank, 1);
        QCOMPARE(other.base[2].step, std::int64_t{3});
        QCOMPARE(other.test[2].step, std::int64_t{13});
        const Sheet waterfall = waterfallSheet(base, test, {});
        COLLSCOPE_CLOSE(cellNumber(waterfall.rows[0][1]), 16.666667); // mean of 10, 10 and 30
        QCOMPARE(cellNumber(waterfall.rows[0][3]), 0.0);
        const Sheet steps = compareSteps(base, test, {});
        QCOMPARE(rowText(steps, 0, 5), std::string("2 | 2 | 20 | 20 | 0"));
        QCOMPARE(rowText(steps, 1, 5), std::string("3 | 3 | 10 | 10 | 0"));
        QVERIFY(stepsNote(base, test).value().starts_with("Only a has rank 2: steps are compared on"));
        const std::string lacks
            = stepsNote(base, runOf("b", {{0, 2, 1}, {0, 3, 1}, {1, 2, 1}, {2, 2, 1}, {2, 3, 1}})).value();
        QVERIFY2(lacks.starts_with("Some ranks lack some of the steps: 5 steps of individual ranks"),
                 lacks.c_str());
    }
    void aStepIsNoWholeTrace()
    {
        RunSheets marked{"a", {}, {}}, unmarked{"b", {}, {}};
        marked.values.steps = {{0, 1, {0, 5}, {5}}};
        unmarked = readReports("b", {{stepPartsSheet({{0, 1, {0, 50}, {50}, true}})}, {}}, {});
        marked.values.hasStepParts = true;
        QVERIFY(unmarked.values.steps.front().isWholeTrace);
        QVERIFY(!areComparable(marked, unmarked) && areComparable(unmarked, unmarked));
        QVERIFY(waterfallSheet(marked, unmarked, {}).isEmpty());
        QVERIFY(compareSteps(marked, unmarked, {}).isEmpty());
        QVERIFY(stepsNote(unmarked, marked).value().starts_with("a has step markers and b has none"));
        QVERIFY(!waterfallSheet(unmarked, unmarked, {}).isEmpty());
    }
    void stepsTellNoiseWhereRanksAreFew()
    {
        const auto runOf = [](const char* label, std::initializer_list<int> us) {
            std::vector<RankStepParts> parts;
            for (const int own : us) {
                RankStepParts step{0, static_cast<std::int64_t>(parts.size()), {0, own * 1000}, {}};
                step.parts[0] = own * 1000;
                parts.push_back(step);
            }
            RunSheets run{label, {}, {}};
            run.values.steps = parts;
            run.values.hasStepParts = true;
            return run;
        };
        const RunSheets base = runOf("a", {1000, 1200, 800, 1100, 900});
        const auto verdict
            = [&](const RunSheets& test) { return statusOfStep(waterfallSheet(base, test, {})); };
        QCOMPARE(verdict(runOf("b", {900, 1250, 1150, 900, 1050})), std::string("Similar (noise)")); // + 5 %
        QCOMPARE(verdict(runOf("b", {1500, 1700, 1300, 1600, 1400})), std::string("Worse"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSharedSteps)
#include "tst_shared_steps.moc"
