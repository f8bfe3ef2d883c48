// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Congestion planted in what Nsight sampled of network cards: the right card is named, and none where nothing
// is unusual, nothing can be compared, or samples are too far apart.

#include "metrics/findings/step_costs.h"
#include "metrics/hardware/network_congestion.h"
#include "tests/support/runs/findings_of.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/network_export.h"

#include <QTest>

#include <array>
#include <functional>

namespace collscope {

namespace {

constexpr std::int64_t congestedMs = 1'000'000;
constexpr std::int64_t congestionEpochNs = 1'700'000'000'000'000'000;
constexpr int cardCount = 4;
constexpr int stepCount = 4; ///< of 20 ms each

/// What a card counts in the ms that begins `at` ms after the start of the recording.
struct CardMoment
{
    std::int64_t sentBytes = 20'000'000, waits = 10, received = 20'000'000, cnps = 0;
};
using MomentOf = std::function<CardMoment(int card, int at)>;

/// Four cards, sampled in each ms of four steps; one kernel in each step.
NetworkExport exportOf(const std::string& host, const MomentOf& momentOf, int everyMs = 1)
{
    NetworkExport file(NetworkSchema::Of2026);
    for (int step = 0; step < stepCount; ++step) {
        file.addKernel((20 * step + 1) * congestedMs, (20 * step + 19) * congestedMs, host);
        file.addStep(step, 20 * step * congestedMs, 20 * (step + 1) * congestedMs);
    }
    file.addMetric(5, "IB: Bytes received", "bytes/ms");
    file.addMetric(6, "IB: Bytes sent", "bytes/ms");
    file.addMetric(9, "IB: CNPs received", "packets/ms");
    file.addMetric(10, "IB: Send waits", "ticks/ms");
    for (int card = 0; card < cardCount; ++card)
        file.addCard(card, 100 + card, "mlx5_" + std::to_string(card));
    for (int at = 0; at < 20 * stepCount; at += everyMs) {
        for (int card = 0; card < cardCount; ++card) {
            const CardMoment moment = momentOf(card, at);
            for (const auto& [metric, value] : {std::pair(5, moment.received), std::pair(6, moment.sentBytes),
                                                std::pair(9, moment.cnps), std::pair(10, moment.waits)})
                file.addSample(at * congestedMs, (at + everyMs) * congestedMs, 100 + card, 0, metric,
                               std::to_string(value));
        }
    }
    return file;
}

/// A file for each host; the ranks follow the order of the files.
TraceModelPtr loadedRun(const std::vector<NetworkExport>& files)
{
    RunFolder folder;
    for (std::size_t i = 0; i < files.size(); ++i)
        files[i].write(folder.path("run/rank" + std::to_string(i) + ".sqlite"));
    return folder.load("run");
}

std::vector<HardwareTrouble> troublesIn(const TraceModel& model, const TroubleScope& scope)
{
    Analysis analysis(model, {});
    std::vector<HardwareTrouble> troubles;
    addCongestedCards(analysis, scope, troubles);
    return troubles;
}
std::vector<HardwareTrouble> troublesOf(const TraceModelPtr& model)
{
    Analysis analysis(*model, {});
    return hardwareTroublesOf(analysis).all;
}

TimeRange stepRange(int step)
{
    return {congestionEpochNs + 20 * step * congestedMs, congestionEpochNs + 20 * (step + 1) * congestedMs};
}

} // namespace

class TestNetworkCongestion : public QObject
{
    Q_OBJECT

private slots:
    /// Any card of any host, by waiting or by what receivers tell it.
    void theRightCardIsNamed()
    {
        int named = 0;
        constexpr int cases = 40;
        for (int number = 0; number < cases; ++number) {
            const int badHost = number % 2, badCard = (number / 2) % cardCount;
            const bool waits = number % 3 != 0;
            std::vector<NetworkExport> files;
            for (int host = 0; host < 2; ++host)
                files.push_back(exportOf("node" + std::to_string(host), [&](int card, int at) {
                    CardMoment moment;
                    moment.waits += (card * 7 + at * 3 + number) % 13; // as any loaded network
                    if (host == badHost && card == badCard)
                        (waits ? moment.waits : moment.cnps) = 5000;
                    return moment;
                }));
            const TraceModelPtr model = loadedRun(files);
            QVERIFY(model);
            const std::vector<HardwareTrouble> troubles = troublesOf(model);
            QCOMPARE(troubles.size(), std::size_t{1});
            const HardwareTrouble& trouble = troubles.front();
            const std::string begin = "Network card mlx5_" + std::to_string(badCard) + " of node"
                + std::to_string(badHost) + " (rank " + std::to_string(badHost) + ") ";
            named += trouble.text.starts_with(begin) ? 1 : 0;
            QVERIFY2(trouble.text.find("7 other cards that carried at least half as much")
                         != std::string::npos,
                     trouble.text.c_str());
            QVERIFY2(trouble.text.find(waits ? "5,000 ticks/ms" : "5,000 packets/ms") != std::string::npos,
                     trouble.text.c_str());
            QCOMPARE(trouble.ranks, std::vector<std::int32_t>{badHost});
            QCOMPARE(trouble.cause, std::string_view("congestion"));
            QVERIFY(!trouble.isGuessed);
        }
        QCOMPARE(named, cases);
    }

