// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Jobs in which everything is known: who is late, and how far each clock is off, must come out.

#include "metrics/causes/arrivals.h"
#include "metrics/causes/cause_chain.h"
#include "metrics/causes/explain.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/planted_run.h"

#include <QRegularExpression>
#include <QTemporaryDir>

#include <cmath>
#include <cstdlib>

namespace collscope {

namespace {

TraceModelPtr loadPlanted(const PlantedPlan& plan)
{
    const QTemporaryDir folder;
    writePlanted(plan, folder.path().toStdString());
    const auto model = loadPath(folder.path().toStdString());
    return model ? *model : nullptr;
}

/// How many seeds: a minute's worth in CI, more where COLLSCOPE_SEEDS says so.
int seedCount()
{
    return qEnvironmentVariableIntValue("COLLSCOPE_SEEDS") > 0
        ? qEnvironmentVariableIntValue("COLLSCOPE_SEEDS")
        : 40;
}

/// How many collectives the ranks with a file called, and how many of these only one of them did.
struct PlannedCalls
{
    int collectives = 0;
    int alone = 0;
};

PlannedCalls callsOf(const PlantedPlan& plan)
{
    const int tp = plan.tensorParallel;
    std::map<std::pair<bool, int>, int> present; // by kind (tensor parallel?) and group
    for (int rank = 0; rank < plan.ranks; ++rank) {
        if (plan.missing.contains(rank))
            continue;
        if (tp > 1)
            ++present[{true, rank / tp}];
        if (plan.ranks / tp > 1)
            ++present[{false, rank % tp}];
    }
    PlannedCalls calls;
    for (const auto& [group, ranks] : present) {
        // An all-reduce in each layer; a reduce-scatter and an all-gather in each step.
        const int ofGroup = (group.first ? plan.layers : 2) * plan.steps;
        calls.collectives += ofGroup;
        calls.alone += ranks == 1 ? ofGroup : 0;
    }
    return calls;
}

} // namespace

class TestPlantedRuns : public QObject
{
    Q_OBJECT

private slots:
    void everyCallFindsItsCollective_data() { addSeeds(); }
    void everyCallFindsItsCollective()
    {
        const RunCollectivesPtr run = matchRun(*m_model, MetricOptions());
        for (const Unmatched& call : run->matching.unmatched)
            QVERIFY2(call.reason == UnmatchedReason::OthersNotLoaded, m_text.c_str());
        const int present = m_plan.ranks - static_cast<int>(m_plan.missing.size());
        QCOMPARE(static_cast<int>(run->ranks.size()), present);
        const PlannedCalls planned = callsOf(m_plan);
        QCOMPARE(static_cast<int>(run->matching.instances.size()), planned.collectives);
        QCOMPARE(static_cast<int>(run->matching.unmatched.size()), planned.alone);
        // Each rank's k-th call of a group is the k-th collective of that group.
        for (const CollectiveInstance& instance : run->matching.instances) {
            const auto members = run->matching.membersOf(instance);
            std::size_t expected = 0;
            for (const std::int32_t rank : run->matching.groupOf(instance).ranks)
                expected += m_plan.missing.contains(rank) ? 0u : 1u;
            QVERIFY2(members.size() == expected, m_text.c_str());
        }
    }

    void clocksComeOut_data() { addSeeds(); }
    void clocksComeOut()
    {
        const RunCollectivesPtr run = matchRun(*m_model, MetricOptions());
        const ClockAlignment& clocks = run->clocks;
        QVERIFY2(clocks.isTrusted, m_text.c_str());
        int compared = 0;
        // By component, at begin and end: the error of the lowest rank, whose clock is the axis.
        std::map<std::pair<std::int32_t, bool>, std::int64_t> first;
        for (std::size_t t = 0; t < m_model->timelines.size(); ++t) {
            const Timeline& timeline = m_model->timelines[t];
            const ClockFit& fit = clocks.fits[t];
            if (fit.component < 0)
                continue;
            ++compared;
            for (const std::int64_t ns : {timeline.range.beginNs, timeline.range.endNs}) {
                const auto error = fit.aheadNs(ns) - plantedAheadNs(timeline, ns);
                const bool atEnd = ns == timeline.range.endNs;
                const auto zero = first.try_emplace({fit.component, atEnd}, error).first->second;
                const std::int64_t bound = std::max<std::int64_t>(2 * clocks.residualNs, 1000);
                QVERIFY2(std::abs(error - zero) <= bound,
                         (m_text + "; rank " + std::to_string(timeline.rank) + " is "
                          + std::to_string(error - zero) + " ns off, allowed " + std::to_string(bound))
                             .c_str());
            }
        }
        // Who called nothing together with another rank has no common clock.
        QVERIFY2(compared >= 2 && compared >= m_plan.ranks - 2, m_text.c_str());
        QVERIFY2(clocks.residualNs < 2000, (m_text + ": " + std::to_string(clocks.residualNs)).c_str());
        const bool apart = !m_plan.offsetUs.empty() || !m_plan.driftPpm.empty();
        QVERIFY2(apart || !clocks.isNeeded, m_text.c_str());
    }

