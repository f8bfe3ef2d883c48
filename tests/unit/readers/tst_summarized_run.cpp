// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run merged from summaries gives the very numbers of one process, or says that it does not have them.

#include "app/jobs/shared_straggler.h"
#include "metrics/analysis/analysis.h"
#include "metrics/analysis/kept_events.h"
#include "metrics/export/written_report.h"
#include "metrics/matching/lateness_grid.h"
#include "metrics/summary/step_lateness.h"
#include "metrics/summary/summarized_report.h"
#include "tests/support/runs/merged_summaries.h"
#include "tests/support/runs/pipeline_run.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <filesystem>
#include <thread>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// One metric as JSON, its rows as CSV, and what it counted as text.
std::string textOf(const NamedResult& named)
{
    const std::vector<NamedResult> results{named};
    return resultsJson(results) + resultsCsv(results) + explanationText(named);
}

NamedResult resultOf(Analysis& analysis, const MetricDescriptor& metric)
{
    MetricRequest request{std::string(metric.id), &metric, metric.unit};
    MetricResult result = evaluate(analysis, request);
    return {std::move(request), std::move(result)};
}

} // namespace

class TestSummarizedRun : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;
    MergedSummaries m_summaries;
    int m_stragglers = 0, m_pipelines = 0;

    /// Summaries may lack what a match by order needs, and say so; else the numbers are the same.
    void compareStragglers(const MetricResult& one, const MetricResult& other)
    {
        if (other.state == MetricState::MissingInput && one.state != MetricState::MissingInput) {
            QVERIFY2(other.reason.find("contains no") == std::string::npos, other.reason.c_str());
            return;
        }
        ++m_stragglers;
        QCOMPARE(other.state, one.state);
        QCOMPARE(other.value, one.value);
        QCOMPARE(other.rows.size(), one.rows.size());
        for (std::size_t i = 0; i < one.rows.size(); ++i) {
            QCOMPARE(other.rows[i].rank, one.rows[i].rank);
            QCOMPARE(other.rows[i].step, one.rows[i].step);
            QCOMPARE(other.rows[i].value, one.rows[i].value);
        }
        const auto textOfDetail = [](const MetricResult& result, const std::string& key) {
            const auto found = std::find_if(result.details.begin(), result.details.end(),
                                            [&](const auto& detail) { return detail.first == key; });
            return found == result.details.end() ? QString()
                                                 : QString::fromStdString(jsonText(found->second));
        };
        for (const auto& [key, value] : other.details)
            QCOMPARE(key + ": " + textOfDetail(other, key).toStdString(),
                     key + ": " + textOfDetail(one, key).toStdString());
    }

    void compare(const std::string& run, const MetricOptions& options, bool mustHaveValues)
    {
        const auto whole = loadPath(run);
        if (!whole || (*whole)->timelines.empty())
            return;
        for (const std::uint32_t tasks : {1u, 5u}) {
            const auto merged = loadPath(m_summaries.folderOf(run, tasks));
            QVERIFY2(merged, run.c_str());
            QVERIFY((*merged)->isSummarized() && (*merged)->sliceCount() == 0);
            Analysis expected(**whole, options), found(**merged, options);
            int values = 0;
            for (const MetricDescriptor& metric : allMetrics()) {
                const NamedResult other = resultOf(found, metric);
                if (!metric.fromSummaries) {
                    QCOMPARE(other.result.state, MetricState::MissingInput);
                    QVERIFY(other.result.reason.find("--keep all") != std::string::npos);
                    continue;
                }
                const NamedResult one = resultOf(expected, metric);
                if (metric.id == "straggler") {
                    if (expected.allRanks().ranks.size() == 1)
                        QCOMPARE(other.result.state, one.result.state);
                    compareStragglers(one.result, other.result);
                    continue;
                }
                values += one.result.value ? 1 : 0;
                QCOMPARE(other.result.state, one.result.state);
                QCOMPARE(other.result.value, one.result.value);
                // Execution traces tell more of calls; they are joined with events.
                if (one.result.state == MetricState::Value && (*whole)->executionTraces.empty())
                    QCOMPARE(QString::fromStdString(textOf(other)), QString::fromStdString(textOf(one)));
            }
            QVERIFY(values > 0 || !mustHaveValues);
        }
    }