    void nobodyIsNamedWhereNothingIsUnusual()
    {
        const std::array<MomentOf, 6> quiet{
            [](int, int) { return CardMoment{}; }, // all wait alike
            [](int, int) { return CardMoment{.waits = 9000}; }, // all wait much: a loaded network
            [](int card, int) { return CardMoment{.waits = card == 2 ? 90 : 10}; }, // nine times as much
            [](int card, int) {
                return CardMoment{.sentBytes = card == 2 ? 20'000'000 : 100, .waits = card == 2 ? 9000 : 0};
            },
            [](int card, int) {
                return CardMoment{.sentBytes = 0, .waits = card == 2 ? 9000 : 0};
            }, // no traffic
            [](int card, int at) {
                return CardMoment{.waits = card == 2 && at == 40 ? 50 : 0};
            }}; // less than 1 a ms
        for (std::size_t i = 0; i < quiet.size(); ++i) {
            const TraceModelPtr model = loadedRun({exportOf("node07", quiet[i])});
            QVERIFY(model);
            const auto troubles = troublesOf(model);
            QVERIFY2(troubles.empty(),
                     (std::to_string(i) + ": " + (troubles.empty() ? "" : troubles[0].text)).c_str());
            QVERIFY(allOf(findingsOf(*model), FindingKind::HardwareTrouble).empty());
        }
    }

    /// In a step only what was sampled in it, and nothing from fewer than three samples.
    void aStepIsJudgedByItsOwnSamples()
    {
        const MomentOf inStep2 = [](int card, int at) {
            return CardMoment{.waits = card == 1 && at >= 40 && at < 60 ? 8000 : 10};
        };
        const TraceModelPtr model = loadedRun({exportOf("node07", inStep2)});
        QVERIFY(model);
        for (int step = 0; step < stepCount; ++step) {
            const auto troubles = troublesIn(*model, {stepRange(step), "this step", true});
            QCOMPARE(troubles.size(), std::size_t{step == 2 ? 1u : 0u});
            if (step == 2)
                QVERIFY2(troubles[0].text.find("8,000 ticks/ms") != std::string::npos
                             && troubles[0].text.find("20 samples during this step") != std::string::npos,
                         troubles[0].text.c_str());
        }
        // The same every 10 ms: two samples end in a step.
        const TraceModelPtr coarse = loadedRun({exportOf("node07", inStep2, 10)});
        QVERIFY(coarse);
        QVERIFY(troublesIn(*coarse, {stepRange(2), "this step", true}).empty());
        QVERIFY(troublesOf(coarse).size() == 1); // over all traces there are enough
    }

    void whySlowSaysIt()
    {
        const TraceModelPtr model
            = loadedRun({exportOf("node0",
                                  [](int card, int at) {
                                      return CardMoment{.waits = card == 3 && at >= 40 && at < 60 ? 7000 : 0};
                                  }),
                         exportOf("node1", [](int, int) { return CardMoment{}; })});
        QVERIFY(model);
        QVERIFY(!model->hardware);
        Analysis analysis(*model, {});
        for (const int step : {1, 2}) {
            CauseQuestion question;
            question.step = step;
            std::string text;
            for (const CauseClause& clause : answerWhyAndCosts(analysis, question).chain.clauses)
                text += clause.text + "\n";
            QVERIFY2(
                (text.find(
                     "Network card mlx5_3 of node0 (rank 0) had data and could not send it in 7,000 ticks/ms")
                 != std::string::npos)
                    == (step == 2),
                text.c_str());
        }
        const Findings findings = findingsOf(*model);
        const auto troubles = allOf(findings, FindingKind::HardwareTrouble);
        QCOMPARE(troubles.size(), std::size_t{1});
        QVERIFY(troubles[0]->title.starts_with("Network card mlx5_3 of node0 (rank 0) "));
        QVERIFY(adviceFor(*troubles[0]).find("switch port") != std::string_view::npos);
    }

    /// Several files record the same cards, or nobody knows whether they do.
    void filesOfOneHostAreOneHost()
    {
        const MomentOf bad = [](int card, int) { return CardMoment{.waits = card == 1 ? 8000 : 10}; };
        const TraceModelPtr same = loadedRun({exportOf("node07", bad), exportOf("node07", bad)});
        QVERIFY(same);
        const auto troubles = troublesOf(same);
        QCOMPARE(troubles.size(), std::size_t{1});
        QCOMPARE(troubles[0].ranks, (std::vector<std::int32_t>{0, 1}));
        QVERIFY2(troubles[0].text.find("3 other cards") != std::string::npos, troubles[0].text.c_str());
        const TraceModelPtr unknown = loadedRun({exportOf("", bad), exportOf("", bad)});
        QVERIFY(unknown && troublesOf(unknown).empty());
        QCOMPARE(troublesOf(loadedRun({exportOf("", bad)})).size(), std::size_t{1});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNetworkCongestion)
#include "tst_network_congestion.moc"
