// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Where a collective lies on the lane of its process group, and how little of many is drawn. Coordinates are
// worked out by hand: the axis has one pixel per microsecond.

#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"
#include "views/rows/group_text.h"
#include "views/rows/timeline_layout.h"
#include "views/timeline/timeline_ruler.h"
#include "views/timeline/timeline_view.h"
#include "views/timeline/track_waits.h"

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;

SmallCall allReduce(const std::string& ranks, std::int64_t sequence)
{
    SmallCall call;
    call.group = "tp" + ranks.substr(1, ranks.find(',') - 1);
    call.ranks = ranks;
    call.groupSize = 2;
    call.inElements = call.outElements = 1000;
    call.description = "mesh_tp";
    call.sequence = sequence;
    return call;
}

/// Ten collectives of two ranks, 1000 us apart: rank 0 comes at 100 us, rank 1 at 250 us, both leave at 400.
SmallRun tenCollectives(double offsetUs)
{
    SmallRun run(2);
    run.shiftClock(1, offsetUs);
    run.kernel(0, 0, 20);
    for (int i = 0; i < 10; ++i) {
        run.call(0, i * 1000 + 100, 300, allReduce("[0, 1]", i + 1));
        run.call(1, i * 1000 + 250, 150, allReduce("[0, 1]", i + 1));
    }
    return run;
}

/// What the timeline makes of a run.
struct Lanes
{
    explicit Lanes(const SmallRun& small, ClockChoice choice = ClockChoice::Auto)
        : model(small.load())
        , run(matchRun(*model, MetricOptions()))
        , clocks(run->clocks.map(choice))
        , groups(*model, *run, clocks, run->clocks.significantNs(choice))
    { }

    TimelineLayout layout(const LayoutChoices& choices = {}) const
    {
        return {*model, choices, groups, run->matching.groups};
    }
    std::vector<DrawCollective> drawn(std::size_t lane, TimeRange range, double width) const
    {
        return drawLane(groups, groups.lanes().at(lane), TimeAxis(range, width));
    }

    TraceModelPtr model;
    RunCollectivesPtr run;
    ClockMap clocks;
    GroupLanes groups;
};

/// Pairs of ranks, each with one all-reduce of its own.
SmallRun pairs(int count)
{
    SmallRun run(2 * count);
    for (int rank = 0; rank < 2 * count; ++rank) {
        const int first = rank / 2 * 2;
        run.call(rank, 100, 50,
                 allReduce("[" + std::to_string(first) + ", " + std::to_string(first + 1) + "]", 1));
    }
    return run;
}

} // namespace

