// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Who waited for whom where no single rank was late: some came early, several came last together, or the
// matched calls are too few to tell.

#include "metrics/causes/arrivals.h"
#include "metrics/causes/cause_chain.h"
#include "metrics/causes/explain.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <QTest>

#include <functional>
#include <map>

namespace collscope {

namespace {

constexpr int stepCount = 6;
constexpr int callsOfStep = 5;
constexpr double stepUs = 5000;

/// Steps of five all-reduces over all ranks, 1000 us apart. `late`: by how much a rank comes later than at
/// once, in us, by rank and by number of the call; `off`: by how much its kernel's end is off the common one.
SmallRun runOf(
    int ranks, const std::function<double(int, int)>& late,
    const std::function<double(int, int)>& off = [](int, int) { return 0.0; })
{
    SmallRun run(ranks);
    SmallCall call{"allreduce", "0", "", ranks, 1024, 1024};
    for (int rank = 0; rank < ranks; ++rank)
        call.ranks += (rank == 0 ? "[" : ", ") + std::to_string(rank);
    call.ranks += "]";
    for (int rank = 0; rank < ranks; ++rank) {
        for (int step = 0; step < stepCount; ++step) {
            run.step(rank, step, step * stepUs, stepUs);
            for (int i = 0; i < callsOfStep; ++i) {
                const int number = step * callsOfStep + i;
                const double begin = number * 1000.0 + 100 + late(rank, number);
                call.sequence = number + 1;
                run.kernel(rank, number * 1000.0 + 10, begin - number * 1000.0 - 20);
                run.call(rank, begin, number * 1000.0 + 900 + off(rank, number) - begin, call);
            }
        }
    }
    return run;
}

/// Ends that lie up to 5 us apart, now this rank's first, now that one's: the clocks tell no less than that.
double scattered(int rank, int number)
{
    return (rank * 7 + number * 3) % 11 - 5;
}

MetricResult straggler(const TraceModel& model)
{
    return measured(model, "straggler", allSteps());
}

std::string stringIn(const MetricResult& result, std::string_view key)
{
    const Value* const value = detailOf(result, {key});
    return value && value->as<std::string>() ? *value->as<std::string>() : std::string();
}

bool isIn(const std::string& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

class TestEarlyRanks : public QObject
{
    Q_OBJECT

private slots:
    /// Rank 2 comes 400 us before the others, which come together but for 10 us of jitter.
    void oneRankIsEarly_data()
    {
        QTest::addColumn<int>("ranks");
        for (const int ranks : {3, 4, 8})
            QTest::addRow("%d ranks", ranks) << ranks;
    }
    void oneRankIsEarly()
    {
        QFETCH(int, ranks);
        const TraceModelPtr model = runOf(ranks, [](int rank, int number) {
                                        return rank == 2 ? 0.0 : 400 + (rank * 5 + number * 7) % 11;
                                    }).load();
        const MetricResult result = straggler(*model);
        QCOMPARE(stringIn(result, "verdict"), std::string("nobody"));
        const std::string text = stringIn(result, "verdict_text");
        QVERIFY2(isIn(text, "No rank was late, but rank 2 waited"), text.c_str());
        QVERIFY2(isIn(text, "in 30 collectives (41 % of the window)"), text.c_str());
        const Value* const culprit = detailOf(result, {"straggler_rank"});
        QVERIFY(culprit && !culprit->as<std::int64_t>());
        const MetricResult slowdown = measured(*model, "straggler_slowdown", allSteps());
        const Value* const least = detailOf(slowdown, {"culprit_rank"});
        QVERIFY(slowdown.value && least && !least->as<std::int64_t>());

        Analysis analysis(*model, {});
        const auto explained = explainStep(analysis, 3);
        QVERIFY(explained.has_value());
        const CauseChain& chain = explained->chain;
        QVERIFY(chain.verdict == CauseVerdict::NobodyLate);
        QCOMPARE(chain.early, std::vector<std::int32_t>{2});
        QCOMPARE(verdictSentence(chain),
                 std::string("No rank was late, but rank 2 arrived early and waited for the other ranks."));
        QVERIFY2(isIn(chain.clauses.at(1).text, "Rank 2 arrived early at 5 collectives: it waited 2.0"),
                 chain.clauses.at(1).text.c_str());
    }
    /// The same with one rank late: nothing changes.
    void oneRankIsLate()
    {
        const TraceModelPtr model = runOf(4, [](int rank, int) { return rank == 2 ? 400.0 : 0.0; }).load();
        const MetricResult result = straggler(*model);
        QCOMPARE(stringIn(result, "verdict"), std::string("one_rank"));
        COLLSCOPE_CLOSE(numberIn(result, {"straggler_rank"}), 2);
        COLLSCOPE_CLOSE(numberIn(result, {"imposed_wait_us", "2"}), 30 * 3 * 400);
        COLLSCOPE_CLOSE(numberIn(result, {"times_last", "2"}), 30);
        COLLSCOPE_CLOSE(numberIn(result, {"last_unknown_collectives"}), 0);
        COLLSCOPE_CLOSE(numberIn(measured(*model, "straggler_slowdown", allSteps()), {"culprit_rank"}), 2);
        Analysis analysis(*model, {});
        const auto explained = explainStep(analysis, 3);
        QVERIFY(explained && explained->chain.rank == 2 && explained->chain.early.empty());
    }
    /// Waits too short to tell from the error of the clocks add up to more than half of what rank 2 is late.
    /// Nobody is known to have caused them, and rank 0 is not even in these groups.
    void shortWaitsAreNobodysFault()
    {
        constexpr int ranks = 5;
        SmallRun run(ranks);
        std::map<std::string, int> numbers;
        const auto meet = [&](const std::string& members, const std::map<int, double>& begins, double endUs) {
            SmallCall call{"allreduce", "g" + members, "", static_cast<int>(begins.size()), 1024, 1024};
            call.ranks = members;
            call.sequence = ++numbers[members];
            for (const auto& [rank, beginUs] : begins)
                run.call(rank, beginUs, endUs - beginUs, call);
        };
        const auto together = [](double us) {
            return std::map<int, double>{{0, us}, {1, us}, {2, us}, {3, us}, {4, us}};
        };
        for (int rank = 0; rank < ranks; ++rank) {
            run.step(rank, 1, 0, 2000);
            run.kernel(rank, 10, 30);
        }
        meet("[0, 1, 2, 3, 4]", together(100), 110);
        for (int i = 0; i < 3; ++i)
            meet("[1, 2, 3]", {{1, 1000.0 + 100 * i}, {2, 1004.1 + 100 * i}, {3, 1005.0 + 100 * i}},
                 1010.0 + 100 * i);
        meet("[2, 4]", {{4, 1300}, {2, 1304}}, 1310);
        meet("[0, 1, 2, 3, 4]", together(1400), 1410);
        const MetricResult result = straggler(*run.load());
        QVERIFY2(result.state == MetricState::Value, result.reason.c_str());
        COLLSCOPE_CLOSE(numberIn(result, {"imposed_wait_us", "2"}), 4);
        COLLSCOPE_CLOSE(numberIn(result, {"caused_wait_us", "0"}), 0);
    }
    /// Each collective another rank is early: no rank has less to do.
    void scatterIsNobodysLead()
    {
        const TraceModelPtr model
            = runOf(4, [](int rank, int number) { return rank == number % 4 ? 0.0 : 40.0; }).load();
        Analysis analysis(*model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        QVERIFY(arrivals.early().empty());
        QVERIFY2(!isIn(arrivals.verdictText(), "arrived early"), arrivals.verdictText().c_str());
    }
    /// Two of four come 300 us late, in an order that the ends, 5 us off, do not tell.
    void whoCameLastIsNotTold()
    {
        const TraceModelPtr model
            = runOf(
                  4, [](int rank, int number) { return rank < 2 ? 0.0 : 300.0 + (rank + number) % 2; },
                  scattered)
                  .load();
        Analysis analysis(*model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        QVERIFY2(arrivals.significantNs > 2'000, std::to_string(arrivals.significantNs).c_str());
        QCOMPARE(arrivals.lastUnknown, std::int64_t{30});
        for (const RankWait& rank : arrivals.ranks) {
            QCOMPARE(rank.imposedNs, std::int64_t{0});
            QCOMPARE(rank.timesLast, std::int64_t{0});
        }
        QVERIFY(arrivals.verdict() == StragglerVerdict::Inconclusive);
        QVERIFY2(isIn(arrivals.verdictText(), "several ranks arrived last"), arrivals.verdictText().c_str());
        // Where one of them is later by more than that, it is told.
        const TraceModelPtr told
            = runOf(
                  4, [](int rank, int) { return rank < 2 ? 0.0
                                             : rank == 2 ? 200.0
                                                         : 300.0; }, scattered)
                  .load();
        Analysis other(*told, allSteps());
        const Arrivals clear = measureArrivals(other);
        QCOMPARE(clear.lastUnknown, std::int64_t{0});
        QCOMPARE(clear.ranks[3].timesLast, std::int64_t{30});
    }
    /// Rank 2 is late by 400 us alone; now and then rank 3 comes 100 us late with it, in an order that the
    /// ends do not tell: that is too little to make it doubtful.
    void whoIsClearlyLateStaysNamed()
    {
        const TraceModelPtr model
            = runOf(
                  4,
                  [](int rank, int number) {
                      const bool isBoth = number % 5 == 0;
                      return rank == 2 ? (isBoth ? 100.0 : 400.0) : rank == 3 && isBoth ? 101.0 : 0.0;
                  },
                  scattered)
                  .load();
        Analysis analysis(*model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        QCOMPARE(arrivals.lastUnknown, std::int64_t{6});
        QVERIFY2(arrivals.verdict() == StragglerVerdict::OneRank, arrivals.verdictText().c_str());
        QCOMPARE(arrivals.straggler()->rank, 2);
        QCOMPARE(arrivals.straggler()->timesLast, std::int64_t{24});
    }
    /// All of the value is skew that the clocks cannot tell: it says so.
    void scatterInTheValueIsCalledSo()
    {
        const TraceModelPtr model
            = runOf(
                  4, [](int rank, int number) { return (rank * 3 + number) % 4 * 1.0; }, scattered)
                  .load();
        const MetricResult result = straggler(*model);
        COLLSCOPE_CLOSE(numberIn(result, {"significant_ratio"}), 0);
        QVERIFY(*result.value > 0 && warns(result, "below the accuracy of the clocks"));
        const TraceModelPtr late = runOf(4, [](int rank, int) { return rank == 1 ? 400.0 : 0.0; }).load();
        const MetricResult sound = straggler(*late);
        COLLSCOPE_CLOSE(numberIn(sound, {"significant_ratio"}), *sound.value);
        QVERIFY(!warns(sound, "below the accuracy of the clocks"));
    }
    /// Calls of other sizes are no collective: with two of five of them unmatched nobody can be said to have
    /// been in time.
    void tooFewMatchesToTell_data()
    {
        QTest::addColumn<int>("unmatched");
        QTest::newRow("all match") << 0;
        QTest::newRow("two of five do not") << 2;
    }
    void tooFewMatchesToTell()
    {
        QFETCH(int, unmatched);
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            SmallCall call{"allreduce", "0", "[0, 1]", 2, 1024, 1024};
            for (int step = 0; step < 40; ++step) {
                run.step(rank, step, step * stepUs, stepUs);
                for (int i = 0; i < callsOfStep; ++i) {
                    const bool isOther = step == 7 && i < unmatched && rank == 1;
                    call.inElements = call.outElements = isOther ? 512 : 1024;
                    call.sequence = step * callsOfStep + i + 1;
                    run.call(rank, step * stepUs + i * 1000.0 + 100, 500, call);
                }
            }
        }
        const TraceModelPtr model = run.load();
        Analysis analysis(*model, {});
        const auto explained = explainStep(analysis, 7);
        QVERIFY(explained.has_value());
        const bool isTold = explained->chain.verdict == CauseVerdict::NobodyLate;
        QCOMPARE(isTold, unmatched == 0);
        const std::string& text = explained->chain.clauses.back().text;
        QVERIFY2(isIn(text, "could not be matched") == (unmatched > 0), text.c_str());
        QCOMPARE(isIn(verdictSentence(explained->chain), "the late rank cannot be determined"),
                 unmatched > 0);
    }
    /// Nothing joins the clocks of two pairs: which of the four ends last is not known.
    void endsOfSeparateSetsAreNotCompared()
    {
        const auto pairs = [](bool areJoined) {
            SmallRun run(4);
            for (int rank = 0; rank < 4; ++rank) {
                const std::string group = areJoined ? "0" : rank < 2 ? "1" : "2";
                const std::string ranks = areJoined ? "[0, 1, 2, 3]" : rank < 2 ? "[0, 1]" : "[2, 3]";
                run.step(rank, 1, 0, 3000);
                for (int i = 0; i < 10; ++i)
                    run.call(rank, 100 + 200 * i + (areJoined || rank < 2 ? 0 : 20), 100,
                             {"allreduce", group, ranks, areJoined ? 4 : 2, 64, 64, "", i + 1});
            }
            return measured(*run.load(), "straggler_delay", allSteps());
        };
        const MetricResult apart = pairs(false);
        QVERIFY(apart.state == MetricState::NotApplicable);
        QVERIFY2(isIn(apart.reason, "2 sets"), apart.reason.c_str());
        COLLSCOPE_CLOSE(pairs(true).value.value_or(-1), 0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestEarlyRanks)
#include "tst_early_ranks.moc"
