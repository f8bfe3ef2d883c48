// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Matching and aligning the collectives of many ranks, beside a plain sort of the same records.

#include "metrics/matching/call_matching.h"
#include "metrics/matching/run_collectives.h"
#include "tests/bench/references.h"
#include "tests/bench/suites.h"
#include "tests/bench/synthetic_model.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <tuple>

namespace collscope::bench {

namespace {

using Clock = std::chrono::steady_clock;

/// What a matcher cannot do without: the records of all ranks, brought together by group and number.
double sortMilliseconds(const RunCollectives& run)
{
    struct Record
    {
        std::uint32_t group, rank, call;
        std::int64_t sequence;
    };
    std::vector<Record> records;
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        for (std::uint32_t c = 0; c < run.ranks[r].calls.size(); ++c) {
            const CollectiveCall* meta = run.ranks[r].calls[c].meta;
            records.push_back({meta ? meta->groupRanks.value : 0, r, c,
                               meta ? meta->sequence.value_or(0) : static_cast<std::int64_t>(c)});
        }
    }
    std::shuffle(records.begin(), records.end(), std::mt19937(1)); // as they come, whatever made them
    const auto start = Clock::now();
    std::sort(records.begin(), records.end(), [](const Record& a, const Record& b) {
        return std::tie(a.group, a.sequence, a.rank) < std::tie(b.group, b.sequence, b.rank);
    });
    return millisecondsSince(start);
}

void measureRun(const Settings& settings, Report& report, bool sequenced)
{
    const int ranks = settings.smoke ? 16 : 64;
    const int collectives = settings.smoke ? 200 : 20'000;
    const TraceModelPtr model = syntheticJob(ranks, collectives, sequenced);
    const QString suite = QStringLiteral("%1 ranks x %2 collectives, %3")
                              .arg(ranks)
                              .arg(collectives)
                              .arg(sequenced ? QStringLiteral("by Seq") : QStringLiteral("by order"));
    std::vector<double> sorting, matching, aligning;
    RunCollectivesPtr whole = matchRun(*model, MetricOptions());
    for (int i = 0; i < settings.runs; ++i) {
        sorting.push_back(sortMilliseconds(*whole));
        auto start = Clock::now();
        const Matching matched = matchCalls(*model, whole->ranks);
        matching.push_back(millisecondsSince(start));
        start = Clock::now();
        const ClockAlignment clocks = alignClocks(*model, whole->ranks, matched);
        aligning.push_back(millisecondsSince(start));
        if (matched.matchedCalls() != matched.calls || !clocks.isNeeded || clocks.residualNs > 2000)
            report.fail(QStringLiteral("%1: %2 of %3 calls are matched, and clocks are aligned to %4 us")
                            .arg(suite)
                            .arg(matched.matchedCalls())
                            .arg(matched.calls)
                            .arg(static_cast<double>(clocks.residualNs) / 1e3));
    }
    const double sort = median(sorting);
    const auto add = [&](const QString& name, double value, const QString& goal, std::optional<bool> met) {
        report.add({suite, name, value, QStringLiteral("ms"), QStringLiteral("plain sort"),
                    sort > 0 ? std::optional(value / sort) : std::nullopt, goal, met});
    };
    add(QStringLiteral("plain sort of the same records"), sort, {}, std::nullopt);
    add(QStringLiteral("match"), median(matching), {}, std::nullopt);
    add(QStringLiteral("align"), median(aligning), {}, std::nullopt);
    // A second per million calls is 14 plain sorts of them on the machine that the goal was set on.
    const double both = median(matching) + median(aligning);
    add(QStringLiteral("match and align"), both, QStringLiteral("<= 14 x"),
        settings.smoke ? std::nullopt : std::optional(both <= 14 * sort));
    report.add({suite, QStringLiteral("match and align, per million calls"),
                both * 1e6 / static_cast<double>(whole->matching.calls), QStringLiteral("ms")});
}

} // namespace

void measureCollectives(const Settings& settings, Report& report)
{
    for (const bool sequenced : {true, false})
        measureRun(settings, report, sequenced);
}

} // namespace collscope::bench