class TestGroupLanes : public QObject
{
    Q_OBJECT

private slots:
    void aCollectiveIsOneObject()
    {
        const Lanes lanes(tenCollectives(0));
        QCOMPARE(lanes.groups.lanes().size(), std::size_t{1});
        const GroupLane& lane = lanes.groups.lanes().front();
        QCOMPARE(lane.parallelismKind, ParallelismKind::TensorParallel);
        QCOMPARE(laneTitle(lane), QStringLiteral("TP 0 \u00b7 1"));
        QCOMPARE(lane.levels.size(), std::size_t{1});
        const auto drawn = lanes.drawn(0, {0, 1000 * us}, 1000);
        QCOMPARE(drawn.size(), std::size_t{1});
        QCOMPARE(drawn[0].x, 100.0);
        QCOMPARE(drawn[0].arrivedX, 250.0);
        QCOMPARE(drawn[0].endX, 400.0);
        QCOMPARE(drawn[0].kind, KernelClass::AllReduce);
        QVERIFY(!drawn[0].contradicts);
        QCOMPARE(collectiveTitle(*lanes.run, drawn[0].instance), QStringLiteral("AllReduce  4.00\u00a0kB"));
    }
    void aCollectiveThatReachesInIsCut()
    {
        const Lanes lanes(tenCollectives(0));
        const auto drawn = lanes.drawn(0, {300 * us, 1150 * us}, 850);
        QCOMPARE(drawn.size(), std::size_t{2});
        QCOMPARE(drawn[0].x, 0.0);
        QCOMPARE(drawn[0].arrivedX, 0.0); // all have come
        QCOMPARE(drawn[0].endX, 100.0);
        QCOMPARE(drawn[1].x, 800.0);
        QCOMPARE(drawn[1].arrivedX, 850.0); // nobody knows yet who is last
        QCOMPARE(drawn[1].endX, 850.0);
    }
    void aWrongClockChangesNothingOnceAligned()
    {
        const Lanes lanes(tenCollectives(5000));
        QVERIFY(lanes.run->clocks.isUsed(ClockChoice::Auto));
        const auto drawn = lanes.drawn(0, {0, 1000 * us}, 1000);
        QCOMPARE(drawn.size(), std::size_t{1});
        QCOMPARE(drawn[0].x, 100.0);
        QCOMPARE(drawn[0].arrivedX, 250.0);
        QCOMPARE(drawn[0].endX, 400.0);
        QVERIFY(!drawn[0].contradicts);
    }
    void rawClocksShowWhatCannotBe()
    {
        const Lanes lanes(tenCollectives(5000), ClockChoice::Raw);
        const auto drawn = lanes.drawn(0, {0, 20'000 * us}, 2000);
        QVERIFY(!drawn.empty());
        // Rank 1 comes 5150 us after rank 0, when rank 0 has long left.
        QCOMPARE(drawn[0].x, 10.0);
        QCOMPARE(drawn[0].arrivedX, 525.0);
        QVERIFY(drawn[0].contradicts);
        QVERIFY2(lanes.groups.lanes().front().levels.size() > 1, "they overlap now");
    }
    void overlappingOnesGoToASecondLevel()
    {
        SmallRun run(2);
        run.kernel(0, 0, 20);
        for (int rank = 0; rank < 2; ++rank) {
            run.call(rank, 100, 300, allReduce("[0, 1]", 1), 20);
            run.call(rank, 350, 100, allReduce("[0, 1]", 2), 21);
            run.call(rank, 450, 50, allReduce("[0, 1]", 3), 20);
        }
        const Lanes lanes(run);
        const GroupLane& lane = lanes.groups.lanes().front();
        QCOMPARE(lane.levels.size(), std::size_t{2});
        QCOMPARE(lane.levels[0].instances.size(), std::size_t{2});
        QCOMPARE(lane.levels[1].instances.size(), std::size_t{1});
        QCOMPARE(lane.levels[1].beginNs.front(), 350 * us);
        QCOMPARE(lanes.layout().rows()[1].levels, 2);
    }
    void manyCostNoMoreThanThePixels()
    {
        SmallRun run(2);
        run.kernel(0, 0, 2);
        constexpr int count = 5000;
        for (int i = 0; i < count; ++i) {
            run.call(0, 10 + i * 2, 1, allReduce("[0, 1]", i + 1));
            run.call(1, 10 + i * 2, 1, allReduce("[0, 1]", i + 1));
        }
        const Lanes lanes(run);
        const auto drawn
            = lanes.drawn(0, {0, 10'000 * us}, 500); // ten of them a pixel, busy half of the time
        QVERIFY(drawn.size() <= 500);
        QVERIFY(drawn.size() >= 498);
        for (std::size_t i = 1; i + 1 < drawn.size(); ++i) {
            QCOMPARE(drawn[i].x, drawn[i - 1].x + 1);
            QVERIFY(std::abs(drawn[i].coverage - 0.5f) < 0.06f);
        }
    }
    void whatIsHitIsWhatIsSeen()
    {
        const Lanes lanes(tenCollectives(0));
        const GroupLane& lane = lanes.groups.lanes().front();
        const auto at = [&](std::int64_t time, std::int64_t tolerance = 0) {
            return collectiveAt(lanes.groups, lane, time, 0, tolerance);
        };
        QVERIFY(!at(50 * us));
        QCOMPARE(at(100 * us), std::optional<std::uint32_t>(0));
        QCOMPARE(at(399 * us), std::optional<std::uint32_t>(0));
        QVERIFY(!at(700 * us));
        QCOMPARE(at(1050 * us, 60 * us), std::optional<std::uint32_t>(1));
        QCOMPARE(at(430 * us, 60 * us), std::optional<std::uint32_t>(0));
        QVERIFY(!collectiveAt(lanes.groups, lane, 100 * us, 1, 0));
        const CallRef last = lastArriver(*lanes.model, *lanes.run, lanes.clocks, 3);
        QCOMPARE(lanes.run->ranks[last.rank].rank, 1);
    }
    void aRankWaitsUntilTheLastOneComes()
    {
        const Lanes lanes(tenCollectives(5000));
        for (const std::uint32_t rank : {0U, 1U}) {
            const Call& call = lanes.run->ranks[rank].calls[3];
            TrackWaits waits(*lanes.run, lanes.groups, lanes.clocks, call.slice.track, TimelineId{rank});
            QCOMPARE(waits.arrivedNs(0), std::optional((rank == 0 ? 250 : 5250) * us));
            // In each rank's own time the last one is rank 1, which came 3 ms after its first collective.
            QCOMPARE(waits.arrivedNs(3), std::optional((rank == 0 ? 3250 : 8250) * us));
            QVERIFY(!waits.arrivedNs(10));
        }
    }
    void groupsComeByPurposeAndRank()
    {
        SmallRun run(4);
        const auto add = [&](const std::string& group, const std::string& ranks, const std::string& what,
                             const std::vector<int>& members, double at) {
            for (const int rank : members) {
                SmallCall call = allReduce(ranks, 1);
                call.group = group;
                call.description = what;
                call.groupSize = static_cast<int>(members.size());
                run.call(rank, at, 50, call);
            }
        };
        add("0", "[0, 1, 2, 3]", "default_pg", {0, 1, 2, 3}, 100);
        add("5", "[1, 3]", "mesh_dp_shard", {1, 3}, 200);
        add("4", "[0, 2]", "mesh_dp_shard", {0, 2}, 200);
        add("3", "[2, 3]", "mesh_tp", {2, 3}, 300);
        add("2", "[0, 1]", "mesh_tp", {0, 1}, 300);
        const Lanes lanes(run);
        QStringList titles;
        for (const GroupLane& lane : lanes.groups.lanes())
            titles << laneTitle(lane);
        QCOMPARE(titles.join(u'|'),
                 QStringLiteral("TP 0 \u00b7 1|TP 2 \u00b7 3|DP 0 \u00b7 2|DP 1 \u00b7 3|global 0\u20133"));
    }
    void hiddenRanksHideTheirGroups()
    {
        const Lanes lanes(pairs(3));
        const auto titles = [&](const std::set<std::int32_t>& hidden) {
            LayoutChoices choices;
            choices.hiddenRanks = hidden;
            const TimelineLayout layout = lanes.layout(choices);
            QStringList names;
            for (const TimelineRow& row : layout.rows()) {
                if (row.kind == RowKind::Group)
                    names << row.title;
            }
            return names.join(u'|');
        };
        QCOMPARE(titles({}), QStringLiteral("TP 0 \u00b7 1|TP 2 \u00b7 3|TP 4 \u00b7 5"));
        QCOMPARE(titles({2}), QStringLiteral("TP 0 \u00b7 1|TP 2 \u00b7 3|TP 4 \u00b7 5"));
        QCOMPARE(titles({2, 3}), QStringLiteral("TP 0 \u00b7 1|TP 4 \u00b7 5"));
        QCOMPARE(titles({0, 1, 2, 3, 4, 5}), QString());
    }
    void tooManyGroupsStartAsOneRowEachPurpose()
    {
        const Lanes lanes(pairs(static_cast<int>(manyGroups) + 1));
        LayoutChoices choices;
        const auto count = [&](RowKind kind) {
            const TimelineLayout layout = lanes.layout(choices);
            return std::count_if(layout.rows().begin(), layout.rows().end(),
                                 [&](const TimelineRow& row) { return row.kind == kind; });
        };
        QCOMPARE(count(RowKind::GroupHeader), 1);
        QCOMPARE(count(RowKind::GroupSummary), 1);
        QCOMPARE(count(RowKind::Group), 0);
        QCOMPARE(lanes.layout(choices).rows()[1].lanes.size(), manyGroups + 1);
        choices.openGroups = true;
        QCOMPARE(count(RowKind::Group), static_cast<std::ptrdiff_t>(manyGroups + 1));
        choices = {};
        choices.hiddenRanks = {0, 1};
        QCOMPARE(count(RowKind::Group), static_cast<std::ptrdiff_t>(manyGroups));
    }
    void theDensityIsTheShareOfBusyGroups()
    {
        const Lanes lanes(pairs(4));
        // All four run from 0 to 50 us on the axis: it begins with them.
        const GroupDensity all(lanes.groups, {0, 1, 2, 3});
        const auto rects = all.draw(TimeAxis({0, 300 * us}, 300));
        QCOMPARE(rects.size(), std::size_t{17}); // columns of 3 us
        QCOMPARE(rects.front().x, 0.0);
        QCOMPARE(rects.front().coverage, 1.0f);
        QCOMPARE(rects.front().kernelClass, KernelClass::AllReduce);
        QVERIFY2(rects.back().coverage < 1.0f, "two of its three microseconds are busy");
    }
    /// The window lays lanes out beside its own thread, which paints meanwhile.
    void theRowsStayWhileOtherClocksAreLaidOut()
    {
        const Lanes lanes(tenCollectives(5000));
        ViewState state;
        TimelineView view(&state);
        view.resize(1200, 400);
        const auto groupRows = [&] {
            const std::vector<TimelineRow>& rows = view.layout().rows();
            return std::count_if(rows.begin(), rows.end(),
                                 [](const TimelineRow& row) { return row.kind == RowKind::Group; });
        };
        const auto arrivedNs = [&] {
            const GroupLanes& groups = view.rows().groups();
            const LaneLevel& first = groups.lanes().front().levels.front();
            return groups.span(first.instances.front())->arrivedNs;
        };
        state.setModel(lanes.model);
        state.setCollectives(lanes.run);
        QCOMPARE(groupRows(), 0);
        state.setGroups(layOutGroups(*lanes.model, lanes.run, ClockChoice::Auto));
        QCOMPARE(groupRows(), 1);
        QCOMPARE(arrivedNs(), 250 * us);
        const auto isLaneEmpty = [&] {
            const QImage shown = view.grab().toImage();
            const auto& rows = view.layout().rows();
            const auto lane = std::find_if(rows.begin(), rows.end(),
                                           [](const TimelineRow& row) { return row.kind == RowKind::Group; });
            const int y = timelineTopHeight + lane->y + lane->height / 2;
            constexpr int pale = 60; // lines of the grid are greys
            for (int x = timelineHeaderWidth; x < view.viewport()->width(); ++x) {
                if (shown.pixelColor(x, y).hsvSaturation() > pale)
                    return false;
            }
            return true;
        };
        QVERIFY(!isLaneEmpty());

        state.setClockChoice(ClockChoice::Raw);
        QCOMPARE(groupRows(), 1);
        QVERIFY(view.rows().groups().lanes().empty());
        QVERIFY2(isLaneEmpty(), "it shows collectives where they were on the other clocks");
        state.setGroups(layOutGroups(*lanes.model, lanes.run, ClockChoice::Raw));
        QCOMPARE(arrivedNs(), 5250 * us);
        QVERIFY(!isLaneEmpty());

        state.setCollectives(matchRun(*lanes.model, MetricOptions()));
        QVERIFY2(groupRows() == 0, "these are the lanes of other collectives");
        // In the window they come together, so that the rows change once.
        int changes = 0;
        connect(&view.rows(), &TimelineRows::rebuilt, this, [&] { ++changes; });
        state.setCollectives(lanes.run, layOutGroups(*lanes.model, lanes.run, ClockChoice::Raw));
        QCOMPARE(groupRows(), 1);
        QCOMPARE(arrivedNs(), 5250 * us);
        QCOMPARE(changes, 1);
        QVERIFY(!layOutGroups(*lanes.model, lanes.run, ClockChoice::Raw, [] { return true; }));
    }
    void rankListsAreShort()
    {
        QCOMPARE(shortRankList({0, 1, 2, 3}), QStringLiteral("0\u20133"));
        QCOMPARE(shortRankList({0, 2}), QStringLiteral("0 \u00b7 2"));
        QCOMPARE(shortRankList({0, 1, 4, 5}), QStringLiteral("0 \u00b7 1 \u00b7 4 \u00b7 5"));
        QCOMPARE(shortRankList({0, 8, 16, 24, 32}), QStringLiteral("0 \u00b7 8 \u2026 32"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGroupLanes)
#include "tst_group_lanes.moc"
