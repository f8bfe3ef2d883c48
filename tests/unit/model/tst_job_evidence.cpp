// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files of two jobs in one folder, told by the members of their process groups and by the times of calls
// that have one number. Each run is planted: what its files are of is known.

#include "metrics/matching/run_collectives.h"
#include "model/readers/run/trace_facts.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"

#include <QTest>

#include <set>

namespace collscope {

namespace {

/// All-reduces of a rank at equal distances; times in us.
struct Calls
{
    int count = 40;
    double everyUs = 8400;
    double fromUs = 0; ///< the clock is ahead by this
    double gains = 0; ///< and by so much more per us
    double jumpsUs = 0; ///< and by this from the middle on
};

struct Job
{
    const char* members = "[0, 1, 2, 3]";
    int groupSize = 4;
    bool areNumbered = true;
    bool areNamed = true; ///< else there is no metadata at all
};

void addCalls(SmallRun& run, int rank, const Calls& calls, const Job& job)
{
    // Clocks begin at 1 s.
    const auto onClock = [&](double us, int call) {
        return us + calls.fromUs + calls.gains * us + (2 * call >= calls.count ? calls.jumpsUs : 0);
    };
    for (int i = 0; i < calls.count; ++i) {
        const double endUs = calls.everyUs * (i + 1) + (i % 3) * 100;
        const double lengthUs = 400 + 100 * (rank % 2);
        SmallCall call;
        call.ranks = job.areNamed ? job.members : "";
        call.group = job.areNamed ? "0" : "";
        call.name = job.areNamed ? "allreduce" : "";
        call.groupSize = job.areNamed ? job.groupSize : 0;
        call.inElements = call.outElements = job.areNamed ? 1'000'000 : 0;
        call.sequence = job.areNumbered && job.areNamed ? i + 1 : 0;
        const double beginUs = onClock(endUs - lengthUs, i);
        run.kernel(rank, onClock(endUs - calls.everyUs + 500, i), 3000);
        run.call(rank, beginUs, onClock(endUs, i) - beginUs, call);
    }
}

bool holds(const TraceModel& model, std::string_view code, std::string_view text)
{
    const auto& entries = model.problems.entries();
    return std::any_of(entries.begin(), entries.end(), [&](const Diagnostic& problem) {
        return problem.code == code && problem.explanation.find(text) != std::string::npos;
    });
}

/// The ranks that share collectives with a rank.
std::set<std::int32_t> partnersOf(const TraceModel& model, std::int32_t rank)
{
    std::set<std::int32_t> partners;
    const RunCollectivesPtr run = matchRun(model, {});
    for (const CollectiveInstance& instance : run->matching.instances) {
        std::set<std::int32_t> members;
        for (const CallRef member : run->matching.membersOf(instance))
            members.insert(run->ranks[member.rank].rank);
        if (members.contains(rank) && members.size() > 1)
            partners.merge(members);
    }
    partners.erase(rank);
    return partners;
}

using Ranks = std::set<std::int32_t>;

MetricOptions wholeRun()
{
    MetricOptions options;
    options.steps.mode = StepChoice::Mode::All;
    return options;
}

} // namespace

class TestJobEvidence : public QObject
{
    Q_OBJECT

private slots:
    /// Two jobs of two ranks each, whose files are numbered 0 to 3: every kernel says "[0, 1]".
    void strangersAreNotMembers_data()
    {
        QTest::addColumn<int>("worldSize");
        QTest::newRow("no rank in the files") << 0;
        QTest::newRow("ranks of four") << 4;
        QTest::newRow("ranks of two") << 2;
    }
    void strangersAreNotMembers()
    {
        QFETCH(int, worldSize);
        SmallRun run(4);
        run.worldSize(worldSize);
        for (int rank = 0; rank < 4; ++rank)
            addCalls(run, rank, {10, rank < 2 ? 8400.0 : 8404.0}, {"[0, 1]", 2});
        const TraceModelPtr model = run.load();
        QVERIFY(model);
        QVERIFY(holds(*model, "jobs_differ", "cannot all be its members"));
        QCOMPARE(partnersOf(*model, 0), Ranks{1});
        QCOMPARE(partnersOf(*model, 3), Ranks{2});
        QVERIFY(measured(*model, "straggler", wholeRun()).state != MetricState::Value);
    }
    /// More ranks than a group has, and its list names none of them: none can be told to be of it.
    void aGroupHasNoMoreMembersThanItsSize()
    {
        SmallRun run(6);
        run.worldSize(0);
        for (const int left : {0, 1})
            run.leaveOut(left);
        for (int rank = 2; rank < 6; ++rank)
            addCalls(run, rank, {10}, {"[0, 1]", 2});
        const TraceModelPtr model = run.load();
        QVERIFY(model);
        QVERIFY(holds(*model, "jobs_differ", "cannot all be its members"));
        for (int rank = 2; rank < 6; ++rank)
            QCOMPARE(partnersOf(*model, rank), Ranks{});
    }
    /// Lists may count in another way than the files do, as those of a job whose ranks were renumbered.
    void renumberedRanksAreMembers()
    {
        SmallRun run(6);
        run.worldSize(0);
        for (const int left : {0, 1, 2, 3})
            run.leaveOut(left);
        for (const int rank : {4, 5})
            addCalls(run, rank, {10}, {"[0, 1]", 2});
        const TraceModelPtr model = run.load();
        QVERIFY(model);
        QVERIFY(!holds(*model, "jobs_differ", ""));
        QCOMPARE(partnersOf(*model, 4), Ranks{5});
    }
    /// Ranks that a person chose are no evidence, as long as they are no more than the group has.
    void chosenRanksAreMembers()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank)
            addCalls(run, rank, {10}, {"[0, 1]", 2});
        const QTemporaryDir folder;
        run.write(folder.path().toStdString());
        LoadOptions options;
        for (int rank = 0; rank < 2; ++rank)
            options.ranks["rank" + std::to_string(rank) + "_trace.json"] = rank + 1;
        const auto model = loadPath(folder.path().toStdString(), options);
        QVERIFY(model);
        QVERIFY(!holds(**model, "jobs_differ", ""));
        QCOMPARE(partnersOf(**model, 1), Ranks{2});
    }

    void clocksThatComputersHave_data()
    {
        QTest::addColumn<Calls>("second"); // of ranks 2 and 3
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("said"); // empty: all four are of one job
        const QString noClock = QStringLiteral("did not end together, even allowing for clock");
        const QString noHostClock = QStringLiteral("name the same host");
        QTest::newRow("one clock") << Calls{} << "node0"
                                   << "";
        QTest::newRow("100 ppm") << Calls{40, 8400, 0, 100e-6} << ""
                                 << "";
        QTest::newRow("a jump") << Calls{40, 8400, 0, 0, 7000} << ""
                                << "";
        QTest::newRow("2 percent") << Calls{40, 8400, 0, 0.02} << "" << noClock;
        QTest::newRow("another pace") << Calls{40, 9000} << "node0" << noClock;
        QTest::newRow("30 ms, hosts unknown") << Calls{40, 8400, 30'000} << ""
                                              << "";
        QTest::newRow("30 ms, any host's name") << Calls{40, 8400, 30'000} << "localhost"
                                                << "";
        QTest::newRow("30 ms, one host") << Calls{40, 8400, 30'000} << "node0" << noHostClock;
        QTest::newRow("60 ms, one host") << Calls{12, 8400, 60'000} << "node0" << noHostClock;
        QTest::newRow("1 ms, one host") << Calls{40, 8400, 1000} << "node0"
                                        << "";
    }
    void clocksThatComputersHave()
    {
        QFETCH(Calls, second);
        QFETCH(QString, host);
        QFETCH(QString, said);
        SmallRun run(4);
        run.host(host.toStdString());
        Calls first;
        first.count = second.count;
        for (int rank = 0; rank < 4; ++rank)
            addCalls(run, rank, rank < 2 ? first : second, {});
        const TraceModelPtr model = run.load();
        QVERIFY(model);
        QCOMPARE(holds(*model, "jobs_differ", said.toStdString()), !said.isEmpty());
        QCOMPARE(partnersOf(*model, 0), said.isEmpty() ? (Ranks{1, 2, 3}) : Ranks{1});
        // The run marks no steps: what ranks waited is in the details, and is no share.
        QCOMPARE(!measured(*model, "straggler", wholeRun()).details.empty(), said.isEmpty());
    }
    /// Without numbers, order alone says which calls are one: not of one host, with clocks that are apart.
    void orderOnOneHost_data()
    {
        QTest::addColumn<bool>("areNamed");
        QTest::newRow("process groups") << true;
        QTest::newRow("no metadata") << false;
    }
    void orderOnOneHost()
    {
        QFETCH(bool, areNamed);
        for (const bool isOneHost : {false, true}) {
            SmallRun run(2);
            run.host(isOneHost ? "node0" : "");
            const Job job{"[0, 1]", 2, false, areNamed};
            addCalls(run, 0, {}, job);
            addCalls(run, 1, {40, 8400, 30'037}, job);
            const TraceModelPtr model = run.load();
            QVERIFY(model);
            QCOMPARE(partnersOf(*model, 0), isOneHost ? Ranks{} : Ranks{1});
        }
    }

    void hostsAreRead()
    {
        for (const char* host : {"node0", "localhost", ""}) {
            SmallRun run(1);
            run.host(host);
            addCalls(run, 0, {}, {});
            const TraceModelPtr model = run.load();
            QVERIFY(model);
            const bool isName = std::string_view(host) == "node0";
            QCOMPARE(std::string(model->text(model->timelines.front().host)),
                     std::string(isName ? host : ""));
        }
        const auto hostIn = [](const char* name, const char* head) { return traceFacts(name, head).host; };
        const char* named = "{\"host_name\": \"node7\", \"traceEvents\": [";
        QCOMPARE(hostIn("rank0.json", named), std::string("node7"));
        QCOMPARE(hostIn("node8_42.1700000000000.pt.trace.json", named), std::string("node8"));
        QCOMPARE(hostIn("rank0.json", "{\"traceEvents\": [{\"args\": {\"host_name\": \"node7\"}}"),
                 std::string());
        QCOMPARE(hostIn("rank0.json", "{\"host_name\": \"nod"), std::string());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestJobEvidence)
#include "tst_job_evidence.moc"
