// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A shorter step is better only if it does the same work. Each run is planted: what it does is known.

#include "metrics/analysis/analysis.h"
#include "metrics/comparison/comparison.h"
#include "metrics/comparison/shared_steps.h"
#include "metrics/comparison/step_comparison.h"
#include "metrics/reports/run_report.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/cpu_rank.h"

#include <QTest>

#include <cmath>
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
    const char* kind = "AllReduce"; ///< of its collectives
    int collectives = 1;
};

RunSheets runOf(const PlantedStep& planted, const char* label)
{
    constexpr int ranks = 2, steps = 4, reduceUs = 1000;
    SmallRun run(ranks);
    const int busyUs = planted.gemms * planted.gemmUs;
    const int lengthUs = busyUs + reduceUs * planted.collectives + 500;
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
            if (planted.kind != std::string_view("AllReduce")) {
                call.name = "_allgather_base";
                call.kernel = "ncclDevKernel_" + std::string(planted.kind) + "_RING_LL";
            }
            for (int i = 0; i < planted.collectives; ++i) {
                call.sequence = step * planted.collectives + i + 1;
                run.call(rank, begin + 200 + busyUs + i * reduceUs, reduceUs, call, 20, begin + 60);
            }
        }
    }
    const TraceModelPtr model = run.load();
    if (!model)
        throw std::runtime_error("the planted run does not load");
    Analysis analysis(*model, {});
    RunSheets sheets = runSheets(analysis, label, {});
    sheets.values.described = planted.described;
    return sheets;
}