private slots:
    /// The recordings of a plan are one choice of several, and its parts cannot give all of them.
    void allIterationsWhereOneWasPlanned()
    {
        const std::string folder = m_folder.path("iterations");
        for (const char* name : {"iteration_10", "iteration_20"}) {
            fs::create_directories(folder + "/" + name);
            PlantedPlan plan;
            plan.ranks = 2;
            plan.steps = 3;
            writePlanted(plan, folder + "/" + name);
        }
        const auto found = planLoad({folder}, {});
        QVERIFY(found && found->iterationsOffered.size() == 2);
        const std::string parts = m_summaries.folderOf(folder, 1);
        LoadOptions all;
        all.iteration.mode = IterationChoice::Mode::All;
        QVERIFY(planReduced(parts).has_value());
        QVERIFY(!planReduced(parts, all).has_value());
    }
    void plantedRuns_data()
    {
        QTest::addColumn<int>("seed");
        for (const int seed : {3, 11, 29})
            QTest::addRow("planted %d", seed) << seed;
    }
    void plantedRuns()
    {
        QFETCH(const int, seed);
        const std::string folder = m_folder.path("planted" + std::to_string(seed));
        fs::create_directories(folder);
        writePlanted(plannedBy(static_cast<std::uint64_t>(seed)), folder);
        compare(folder, {}, true);
        MetricOptions all;
        all.steps.mode = StepChoice::Mode::All;
        compare(folder, all, true);
        MetricOptions one;
        one.rank = 0;
        compare(folder, one, true);
    }
    /// Sends and receives are read from summaries, too. What they are for tell descriptions of groups, the
    /// degrees of the card, which only the merge knows, or annotations, which only the tasks see.
    void pipelines_data()
    {
        QTest::addColumn<bool>("describesGroups");
        QTest::addColumn<bool>("writesCard");
        QTest::addColumn<QString>("annotation");
        QTest::newRow("descriptions and card") << true << true << QString();
        QTest::newRow("card") << false << true << QString();
        QTest::newRow("nothing") << false << false << QString();
        QTest::newRow("of experts") << false << false << QStringLiteral("moe");
    }
    void pipelines()
    {
        QFETCH(const bool, describesGroups);
        QFETCH(const bool, writesCard);
        QFETCH(const QString, annotation);
        PipelineShape shape;
        shape.stages = 3;
        shape.replicas = 2;
        shape.slowStageUs = 60;
        shape.numbersCalls = true;
        shape.namesPeers = true;
        shape.describesGroups = describesGroups;
        shape.writesCard = writesCard;
        shape.annotation = annotation.toStdString();
        const std::string folder = m_folder.path("pipelines" + std::to_string(++m_pipelines));
        pipelineRun(shape).write(folder);
        const auto whole = loadPath(folder);
        QVERIFY(whole.has_value());
        MetricOptions all;
        all.steps.mode = StepChoice::Mode::All;
        const MetricResult one = evaluate(**whole, *findMetric("straggler"), all);
        // Experts exchange data, and wait for each other; stages hand work on.
        QVERIFY(one.value && (*one.value > 0) == !annotation.isEmpty());
        const int before = m_stragglers;
        compare(folder, all, true);
        QCOMPARE(m_stragglers, before + 2);
    }
    /// What the window shows of summaries is what it shows of the traces, to the last digit.
    void theWindowShowsTheSame()
    {
        const std::string folder = m_folder.path("shown");
        fs::create_directories(folder);
        PlantedPlan plan;
        plan.ranks = 16;
        plan.tensorParallel = 4;
        plan.cause = PlantedCause::SlowKernel;
        plan.culprit = 6;
        plan.extraUs = 300;
        writePlanted(plan, folder);
        const TraceModelPtr whole = *loadPath(folder), merged = *loadPath(m_summaries.folderOf(folder, 3));
        MetricOptions options;
        options.steps.mode = StepChoice::Mode::All;
        Analysis expected(*whole, options), found(*merged, options);

        const StragglerReport one = reportStragglers(expected), other = reportOfSummaries(found);
        QCOMPARE(other.reason, std::string());
        QCOMPARE(other.verdictText, one.verdictText);
        QCOMPARE(other.straggler, std::optional(plan.culprit));
        QCOMPARE(other.clocks, one.clocks);
        QCOMPARE(other.collectives, one.collectives);
        QCOMPARE(other.ranks.size(), one.ranks.size());
        for (std::size_t i = 0; i < one.ranks.size(); ++i) {
            QCOMPARE(other.ranks[i].wait.causedNs, one.ranks[i].wait.causedNs);
            QCOMPARE(other.ranks[i].wait.imposedNs, one.ranks[i].wait.imposedNs);
            QCOMPARE(other.ranks[i].wait.ownNs, one.ranks[i].wait.ownNs);
        }
        QCOMPARE(other.groups.size(), one.groups.size());
        for (std::size_t i = 0; i < one.groups.size(); ++i) {
            QCOMPARE(other.groups[i].name, one.groups[i].name);
            QCOMPARE(other.groups[i].skewNs, one.groups[i].skewNs);
            QCOMPARE(other.groups[i].collectives, one.groups[i].collectives);
        }

        const StepLateness map(stepWaitsOf(*stragglerOfSummaries(found)), {});
        const auto rows = listCollectives(whole, matchRun(*whole, {}), ClockChoice::Auto);
        const auto grid = layOutLateness(rows, {{}, LatenessColumns::StepSum});
        QCOMPARE(map.ranks.front(), plan.culprit);
        QCOMPARE(map.ranks.size(), grid->ranks.size());
        QCOMPARE(map.columnCount(), grid->columnCount());
        for (std::size_t row = 0; row < grid->ranks.size(); ++row) {
            const auto at = std::find(map.ranks.begin(), map.ranks.end(), grid->ranks[row]);
            QVERIFY(at != map.ranks.end());
            for (std::size_t column = 0; column < grid->columnCount(); ++column) {
                QCOMPARE(map.steps()[column], *grid->columns[column].step);
                QCOMPARE(map.at(static_cast<std::size_t>(at - map.ranks.begin()), column),
                         grid->at(row, column));
            }
        }
        const StepLateness fewer(stepWaitsOf(*stragglerOfSummaries(found)), {plan.culprit, 0});
        QCOMPARE(fewer.ranks.size(), map.ranks.size() - 2);
        QVERIFY(fewer.ranks.front() != plan.culprit);
    }
    /// Calls of a group without numbers are matched by order, which takes all of them. What is said to help
    /// does help: parts with events give the numbers of one process.
    void groupsWithoutNumbersAreRefused()
    {
        const std::string folder = m_folder.path("unnumbered");
        fs::create_directories(folder);
        PlantedPlan plan;
        plan.ranks = 8;
        plan.tensorParallel = 4;
        plan.writesSequence = false;
        plan.cause = PlantedCause::SlowKernel;
        plan.culprit = 5;
        plan.extraUs = 300;
        writePlanted(plan, folder);
        const TraceModelPtr whole = *loadPath(folder), merged = *loadPath(m_summaries.folderOf(folder, 2));
        const MetricRequest metric = *findMetric("straggler");
        const MetricResult one = evaluate(*whole, metric, {}), other = evaluate(*merged, metric, {});
        QVERIFY(one.value && *one.value > 0);
        QCOMPARE(other.state, MetricState::MissingInput);
        QVERIFY2(other.reason.find("have no sequence number") != std::string::npos, other.reason.c_str());
        QVERIFY2(other.reason.find("process group ") != std::string::npos, other.reason.c_str());
        QVERIFY2(other.reason.find("plan the run again with --keep metrics") != std::string::npos,
                 other.reason.c_str());
        const std::string parts = m_folder.path("withEvents");
        QVERIFY(writeReduced(folder, parts, 2, Kept::WhatMetricsRead, keepWhatMetricsRead));
        const MetricResult again = evaluate(**loadPath(parts), metric, {});
        QCOMPARE(again.value, one.value);
        QCOMPARE(resultsJson({{metric, again}}), resultsJson({{metric, one}}));
    }
    /// The window asks three times, in as many threads: the calls are read once.
    void severalShareOneFold()
    {
        const std::string folder = m_folder.path("shared");
        fs::create_directories(folder);
        PlantedPlan plan;
        plan.ranks = 4;
        writePlanted(plan, folder);
        const TraceModelPtr merged = *loadPath(m_summaries.folderOf(folder, 2));
        SharedStraggler shared{Parallel()};
        const MetricOptions options;
        Analysis first(*merged, options), second(*merged, options), alone(*merged, options);
        shared.lendTo(first);
        shared.lendTo(second);
        const Result<FoldedStraggler>* folds[2]{};
        std::thread other([&] { folds[0] = &stragglerOfSummaries(first); });
        folds[1] = &stragglerOfSummaries(second);
        other.join();
        QVERIFY(folds[0] == folds[1] && folds[0]->has_value());
        QVERIFY(&stragglerOfSummaries(alone) != folds[0]);
        QCOMPARE(stragglerOfSummaries(alone)->arrivals.counted, (*folds[0])->arrivals.counted);
        MetricOptions ofRank;
        ofRank.rank = 0; // it asks for something else
        Analysis chosen(*merged, ofRank);
        shared.lendTo(chosen);
        QVERIFY(&stragglerOfSummaries(chosen) != folds[0]);
    }
    void recordedRuns_data() { addRecordedRuns(); }
    void recordedRuns()
    {
        QFETCH(const QString, run);
        compare(run.toStdString(), {}, false);
        MetricOptions rank;
        rank.rank = 0;
        if (run.contains(QStringLiteral("gloo")))
            compare(run.toStdString(), rank, false);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSummarizedRun)
#include "tst_summarized_run.moc"
