// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Folders whose files do not belong together: each says so, and no number over its ranks is a false one.

#include "metrics/matching/run_collectives.h"
#include "model/queries/recordings.h"
#include "model/text/rank_ranges.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <QRegularExpression>

#include <set>

namespace collscope {

namespace {

constexpr int worldSize = 8;
constexpr std::int64_t minuteNs = 60'000'000'000;
constexpr std::int64_t hourNs = 60 * minuteNs;

/// Eight ranks, six steps that are all alike; rank 3 computes longer.
WorkloadDescription described()
{
    WorkloadDescription description;
    description.dataParallel = 4;
    description.steps = 6;
    description.stragglerRank = 3;
    description.lateNs = 180'000;
    return description;
}

std::string rankFile(int rank)
{
    return "rank" + std::to_string(rank) + "_trace.json";
}

/// The files of a run of this description.
std::vector<std::string> textsOf(const WorkloadDescription& description)
{
    const RunPlan plan = planRun(description);
    std::vector<std::string> texts;
    for (const PlannedRank& rank : plan.ranks)
        texts.push_back(kinetoJson(plan, rank));
    return texts;
}

const std::vector<std::string>& plainTexts()
{
    static const std::vector<std::string> texts = textsOf(described());
    return texts;
}

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

/// Nobody says how many ranks there are, nor which one this is.
std::string withoutDistributedInfo(const std::string& text)
{
    return replaced(text, "\"distributedInfo\"", "\"formerInfo\"");
}

std::string withoutSteps(const std::string& text)
{
    return replaced(text, "ProfilerStep#", "Profiler step ");
}

struct Truth
{
    double stepSeconds = 0;
    std::map<int, double> overlap;
    double straggler = 0; ///< of the whole run

    double meanOverlap(const std::vector<std::int32_t>& ranks) const
    {
        double sum = 0;
        for (const std::int32_t rank : ranks)
            sum += overlap.at(rank);
        return sum / static_cast<double>(ranks.size());
    }
};

const Truth& truth()
{
    static const Truth known = [] {
        const ExpectedNumbers expected = expectedNumbers(planRun(described()));
        const RunFolder folder;
        for (int rank = 0; rank < worldSize; ++rank)
            folder.write("run/" + rankFile(rank), plainTexts()[static_cast<std::size_t>(rank)]);
        return Truth{expected.stepSeconds, expected.overlapPercent,
                     measured(*folder.load("run"), "straggler").value.value_or(-1)};
    }();
    return known;
}

bool isNear(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

/// A value is the truth, or there is none; `counted`: the ranks that count.
bool saysNothingFalse(const TraceModel& model, const std::vector<std::int32_t>& counted)
{
    const MetricResult step = measured(model, "avg_step_time");
    const MetricResult overlap = measured(model, "comm_comp_overlap");
    return (!step.value || isNear(*step.value, truth().stepSeconds))
        && (!overlap.value || isNear(*overlap.value, truth().meanOverlap(counted)));
}

bool isRefused(const TraceModel& model, const char* metric)
{
    const MetricResult result = measured(model, metric);
    return !result.value && !result.reason.empty();
}

/// No collective holds calls of two recordings.
bool staysInRecordings(const TraceModel& model)
{
    const std::vector<std::int32_t> recordings = recordingsOf(model);
    const RunCollectivesPtr run = matchRun(model, {});
    for (const CollectiveInstance& instance : run->matching.instances) {
        std::set<std::int32_t> seen;
        for (const CallRef member : run->matching.membersOf(instance))
            seen.insert(recordings[model.indexOf(*run->callOf(member).timeline)]);
        if (seen.size() > 1)
            return false;
    }
    return !run->matching.instances.empty();
}

std::vector<std::int32_t> allBut(const std::set<std::int32_t>& missing)
{
    std::vector<std::int32_t> ranks;
    for (std::int32_t rank = 0; rank < worldSize; ++rank) {
        if (!missing.contains(rank))
            ranks.push_back(rank);
    }
    return ranks;
}

constexpr auto at = [](int rank) { return static_cast<std::size_t>(rank); };

} // namespace

class TestRunFindings : public QObject
{
    Q_OBJECT

private:
    /// A run with another text for some ranks; an empty optional: no file.
    static void write(const RunFolder& folder, const std::map<int, std::string>& others,
                      const std::set<std::int32_t>& missing = {})
    {
        for (int rank = 0; rank < worldSize; ++rank) {
            if (missing.contains(rank))
                continue;
            const auto other = others.find(rank);
            folder.write("run/" + rankFile(rank),
                         other == others.end() ? plainTexts()[at(rank)] : other->second);
        }
    }

private slots:
    void nothingIsSaidOfAWholeRun()
    {
        const RunFolder folder;
        write(folder, {});
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run);
        for (const char* code :
             {"ranks_missing", "jobs_differ", "clocks_apart", "steps_differ", "steps_missing"})
            QVERIFY2(!findProblem(run->problems, code), code);
        QVERIFY(saysNothingFalse(*run, allBut({})));
        QVERIFY(measured(*run, "avg_step_time").value.has_value());
        QCOMPARE(measured(*run, "avg_step_time").window, std::string("inner steps"));
        QVERIFY(truth().straggler > 0);
    }

