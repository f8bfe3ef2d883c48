// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the tabs of several ranks show: rows of collectives, the grid of lateness, the report on stragglers.

#include "metrics/causes/straggler_report.h"
#include "metrics/matching/lateness_grid.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFile>

#include <random>

namespace collscope {

namespace {

CollectiveRowsPtr rowsOf(const TraceModelPtr& model, ClockChoice choice = ClockChoice::Raw)
{
    return listCollectives(model, matchRun(*model, MetricOptions()), choice);
}

/// 1 MB of floats among three ranks; 4 MB as output of a gather among two.
const SmallCall reduceOfThree{"allreduce", "0", "[0, 1, 2]", 3, 250'000, 250'000, "mesh_dp"};
const SmallCall gatherOfTwo{
    "_allgather_base", "1", "[0, 2]", 2, 500'000, 1'000'000, "mesh_tp", 0, "ncclDevKernel_AllGather_RING_LL"};

/// Step 7: an all-reduce that rank 2 is 40 us late for, and a gather of ranks 0 and 2. Step 8: an all-reduce
/// in which nobody is late by more than half a microsecond.
SmallRun smallRun()
{
    SmallRun run(3);
    const double begins[] = {100, 110, 140};
    const double ends[] = {200, 201, 202.5};
    for (int rank = 0; rank < 3; ++rank) {
        run.step(rank, 7, 0, 400);
        run.step(rank, 8, 400, 400);
        run.call(rank, begins[rank], ends[rank] - begins[rank], reduceOfThree);
        if (rank != 1)
            run.call(rank, rank == 0 ? 300 : 304, rank == 0 ? 54 : 50, gatherOfTwo);
        run.call(rank, rank == 1 ? 500.5 : 500, rank == 1 ? 49.5 : 50, reduceOfThree);
    }
    return run;
}

/// Comma separated cells, of which some are quoted lists.
QStringList cellsOf(const QString& line)
{
    QStringList cells{QString()};
    bool quoted = false;
    for (const QChar c : line) {
        if (c == QLatin1Char('"'))
            quoted = !quoted;
        else if (c == QLatin1Char(',') && !quoted)
            cells << QString();
        else
            cells.back() += c;
    }
    return cells;
}

} // namespace

class TestCollectiveRows : public QObject
{
    Q_OBJECT

private slots:
    void aRowByHand()
    {
        const CollectiveRowsPtr table = rowsOf(smallRun().load());
        QVERIFY(table != nullptr);
        QCOMPARE(table->rows.size(), std::size_t{3});
        const CollectiveRow& row = table->rows.front();
        QCOMPARE(table->nameOf(row), std::string_view("allreduce"));
        QCOMPARE(table->elementTypeOf(row), std::string_view("Float"));
        QCOMPARE(table->groupOf(row).text, std::string("0 [0, 1, 2]"));
        QCOMPARE(table->instanceOf(row).memberCount, 3u);
        QCOMPARE(row.expected, 3);
        QVERIFY(row.kind == KernelClass::AllReduce);
        QVERIFY(row.step == 7);
        QCOMPARE(row.times.range().lengthNs(), std::int64_t{102'500}); // 100 ... 202.5 us
        QCOMPARE(row.times.skewNs(), std::int64_t{40'000});
        QCOMPARE(row.times.aheadOfLastNs, std::int64_t{30'000});
        QCOMPARE(row.times.departures.lengthNs(), std::int64_t{2'500});
        QCOMPARE(row.times.transferNs, std::int64_t{62'500}); // rank 2: 140 ... 202.5 us
        QCOMPARE(row.times.waitNs, std::int64_t{40'000 + 30'000});
        COLLSCOPE_CLOSE(table->meanWaitNs(row).value_or(-1), 70'000.0 / 3);
        // Begins 0, 10, 40 us: mean 50/3, squares (50/3)^2 + (20/3)^2 + (70/3)^2 = 7800/9.
        COLLSCOPE_CLOSE(row.spreadNs, 1000 * std::sqrt(7800.0 / 9 / 3));
        QCOMPARE(table->firstRank(row), 0);
        QCOMPARE(table->lastRank(row), 2);
        QVERIFY(row.isLate);
        QVERIFY(row.bytes == 1'000'000u);
        COLLSCOPE_CLOSE(table->algorithmBandwidth(row).value_or(-1), 1'000'000 / 62'500.0);
        COLLSCOPE_CLOSE(table->busBandwidth(row).value_or(-1), 16.0 * 4 / 3); // 2 (n - 1) / n
        QCOMPARE(table->model->timelineOf(table->lastSlice(row)).rank, 2);

        const std::vector<MemberArrival> arrivals = table->arrivalsOf(row);
        QCOMPARE(arrivals.size(), std::size_t{3});
        QCOMPARE(arrivals[1].rank, 1);
        QCOMPARE(arrivals[1].latenessNs, std::int64_t{10'000});
        QCOMPARE(arrivals[1].waitNs, std::int64_t{30'000});
        QCOMPARE(arrivals[2].waitNs, std::int64_t{0});
        QCOMPARE(arrivals[2].range.lengthNs(), std::int64_t{62'500});
    }
    void sizesAndGroupsOfTheirOwn()
    {
        const CollectiveRowsPtr table = rowsOf(smallRun().load());
        QVERIFY(table && table->rows.size() == 3);
        const CollectiveRow& gather = table->rows[1];
        QVERIFY(gather.bytes == 4'000'000u); // output of a gather
        COLLSCOPE_CLOSE(table->algorithmBandwidth(gather).value_or(-1), 80);
        COLLSCOPE_CLOSE(table->busBandwidth(gather).value_or(-1), 40); // (n - 1) / n
        QCOMPARE(table->lastRank(gather), 2);
        const CollectiveRow& last = table->rows[2];
        QVERIFY(last.step == 8);
        QVERIFY2(!last.isLate, "half a microsecond is nobody's lateness");
        QVERIFY(table->rowOf(gather.instance) == 1u);
        QVERIFY(!table->rowOf(99));
        const GroupFilter both;
        const GroupFilter one{table->instanceOf(gather).group, std::nullopt};
        QVERIFY(both.includes(table->run->matching, table->instanceOf(last).group));
        QVERIFY(!one.includes(table->run->matching, table->instanceOf(last).group));
        QVERIFY(one.includes(table->run->matching, table->instanceOf(gather).group));
        const auto rule = static_cast<std::size_t>(table->instanceOf(gather).rule);
        QCOMPARE(table->callsByRule[rule], std::int64_t{3 + 2 + 3});
    }
    void unknownStaysUnknown()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank) {
            run.call(rank, 100, 20, {"allreduce", "0", "[0, 1]"}); // no size
            run.call(rank, 200, 20, {"allreduce", "0", "[0, 1]", 0, 64, 64}); // no group size
            run.call(rank, 300, 0, {"allreduce", "0", "[0, 1]", 2, 64, 64}); // no duration
        }
        const CollectiveRowsPtr table = rowsOf(run.load());
        QVERIFY(table && table->rows.size() == 3);
        QVERIFY(!table->rows[0].bytes && !table->algorithmBandwidth(table->rows[0]));
        COLLSCOPE_CLOSE(table->algorithmBandwidth(table->rows[1]).value_or(-1), 256 / 20'000.0);
        QVERIFY(!table->busBandwidth(table->rows[1]));
        QVERIFY(!table->algorithmBandwidth(table->rows[2]));
        QVERIFY2(!table->rows[0].step, "without step markers there is no step");
    }
    void unmatchedCallsSayWhy()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank)
            run.call(rank, 100, 20, {"allreduce", "0", "[0, 1]", 2, 64, 64});
        run.call(1, 300, 30, {"allreduce", "5", "[1, 9]", 2, 64, 64});
        const CollectiveRowsPtr table = rowsOf(run.load());
        QVERIFY(table != nullptr);
        QCOMPARE(table->rows.size(), std::size_t{1});
        QCOMPARE(table->run->matching.unmatched.size(), std::size_t{1});
        const UnmatchedRow row = table->unmatched(0);
        QCOMPARE(row.rank, 1);
        QVERIFY(row.reason == UnmatchedReason::OthersNotLoaded);
        QCOMPARE(row.range.lengthNs(), std::int64_t{30'000});
        QCOMPARE(table->nameOf(*row.call), std::string_view("allreduce"));
    }
    void wrongClocksMakeNoSkew()
    {
        SmallRun run = smallRun();
        run.shiftClock(1, 5'000);
        const TraceModelPtr model = run.load();
        const CollectiveRowsPtr raw = rowsOf(model);
        QVERIFY(raw->rows.front().times.skewNs() > 4'900'000);
        const CollectiveRowsPtr aligned = rowsOf(model, ClockChoice::Auto);
        QVERIFY(aligned->run->clocks.isUsed(ClockChoice::Auto));
        // Within what the ends differ by: 2.5 us.
        QVERIFY(std::abs(aligned->rows.front().times.skewNs() - 40'000) <= 2'500);
        QCOMPARE(aligned->rows.front().times.transferNs, raw->rows.front().times.transferNs);
    }
    /// Rows, report and metric are the same measurement.
    void reportAndMetricAgree()
    {
        const TraceModelPtr model = loadPath(plannedRun()).value();
        MetricOptions options;
        options.clocks = ClockChoice::Raw;
        options.collectives = matchRun(*model, options);
        Analysis analysis(*model, options);
        const StragglerReport report = reportStragglers(analysis);
        QVERIFY2(report.reason.empty(), report.reason.c_str());
        const MetricResult metric = measured(*model, "straggler", options);
        QCOMPARE(report.straggler.value_or(-1), 3);
        COLLSCOPE_CLOSE(numberIn(metric, {"straggler_rank"}), 3);
        QVERIFY(!report.groups.empty() && !report.ranks.empty());
        for (const StragglerReport::Rank& rank : report.ranks) {
            const std::string key = std::to_string(rank.wait.rank);
            COLLSCOPE_CLOSE(numberIn(metric, {"imposed_wait_us", key}), nsToUs(rank.wait.imposedNs));
            COLLSCOPE_CLOSE(numberIn(metric, {"own_wait_us", key}), nsToUs(rank.wait.ownNs));
            COLLSCOPE_CLOSE(numberIn(metric, {"own_wait_by_duration_us", key}),
                            nsToUs(rank.wait.ownByDurationNs));
        }
        for (const StragglerReport::Group& group : report.groups)
            COLLSCOPE_CLOSE(numberIn(metric, {"groups", group.name, "skew_us"}), nsToUs(group.skewNs));
        COLLSCOPE_CLOSE(numberIn(metric, {"num_collectives"}), static_cast<double>(report.collectives));

        // The worst collectives of a rank are its own, the longest waits first, and agree with the rows.
        const auto late = std::find_if(report.ranks.begin(), report.ranks.end(),
                                       [](const auto& rank) { return rank.wait.rank == 3; });
        QVERIFY(late != report.ranks.end() && late->worst.size() > 1);
        const CollectiveRowsPtr table = listCollectives(model, options.collectives, ClockChoice::Raw);
        for (std::size_t i = 0; i < late->worst.size(); ++i) {
            const WorstCollective& worst = late->worst[i];
            QVERIFY(i == 0 || worst.imposedNs <= late->worst[i - 1].imposedNs);
            QCOMPARE(model->timelineOf(worst.slice).rank, 3);
            const auto instance = options.collectives->instanceOf(worst.slice);
            QVERIFY(instance.has_value());
            const CollectiveRow& row = table->rows[table->rowOf(*instance).value()];
            QCOMPARE(row.times.waitNs, worst.imposedNs);
            QCOMPARE(row.times.skewNs(), worst.range.lengthNs());
            QVERIFY(worst.step.has_value() && row.step == worst.step);
        }
    }
    void oneRankHasNoReport()
    {
        const TraceModelPtr model = smallRun().load();
        MetricOptions options;
        options.rank = 1;
        Analysis analysis(*model, options);
        const StragglerReport report = reportStragglers(analysis);
        QVERIFY(report.reason.find("Select all 3") != std::string::npos);
        QVERIFY(report.ranks.empty());
    }
    void theGridByHand()
    {
        const CollectiveRowsPtr table = rowsOf(smallRun().load());
        const LatenessGridPtr grid = layOutLateness(table, {});
        QCOMPARE(grid->ranks, (std::vector<std::int32_t>{0, 1, 2}));
        QCOMPARE(grid->columns.size(), std::size_t{3});
        // The ends lie 0 (six times), 1 and 1.5 us from the median: p95 is 1.325 us.
        QCOMPARE(grid->significantNs, 2650);
        QCOMPARE(grid->at(1, 0), 10'000.0F);
        QCOMPARE(grid->at(2, 0), 40'000.0F);
        QCOMPARE(grid->at(0, 0), 0.0F);
        QCOMPARE(grid->at(1, 1), LatenessGrid::absent);
        QCOMPARE(grid->at(2, 1), 4'000.0F);
        QCOMPARE(grid->at(1, 2), 0.0F); // half a microsecond says nothing
        QCOMPARE(grid->largest, 40'000.0F);
        QCOMPARE(grid->largestIn(1, 0, 3), 10'000.0F);
        QCOMPARE(grid->largestIn(1, 1, 2), LatenessGrid::absent);
        QVERIFY(grid->collectiveAt(2, 1) == 1u && !grid->collectiveAt(1, 1));
        // The first all-reduce is from 100 to 202.5 us, the gather from 300 to 354.
        const std::int64_t zero = table->rows.front().times.range().beginNs - 100'000;
        QCOMPARE(grid->columnsIn({zero + 202'000, zero + 300'001}),
                 (std::pair<std::size_t, std::size_t>{0, 2}));
        QCOMPARE(grid->columnsIn({zero + 203'000, zero + 300'000}),
                 (std::pair<std::size_t, std::size_t>{1, 1}));
    }
    void theGridOfStepsAndGroups()
    {
        const CollectiveRowsPtr table = rowsOf(smallRun().load());
        const LatenessGridPtr sum = layOutLateness(table, {{}, LatenessColumns::StepSum});
        QCOMPARE(sum->columns.size(), std::size_t{2});
        QVERIFY(sum->columns[0].step == 7 && sum->columns[1].step == 8);
        QCOMPARE(sum->at(2, 0), 44'000.0F);
        QCOMPARE(sum->at(1, 0), 10'000.0F);
        QCOMPARE(sum->at(1, 1), 0.0F);
        QVERIFY(sum->collectiveAt(2, 0) == 0u); // latest in the all-reduce
        const LatenessGridPtr mean = layOutLateness(table, {{}, LatenessColumns::StepMean});
        QCOMPARE(mean->at(2, 0), 22'000.0F);
        QCOMPARE(mean->at(1, 0), 10'000.0F);
        LatenessRequest pair;
        pair.groups.group = table->instanceOf(table->rows[1]).group;
        const LatenessGridPtr some = layOutLateness(table, pair);
        QCOMPARE(some->ranks, (std::vector<std::int32_t>{0, 2}));
        QCOMPARE(some->columns.size(), std::size_t{1});
        QCOMPARE(some->at(1, 0), 4'000.0F);
    }
    /// Borders of steps differ between ranks, so that a step comes again: that is another column, not the
    /// first.
    void aStepThatComesAgain()
    {
        SmallRun run(2);
        run.step(0, 1, 0, 100);
        run.step(0, 2, 100, 200);
        run.step(1, 1, 0, 150);
        run.step(1, 2, 150, 150);
        for (const auto& [begin, behind] :
             {std::pair(10.0, 1.0), {120.0, 1.0}, {131.0, -1.0}, {200.0, 1.0}}) {
            for (int rank = 0; rank < 2; ++rank)
                run.call(rank, begin + behind * rank, 5, {"allreduce", "0", "[0, 1]", 2, 64, 64});
        }
        const CollectiveRowsPtr table = rowsOf(run.load());
        QCOMPARE(table->rows.size(), std::size_t{4});
        QVERIFY(table->rows[1].step == 2 && table->rows[2].step == 1); // by the rank that came first
        QCOMPARE(layOutLateness(table, {})->columns.size(), std::size_t{4});
    }
    /// Two pairs of ranks do the same at the same time: one column, also where one pair has more to do.
    void groupsWithoutCommonRanksShareColumns()
    {
        SmallRun run(4);
        for (int rank = 0; rank < 4; ++rank) {
            const bool low = rank < 2;
            const SmallCall call{"allreduce", low ? "1" : "2", low ? "[0, 1]" : "[2, 3]", 2, 64,
                                 64,          "mesh_tp"};
            for (int i = 0; i < 3; ++i)
                run.call(rank, 100.0 * i + (rank % 2) * (low ? 5 : 7), 50 - (rank % 2) * (low ? 5 : 7), call);
            if (low)
                run.call(rank, 900, 20, call);
            run.call(rank, 600, 20, {"allreduce", "0", "[0, 1, 2, 3]", 4, 64, 64});
        }
        const CollectiveRowsPtr table = rowsOf(run.load());
        QCOMPARE(table->rows.size(), std::size_t{3 + 3 + 1 + 1});
        const LatenessGridPtr grid = layOutLateness(table, {});
        QCOMPARE(grid->columns.size(), std::size_t{5});
        for (std::size_t column = 0; column < 3; ++column) {
            QCOMPARE(grid->at(1, column), 5'000.0F);
            QCOMPARE(grid->at(3, column), 7'000.0F);
            const auto row = grid->collectiveAt(3, column);
            QVERIFY(row && table->lastRank(table->rows[*row]) == 3);
        }
        QCOMPARE(grid->at(0, 3), 0.0F); // everybody at 600 us
        QCOMPARE(grid->at(2, 4), LatenessGrid::absent);
    }
    /// What one pair does more of in one step puts no other step out of line.
    void anExtraCollectiveMovesNoOtherStep()
    {
        SmallRun run(4);
        for (int rank = 0; rank < 4; ++rank) {
            const bool low = rank < 2;
            const SmallCall call{"allreduce", low ? "1" : "2", low ? "[0, 1]" : "[2, 3]", 2, 64,
                                 64,          "mesh_tp"};
            for (int step = 0; step < 2; ++step) {
                run.step(rank, step, 1000.0 * step, 1000);
                for (int i = 0; i < (low && step == 0 ? 3 : 2); ++i)
                    run.call(rank, 1000.0 * step + 100 * i + 10, 50, call);
            }
        }
        const LatenessGridPtr grid = layOutLateness(rowsOf(run.load()), {});
        QCOMPARE(grid->columns.size(), std::size_t{5});
        QCOMPARE(grid->at(3, 2), LatenessGrid::absent); // the third one of the first step
        for (const std::size_t column : {0u, 1u, 3u, 4u})
            QVERIFY(grid->at(1, column) == 0.0F && grid->at(3, column) == 0.0F);
    }
    /// The pyramid finds the same as looking at every cell.
    void stretchesOfManyColumns()
    {
        SmallRun run(2);
        std::mt19937 random(7);
        for (int i = 0; i < 777; ++i) {
            const auto late = static_cast<double>(random() % 90);
            run.call(0, 1000.0 * i, 200, {"allreduce", "0", "[0, 1]", 2, 64, 64});
            run.call(1, 1000.0 * i + late, 200 - late, {"allreduce", "0", "[0, 1]", 2, 64, 64});
        }
        const LatenessGridPtr grid = layOutLateness(rowsOf(run.load()), {});
        QCOMPARE(grid->columns.size(), std::size_t{777});
        for (int i = 0; i < 2000; ++i) {
            const std::size_t begin = random() % 777;
            const std::size_t end = begin + random() % (778 - begin);
            float most = LatenessGrid::absent;
            for (std::size_t column = begin; column < end; ++column)
                most = std::max(most, grid->at(1, column));
            QCOMPARE(grid->largestIn(1, begin, end), most);
        }
    }
    void asTheReportsOfAnotherTool_data()
    {
        QTest::addColumn<int>("same"); // rows of theirs that are a collective of ours
        QTest::addColumn<int>("others"); // rows in which they mix collectives
        QTest::newRow("plain") << 12 << 0;
        QTest::newRow("clock_offset_rank1_5ms") << 12 << 0; // on raw clocks, as theirs
        QTest::newRow("drop_last_rank3") << 12 << 0;
        // From the lost step on they match rank 3's calls of a later step; two calls end up without rank 3.
        QTest::newRow("drop_step_rank3_silent") << 6 << 6;
        QTest::newRow("no_metadata_single_stream") << 12 << 0;
        // Two groups of one name are one group of four ranks for them.
        QTest::newRow("pg_name_collision_lax") << 6 << 3;
    }
    /// Latency, skews, waits and bandwidths as another tool works them out on the same four ranks.
    void asTheReportsOfAnotherTool()
    {
        QFETCH(int, same);
        QFETCH(int, others);
        const QString folder = oracleFolder() + QStringLiteral("/reports/multirank/edge/")
            + QString::fromLatin1(QTest::currentDataTag());
        QFile file(folder + QStringLiteral("/nccl_implicit_sync.csv"));
        if (oracleFolder().isEmpty() || !file.open(QIODevice::ReadOnly))
            QSKIP("no oracle: set COLLSCOPE_ORACLE");
        const CollectiveRowsPtr table = rowsOf(loadPath(folder.toStdString()).value());
        const double zeroUs = static_cast<double>(table->model->timelines.front().fileToAxisNs) / 1e3;
        const QStringList header = cellsOf(QString::fromUtf8(file.readLine()).trimmed());
        int agreeing = 0;
        int mixed = 0;
        while (!file.atEnd()) {
            const QStringList cells = cellsOf(QString::fromUtf8(file.readLine()).trimmed());
            const auto cell = [&](const QString& name) { return cells.value(header.indexOf(name)); };
            const auto number = [&](const char* name) { return cell(QString::fromLatin1(name)).toDouble(); };
            const auto ranks = std::count_if(header.begin(), header.end(), [&](const QString& name) {
                return name.endsWith(QLatin1String("_ts")) && !cell(name).isEmpty();
            });
            const auto isTheirs = [&](const MemberArrival& arrival) {
                const QString ts = cell(QStringLiteral("rank_%1_ts").arg(arrival.rank));
                return !ts.isEmpty()
                    && std::abs(ts.toDouble() + zeroUs - nsToUs(arrival.range.beginNs)) < 0.002;
            };
            const auto found
                = std::find_if(table->rows.begin(), table->rows.end(), [&](const CollectiveRow& row) {
                      const std::vector<MemberArrival> arrivals = table->arrivalsOf(row);
                      return static_cast<std::ptrdiff_t>(arrivals.size()) == ranks
                          && std::all_of(arrivals.begin(), arrivals.end(), isTheirs);
                  });
            if (found == table->rows.end()) {
                ++mixed;
                continue;
            }
            ++agreeing;
            const auto near = [](double got, double expected) { return std::abs(got - expected) < 0.0015; };
            QVERIFY(near(nsToUs(found->times.transferNs), number("comm_latency")));
            QVERIFY(near(nsToUs(found->times.skewNs()), number("skew in start time")));
            QVERIFY(near(nsToUs(found->times.departures.lengthNs()), number("skew in end time")));
            // Where its clocks contradict each other, the tool lets ranks wait longer than their kernels
            // last.
            const double wait = table->meanWaitNs(*found).value_or(-1) / 1e3;
            QVERIFY(found->times.contradictionNs() > 0 ? wait < number("avg_wait_time")
                                                       : near(wait, number("avg_wait_time")));
            if (cell(QStringLiteral("Group size")).isEmpty()) { // nothing is named, and no size is known
                QVERIFY(!table->algorithmBandwidth(*found) && !table->busBandwidth(*found));
                continue;
            }
            // Their GB are GiB.
            constexpr double gib = 1.073741824;
            const auto share = [](std::optional<double> got, double expected) {
                return got && std::abs(*got / expected - 1) < 1e-9;
            };
            QVERIFY(share(table->algorithmBandwidth(*found), number("algo bw (GB/s)") * gib));
            QVERIFY(share(table->busBandwidth(*found), number("bus bw (GB/s)") * gib));
            QCOMPARE(static_cast<double>(found->groupSize), number("Group size"));
        }
        QCOMPARE(agreeing, same);
        QCOMPARE(mixed, others);
    }

private:
    std::string plannedRun()
    {
        std::string folder = m_folder.filePath(QStringLiteral("run")).toStdString();
        writeRun(planRun(lateDescription()), folder, RunFiles());
        return folder;
    }

    QTemporaryDir m_folder;
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCollectiveRows)
#include "tst_collective_rows.moc"
