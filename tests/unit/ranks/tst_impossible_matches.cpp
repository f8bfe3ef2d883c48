// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Runs whose calls look alike on all ranks although they are not of one collective: smaller groups that take
// turns, streams that a rank numbers otherwise, ranks of two jobs. The truth is planted here, call by call.

#include "metrics/causes/arrivals.h"
#include "metrics/matching/end_agreement.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <QTest>

#include <random>
#include <set>

namespace collscope {

namespace {

constexpr int ranks = 4;
constexpr int steps = 6;
constexpr double transferUs = 200;

/// What each rank called, in the order of its calls: the number of the collective.
using Truth = std::array<std::vector<int>, ranks>;

SmallCall unnamed()
{
    SmallCall call;
    call.name = call.group = "";
    return call;
}

/// Two pairs of ranks for tensor parallelism, two across them for data parallelism.
struct MeshPlan
{
    double lateUs = 0; ///< rank 3 computes longer by this before each tensor-parallel call
    bool isOneHost = false;
    int dataStream = 20;
    bool isNamed = false;
    double otherClockUs = 0; ///< the clocks of ranks 2 and 3 are ahead by this
};

struct PlantedMesh
{
    SmallRun run{ranks};
    Truth truth;
};

PlantedMesh mesh(const MeshPlan& plan)
{
    PlantedMesh planted;
    std::mt19937 random(1); // NOLINT(cert-msc51-cpp): always the same
    if (plan.isOneHost)
        planted.run.host("nodeA");
    for (const int rank : {2, 3})
        planted.run.shiftClock(rank, plan.otherClockUs);
    std::array<double, ranks> at{};
    int collective = 0;
    for (int step = 1; step <= steps; ++step) {
        const std::array<double, ranks> begin = at;
        for (int call = 0; call < 8; ++call) {
            const bool isTensor = call % 2 == 0;
            for (int rank = 0; rank < ranks; ++rank) {
                const double work = 1000 + static_cast<double>(random() % 1000) / 100
                    + (isTensor && rank == 3 ? plan.lateUs : 0);
                planted.run.kernel(rank, at[static_cast<std::size_t>(rank)], work);
                at[static_cast<std::size_t>(rank)] += work + 10;
            }
            for (int pair = 0; pair < 2; ++pair) {
                const int a = isTensor ? 2 * pair : pair;
                const int b = isTensor ? a + 1 : a + 2;
                const double end
                    = std::max(at[static_cast<std::size_t>(a)], at[static_cast<std::size_t>(b)]) + transferUs;
                SmallCall text = unnamed();
                if (plan.isNamed) {
                    text.name = "allreduce";
                    text.group = (isTensor ? "tp" : "dp") + std::to_string(pair);
                    text.ranks = "[" + std::to_string(a) + ", " + std::to_string(b) + "]";
                    text.groupSize = 2;
                    text.inElements = text.outElements = 1000;
                }
                for (const int rank : {a, b}) {
                    double& own = at[static_cast<std::size_t>(rank)];
                    planted.run.call(rank, own, end - own, text, isTensor ? 20 : plan.dataStream);
                    planted.truth[static_cast<std::size_t>(rank)].push_back(collective);
                    own = end + 10;
                }
                ++collective;
            }
        }
        for (int rank = 0; rank < ranks; ++rank)
            planted.run.step(rank, step, begin[static_cast<std::size_t>(rank)],
                             at[static_cast<std::size_t>(rank)] - begin[static_cast<std::size_t>(rank)] - 1);
    }
    return planted;
}

/// All ranks share all calls, on two streams in turn; rank 2 is late. Rank 1 may number the streams the other
/// way round.
SmallRun twoStreams(int layers, unsigned seed, bool isSwapped, bool isOneHost)
{
    SmallRun run(ranks);
    std::mt19937 random(seed);
    if (isOneHost)
        run.host("nodeA");
    double begin = 0;
    for (int step = 1; step <= steps; ++step) {
        std::array<double, ranks> at;
        at.fill(begin);
        std::array<double, 2> free{};
        double end = 0;
        for (int layer = 0; layer < layers; ++layer) {
            std::array<double, ranks> arrival{};
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                const double work = 1000 + static_cast<double>(random() % 4000) / 100 + (rank == 2 ? 300 : 0);
                run.kernel(static_cast<int>(rank), at[rank], work);
                at[rank] += work;
                arrival[rank] = std::max(at[rank] + 10, free[static_cast<std::size_t>(layer % 2)] + 2);
            }
            end = *std::max_element(arrival.begin(), arrival.end()) + 300;
            free[static_cast<std::size_t>(layer % 2)] = end;
            for (int rank = 0; rank < ranks; ++rank) {
                const int stream = isSwapped && rank == 1 ? 21 - layer % 2 : 20 + layer % 2;
                const double own = arrival[static_cast<std::size_t>(rank)];
                run.call(rank, own, end - own, unnamed(), stream);
            }
        }
        for (int rank = 0; rank < ranks; ++rank)
            run.step(rank, step, begin, end + 40 - begin);
        begin = end + 50;
    }
    return run;
}

/// Thirty numbered calls on ranks 0 to 3. Ranks 2 and 3 may be of another job, which works at its own pace.
struct NumberedPlan
{
    double otherLateUs = 0; ///< and of it rank 2 is late
    bool isOtherJob = false;
    double aheadUs = 3000; ///< its clock, or its begin
    double driftPpm = 0;
};

SmallRun numbered(const NumberedPlan& plan)
{
    SmallRun run(ranks);
    std::mt19937 random(3); // NOLINT(cert-msc51-cpp): always the same
    const auto work = [&] { return 1000 + static_cast<double>(random() % 4000) / 100; };
    double ours = 0, theirs = 0;
    for (int i = 0; i < 30; ++i) {
        std::array<double, ranks> arrival{};
        for (std::size_t rank = 0; rank < ranks; ++rank)
            arrival[rank] = (rank < 2 || !plan.isOtherJob ? ours : theirs) + work()
                + (rank == 2 ? plan.otherLateUs : 0);
        if (plan.isOtherJob) {
            ours = std::max(arrival[0], arrival[1]) + 300;
            theirs = std::max(arrival[2], arrival[3]) + 300;
        } else {
            ours = theirs = *std::max_element(arrival.begin(), arrival.end()) + 300;
        }
        SmallCall call;
        call.ranks = "[0, 1, 2, 3]";
        call.groupSize = ranks;
        call.inElements = call.outElements = 1000;
        call.sequence = i + 1;
        for (int rank = 0; rank < ranks; ++rank) {
            const auto onClock
                = [&](double us) { return rank < 2 ? us : us * (1 + plan.driftPpm * 1e-6) + plan.aheadUs; };
            const double begin = onClock(arrival[static_cast<std::size_t>(rank)]);
            run.kernel(rank, begin - 900, 890);
            run.call(rank, begin, onClock(rank < 2 ? ours : theirs) - begin, call);
        }
    }
    return run;
}

/// The collective of each call of a rank, by its begin.
std::map<std::int64_t, int> truthOf(const RankCalls& rank, const std::vector<int>& truth)
{
    std::map<std::int64_t, int> byBegin;
    for (const Call& call : rank.calls)
        byBegin[call.range.beginNs] = 0;
    auto next = truth.begin();
    for (auto& [beginNs, collective] : byBegin)
        collective = *next++;
    return byBegin;
}

/// Collectives that are said to be certain and hold calls of several.
int falseMatches(const RunCollectives& run, const Truth& truth)
{
    int count = 0;
    for (const CollectiveInstance& instance : run.matching.instances) {
        if (instance.memberCount < 2 || instance.confidence == MatchConfidence::OrderAlone)
            continue;
        std::set<int> collectives;
        for (const CallRef member : run.matching.membersOf(instance)) {
            const RankCalls& rank = run.ranks[member.rank];
            collectives.insert(truthOf(rank, truth[static_cast<std::size_t>(rank.rank)])
                                   .at(run.callOf(member).range.beginNs));
        }
        count += collectives.size() > 1 ? 1 : 0;
    }
    return count;
}

bool isSaid(const std::vector<std::string>& texts, const std::string& what)
{
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return text.find(what) != std::string::npos; });
}

} // namespace

