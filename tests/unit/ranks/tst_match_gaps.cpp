// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is said of calls that found no partners, and of who waited where such calls are.

#include "metrics/causes/arrivals.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/suite/suite.h"

namespace collscope {

namespace {

/// A call of all ranks of group "0".
CallText groupCall(const char* name, std::int64_t elements, int ranks, int sequence = -1, int root = -1)
{
    std::string list;
    for (int rank = 0; rank < ranks; ++rank)
        list += (rank > 0 ? ", " : "[") + std::to_string(rank);
    return {name, elements, elements, ranks, "0", list + "]", sequence, "Float", root};
}

/// Wall clocks, as PyTorch writes them. Times in us; ends of one collective are equal on all ranks.
class WallRun
{
public:
    void call(int rank, const std::string& kernel, int start, int end, const CallText& text)
    {
        m_events[rank] += ",{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_" + kernel
            + "\",\"pid\":0,\"tid\":20,\"ts\":" + std::to_string(start)
            + ",\"dur\":" + std::to_string(end - start) + ",\"args\":{" + text.args(20) + "}}";
    }
    TraceModelPtr load(int worldSize) const
    {
        const QTemporaryDir folder;
        for (const auto& [rank, events] : m_events) {
            const QString name = QStringLiteral("rank%1_trace.json").arg(rank);
            std::ofstream(folder.filePath(name).toStdString())
                << "{\"baseTimeNanoseconds\":1790857026000000000,\"distributedInfo\":{\"rank\":" << rank
                << ",\"world_size\":" << worldSize << "},\"traceEvents\":[" << events.substr(1) << "]}";
        }
        const auto model = loadPath(folder.path().toStdString());
        return model ? *model : nullptr;
    }

private:
    std::map<int, std::string> m_events;
};

std::string detailText(const MetricResult& result, std::string_view detail)
{
    const Value* const value = detailOf(result.details, {detail});
    const std::string* const text = value ? value->as<std::string>() : nullptr;
    return text ? *text : std::string();
}

/// Moments that no shift maps onto themselves.
int beginOf(int i)
{
    return 1000 + 9000 * i + 37 * i * i;
}

constexpr const char* gapReduce = "AllReduce_Sum_f32_RING_LL";
constexpr const char* gapGather = "AllGather_RING_LL";

} // namespace

class TestMatchGaps : public QObject
{
    Q_OBJECT

private slots:
    /// The ranks called different collectives at the third place of twelve: nothing was dropped.
    void differentCollectivesAreCalledSo()
    {
        WallRun run;
        for (int i = 0; i < 12; ++i) {
            const int begin = beginOf(i);
            run.call(0, gapReduce, begin, begin + 400, groupCall("allreduce", 16'000'000, 2));
            if (i == 2)
                run.call(1, gapGather, begin, begin + 400, groupCall("_allgather_base", 8'000'000, 2));
            else
                run.call(1, gapReduce, begin, begin + 400, groupCall("allreduce", 16'000'000, 2));
        }
        const TraceModelPtr model = run.load(2);
        QVERIFY(model);
        const MetricResult result = metricOf(*model, "straggler", allSteps());
        QCOMPARE(numberOf(result, {"mismatched_collectives"}), 1.0);
        QVERIFY(mentions(result.warnings, "called different collectives"));
        QVERIFY(
            mentions(result.warnings, "allreduce of 64 MB on rank 0, _allgather_base of 32 MB on rank 1"));
        QVERIFY(!mentions(result.warnings, "dropped"));
        const RunCollectivesPtr matched = matchRun(*model, {});
        QCOMPARE(matched->matching.unmatched.size(), std::size_t{2});
        for (const Unmatched& unmatched : matched->matching.unmatched)
            QVERIFY(unmatched.reason == UnmatchedReason::Differs);
    }

    /// All calls of the group differ in size: they are told by their ends alone.
    void differentSizesAreCalledSo()
    {
        WallRun run;
        for (int i = 0; i < 5; ++i) {
            for (int rank = 0; rank < 2; ++rank)
                run.call(rank, gapReduce, beginOf(i), beginOf(i) + 400, groupCall("allreduce", 64 + rank, 2));
        }
        const TraceModelPtr model = run.load(2);
        QVERIFY(model);
        QCOMPARE(matchRun(*model, {})->matching.mismatched, std::int64_t{5});
    }