    void theStragglerIsFound_data() { addSeeds(); }
    void theStragglerIsFound()
    {
        Analysis analysis(*m_model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        const std::string text = m_text + ": " + arrivals.verdictText();
        if (m_plan.cause == PlantedCause::None) {
            // Noise makes somebody last each time, but nobody for long.
            std::int64_t most = 0;
            for (const RankWait& rank : arrivals.ranks)
                most = std::max(most, rank.causedNs / std::max<std::int64_t>(rank.calls, 1));
            QVERIFY2(most < 25000 * m_plan.ranks, text.c_str());
            QVERIFY2(arrivals.verdict() != StragglerVerdict::OneRank, text.c_str());
            return;
        }
        QVERIFY2(arrivals.straggler() && arrivals.straggler()->rank == m_plan.culprit, text.c_str());
        QVERIFY2(arrivals.verdict() == StragglerVerdict::OneRank, text.c_str());
    }

    void theCauseIsFound_data() { addSeeds(); }
    void theCauseIsFound()
    {
        Analysis analysis(*m_model, allSteps());
        const auto step = explainStep(analysis, 2);
        QVERIFY2(step, m_text.c_str());
        std::string text = m_text;
        for (const CauseClause& clause : step->chain.clauses)
            text += "\n" + clause.text;
        if (m_plan.cause == PlantedCause::None) {
            QVERIFY2(step->chain.verdict != CauseVerdict::LateRank || step->chain.lateNs < 50000,
                     text.c_str());
            return;
        }
        static const std::map<PlantedCause, Cause> causes{{PlantedCause::SlowKernel, Cause::SlowKernel},
                                                          {PlantedCause::SlowCpu, Cause::SlowCpu},
                                                          {PlantedCause::LateInput, Cause::LateInput}};
        QVERIFY2(step->chain.verdict == CauseVerdict::LateRank, text.c_str());
        QVERIFY2(step->chain.rank == m_plan.culprit, text.c_str());
        QVERIFY2(step->chain.cause == causes.at(m_plan.cause), text.c_str());
    }

    /// "took A longer ...: N calls of B instead of [M calls of] C": people multiply.
    void sentencesAddUp_data() { addSeeds(); }
    void sentencesAddUp()
    {
        static const QRegularExpression sentence(
            QStringLiteral("took (\\S+ \\S+) longer .*: (\\S+) calls? of (\\S+ \\S+) instead of "
                           "(?:(\\S+) calls? of )?(\\S+ \\S+)\\.$"));
        Analysis analysis(*m_model, allSteps());
        const auto step = explainStep(analysis, 2);
        QVERIFY(step);
        int sentences = 0;
        for (const CauseClause& clause : step->chain.clauses) {
            const auto match = sentence.match(QString::fromStdString(clause.text));
            if (!match.hasMatch())
                continue;
            ++sentences;
            const double calls = match.captured(2).toDouble();
            const double others = match.captured(4).isEmpty() ? calls : match.captured(4).toDouble();
            const double each = nsOf(match.captured(3));
            const double eachOther = nsOf(match.captured(5));
            // The counts are rounded to a tenth, times to four digits.
            const double tolerance = 0.051 * (each + eachOther) + 0.001 * (calls * each + others * eachOther);
            QVERIFY2(std::abs(calls * each - others * eachOther - nsOf(match.captured(1))) <= tolerance,
                     clause.text.c_str());
        }
        QVERIFY2(sentences > 0 || m_plan.cause != PlantedCause::SlowKernel, m_text.c_str());
    }

private:
    /// "118.7 \u00b5s" in ns.
    static double nsOf(const QString& text)
    {
        const QStringList parts = text.split(QLatin1Char(' '));
        const double unit = parts[1] == QLatin1String("ns") ? 1
            : parts[1] == QLatin1String("ms")               ? 1e6
            : parts[1] == QLatin1String("s")                ? 1e9
                                                            : 1e3;
        return parts[0].toDouble() * unit;
    }
    void addSeeds()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= seedCount(); ++seed)
            QTest::newRow(std::to_string(seed).c_str()) << seed;
    }

    std::int64_t plantedAheadNs(const Timeline& timeline, std::int64_t ns) const
    {
        const auto offset = m_plan.offsetUs.find(timeline.rank);
        const auto drift = m_plan.driftPpm.find(timeline.rank);
        const double ownUs = static_cast<double>(ns - timeline.fileToAxisNs) / 1e3 - 1e5;
        const double rate = drift == m_plan.driftPpm.end() ? 0 : drift->second * 1e-6;
        const double ahead = offset == m_plan.offsetUs.end() ? 0 : offset->second;
        // What the clock reads is true x (1 + rate) + ahead.
        const double trueUs = (ownUs - ahead) / (1 + rate);
        return std::llround((ownUs - trueUs) * 1e3);
    }

    PlantedPlan m_plan;
    std::string m_text;
    TraceModelPtr m_model;

private slots:
    void init()
    {
        if (!QTest::currentDataTag())
            return;
        const auto seed = static_cast<std::uint64_t>(std::atoi(QTest::currentDataTag()));
        m_plan = plannedBy(seed);
        m_text = planText(m_plan);
        m_model = loadPlanted(m_plan);
        QVERIFY(m_model);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPlantedRuns)
#include "tst_planted_runs.moc"