/// Every word of a verdict in a report.
std::set<std::string> verdictsOf(const ComparisonReport& report)
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
            "do different work per step: batch 8 -> 4", false);
        row("longer sequences", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 900, "gemm_kernel", 250'000, longer}, "sequence length 512 -> 1024", false);
        row("another model", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "gemm_kernel", 250'000, {"small", 8, 512}},
            "their descriptions name the models toy and small", false);
        row("another spelling", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "gemm_kernel", 250'000, {"TOY", 8, 512}}, "", true);
        row("no length in one card", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "gemm_kernel", 250'000, {"toy", 8, {}}}, "", true);
        // The cards agree, and half of the kernels are missing, each as long as before.
        row("half the kernels", {8, 500, "gemm_kernel", 250'000, eight},
            {4, 500, "gemm_kernel", 250'000, eight}, "GEMM is called 8 -> 4 times per step", false);
        row("half the kernels, no card", {}, {4, 500}, "GEMM is called 8 -> 4 times per step", false);
        row("other kernels, no card", {}, {8, 250, "fused_gemm_kernel"}, "cannot be determined", false);
        row("smaller messages, no card", {}, {8, 250, "gemm_kernel", 62'500},
            "a call of allreduce sends 2.5e+05 -> 6.25e+04 elements", false);
        row("other collectives, no card", {}, {8, 250, "gemm_kernel", 250'000, {}, "AllGather"},
            "AllReduce is called 1 -> 0 times, AllGather 0 -> 1 times per step", false);
        row("more collectives, no card", {8, 500, "gemm_kernel", 250'000, {}, "AllReduce", 3},
            {8, 250, "gemm_kernel", 250'000, {}, "AllReduce", 1}, "AllReduce is called 3 -> 1 times per step",
            false);
        row("other collectives, same batch", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "gemm_kernel", 250'000, eight, "AllGather"},
            "state the same batch, but AllReduce is called", true);
        // With the same batch the other kernels are what somebody improved.
        row("other kernels, same batch", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "fused_gemm_kernel", 250'000, eight}, "state the same batch, but only", true);
        // Half of the micro-batches, each twice as large.
        row("fewer and longer calls", {8, 500, "gemm_kernel", 250'000, eight},
            {4, 800, "gemm_kernel", 250'000, eight}, "state the same batch, but GEMM is called 8 -> 4", true);
        row("faster kernels, same batch", {8, 500, "gemm_kernel", 250'000, eight},
            {8, 250, "gemm_kernel", 250'000, eight}, "", true);
        row("faster kernels, no card", {}, {8, 250}, "It is not recorded whether the batch is the same",
            true);
        row("a card in one run", {8, 500, "gemm_kernel", 250'000, eight}, {8, 250},
            "It is not recorded whether the batch is the same", true);
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
        ComparisonReport report = finalReport(own, other, {});
        std::erase_if(report.sheets, [](const Sheet& sheet) { return sheet.name.starts_with("NCCL_"); });
        const std::set<std::string> words = verdictsOf(report);
        QCOMPARE(words.contains("Better"), isJudged);
        QVERIFY(isJudged || !words.contains("Worse"));
    }
    /// A kernel that a step's border cuts is a call of the step that it starts in.
    void aBorderMakesNoCalls()
    {
        const auto kernelsOf = [](int gemms) {
            SmallRun run(1);
            for (int step = 0; step < 4; ++step) {
                run.step(0, step, 10'000 * step, 10'000);
                const int us = 8000 / gemms; // the last one ends 500 us behind the border
                for (int i = 0; i < gemms; ++i)
                    run.kernel(0, 10'000 * step + 2500 + us * i, us, 7, "gemm_kernel", 10'000 * step + 100);
            }
            const TraceModelPtr model = run.load();
            Analysis analysis(*model, {});
            return runSheets(analysis, "run", {}).values.kernels.front();
        };
        QCOMPARE(kernelsOf(2).calls, 2.0);
        QCOMPARE(kernelsOf(1).calls, 1.0);
        QVERIFY(std::abs(kernelsOf(2).ms - 8.0) < 1e-9); // of two inner steps, each with a tail and a cut
    }
    /// Runs on CPUs whose collectives are of other kinds are other programs.
    void collectivesOfCpus()
    {
        const auto runOf = [](const char* kind, int stepUs, const char* label) {
            const RunFolder folder;
            for (int rank = 0; rank < 2; ++rank) {
                CpuRank file(rank, oneGroup);
                for (int step = 0; step < 4; ++step) {
                    const int begin = step * stepUs;
                    file.step(step, begin, stepUs);
                    file.event("cpu_op", "aten::linear", 1, begin + 100, 400);
                    file.event("cpu_op", std::string("c10d::") + kind, 1, begin + 600, 10,
                               "\"Input Dims\":[[[64]],[]],\"Input type\":[\"TensorList\",\"\"]");
                }
                folder.write("run/rank" + std::to_string(rank) + "_trace.json", file.text());
            }
            const TraceModelPtr model = folder.load("run");
            if (!model)
                throw std::runtime_error("the planted run does not load");
            Analysis analysis(*model, {});
            return runSheets(analysis, label, {});
        };
        const RunSheets base = runOf("allreduce_", 2000, "base");
        const RunSheets same = runOf("allreduce_", 1000, "test"), other = runOf("allgather_", 1000, "test");
        QVERIFY(comparedWork(base, same).steps.isJudged());
        const ComparedStepWork work = comparedWork(base, other).steps;
        QVERIFY(!work.isJudged());
        QCOMPARE(work.difference,
                 std::string("AllReduce is called 1 -> 0 times, AllGather 0 -> 1 times per step"));
        QVERIFY(comparisonHeadline(base, other, {}).find("(no verdict)") != std::string::npos);
    }
    void aTokenIsCompared()
    {
        // 4000 + 1500 us for 8 x 512 tokens, 3200 + 1500 us for half of them.
        const RunSheets base = runOf({8, 500, "gemm_kernel", 250'000, {"toy", 8, 512}}, "base");
        const RunSheets test = runOf({8, 400, "gemm_kernel", 250'000, {"toy", 4, 512}}, "test");
        QCOMPARE(comparisonHeadline(base, test, {}),
                 std::string("Mean step 5.50 ms -> 4.70 ms: -800 us, 15 % shorter (no verdict). The test has "
                             "0.5 times the tokens per step: a token takes 71 % longer."));
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
        base.values.described = {"toy", 8, 512};
        test.values.described = {"toy", 4, 512};
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
