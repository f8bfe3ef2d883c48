// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Metrics that compare ranks: who is late, how evenly the work is spread, what varies.

#include "metrics/causes/arrivals.h"
#include "metrics/export/written_report.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <QTemporaryDir>

#include <map>
#include <set>

namespace collscope {

namespace {

MetricOptions withEvidence()
{
    MetricOptions options = allSteps();
    options.wantEvidence = true;
    return options;
}

const SmallCall worldOfThree{"allreduce", "0", "[0, 1, 2]", 3, 64, 64};

/// Three ranks, one step of 1 ms, two all-reduces: rank 2 is 40 us late for the first; nobody is late for the
/// second, where rank 1 comes 0.5 us after the others.
SmallRun lateOnce()
{
    SmallRun run(3);
    const double begins[][2] = {{100, 500}, {110, 500.5}, {140, 500}};
    for (int rank = 0; rank < 3; ++rank) {
        run.step(rank, 1, 0, 1000);
        run.kernel(rank, 10, 50);
        run.call(rank, begins[rank][0], 200 - begins[rank][0], worldOfThree);
        run.call(rank, begins[rank][1], 600 - begins[rank][1], worldOfThree);
    }
    return run;
}

/// What the plan says about the inner steps, counted call by call.
struct PlannedWaits
{
    std::map<std::string, std::int64_t> skewByGroup;
    std::map<int, std::int64_t> imposed, own, timesLast;
    std::vector<std::int64_t> skews;
    std::int64_t windowNs = 0;
};

PlannedWaits waitsOf(const RunPlan& plan)
{
    PlannedWaits waits;
    std::map<std::pair<std::string, std::int64_t>, std::map<int, const PlannedActivity*>> calls;
    for (const PlannedRank& rank : plan.ranks) {
        for (const PlannedActivity& activity : rank.activities) {
            if (activity.collective)
                calls[{activity.collective->groupName, activity.collective->sequence}][rank.rank] = &activity;
        }
    }
    const int last = static_cast<int>(plan.steps.size()) - 1;
    for (int step = 1; step < last; ++step)
        waits.windowNs += plan.steps[static_cast<std::size_t>(step)].durationNs;
    for (const auto& [key, members] : calls) {
        if (members.begin()->second->step == 0 || members.begin()->second->step == last)
            continue;
        std::int64_t earliest = members.begin()->second->startNs;
        std::pair latest(members.begin()->second->startNs, members.begin()->first);
        for (const auto& [rank, activity] : members) {
            earliest = std::min(earliest, activity->startNs);
            if (activity->startNs > latest.first)
                latest = {activity->startNs, rank};
        }
        waits.skewByGroup[key.first] += latest.first - earliest;
        waits.skews.push_back(latest.first - earliest);
        for (const auto& [rank, activity] : members) {
            waits.own[rank] += latest.first - activity->startNs;
            if (latest.first - earliest > 1000)
                waits.imposed[latest.second] += latest.first - activity->startNs;
        }
        waits.timesLast[latest.second] += latest.first - earliest > 1000 ? 1 : 0;
    }
    return waits;
}

constexpr const char* comparingMetrics[] = {"straggler",
                                            "straggler_delay",
                                            "straggler_slowdown",
                                            "load_imbalance_ratio",
                                            "load_imbalance_percent",
                                            "synchronization_overhead",
                                            "iteration_time_std"};

/// Metrics that hold for ranks on hosts with different clocks.
constexpr const char* clockFreeMetrics[]
    = {"straggler_slowdown",  "load_imbalance_ratio", "load_imbalance_percent", "iteration_time_std",
       "variability_metrics", "traffic_distribution", "traffic_window",         "traffic_window_comm",
       "traffic_interval",    "comm_breakdown"};

std::string asJson(const TraceModel& model, std::string_view name)
{
    MetricResult result = measured(model, name);
    std::erase_if(result.warnings, [](const std::string&) { return true; });
    return resultsJson(std::vector<NamedResult>{{*findMetric(name), result}});
}

} // namespace

class TestRanks : public QObject
{
    Q_OBJECT

private slots:
    void skewsAndWaitsByHand()
    {
        const TraceModelPtr model = lateOnce().load();
        QVERIFY(model != nullptr);
        const MetricResult result = measured(*model, "straggler", withEvidence());
        QVERIFY2(result.value.has_value(), result.reason.c_str());
        COLLSCOPE_CLOSE(*result.value, (40 + 0.5) / 1000);
        QCOMPARE(result.reduction, std::string("slowest group"));
        QCOMPARE(result.window, std::string("all steps"));
        COLLSCOPE_CLOSE(numberIn(result, {"straggler_rank"}), 2);
        // In the second all-reduce nobody is late by more than 1 us: it imposes nothing, though it is waited
        // in.
        COLLSCOPE_CLOSE(numberIn(result, {"imposed_wait_us", "0"}), 0);
        COLLSCOPE_CLOSE(numberIn(result, {"imposed_wait_us", "1"}), 0);
        COLLSCOPE_CLOSE(numberIn(result, {"imposed_wait_us", "2"}), 40 + 30);
        COLLSCOPE_CLOSE(numberIn(result, {"own_wait_us", "0"}), 40 + 0.5);
        COLLSCOPE_CLOSE(numberIn(result, {"own_wait_us", "1"}), 30);
        COLLSCOPE_CLOSE(numberIn(result, {"own_wait_us", "2"}), 0.5);
        COLLSCOPE_CLOSE(numberIn(result, {"times_last", "2"}), 1);
        COLLSCOPE_CLOSE(numberIn(result, {"times_last", "1"}), 0);
        COLLSCOPE_CLOSE(numberIn(result, {"skew_mean_us"}), 20.25);
        COLLSCOPE_CLOSE(numberIn(result, {"skew_p95_us"}), 0.5 + 0.95 * 39.5);
        COLLSCOPE_CLOSE(numberIn(result, {"skew_max_us"}), 40);
        COLLSCOPE_CLOSE(numberIn(result, {"min_lag_us"}), 0.5);
        COLLSCOPE_CLOSE(numberIn(result, {"num_collectives"}), 2);
        COLLSCOPE_CLOSE(numberIn(result, {"normalized_lag"}), 0.02025);
        // Rows: how far each rank came behind the first one; then the step.
        QCOMPARE(result.rows.size(), std::size_t{4});
        COLLSCOPE_CLOSE(result.rows[1].value, 0.0105);
        COLLSCOPE_CLOSE(result.rows[2].value, 0.04);
        QVERIFY(result.rows[3].step == 1 && !result.rows[3].rank);
        COLLSCOPE_CLOSE(result.rows[3].value, 0.0405);
        // Evidence: the skewed collective on every rank, the late one too, and nothing else.
        QCOMPARE(result.evidence.size(), std::size_t{3});
        std::set<std::int32_t> ranks;
        for (const SliceRef slice : result.evidence)
            ranks.insert(model->timelineOf(slice).rank);
        QCOMPARE(ranks, (std::set<std::int32_t>{0, 1, 2}));
        QCOMPARE(result.evidenceRanges.size(), std::size_t{1});
        QCOMPARE(result.evidenceRanges.front().lengthNs(), std::int64_t{40'000});

        const MetricResult overhead = measured(*model, "sync_overhead", allSteps());
        COLLSCOPE_CLOSE(overhead.value.value_or(-1), (40.5 + 30 + 0.5) / 3000);
        COLLSCOPE_CLOSE(overhead.rows.at(1).value, 0.03);
    }
    void nobodyLateNamesNobody()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 100);
            run.call(rank, 10, 20, {"allreduce", "0", "[0, 1]", 2, 64, 64});
        }
        const MetricResult result = measured(*run.load(), "straggler");
        COLLSCOPE_CLOSE(result.value.value_or(-1), 0);
        const Value* const rank = detailOf(result, {"straggler_rank"});
        QVERIFY(rank && !rank->as<std::int64_t>());
    }
    void theSlowestGroupCounts()
    {
        SmallRun run(4);
        const double late[] = {0, 10, 0, 25};
        for (int rank = 0; rank < 4; ++rank) {
            const std::string group = rank < 2 ? "1" : "2";
            run.step(rank, 1, 0, 500);
            run.call(rank, 100 + late[rank], 100 - late[rank],
                     {"allreduce", group, rank < 2 ? "[0, 1]" : "[2, 3]", 2, 64, 64});
        }
        const MetricResult result = measured(*run.load(), "straggler");
        COLLSCOPE_CLOSE(result.value.value_or(-1), 25.0 / 500);
        COLLSCOPE_CLOSE(numberIn(result, {"groups", "1 [0, 1]", "skew_us"}), 10);
        COLLSCOPE_CLOSE(numberIn(result, {"groups", "2 [2, 3]", "skew_us"}), 25);
        COLLSCOPE_CLOSE(numberIn(result, {"straggler_rank"}), 3);
    }
    void theWindowIsThatOfTheFirstArriver()
    {
        // Rank 0 comes in step 2, rank 1 only in step 3: the call counts for step 2.
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.kernel(rank, 5, 10);
            for (int step = 1; step <= 4; ++step)
                run.step(rank, step, (step - 1) * 100, 100);
            run.call(rank, rank == 0 ? 190 : 210, rank == 0 ? 40 : 20,
                     {"allreduce", "0", "[0, 1]", 2, 64, 64});
        }
        const TraceModelPtr model = run.load();
        const auto skewIn = [&](int step) {
            MetricOptions options;
            options.steps = {StepChoice::Mode::Range, step, step};
            return measured(*model, "straggler", options).value;
        };
        COLLSCOPE_CLOSE(skewIn(2).value_or(-1), 0.2);
        QVERIFY(!skewIn(3).has_value());
    }
    void plantedStragglerIsFound_data()
    {
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("seed");
        QTest::newRow("rank 0") << 0 << 3;
        QTest::newRow("rank 3") << 3 << 5;
        QTest::newRow("nobody, with jitter") << -1 << 7;
    }
    void plantedStragglerIsFound()
    {
        QFETCH(int, rank);
        QFETCH(int, seed);
        WorkloadDescription description;
        description.dataParallel = 3;
        description.steps = 5;
        description.jitter = 0.05;
        description.stragglerRank = rank;
        description.lateNs = 180'000;
        description.seed = static_cast<std::uint64_t>(seed);
        const RunPlan plan = planRun(description);
        const QTemporaryDir folder;
        writeRun(plan, folder.path().toStdString(), RunFiles());
        const auto model = loadPath(folder.path().toStdString());
        QVERIFY(model.has_value());
        const PlannedWaits expected = waitsOf(plan);
        const MetricResult result = measured(**model, "straggler");
        QVERIFY2(result.value.has_value(), result.reason.c_str());
        std::int64_t slowest = 0;
        for (const auto& [group, skew] : expected.skewByGroup)
            slowest = std::max(slowest, skew);
        COLLSCOPE_CLOSE(*result.value, static_cast<double>(slowest) / static_cast<double>(expected.windowNs));
        COLLSCOPE_CLOSE(numberIn(result, {"num_collectives"}), static_cast<double>(expected.skews.size()));
        std::int64_t wait = 0;
        for (int r = 0; r < description.ranks(); ++r) {
            const std::string key = std::to_string(r);
            const auto of = [r](const std::map<int, std::int64_t>& map) {
                return map.contains(r) ? static_cast<double>(map.at(r)) : 0.0;
            };
            COLLSCOPE_CLOSE(numberIn(result, {"imposed_wait_us", key}), of(expected.imposed) / 1000);
            COLLSCOPE_CLOSE(numberIn(result, {"own_wait_us", key}), of(expected.own) / 1000);
            COLLSCOPE_CLOSE(numberIn(result, {"times_last", key}), of(expected.timesLast));
            wait += expected.own.at(r);
        }
        if (rank >= 0)
            COLLSCOPE_CLOSE(numberIn(result, {"straggler_rank"}), rank);
        COLLSCOPE_CLOSE(measured(**model, "synchronization_overhead").value.value_or(-1),
                        static_cast<double>(wait)
                            / static_cast<double>(expected.windowNs * description.ranks()));
        QVERIFY(result.warnings.empty());
    }
    void sendsAndReceivesAreNoCollective()
    {
        SmallRun run(3);
        for (int rank = 0; rank < 3; ++rank) {
            run.step(rank, 1, 0, 1000);
            SmallCall send{"send", "5", "[0, 1, 2]", 3, 64, 64, "mesh_pp"};
            send.kernel = "ncclDevKernel_SendRecv";
            run.call(rank, 100 + 100 * rank, 50, send);
        }
        const TraceModelPtr model = run.load();
        const MetricResult result = measured(*model, "straggler");
        QVERIFY(result.state == MetricState::NotApplicable);
        QVERIFY2(result.reason.find("sends and receives") != std::string::npos, result.reason.c_str());
    }
    void absentMembersAreReported()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 1000);
            run.call(rank, 100 + rank * 5, 50, {"allreduce", "0", "[0, 1, 2, 3]", 4, 64, 64});
        }
        const MetricResult result = measured(*run.load(), "straggler");
        COLLSCOPE_CLOSE(result.value.value_or(-1), 0.005);
        QVERIFY(warns(result, "not every rank of the group"));
    }
    void oneRankHasNothingToCompare()
    {
        const TraceModelPtr model = lateOnce().load();
        MetricOptions options = allSteps();
        options.rank = 1;
        SmallRun alone(1);
        alone.step(0, 1, 0, 100);
        alone.step(0, 2, 100, 120);
        alone.kernel(0, 10, 20);
        alone.call(0, 40, 20, {"allreduce", "0", "[0, 1]", 2, 64, 64});
        const TraceModelPtr lonely = alone.load();
        for (const char* name : comparingMetrics) {
            const MetricResult chosen = measured(*model, name, options);
            QVERIFY2(chosen.state == MetricState::NotApplicable && !chosen.value, name);
            QVERIFY2(chosen.reason.find("rank 1") != std::string::npos, chosen.reason.c_str());
            const MetricResult single = measured(*lonely, name);
            QVERIFY2(single.state == MetricState::NotApplicable && !single.value, name);
            QVERIFY2(single.reason.find("only rank 0") != std::string::npos, single.reason.c_str());
        }
        // What varies from step to step is still said.
        const MetricResult spread = measured(*lonely, "iteration_time_std");
        COLLSCOPE_CLOSE(numberIn(spread, {"std_over_steps_s"}), 20e-6 / std::sqrt(2.0));
        QVERIFY(measured(*lonely, "variability_metrics").state == MetricState::Value);
    }
    void withoutCommunicationNobodyIsLate()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 100);
            run.kernel(rank, 10, 20 + rank * 10);
        }
        const TraceModelPtr model = run.load();
        for (const char* name :
             {"straggler", "synchronization_overhead", "straggler_delay", "straggler_slowdown"}) {
            const MetricResult result = measured(*model, name);
            QVERIFY2(result.state == MetricState::NotApplicable && !result.reason.empty(), name);
        }
        COLLSCOPE_CLOSE(measured(*model, "load_imbalance_ratio").value.value_or(-1), 1.5);
    }
    void computeIsAUnionWithoutCommunication()
    {
        SmallRun run(3);
        for (int rank = 0; rank < 3; ++rank) {
            run.step(rank, 1, 0, 1000);
            run.step(rank, 2, 1000, 1000);
            run.kernel(rank, 100, 200);
            run.kernel(rank, 1100, 200);
            run.call(rank, 400, 100 * rank + 10, worldOfThree);
        }
        run.kernel(1, 150, 200, 8); // 50 of its 200 us are new
        run.kernel(2, 1900, 300, 8); // 100 us lie in the window
        const TraceModelPtr model = run.load();
        // us per step: rank 0 200, rank 1 225, rank 2 250.
        const MetricResult ratio = measured(*model, "load_imbalance_ratio", allSteps());
        COLLSCOPE_CLOSE(ratio.value.value_or(-1), 250.0 / 200);
        QCOMPARE(ratio.reduction, std::string("max over min of ranks"));
        COLLSCOPE_CLOSE(numberIn(ratio, {"max_over_mean"}), 250.0 / 225);
        COLLSCOPE_CLOSE(numberIn(ratio, {"slowest_rank"}), 2);
        COLLSCOPE_CLOSE(ratio.rows.at(1).value, 225.0 / 200);
        COLLSCOPE_CLOSE(ratio.rows.at(3).value, 250.0 / 200); // step 1: 200, 250, 200
        const MetricResult percent = measured(*model, "load_imbalance_percent", allSteps());
        COLLSCOPE_CLOSE(percent.value.value_or(-1), 100.0 * (250 - 225) / 225);
        COLLSCOPE_CLOSE(numberIn(ratio, {"imbalance_percent"}), percent.value.value_or(-1));
    }
    void anIdleRankHasNoRatio()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.step(rank, 1, 0, 100);
            run.call(rank, 10, 20, {"allreduce", "0", "[0, 1]", 2, 64, 64});
        }
        run.kernel(1, 40, 30);
        const TraceModelPtr model = run.load();
        const MetricResult ratio = measured(*model, "load_imbalance_ratio");
        QVERIFY(ratio.state == MetricState::NotApplicable);
        QVERIFY2(ratio.reason.find("Rank 0") != std::string::npos, ratio.reason.c_str());
        COLLSCOPE_CLOSE(measured(*model, "load_imbalance_percent").value.value_or(-1), 100);
    }
    void delayAndSlowdownByHand()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank)
            run.step(rank, 1, 0, 1000);
        const SmallCall pair{"allreduce", "0", "[0, 1]", 2, 64, 64};
        run.call(0, 100, 100, pair); // rank 0: 100 .. 600, 200 us of kernels
        run.call(0, 500, 100, pair);
        run.call(1, 150, 50, pair); // rank 1: 150 .. 700, 150 us of kernels
        run.call(1, 600, 100, pair);
        const TraceModelPtr model = run.load();
        const MetricResult delay = measured(*model, "straggler_delay");
        COLLSCOPE_CLOSE(delay.value.value_or(-1), 100.0 / 600);
        COLLSCOPE_CLOSE(numberIn(delay, {"last_rank"}), 1);
        const MetricResult slowdown = measured(*model, "straggler_slowdown");
        COLLSCOPE_CLOSE(slowdown.value.value_or(-1), 200.0 / 150);
        COLLSCOPE_CLOSE(numberIn(slowdown, {"relative_spread"}), 0.25);
        COLLSCOPE_CLOSE(numberIn(slowdown, {"culprit_rank"}), 1);
        COLLSCOPE_CLOSE(numberIn(slowdown, {"window_slowdown"}), 550.0 / 500);
    }
    void variabilityByHand()
    {
        SmallRun run(2);
        const double durations[2][3] = {{100, 120, 140}, {104, 120, 148}};
        for (int rank = 0; rank < 2; ++rank) {
            double begin = 0;
            for (int step = 0; step < 3; ++step) {
                run.step(rank, step + 1, begin, durations[rank][step]);
                run.kernel(rank, begin + 10, 5);
                begin += 200;
            }
        }
        const TraceModelPtr model = run.load();
        const MetricResult result = measured(*model, "iteration_time_std", allSteps());
        // Means of ranks 120 and 124 us; means of steps 102, 120 and 144 us.
        COLLSCOPE_CLOSE(result.value.value_or(-1) * 1e6, 4 / std::sqrt(2.0));
        COLLSCOPE_CLOSE(numberIn(result, {"mean_s"}) * 1e6, 122);
        COLLSCOPE_CLOSE(numberIn(result, {"std_over_steps_s"}) * 1e6,
                        std::sqrt((20.0 * 20 + 2.0 * 2 + 22.0 * 22) / 2));
        COLLSCOPE_CLOSE(numberIn(result, {"p5_s"}) * 1e6, 102 + 0.1 * 18);
        COLLSCOPE_CLOSE(numberIn(result, {"p50_s"}) * 1e6, 120);
        COLLSCOPE_CLOSE(numberIn(result, {"p95_s"}) * 1e6, 120 + 0.9 * 24);
        const MetricResult table = measured(*model, "variability_metrics_16", allSteps());
        QVERIFY(table.state == MetricState::Value && !table.value);
        COLLSCOPE_CLOSE(numberIn(table, {"straggler_score", "mean_ms"}) * 1e3, 4);
        COLLSCOPE_CLOSE(numberIn(table, {"straggler_score", "max_ms"}) * 1e3, 8);
        COLLSCOPE_CLOSE(numberIn(table, {"rank_time_stats", "1", "max_ms"}) * 1e3, 148);
        COLLSCOPE_CLOSE(numberIn(table, {"iter_time_dispersion", "mean_ms"}) * 1e3, 122);
        COLLSCOPE_CLOSE(numberIn(table, {"throughput_dispersion", "max_steps_per_s"}), 1e6 / 120);
    }
    void unmarkedStepsDoNotVary()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank)
            run.kernel(rank, 10, 20 + 10 * rank);
        const TraceModelPtr model = run.load();
        QVERIFY(measured(*model, "iteration_time_std").state == MetricState::NotApplicable);
        QVERIFY(measured(*model, "variability_metrics").state == MetricState::NotApplicable);
    }
    void aClockDoesNotChangeWhatNeedsNone_data()
    {
        QTest::addColumn<int>("rank");
        QTest::addColumn<double>("shiftUs");
        QTest::newRow("ahead") << 1 << 7'000.0;
        QTest::newRow("behind") << 2 << -40'000.5;
    }
    void aClockDoesNotChangeWhatNeedsNone()
    {
        QFETCH(int, rank);
        QFETCH(double, shiftUs);
        std::uint32_t state = 12345;
        const auto random = [&](int below) {
            state = state * 1664525u + 1013904223u;
            return static_cast<int>((state >> 8u) % static_cast<std::uint32_t>(below));
        };
        SmallRun run(3);
        for (int r = 0; r < 3; ++r) {
            for (int step = 0; step < 4; ++step) {
                const double begin = step * 2000;
                run.step(r, step + 1, begin, 1800 + random(200));
                for (int i = 0; i < 6; ++i) {
                    const double at = begin + 300 * i;
                    run.kernel(r, at + random(50), 20 + random(300), 7 + i % 2);
                    run.call(r, at + random(90), 20 + random(190),
                             {"allreduce", i % 2 ? "1" : "0", "[0, 1, 2]", 3, 64 + 8 * i, 64 + 8 * i,
                              i % 2 ? "mesh_tp" : "mesh_dp"},
                             20 + i % 2);
                }
            }
        }
        const TraceModelPtr right = run.load();
        run.shiftClock(rank, shiftUs);
        const TraceModelPtr wrong = run.load();
        QVERIFY(right && wrong);
        for (const char* name : clockFreeMetrics) {
            QVERIFY2(measured(*right, name).state == MetricState::Value, name);
            QCOMPARE(asJson(*wrong, name), asJson(*right, name));
        }
        // On raw clocks the others do change, and say why they cannot be trusted.
        MetricOptions raw;
        raw.clocks = ClockChoice::Raw;
        const MetricResult straggler = measured(*wrong, "straggler", raw);
        QVERIFY(straggler.value != measured(*right, "straggler").value);
        QVERIFY(warns(straggler, "ranks' clocks differ"));
        QVERIFY(warns(straggler, "aligning them"));
        QVERIFY(!warns(measured(*wrong, "straggler"), "ranks' clocks differ"));
    }
    void hostsAreNamedInAWarning()
    {
        SmallRun run = lateOnce();
        const MetricResult same = measured(*run.load(), "straggler");
        QVERIFY(!warns(same, "hosts"));
        run.ranksPerNode(4);
        QVERIFY(!warns(measured(*run.load(), "straggler"), "hosts"));
        run.ranksPerNode(2);
        const TraceModelPtr model = run.load();
        // The collectives show that the clocks agree: nothing to warn of.
        QVERIFY(!warns(measured(*model, "straggler"), "2 hosts"));
        QVERIFY(!warns(measured(*model, "straggler_delay"), "2 hosts"));
        QVERIFY(!warns(measured(*model, "straggler_slowdown"), "hosts"));
    }
    void commonStepsAreMatchedByNumber()
    {
        const std::vector<CommonStep> common = commonSteps({{1, 2, 3, 2}, {2, 3, 4, 2}, {3, 2, 2}});
        QCOMPARE(common.size(), std::size_t{3});
        QCOMPARE(common[0].number, std::int64_t{2});
        QCOMPARE(common[0].index, (std::vector<std::size_t>{1, 0, 1}));
        QCOMPARE(common[1].number, std::int64_t{3});
        QCOMPARE(common[2].index, (std::vector<std::size_t>{3, 3, 2})); // the second step 2 of each
        QVERIFY(commonSteps({{1}, {2}}).empty());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRanks)
#include "tst_ranks.moc"