    /// Two different calls that did not end together may be two collectives, each dropped on one rank.
    void whatEndedApartIsNotOnePlace()
    {
        WallRun run;
        for (int i = 0; i < 12; ++i) {
            const int begin = beginOf(i);
            run.call(0, gapReduce, begin, begin + 400, groupCall("allreduce", 64, 2));
            if (i == 2)
                run.call(1, gapGather, begin + 2000, begin + 2400, groupCall("_allgather_base", 64, 2));
            else
                run.call(1, gapReduce, begin, begin + 400, groupCall("allreduce", 64, 2));
        }
        const TraceModelPtr model = run.load(2);
        QVERIFY(model);
        QCOMPARE(matchRun(*model, {})->matching.mismatched, std::int64_t{0});
        const MetricResult result = metricOf(*model, "straggler", allSteps());
        QVERIFY(mentions(result.warnings, "may have been dropped"));
        QVERIFY(mentions(result.warnings, "or the ranks called different collectives"));
    }

    /// Rank 1's clock jumps by 3 ms after half of the calls.
    void aClockThatJumpsLeavesNoVerdict()
    {
        WallRun run;
        for (int i = 0; i < 12; ++i) {
            const int begin = beginOf(i);
            const int jump = i < 6 ? 0 : 3000;
            run.call(0, gapReduce, begin, begin + 900, groupCall("allreduce", 64, 2));
            run.call(1, gapReduce, begin + 500 + jump, begin + 900 + jump, groupCall("allreduce", 64, 2));
        }
        const TraceModelPtr model = run.load(2);
        QVERIFY(model);
        const MetricResult result = metricOf(*model, "straggler", allSteps());
        if (!result.details.empty()) {
            QCOMPARE(detailText(result, "verdict"), std::string("inconclusive"));
            QVERIFY(detailText(result, "verdict_text").find("could not be matched") != std::string::npos);
            QVERIFY(mentions(result.warnings, "up to 3 ms apart"));
            QVERIFY(mentions(result.warnings, "a clock may be unstable"));
            QVERIFY(!mentions(result.warnings, "capture"));
        } else {
            QVERIFY2(result.reason.find("ended at a different time") != std::string::npos,
                     result.reason.c_str());
        }
    }