    void missingRanksAreNamed_data()
    {
        QTest::addColumn<QList<int>>("missing");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isSizeKnown");
        const std::vector<std::pair<QList<int>, const char*>> cases{{{5}, "rank 5."},
                                                                    {{0}, "rank 0."},
                                                                    {{7}, "rank 7."},
                                                                    {{1, 2}, "ranks 1, 2."},
                                                                    {{0, 7}, "ranks 0, 7."},
                                                                    {{3, 4, 5}, "ranks 3-5."},
                                                                    {{0, 2, 4, 6}, "ranks 0, 2, 4, 6."},
                                                                    {{1, 5, 6, 7}, "ranks 1, 5-7."}};
        for (const auto& [missing, text] : cases) {
            for (const bool isKnown : {true, false})
                QTest::addRow("%s %s", text, isKnown ? "of 8" : "of groups")
                    << missing << QString::fromLatin1(text) << isKnown;
        }
    }
    void missingRanksAreNamed()
    {
        QFETCH(const QList<int>, missing);
        QFETCH(const QString, text);
        QFETCH(const bool, isSizeKnown);
        const std::set<std::int32_t> gone(missing.begin(), missing.end());
        const RunFolder folder;
        std::map<int, std::string> others;
        for (int rank = 0; rank < worldSize && !isSizeKnown; ++rank)
            others[rank] = withoutDistributedInfo(plainTexts()[at(rank)]);
        write(folder, others, gone);
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run);
        const Diagnostic* found = findProblem(run->problems, "ranks_missing");
        QVERIFY(found && found->severity == Severity::DataLoss);
        const QString said = QString::fromStdString(found->explanation);
        if (isSizeKnown) {
            QVERIFY2(said.contains(text), qPrintable(said));
            QVERIFY2(said.contains(QStringLiteral("of the run's 8 ranks")), qPrintable(said));
        } else {
            // Groups name those that ranks here share with others: none that is here, none that is not.
            QVERIFY2(said.contains(QStringLiteral("of at least")), qPrintable(said));
            const QString names = said.mid(said.indexOf(QStringLiteral("No data for")));
            for (const std::int32_t rank : allBut(gone))
                QVERIFY2(!names.contains(QRegularExpression(QStringLiteral("\\b%1\\b").arg(rank))),
                         qPrintable(said));
        }
        QVERIFY(saysNothingFalse(*run, allBut(gone)));
        const MetricResult overlap = measured(*run, "comm_comp_overlap");
        QVERIFY(overlap.value && warns(overlap, "No data for"));
        // A chosen rank is not concerned.
        MetricOptions alone;
        alone.rank = allBut(gone).front();
        QVERIFY(!warns(measured(*run, "comm_comp_overlap", alone), "No data for"));
    }
    void aFileOpenedOnPurposeIsNoLoss()
    {
        const RunFolder folder;
        write(folder, {});
        const TraceModelPtr one = folder.load("run/" + rankFile(2));
        QVERIFY(one);
        const Diagnostic* found = findProblem(one->problems, "ranks_missing");
        QVERIFY(found && found->severity == Severity::Info);
        QVERIFY(measured(*one, "avg_step_time").warnings.empty());
        // Who asks for some ranks gets them.
        LoadOptions few;
        few.maxRanks = 2;
        const auto limited = loadPath(folder.path("run"), few);
        QVERIFY(limited && !findProblem((*limited)->problems, "ranks_missing"));
    }
    void aWorldSizeIsNotCountedThrough()
    {
        const std::string huge = "\"world_size\": 2147483647";
        const TraceModelPtr run
            = RunFolder().writeAndLoad("rank0.json", replaced(plainTexts()[0], "\"world_size\": 8", huge));
        const Diagnostic* found = run ? findProblem(run->problems, "ranks_missing") : nullptr;
        QVERIFY(found && found->explanation.find("ranks 1-2147483646") != std::string::npos);
    }
    void aWreckIsALoss_data()
    {
        QTest::addColumn<int>("rank");
        QTest::addColumn<QString>("kind");
        for (const char* kind :
             {"empty", "zeros", "many zeros", "empty gz", "cut gz", "garbage", "cut", "one event"}) {
            for (const int rank : {0, 3, 7})
                QTest::addRow("%s %d", kind, rank) << rank << QString::fromLatin1(kind);
        }
    }
    void aWreckIsALoss()
    {
        QFETCH(const int, rank);
        QFETCH(const QString, kind);
        const std::string& whole = plainTexts()[at(rank)];
        const RunFolder folder;
        write(folder, {}, {rank});
        std::string name = rankFile(rank);
        std::string text;
        if (kind == QLatin1String("zeros"))
            text.assign(4096, '\0');
        else if (kind == QLatin1String("many zeros"))
            text.assign(300'000, '\0');
        else if (kind == QLatin1String("empty gz"))
            text = gzipped(""), name += ".gz";
        else if (kind == QLatin1String("cut gz"))
            text = gzipped(whole).substr(0, 5), name += ".gz";
        else if (kind == QLatin1String("garbage"))
            text = "\x01\x02 this was never a trace \xff";
        else if (kind == QLatin1String("cut"))
            text = whole.substr(0, whole.size() * 6 / 10);
        else if (kind == QLatin1String("one event"))
            text = R"({"schemaVersion": 1, "distributedInfo": {"rank": )" + std::to_string(rank)
                + R"(, "world_size": 8}, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, )"
                  R"("tid": 1, "ts": 1000, "dur": 5327}]})";
        folder.write("run/" + name, text);
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run);
        const bool isLoaded = kind == QLatin1String("cut") || kind == QLatin1String("one event");
        if (!isLoaded) {
            const Diagnostic* found = findProblem(run->problems, "ranks_missing");
            QVERIFY(found && found->severity == Severity::DataLoss);
            QVERIFY2(found->explanation.find("No data for rank " + std::to_string(rank)) != std::string::npos,
                     found->explanation.c_str());
            QVERIFY(saysNothingFalse(*run, allBut({rank})));
            QVERIFY(measured(*run, "comm_comp_overlap").value.has_value());
            QVERIFY(warns(measured(*run, "comm_comp_overlap"), "rank " + std::to_string(rank)));
        } else if (kind == QLatin1String("one event")) {
            QVERIFY(findProblem(run->problems, "steps_missing"));
            QVERIFY(saysNothingFalse(*run, allBut({rank})));
            QVERIFY(measured(*run, "avg_step_time").value.has_value());
            QVERIFY(warns(measured(*run, "avg_step_time"), "rank " + std::to_string(rank)));
        } else {
            // Its steps may all be there, and its kernels are not.
            const MetricResult step = measured(*run, "avg_step_time");
            QVERIFY(!step.value || isNear(*step.value, truth().stepSeconds));
            QVERIFY(findProblem(run->problems, "truncated"));
            QVERIFY(warns(measured(*run, "comm_comp_overlap"), "are truncated")
                    || isRefused(*run, "comm_comp_overlap"));
        }
    }

