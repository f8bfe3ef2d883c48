// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The oracle's job of four ranks (oracle/reports/multirank): as it is, with calls dropped, names shared, a
// clock 5 ms off, and no metadata.

#include "metrics/causes/arrivals.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

namespace collscope {

class TestMultirankOracle : public QObject
{
    Q_OBJECT

private:
    static TraceModelPtr edge(const std::string& name)
    {
        const auto model = loadPath(folder() + "/" + name);
        return model ? *model : nullptr;
    }
    static std::string folder() { return oracleFolder().toStdString() + "/reports/multirank/edge"; }

    /// Waits per rank over the collectives that everybody leaves together, in us: aligned, and by duration.
    static void waits(const RunCollectives& run, std::map<std::string, double>& aligned,
                      std::map<std::string, double>& byDuration)
    {
        const ClockMap clocks = run.clocks.map(ClockChoice::Aligned);
        const Timeline* const first = run.ranks.front().calls.front().timeline;
        for (const CollectiveInstance& instance : run.matching.instances) {
            const auto members = run.matching.membersOf(instance);
            if (members.size() < 2 || !endsTogether(*s_model, run.callOf(members.front())))
                continue;
            std::int64_t last = std::numeric_limits<std::int64_t>::min();
            std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
            const auto beginOf = [&](const Call& call) {
                // One timeline per rank, in the order of the ranks.
                return clocks.toAxis(static_cast<std::size_t>(call.timeline - first), call.range.beginNs);
            };
            for (const CallRef member : members) {
                last = std::max(last, beginOf(run.callOf(member)));
                shortest = std::min(shortest, run.callOf(member).durationNs());
            }
            for (const CallRef member : members) {
                const std::string rank = std::to_string(run.ranks[member.rank].rank);
                aligned[rank] += static_cast<double>(last - beginOf(run.callOf(member))) / 1e3;
                byDuration[rank] += static_cast<double>(run.callOf(member).durationNs() - shortest) / 1e3;
            }
        }
    }
    inline static const TraceModel* s_model = nullptr;

private slots:
    void initTestCase()
    {
        if (oracleFolder().isEmpty())
            QSKIP("The oracle is not here: set COLLSCOPE_ORACLE to its folder.");
    }

    void waitsAreThoseOfOurDefinition_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"plain", "clock_offset_rank1_5ms"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void waitsAreThoseOfOurDefinition()
    {
        QFETCH(QString, name);
        std::ifstream file(folder() + "/our_definition_wait.json");
        const nlohmann::json expected = nlohmann::json::parse(file).at(name.toStdString());
        const TraceModelPtr model = edge(name.toStdString());
        QVERIFY(model);
        s_model = model.get();
        const RunCollectivesPtr run = matchRun(*model, MetricOptions());
        std::map<std::string, double> aligned, byDuration;
        waits(*run, aligned, byDuration);
        for (const auto& [rank, us] : expected.at("wait_aligned_us").items())
            QVERIFY2(std::abs(aligned.at(rank) - us.get<double>()) < 0.001, rank.c_str());
        for (const auto& [rank, us] : expected.at("wait_by_duration_us").items())
            QVERIFY2(std::abs(byDuration.at(rank) - us.get<double>()) < 0.001, rank.c_str());
        for (const auto& [rank, us] : expected.at("offset_us").items()) {
            const ClockFit& fit = run->clocks.fits.at(static_cast<std::size_t>(std::stoi(rank)));
            QCOMPARE(static_cast<double>(fit.offsetNs) / 1e3, us.get<double>());
        }
    }

    /// 5 ms ahead looks like a straggler to whoever trusts the clocks.
    void aClockAheadIsNoStraggler()
    {
        const TraceModelPtr model = edge("clock_offset_rank1_5ms");
        MetricOptions options = allSteps();
        Analysis aligned(*model, options);
        QCOMPARE(measureArrivals(aligned).straggler()->rank, 2);
        options.clocks = ClockChoice::Raw;
        Analysis raw(*model, options);
        QVERIFY(measureArrivals(raw).ranks[1].imposedNs > 10 * measureArrivals(aligned).ranks[1].imposedNs);
    }

    void aDroppedCallShiftsNothing_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("incomplete");
        for (const auto& [name, incomplete] :
             {std::pair{"drop_first_rank3", 1}, std::pair{"drop_last_rank3", 1},
              std::pair{"drop_step_rank3_silent", 3}})
            QTest::newRow(name) << QString::fromLatin1(name) << incomplete;
    }
    void aDroppedCallShiftsNothing()
    {
        QFETCH(QString, name);
        QFETCH(int, incomplete);
        const TraceModelPtr whole = edge("plain");
        const TraceModelPtr cut = edge(name.toStdString());
        QVERIFY(whole && cut);
        const RunCollectivesPtr expected = matchRun(*whole, MetricOptions());
        const RunCollectivesPtr run = matchRun(*cut, MetricOptions());
        QCOMPARE(run->matching.instances.size(), expected->matching.instances.size());
        // What is matched began at the same moments as in the whole job.
        std::set<std::vector<std::int64_t>> known;
        const auto begins
            = [](const TraceModel& model, const RunCollectives& of, const CollectiveInstance& instance) {
                  std::vector<std::int64_t> times;
                  for (const CallRef member : of.matching.membersOf(instance))
                      times.push_back(of.callOf(member).range.beginNs + model.axisZeroNs);
                  return times;
              };
        for (const CollectiveInstance& instance : expected->matching.instances)
            known.insert(begins(*whole, *expected, instance));
        int absent = 0;
        for (const CollectiveInstance& instance : run->matching.instances) {
            if (instance.absent > 0)
                ++absent;
            else
                QVERIFY(known.contains(begins(*cut, *run, instance)));
        }
        QCOMPARE(absent, incomplete);
    }

    void sharedNamesAreKeptApart()
    {
        const TraceModelPtr model = edge("pg_name_collision_lax");
        const RunCollectivesPtr run = matchRun(*model, MetricOptions());
        QCOMPARE(run->matching.matchedCalls(), run->matching.calls);
        QCOMPARE(run->matching.instances.size(), std::size_t{15});
    }

    void withoutMetadataStreamsAreMatchedInOrder()
    {
        const TraceModelPtr model = edge("no_metadata_single_stream");
        const RunCollectivesPtr run = matchRun(*model, MetricOptions());
        QCOMPARE(run->matching.matchedCalls(), run->matching.calls);
        for (const CollectiveInstance& instance : run->matching.instances)
            QVERIFY(instance.rule == MatchRule::StreamOrder);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMultirankOracle)
#include "tst_multirank_oracle.moc"
