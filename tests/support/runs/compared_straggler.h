// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Clocks and stragglers from summaries beside those of the whole model.

#include "metrics/core/statistics.h"
#include "metrics/summary/folded_clocks.h"
#include "metrics/summary/folded_straggler.h"
#include "tests/support/runs/summarized_folder.h"

#include <bit>

namespace collscope {

/// Compares the clocks of the summaries with those of the whole model, to the last bit.
inline void compareClocks(const SummarizedFolder& folder)
{
    const RunCollectivesPtr whole = matchRun(*folder.model, MetricOptions());
    const Result<ClockAlignment> clocks = foldClocks(*folder.run);
    QVERIFY2(clocks.has_value(), clocks ? "" : clocks.error().message.c_str());
    QCOMPARE(clocks->collectives, whole->clocks.collectives);
    QCOMPARE(clocks->residualNs, whole->clocks.residualNs);
    QCOMPARE(clocks->rawResidualNs, whole->clocks.rawResidualNs);
    QCOMPARE(clocks->impossible, whole->clocks.impossible);
    QCOMPARE(clocks->components, whole->clocks.components);
    QCOMPARE(clocks->hasDrift, whole->clocks.hasDrift);
    QCOMPARE(clocks->isNeeded, whole->clocks.isNeeded);
    QCOMPARE(clocks->isTrusted, whole->clocks.isTrusted);
    QCOMPARE(clocks->fits.size(), whole->clocks.fits.size());
    for (std::size_t i = 0; i < clocks->fits.size(); ++i) {
        const ClockFit& here = clocks->fits[i];
        const ClockFit& there = whole->clocks.fits[i];
        QCOMPARE(here.offsetNs, there.offsetNs);
        QCOMPARE(std::bit_cast<std::uint64_t>(here.drift), std::bit_cast<std::uint64_t>(there.drift));
        QCOMPARE(here.pivotNs, there.pivotNs);
        QCOMPARE(here.component, there.component);
        QCOMPARE(here.collectives, there.collectives);
    }
}

/// Compares the straggler of the summaries with the metric, to the last digit.
inline void compareStraggler(const SummarizedFolder& folder, const MetricOptions& options)
{
    const MetricResult metric = metricOf(*folder.model, "straggler", options);
    const Result<FoldedStraggler> folded = foldStraggler(*folder.run, options);
    QVERIFY2(folded.has_value(), folded ? "" : folded.error().message.c_str());
    QCOMPARE(folded->windowNs.has_value(), metric.value.has_value());
    if (metric.value)
        QVERIFY(static_cast<double>(folded->arrivals.groups.front().skewNs) / *folded->windowNs
                == *metric.value);
    std::size_t ranks = 0; // rows of steps: TestSummarizedRun
    for (const MetricRow& row : metric.rows) {
        if (!row.rank)
            continue;
        ++ranks;
        QVERIFY(static_cast<double>(folded->slowest.behindNs.at(*row.rank)) / *folded->windowNs == row.value);
    }
    QVERIFY(!folded->windowNs || ranks == folded->slowest.behindNs.size());
    QVERIFY(folded->skews.mean == numberOf(metric, {"skew_mean_us"}));
    QVERIFY(folded->skews.median == numberOf(metric, {"skew_p50_us"}));
    QVERIFY(folded->skews.p95 == numberOf(metric, {"skew_p95_us"}));

    Analysis analysis(*folder.model, options);
    const Arrivals& there = measureArrivals(analysis);
    const Arrivals& here = folded->arrivals;
    QCOMPARE(here.verdict(), there.verdict());
    QCOMPARE(here.verdictText(), there.verdictText());
    QCOMPARE(here.counted, static_cast<std::int64_t>(there.matched.size()));
    QCOMPARE(here.straggler() ? here.straggler()->rank : -1,
             there.straggler() ? there.straggler()->rank : -1);
    for (const auto number :
         {&Arrivals::incomplete, &Arrivals::staged, &Arrivals::pointToPoint, &Arrivals::byOrderAlone,
          &Arrivals::lacking, &Arrivals::withoutRoot, &Arrivals::outOfOrder, &Arrivals::clockErrorNs,
          &Arrivals::significantNs, &Arrivals::significantByClocksNs, &Arrivals::orderNs, &Arrivals::windowNs,
          &Arrivals::notSignificant, &Arrivals::lastUnknown, &Arrivals::lastUnknownNs,
          &Arrivals::causeUnknownWaitNs, &Arrivals::causeUnknownNs})
        QCOMPARE(here.*number, there.*number);
    QCOMPARE(here.isByDuration, there.isByDuration);
    QCOMPARE(here.shared.all, there.shared.all);
    QCOMPARE(here.shared.unmatched, there.shared.unmatched);
    QCOMPARE(here.ranks.size(), there.ranks.size());
    for (std::size_t i = 0; i < there.ranks.size(); ++i) {
        QCOMPARE(here.ranks[i].rank, there.ranks[i].rank);
        for (const auto number :
             {&RankWait::ownNs, &RankWait::ownByDurationNs, &RankWait::imposedNs, &RankWait::causedNs,
              &RankWait::possiblyCausedNs, &RankWait::soleNs, &RankWait::delayNs, &RankWait::earlyNs,
              &RankWait::timesEarly, &RankWait::timesLast, &RankWait::calls})
            QCOMPARE(here.ranks[i].*number, there.ranks[i].*number);
    }
    QCOMPARE(here.groups.size(), there.groups.size());
    for (std::size_t i = 0; i < there.groups.size(); ++i) {
        QCOMPARE(here.groups[i].group, there.groups[i].group);
        QCOMPARE(here.groups[i].skewNs, there.groups[i].skewNs);
        QCOMPARE(here.groups[i].longestNs, there.groups[i].longestNs);
        QCOMPARE(here.groups[i].significantNs, there.groups[i].significantNs);
        QCOMPARE(folded->collectivesOfGroup[i], static_cast<std::int64_t>(there.groups[i].arrivals.size()));
    }
}

} // namespace collscope