    void severalJobsAreNotMatched_data()
    {
        QTest::addColumn<QList<int>>("others"); ///< the ranks of another job
        QTest::addColumn<qlonglong>("shiftNs");
        const QList<int> half{4, 5, 6, 7};
        QTest::newRow("an hour") << half << qlonglong{hourNs};
        QTest::newRow("an hour before") << half << qlonglong{-hourNs};
        QTest::newRow("a day") << half << qlonglong{24 * hourNs};
        QTest::newRow("ten minutes") << half << qlonglong{10 * minuteNs};
        QTest::newRow("years") << half << qlonglong{30'000 * hourNs};
        QTest::newRow("every second rank") << QList<int>{1, 3, 5, 7} << qlonglong{hourNs};
        QTest::newRow("the straggler") << QList<int>{3} << qlonglong{hourNs};
        QTest::newRow("rank 0") << QList<int>{0} << qlonglong{hourNs};
        QTest::newRow("all but rank 7") << QList<int>{0, 1, 2, 3, 4, 5, 6} << qlonglong{hourNs};
    }
    void severalJobsAreNotMatched()
    {
        QFETCH(const QList<int>, others);
        QFETCH(const qlonglong, shiftNs);
        WorkloadDescription later = described();
        later.wallClockNs += shiftNs;
        const std::vector<std::string> texts = textsOf(later);
        std::map<int, std::string> swapped;
        for (const int rank : others)
            swapped[rank] = texts[at(rank)];
        const RunFolder folder;
        write(folder, swapped);
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run);
        const Diagnostic* found = findProblem(run->problems, "jobs_differ");
        QVERIFY(found && found->severity == Severity::DataLoss);
        const std::vector<std::int32_t> named(others.begin(), others.end());
        QVERIFY2(found->explanation.find(rankRangesText(named) + " at ") != std::string::npos,
                 found->explanation.c_str());
        QVERIFY(!findProblem(run->problems, "clocks_apart"));
        for (const char* metric :
             {"straggler", "comm_comp_overlap", "avg_step_time", "synchronization_overhead",
              "load_imbalance_ratio", "exposed_communication_time"})
            QVERIFY2(isRefused(*run, metric), metric);
        QVERIFY(staysInRecordings(*run));
        // What one rank says by itself stays.
        MetricOptions alone;
        alone.rank = 5;
        const MetricResult overlap = measured(*run, "comm_comp_overlap", alone);
        QVERIFY(overlap.value && isNear(*overlap.value, truth().overlap.at(5)));
    }
    void threeJobsAreThreeRecordings()
    {
        const RunFolder folder;
        std::map<int, std::string> swapped;
        for (int rank = 2; rank < worldSize; ++rank) {
            WorkloadDescription later = described();
            later.wallClockNs += (rank / 3) * hourNs;
            swapped[rank] = textsOf(later)[at(rank)];
        }
        write(folder, swapped);
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run);
        QCOMPARE(severalRecordings(*run).size(), std::size_t{3});
        QVERIFY(isRefused(*run, "straggler") && staysInRecordings(*run));
    }
    void otherSizesAreOtherJobs()
    {
        const RunFolder folder;
        std::map<int, std::string> swapped;
        for (int rank = 4; rank < worldSize; ++rank)
            swapped[rank] = replaced(plainTexts()[at(rank)], "\"world_size\": 8", "\"world_size\": 16");
        write(folder, swapped);
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run);
        const Diagnostic* found = findProblem(run->problems, "jobs_differ");
        QVERIFY(found && found->explanation.find("different numbers of ranks") != std::string::npos);
        QVERIFY(isRefused(*run, "straggler") && staysInRecordings(*run));
    }
    void clocksMayBeApart_data()
    {
        QTest::addColumn<qlonglong>("shiftNs");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("1 ms") << qlonglong{1'000'000} << false;
        QTest::newRow("200 ms") << qlonglong{200'000'000} << false;
        QTest::newRow("3 s") << qlonglong{3'000'000'000} << true;
        QTest::newRow("-3 s") << qlonglong{-3'000'000'000} << true;
        QTest::newRow("1 min") << qlonglong{minuteNs} << true;
        QTest::newRow("4 min") << qlonglong{4 * minuteNs} << true;
    }
    void clocksMayBeApart()
    {
        QFETCH(const qlonglong, shiftNs);
        QFETCH(const bool, isTold);
        WorkloadDescription later = described();
        later.wallClockNs += shiftNs;
        const std::vector<std::string> texts = textsOf(later);
        const RunFolder folder;
        write(folder, {{4, texts[4]}, {5, texts[5]}, {6, texts[6]}, {7, texts[7]}});
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run && !findProblem(run->problems, "jobs_differ"));
        const Diagnostic* found = findProblem(run->problems, "clocks_apart");
        QCOMPARE(found != nullptr, isTold);
        QVERIFY(saysNothingFalse(*run, allBut({})));
        COLLSCOPE_CLOSE(measured(*run, "straggler").value.value_or(-1), truth().straggler);
    }

    void onlyCommonStepsCount_data()
    {
        QTest::addColumn<int>("rank");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("steps");
        for (const int rank : {0, 3, 7}) {
            QTest::addRow("rank %d, ten times as many", rank) << rank << 10 << 60;
            QTest::addRow("rank %d, twice as many", rank) << rank << 10 << 12;
            QTest::addRow("rank %d, half as many", rank) << rank << 10 << 4;
            QTest::addRow("rank %d, one later", rank) << rank << 11 << 6;
            QTest::addRow("rank %d, others", rank) << rank << 100 << 6;
        }
    }
    void onlyCommonStepsCount()
    {
        QFETCH(const int, rank);
        QFETCH(const int, first);
        QFETCH(const int, steps);
        WorkloadDescription other = described();
        other.firstStep = first;
        other.steps = steps;
        // A step of the same number was at the same time.
        other.wallClockNs += first == 11 ? static_cast<std::int64_t>(truth().stepSeconds * 1e9 + 0.5) : 0;
        const RunFolder folder;
        write(folder, {{rank, textsOf(other)[at(rank)]}});
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run);
        const Diagnostic* found = findProblem(run->problems, "steps_differ");
        QVERIFY(found);
        QCOMPARE(found->severity >= Severity::DataLoss, steps >= 12 || first == 100);
        const MetricResult step = measured(*run, "avg_step_time");
        const MetricResult straggler = measured(*run, "straggler");
        if (first == 100) {
            QVERIFY(!step.value && !straggler.value);
            QVERIFY2(step.reason.find("common to all ranks") != std::string::npos, step.reason.c_str());
            return;
        }
        QVERIFY(saysNothingFalse(*run, allBut({})));
        QVERIFY2(step.value.has_value(), step.reason.c_str());
        QVERIFY2(step.window == "inner steps common to all ranks", step.window.c_str());
        if (first == 10)
            COLLSCOPE_CLOSE(straggler.value.value_or(-1), truth().straggler);
        // A rank alone has its own.
        MetricOptions alone;
        alone.rank = rank;
        QCOMPARE(measured(*run, "avg_step_time", alone).window, std::string("inner steps"));
    }
    void ranksWithoutMarkersAreLeftOut()
    {
        for (const int rank : {0, 3, 7})
            leavesOut(rank);
    }

private:
    static void leavesOut(int rank)
    {
        const RunFolder folder;
        write(folder, {{rank, withoutSteps(plainTexts()[at(rank)])}});
        const TraceModelPtr run = folder.load("run");
        QVERIFY(run && findProblem(run->problems, "steps_missing"));
        const MetricResult step = measured(*run, "avg_step_time");
        QVERIFY(step.value && warns(step, "rank " + std::to_string(rank)));
        QVERIFY(saysNothingFalse(*run, allBut({rank})));
        QVERIFY(!warns(step, "whole trace counts as one step"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRunFindings)
#include "tst_run_findings.moc"