    /// Rank 2 of three comes 1 ms late to the call that rank 1's trace lacks, and 100 us to the others.
    void valueAndWaitsAreOfTheSameCollectives()
    {
        WallRun run;
        for (int i = 0; i < 12; ++i) {
            const int begin = beginOf(i);
            const int late = i == 4 ? 1000 : 100;
            for (int rank = 0; rank < 3; ++rank) {
                if (i != 4 || rank != 1)
                    run.call(rank, gapReduce, begin + (rank == 2 ? late : 0), begin + late + 200,
                             groupCall("allreduce", 64, 3));
            }
        }
        const TraceModelPtr model = run.load(3);
        QVERIFY(model);
        Analysis analysis(*model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        QCOMPARE(arrivals.matched.size(), std::size_t{11});
        QCOMPARE(arrivals.lacking, std::int64_t{1});
        QCOMPARE(arrivals.groups.front().skewNs, std::int64_t{1'100'000});
        QCOMPARE(arrivals.ranks[2].causedNs, std::int64_t{2'200'000});
        QCOMPARE(arrivals.ranks[0].ownNs, std::int64_t{1'100'000});
        const MetricResult result = metricOf(*model, "straggler", allSteps());
        QVERIFY(mentions(result.inputs, "1 collective excluded: the trace of a loaded rank"));
    }

    /// Clocks by which ends scatter by 80 us are not asked about all-reduces, but a root that is 5 ms late is
    /// late on any of them: in the value and in the verdict.
    void aLateRootCountsInValueAndVerdict()
    {
        WallRun run;
        for (int i = 0; i < 20; ++i) {
            const int begin = beginOf(i);
            const int apart = i % 2 == 0 ? 80 : -80;
            run.call(0, gapReduce, begin, begin + 400, groupCall("allreduce", 64, 2, 2 * i));
            run.call(1, gapReduce, begin + apart, begin + 400 + apart, groupCall("allreduce", 64, 2, 2 * i));
            run.call(0, "Broadcast_RING_LL", begin + 7000, begin + 7050,
                     groupCall("broadcast", 64, 2, 2 * i + 1, 0));
            run.call(1, "Broadcast_RING_LL", begin + 2000, begin + 7060,
                     groupCall("broadcast", 64, 2, 2 * i + 1, 0));
        }
        const TraceModelPtr model = run.load(2);
        QVERIFY(model);
        Analysis analysis(*model, allSteps());
        const Arrivals arrivals = measureArrivals(analysis);
        QVERIFY(arrivals.isByDuration);
        QVERIFY(arrivals.groups.front().skewNs >= 100'000'000);
        QVERIFY(arrivals.ranks[0].causedNs >= 99'000'000);
        QVERIFY(arrivals.verdict() == StragglerVerdict::OneRank);
        QCOMPARE(arrivals.straggler()->rank, 0);
    }

    /// Two pairs of ranks without names whose calls end at the same moments look like one group of four.
    void unnamedGroupsAreAnAssumption()
    {
        for (const int ranks : {2, 4}) {
            WallRun run;
            for (int i = 0; i < 8; ++i) {
                for (int rank = 0; rank < ranks; ++rank)
                    run.call(rank, gapReduce, beginOf(i), beginOf(i) + 300, {});
            }
            const TraceModelPtr model = run.load(ranks);
            QVERIFY(model);
            const MetricResult result = metricOf(*model, "straggler", allSteps());
            QVERIFY(!result.details.empty()); // no share: the run marks no steps
            QCOMPARE(mentions(result.warnings, "Smaller groups whose calls end at the same moments"),
                     ranks == 4);
        }
    }

    /// Rank 0 and 1 of a group of three are loaded: rank 2 may be the one that came last.
    void ranksThatAreNotLoadedMayBeTheLast()
    {
        WallRun run;
        for (int i = 0; i < 8; ++i) {
            run.call(0, gapReduce, beginOf(i), beginOf(i) + 800, groupCall("allreduce", 64, 3));
            run.call(1, gapReduce, beginOf(i) + 300, beginOf(i) + 800, groupCall("allreduce", 64, 3));
        }
        const TraceModelPtr model = run.load(3);
        QVERIFY(model);
        const MetricResult result = metricOf(*model, "straggler", allSteps());
        QCOMPARE(detailText(result, "verdict"), std::string("inconclusive"));
        QVERIFY(detailText(result, "verdict_text")
                    .find("in 8 of 8 collectives the traces of some ranks are not loaded")
                != std::string::npos);
    }

    /// A broadcast's ends need not agree. Where they do, they confirm its order.
    void broadcastsThatEndTogetherAreConfirmed()
    {
        WallRun run;
        for (int i = 0; i < 8; ++i) {
            for (int rank = 0; rank < 2; ++rank)
                run.call(rank, "Broadcast_RING_LL", beginOf(i) + 300 * rank, beginOf(i) + 800,
                         groupCall("broadcast", 64, 2));
        }
        const TraceModelPtr model = run.load(2);
        QVERIFY(model);
        QCOMPARE(matchRun(*model, {})->matching.byOrderAlone(), std::int64_t{0});
        const MetricResult result = metricOf(*model, "straggler", allSteps());
        QVERIFY(!result.value);
        QVERIFY2(result.reason.find("root of a broadcast or reduce not identified") != std::string::npos,
                 result.reason.c_str());
    }

    /// Rank 1's trace lacks one of two equal calls in step 2: the calls of the other steps still match.
    void aDroppedCpuCallMakesItsStepUncertain()
    {
        const RunCollectivesPtr run = matchCpuRun(0, 0, true);
        QVERIFY(run);
        QCOMPARE(run->matching.calls, std::int64_t{19});
        QCOMPARE(run->matching.matchedCalls(), std::int64_t{16});
        QCOMPARE(run->matching.unmatched.size(), std::size_t{3});
        for (const Unmatched& unmatched : run->matching.unmatched)
            QVERIFY(unmatched.reason == UnmatchedReason::Ambiguous);
    }

    /// Rank 1 counts steps from another number. Calls of equal numbers did not run at one time.
    void stepsOfOtherNumbersDoNotMatchCpuCalls()
    {
        const RunCollectivesPtr run = matchCpuRun(1, 0, true);
        QVERIFY(run);
        QCOMPARE(run->matching.matchedCalls(), std::int64_t{0});
        QVERIFY(std::any_of(run->matching.warnings.begin(), run->matching.warnings.end(),
                            [](const std::string& warning) {
                                return warning.find("did not run at the same time") != std::string::npos;
                            }));
    }

    /// The same, and it counts its steps from 0: that may as well be a clock that is a second apart.
    void cpuCallsThatOnlyOrderPutsTogetherBlameNobody()
    {
        const RunCollectivesPtr run = matchCpuRun(-1, 1, false);
        QVERIFY(run);
        QCOMPARE(run->matching.matchedCalls(), std::int64_t{20});
        QCOMPARE(run->matching.byOrderAlone(), std::int64_t{10});
    }

    /// Rank 1 recorded a step later: as many calls, but other ones.
    void cpuCallsOfOtherStepsAreNotOneByOrder()
    {
        const RunCollectivesPtr run = matchCpuRun(0, 1, false);
        QVERIFY(run);
        QCOMPARE(run->matching.calls, std::int64_t{20});
        QCOMPARE(run->matching.matchedCalls(), std::int64_t{16});
        for (const CollectiveInstance& instance : run->matching.instances) {
            const auto members = run->matching.membersOf(instance);
            for (const CallRef member : members) // of one collective all begin at once
                QCOMPARE(run->callOf(member).range.beginNs, run->callOf(members.front()).range.beginNs);
        }
    }

private:
    /// Two ranks on one host, five steps of two equal all-reduces. `number`: what rank 1 adds to its step
    /// numbers; `later`: steps by which it begins later; `isDropped`: rank 1 lacks the first call of step 2.
    static RunCollectivesPtr matchCpuRun(int number, int later, bool isDropped)
    {
        const QTemporaryDir folder;
        for (int rank = 0; rank < 2; ++rank) {
            std::string events;
            const auto event = [&](const char* category, const std::string& name, int thread, int ts, int dur,
                                   const std::string& args) {
                events += std::string(",{\"ph\":\"X\",\"cat\":\"") + category + "\",\"name\":\"" + name
                    + "\",\"pid\":7,\"tid\":" + std::to_string(thread) + ",\"ts\":" + std::to_string(ts)
                    + ",\"dur\":" + std::to_string(dur) + ",\"args\":{" + args + "}}";
            };
            for (int step = rank * later; step < 5 + rank * later; ++step) {
                const int begin = 1'000'000 * step;
                event("user_annotation", "ProfilerStep#" + std::to_string(step + rank * number), 1, begin,
                      1'000'000, "");
                for (int call = 0; call < 2; ++call) {
                    if (isDropped && rank == 1 && step == 2 && call == 0)
                        continue;
                    // Threads are scheduled as they are: ends scatter by milliseconds.
                    event("user_annotation", "gloo:all_reduce", 2, begin + 300'000 * (call + 1),
                          40'000 + (7919 * (step + 3 * rank + call)) % 20'000,
                          "\"Input Dims\":[[100]],\"Input type\":[\"float\"]");
                }
            }
            std::ofstream(folder.filePath(QStringLiteral("rank%1_trace.json").arg(rank)).toStdString())
                << "{\"deviceProperties\":[],\"baseTimeNanoseconds\":1790857026000000000,\"distributedInfo\":"
                   "{\"rank\":"
                << rank
                << ",\"world_size\":2,\"backend\":\"gloo\",\"pg_config\":[{\"pg_name\":\"0\",\"pg_desc\":"
                   "\"default_pg\",\"pg_size\":2,\"ranks\":[0,1]}]},\"traceEvents\":["
                << events.substr(1) << "]}";
        }
        const auto model = loadPath(folder.path().toStdString());
        return model ? matchRun(**model, {}) : nullptr;
    }
};

COLLSCOPE_TEST(TestMatchGaps)

} // namespace collscope

#include "tst_match_gaps.moc"
