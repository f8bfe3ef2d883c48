// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A shorter step is better only if it does the same work. Each run is planted: what it does is known.

#include "metrics/analysis.h"
#include "metrics/reports/keyed_rows.h"
#include "metrics/reports/run_report.h"
#include "metrics/reports/shared_steps.h"
#include "metrics/reports/step_comparison.h"
#include "tests/support/small_run.h"
#include "tests/support/suite.h"

#include <QTest>

#include <set>

namespace collscope {

namespace {

/// What a step of a run holds. Two ranks, four steps. Times in us.
struct PlantedStep
{
    int gemms = 8, gemmUs = 500;
    const char* gemm = "gemm_kernel";
    std::int64_t elements = 250'000; ///< of the one all-reduce
    DescribedWork described = {};
};

RunSheets runOf(const PlantedStep& planted, const char* label)
{
    constexpr int ranks = 2, steps = 4, reduceUs = 1000;
    SmallRun run(ranks);
    const int busyUs = planted.gemms * planted.gemmUs;
    const int lengthUs = busyUs + reduceUs + 500;
    for (int rank = 0; rank < ranks; ++rank) {
        for (int step = 0; step < steps; ++step) {
            const int begin = step * lengthUs;
            run.step(rank, step, begin, lengthUs);
            for (int i = 0; i < planted.gemms; ++i)
                run.kernel(rank, begin + 100 + i * planted.gemmUs, planted.gemmUs, 7, planted.gemm,
                           begin + 50);
            SmallCall call;
            call.ranks = "[0, 1]";
            call.groupSize = ranks;
            call.inElements = call.outElements = planted.elements;
            call.sequence = step + 1;
            run.call(rank, begin + 200 + busyUs, reduceUs, call, 20, begin + 60);
        }
    }
    const TraceModelPtr model = run.load();
    if (!model)
        throw std::runtime_error("the planted run does not load");
    Analysis analysis(*model, {});
    RunSheets sheets = runSheets(analysis, label, {});
    sheets.gpuTimeline.sheets.push_back(describedSheet(planted.described));
    return sheets;
}

/// Every word of a verdict in a report.
std::set<std::string> verdictsOf(const Workbook& report)
{
    std::set<std::string> words;
    for (const Sheet& sheet : report.sheets) {
        for (std::size_t c = 0; c < sheet.columns.size(); ++c) {
            if (sheet.columns[c] != "status" && sheet.columns[c] != "Status")
                continue;
            for (const Value::Array& row : sheet.rows)
                words.insert(keyText(row[c]));
        }
    }
    return words;
}

} // namespace

class TestComparedStepWork : public QObject
{
    Q_OBJECT

private slots:
    void lessWorkIsNotBetter_data()
    {
        QTest::addColumn<PlantedStep>("base");
        QTest::addColumn<PlantedStep>("test");
        QTest::addColumn<QString>("said");
        QTest::addColumn<bool>("isJudged");
        const DescribedWork eight{"toy", 8, 512}, four{"toy", 4, 512}, longer{"toy", 8, 1024};
        const auto row
            = [](const char* name, PlantedStep base, PlantedStep test, const char* said, bool isJudged) {
                  QTest::newRow(name) << base << test << QString::fromLatin1(said) << isJudged;
              };
        row("half the batch", {8, 500, "gemm_kernel", 250'000, eight}, {8, 250, "gemm_kernel", 250'000, four},
            "do not do the same work in a step: batch 8 -> 4", false);
        row("longer sequences", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 900, "gemm_kernel", 250'000, longer}, "sequence length 512 -> 1024", false);
        row("another model", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "gemm_kernel", 250'000, {"small", 8, 512}},
            "their descriptions call the model toy and small", false);
        row("another spelling", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "gemm_kernel", 250'000, {"TOY", 8, 512}}, "", true);
        row("no length in one card", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "gemm_kernel", 250'000, {"toy", 8, {}}}, "", true);
        // The cards agree, and half of the kernels are missing, each as long as before.
        row("half the kernels", {8, 500, "gemm_kernel", 250'000, eight},
            {4, 500, "gemm_kernel", 250'000, eight}, "GEMM is called 8 -> 4 times in a step", false);
        row("half the kernels, no card", {}, {4, 500}, "GEMM is called 8 -> 4 times in a step", false);
        row("other kernels, no card", {}, {8, 250, "fused_gemm_kernel"}, "cannot be told", false);
        row("smaller messages, no card", {}, {8, 250, "gemm_kernel", 62'500},
            "a call of allreduce sends 2.5e+05 -> 6.25e+04 elements", false);
        // With the same batch the other kernels are what somebody improved.
        row("other kernels, same batch", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "fused_gemm_kernel", 250'000, eight}, "say the same batch, but only", true);
        // Half of the micro-batches, each twice as large.
        row("fewer and longer calls", {8, 500, "gemm_kernel", 250'000, eight},
            {4, 800, "gemm_kernel", 250'000, eight}, "say the same batch, but GEMM is called 8 -> 4", true);
        row("faster kernels, same batch", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "gemm_kernel", 250'000, eight}, "", true);
        row("faster kernels, no card", {}, {8, 250}, "Nothing says that the batch is the same", true);
        row("a card in one run", {8, 500, "gemm_kernel", 250'000, eight}, {8, 250},
            "Nothing says that the batch is the same", true);
    }
    void lessWorkIsNotBetter()
    {
        QFETCH(PlantedStep, base);
        QFETCH(PlantedStep, test);
        QFETCH(QString, said);
        QFETCH(bool, isJudged);
        const RunSheets own = runOf(base, "base"), other = runOf(test, "test");
        const std::string note = stepsNote(own, other).value_or("");
        QVERIFY2(said.isEmpty() ? note.empty() : note.find(said.toStdString()) != std::string::npos,
                 note.c_str());
        const std::string headline = comparisonHeadline(own, other, {});
        QVERIFY2((headline.find("aster (Better)") != std::string::npos) == isJudged, headline.c_str());
        QCOMPARE(headline.find("(no verdict)") == std::string::npos, isJudged);
        // No sheet judges a time of a step where the headline does not; calls of one size are judged.
        Workbook report = finalReport(own, other, {});
        std::erase_if(report.sheets, [](const Sheet& sheet) { return sheet.name.starts_with("NCCL_"); });
        const std::set<std::string> words = verdictsOf(report);
        QCOMPARE(words.contains("Better"), isJudged);
        QVERIFY(isJudged || !words.contains("Worse"));
    }
    void aTokenIsCompared()
    {
        // 4000 + 1500 us for 8 x 512 tokens, 3200 + 1500 us for half of them.
        const RunSheets base = runOf({8, 500, "gemm_kernel", 250'000, {"toy", 8, 512}}, "base");
        const RunSheets test = runOf({8, 400, "gemm_kernel", 250'000, {"toy", 4, 512}}, "test");
        QCOMPARE(comparisonHeadline(base, test, {}),
                 std::string("Mean step 5.50 ms -> 4.70 ms: -800 us, 15 % shorter (no verdict). The test has "
                             "0.5 times the tokens in a step: a token takes 71 % longer."));
        QCOMPARE(perTokenSentence(ComparedStepWork(), 1, 2), std::string());
        // A pass of a server does not do all tokens of its batch.
        const RunSheets serving = runOf({8, 400, "gemm_kernel", 250'000, {"toy", 4, 512, false}}, "test");
        QCOMPARE(comparisonHeadline(base, serving, {}),
                 std::string("Mean step 5.50 ms -> 4.70 ms: -800 us, 15 % shorter (no verdict)."));
    }
    void capturesOfOtherBatchesAreNotJudged()
    {
        RunSheets base = captureOf("base"), test = captureOf("test");
        QVERIFY(comparedWork(base, test).isTold);
        base.gpuTimeline.sheets.push_back(describedSheet({"toy", 8, 512}));
        test.gpuTimeline.sheets.push_back(describedSheet({"toy", 4, 512}));
        const ComparedWork work = comparedWork(base, test);
        QVERIFY(!work.isTold);
        QCOMPARE(work.whyNot, std::string("the descriptions of the runs differ: batch 8 -> 4"));
    }

private:
    static RunSheets captureOf(const char* label)
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            for (int i = 0; i < 10; ++i)
                run.kernel(rank, 100 + 1000 * i, 500);
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        return runSheets(analysis, label, {});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestComparedStepWork)
#include "tst_compared_step_work.moc"