class TestImpossibleMatches : public QObject
{
    Q_OBJECT

private slots:
    /// Calls of two pairs are no collective of four ranks, and nobody but rank 3 is late.
    void smallerGroupsAreNotOne_data()
    {
        QTest::addColumn<double>("lateUs");
        QTest::addColumn<bool>("isOneHost");
        QTest::addColumn<int>("dataStream");
        for (const double late : {500.0, 3000.0, 20000.0}) {
            for (const bool isOneHost : {false, true}) {
                for (const int stream : {20, 21})
                    QTest::addRow("late by %.0f us, %s, data parallel on stream %d", late,
                                  isOneHost ? "one host" : "hosts not named", stream)
                        << late << isOneHost << stream;
            }
        }
    }
    void smallerGroupsAreNotOne()
    {
        QFETCH(const double, lateUs);
        QFETCH(const bool, isOneHost);
        QFETCH(const int, dataStream);
        const PlantedMesh planted = mesh({lateUs, isOneHost, dataStream});
        const TraceModelPtr model = planted.run.load();
        QVERIFY(model);
        QCOMPARE(falseMatches(*matchRun(*model, {}), planted.truth), 0);
        const MetricResult result = measured(*model, "straggler");
        QVERIFY(!result.value);
        QVERIFY2(result.reason.find("they communicate in smaller groups") != std::string::npos,
                 result.reason.c_str());
    }
    void clocksDoNotMakeSmallerGroupsOne()
    {
        for (const double ahead : {2'000.0, 3'000'000.0}) {
            MeshPlan plan{500};
            plan.otherClockUs = ahead;
            const PlantedMesh planted = mesh(plan);
            const TraceModelPtr model = planted.run.load();
            QVERIFY(model && !measured(*model, "straggler").value);
        }
    }
    void namedGroupsKeepTheirAnswer()
    {
        for (const double late : {500.0, 3000.0}) {
            const PlantedMesh planted = mesh({late, true, 21, true});
            const TraceModelPtr model = planted.run.load();
            QVERIFY(model);
            QCOMPARE(falseMatches(*matchRun(*model, {}), planted.truth), 0);
            const MetricResult result = measured(*model, "straggler", allSteps());
            QVERIFY2(result.value.has_value(), result.reason.c_str());
            QCOMPARE(numberIn(result, {"straggler_rank"}), 3.0);
        }
    }

    /// The streams of rank 1 are numbered the other way round; the ends say which calls are one.
    void streamsOfOtherNumbersAreFound_data()
    {
        QTest::addColumn<int>("layers");
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<bool>("isOneHost");
        for (const int layers : {4, 5}) {
            for (unsigned seed = 1; seed <= 8; ++seed) {
                for (const bool isOneHost : {false, true})
                    QTest::addRow("%d calls a step, seed %u, %s", layers, seed,
                                  isOneHost ? "one host" : "hosts not named")
                        << layers << seed << isOneHost;
            }
        }
    }
    void streamsOfOtherNumbersAreFound()
    {
        QFETCH(const int, layers);
        QFETCH(const unsigned, seed);
        QFETCH(const bool, isOneHost);
        const TraceModelPtr plain = twoStreams(layers, seed, false, isOneHost).load();
        const TraceModelPtr swapped = twoStreams(layers, seed, true, isOneHost).load();
        QVERIFY(plain && swapped);
        const MetricResult expected = measured(*plain, "straggler", allSteps());
        const MetricResult result = measured(*swapped, "straggler", allSteps());
        QVERIFY2(expected.value.has_value() && result.value.has_value(), result.reason.c_str());
        QCOMPARE(*result.value, *expected.value);
        QCOMPARE(numberIn(result, {"num_collectives"}), static_cast<double>(layers * steps));
        QCOMPARE(numberIn(result, {"straggler_rank"}), 2.0);
        QVERIFY(matchRun(*swapped, {})->clocks.largestAheadNs() < 1000);
    }

    void numbersOfTwoJobsAreNotOneCount()
    {
        NumberedPlan two;
        two.isOtherJob = true;
        two.otherLateUs = 50;
        const TraceModelPtr model = numbered(two).load();
        QVERIFY(model);
        const Diagnostic* const found = findProblem(model->problems, "jobs_differ");
        QVERIFY(found
                && found->explanation.find("did not end together, even allowing for clock")
                    != std::string::npos);
        const MetricResult result = measured(*model, "straggler", allSteps());
        QVERIFY2(result.reason.find("did not end together, even allowing for clock") != std::string::npos,
                 result.reason.c_str());
    }
    void clocksThatAreApartAreOneJob()
    {
        for (const double drift : {0.0, 50.0, 500.0}) {
            NumberedPlan one;
            one.otherLateUs = 250;
            one.driftPpm = drift;
            const TraceModelPtr model = numbered(one).load();
            QVERIFY(model && !findProblem(model->problems, "jobs_differ"));
            QCOMPARE(numberIn(measured(*model, "straggler", allSteps()), {"straggler_rank"}), 2.0);
        }
    }

    /// A rank whose calls could not be matched has them all the same.
    void whatIsUnmatchedIsNotMissing_data()
    {
        QTest::addColumn<double>("clockUs");
        QTest::addColumn<std::string>("expected");
        QTest::addColumn<std::string>("wrong");
        const std::string missing = "the trace of a loaded rank lacks the call";
        const std::string unmatched = "is missing or could not be matched";
        QTest::newRow("one event lost") << 0.0 << missing << unmatched;
        QTest::newRow("and the clock is ahead") << 3000.0 << unmatched << missing;
    }
    void whatIsUnmatchedIsNotMissing()
    {
        QFETCH(const double, clockUs);
        QFETCH(const std::string, expected);
        QFETCH(const std::string, wrong);
        SmallRun run(ranks);
        std::mt19937 random(4); // NOLINT(cert-msc51-cpp): always the same
        SmallCall call;
        call.ranks = "[0, 1, 2, 3]";
        call.groupSize = ranks;
        call.inElements = call.outElements = 1000;
        run.shiftClock(3, clockUs);
        for (int i = 0; i < 30; ++i) {
            const double end = 1375.0 * (i + 1) + static_cast<double>(random() % 20);
            for (int rank = 0; rank < ranks; ++rank) {
                if (rank != 3 || i != 12)
                    run.call(rank, end - 320 - 10 * rank, 320 + 10 * rank, call);
            }
        }
        const TraceModelPtr model = run.load();
        QVERIFY(model);
        const MetricResult result = measured(*model, "straggler", allSteps());
        std::vector<std::string> texts = result.inputs;
        texts.push_back(result.reason);
        QVERIFY2(isSaid(texts, expected),
                 (result.reason + " " + std::to_string(result.inputs.size())).c_str());
        QVERIFY(!isSaid(texts, wrong));
    }

    /// Half of the ends 500 us apart, half not at all: the middle of the two suits none of them.
    void endsAtTwoPlacesAreNoScatter()
    {
        std::vector<EndingCall> first, second;
        for (int i = 0; i < 48; ++i) {
            const std::int64_t endNs = 1'300'000LL * i + (i * i % 7) * 11'000;
            first.push_back({1, endNs, std::nullopt, closeEndsNs});
            second.push_back({1, endNs + (i % 2) * 499'000, std::nullopt, closeEndsNs});
        }
        QVERIFY(judgePairs(first, second, false).verdict == EndVerdict::Contradicted);
        for (EndingCall& call : second)
            call.endNs = first[static_cast<std::size_t>(&call - second.data())].endNs + 499'000;
        QVERIFY(judgePairs(first, second, false).verdict != EndVerdict::Contradicted);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestImpossibleMatches)
#include "tst_impossible_matches.moc"
