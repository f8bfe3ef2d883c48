// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Calls of simulated jobs, of which it is known what belongs together and who waited: nothing is matched that
// is not one collective, and nobody is said to have made others wait longer than they did.

#include "metrics/causes/arrivals.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/simulated_calls.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

#include <QTemporaryDir>

#include <fstream>

namespace collscope {

namespace {

TraceModelPtr loadSimulated(const SimulatedRun& run)
{
    const QTemporaryDir folder;
    for (std::size_t rank = 0; rank < run.files.size(); ++rank)
        std::ofstream(folder.filePath(QStringLiteral("rank%1_trace.json").arg(rank)).toStdString())
            << run.files[rank];
    const auto model = loadPath(folder.path().toStdString());
    return model ? *model : nullptr;
}

/// Every seed is another kind of job.
SimulatedPlan planOf(std::uint32_t seed)
{
    SimulatedPlan plan;
    plan.seed = seed;
    plan.ranks = 2 + static_cast<int>(seed % 3);
    plan.streams = 1 + static_cast<int>(seed / 3 % 3);
    plan.collectives = 24 + static_cast<int>(seed * 7 % 60);
    plan.metadata = static_cast<SimulatedPlan::Metadata>(seed / 9 % 3);
    plan.hasWallClock = seed % 5 != 4;
    plan.offsetUs = std::array{0.0, 3.0, 400.0, 8000.0, 3'000'000.0}[seed / 2 % 5];
    plan.driftPpm = seed % 7 == 3 ? 30 : 0;
    plan.dropped = seed % 4 == 1 ? 2 : 0;
    plan.truncated = seed % 6 == 2 ? 1 + static_cast<int>(seed % 5) : 0;
    plan.shortened = seed % 6 >= 2 && seed % 6 <= 3 ? 1 + static_cast<int>(seed % 5) : 0;
    plan.hasRoots = seed % 4 >= 2;
    plan.namesRoots = seed % 8 >= 4;
    plan.hasPairs = seed % 5 == 0 && (plan.ranks == 2 || plan.metadata != SimulatedPlan::Metadata::None);
    plan.namesPeers = seed % 10 == 0;
    plan.shufflesStreams = seed % 11 < 4;
    plan.isRegular = seed % 13 == 5;
    plan.isPartly = seed % 8 == 7 && plan.metadata == SimulatedPlan::Metadata::None;
    if (plan.isPartly)
        plan.hasRoots = plan.hasPairs = false;
    return plan;
}

} // namespace

class TestPlantedMatches : public QObject
{
    Q_OBJECT

private:
    const SimulatedCall& truthOf(const SimulatedRun& run, const RunCollectives& of, CallRef ref) const
    {
        const Call& call = of.callOf(ref);
        return run.calls[static_cast<std::size_t>(of.ranks[ref.rank].rank)].at(call.range.beginNs
                                                                               - call.timeline->fileToAxisNs);
    }

private slots:
    void nothingIsMatchedThatIsNotOne_data()
    {
        QTest::addColumn<std::uint32_t>("seed");
        const int more = qEnvironmentVariableIntValue("COLLSCOPE_SEEDS");
        const int seeds = more > 0 ? more : share(234, 60);
        for (std::uint32_t seed = 0; seed < static_cast<std::uint32_t>(seeds); ++seed)
            QTest::addRow("%u", seed) << seed;
    }
    void nothingIsMatchedThatIsNotOne()
    {
        QFETCH(std::uint32_t, seed);
        const SimulatedPlan plan = planOf(seed);
        const SimulatedRun truth = simulate(plan);
        const TraceModelPtr model = loadSimulated(truth);
        QVERIFY2(model, plan.text().c_str());
        Analysis analysis(*model, allSteps());
        const RunCollectives& run = analysis.run();
        CollectiveTimer timer = run.timer(*model, analysis.clocks());
        std::int64_t falsePairs = 0;
        for (const CollectiveInstance& instance : run.matching.instances) {
            const auto members = run.matching.membersOf(instance);
            timer.of(instance);
            for (std::size_t i = 0; i < members.size(); ++i) {
                falsePairs += truthOf(truth, run, members[i]).collective
                        != truthOf(truth, run, members.front()).collective
                    ? 1
                    : 0;
                QVERIFY2(timer.waits()[i] <= run.callOf(members[i]).durationNs(), plan.text().c_str());
            }
        }
        QVERIFY2(falsePairs == 0, (plan.text() + ": " + std::to_string(falsePairs) + " false").c_str());
        s_calls += run.matching.calls;
        s_matched += run.matching.matchedCalls();
        const Arrivals arrivals = measureArrivals(analysis);
        checkBlame(plan, truth, arrivals);
    }

    /// What nobody could refute may stay apart, but most calls find their partners.
    void mostCallsFindTheirPartners()
    {
        qInfo("%lld of %lld calls matched", static_cast<long long>(s_matched),
              static_cast<long long>(s_calls));
        QVERIFY(2 * s_matched > s_calls);
    }

private:
    /// A rank that came last within what clocks can tell may be blamed; no other, and for no more.
    static void checkBlame(const SimulatedPlan& plan, const SimulatedRun& truth, const Arrivals& arrivals)
    {
        const double errorUs = 20 + 2e-3 * static_cast<double>(arrivals.significantNs);
        std::map<int, std::vector<std::pair<int, const SimulatedCall*>>> collectives;
        for (std::size_t rank = 0; rank < truth.calls.size(); ++rank) {
            for (const auto& [ns, call] : truth.calls[rank])
                collectives[call.collective].emplace_back(static_cast<int>(rank), &call);
        }
        std::map<int, double> most;
        for (const auto& [number, calls] : collectives) {
            double last = 0, waits = 0;
            for (const auto& [rank, call] : calls) {
                last = call->isAwaited ? std::max(last, call->beginUs) : last;
                waits += call->waitUs + errorUs;
            }
            for (const auto& [rank, call] : calls) {
                if (call->isAwaited && call->beginUs >= last - errorUs)
                    most[rank] += waits;
            }
        }
        // Waits of which it is open who came last, or who is behind them, are imposed, or caused, by no rank.
        std::int64_t imposed = arrivals.lastUnknownNs, caused = arrivals.causeUnknownWaitNs;
        for (const RankWait& rank : arrivals.ranks) {
            const double us = static_cast<double>(rank.imposedNs) / 1000;
            QVERIFY2(us <= most[rank.rank] + errorUs,
                     (plan.text() + ": rank " + std::to_string(rank.rank) + " imposed " + std::to_string(us)
                      + ", at most " + std::to_string(most[rank.rank]))
                         .c_str());
            imposed += rank.imposedNs;
            caused += rank.causedNs;
        }
        // A rank that is behind it all may wait in between, by less than the clocks can tell: not for itself.
        const std::int64_t own = arrivals.significantNs * static_cast<std::int64_t>(arrivals.matched.size());
        QVERIFY(caused <= imposed && imposed - caused <= own);
    }

    inline static std::int64_t s_calls = 0, s_matched = 0;
};

COLLSCOPE_TEST(TestPlantedMatches)

} // namespace collscope

#include "tst_planted_matches.moc"
