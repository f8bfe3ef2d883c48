// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a replay says, as metrics.

#include "metrics/definitions/metric_catalog.h"
#include "metrics/reports/run_report.h"
#include "metrics/whatif/finding_scenario.h"
#include "metrics/whatif/what_if_answer.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/gloo_jobs.h"
#include "tests/support/workloads/planted_run.h"
#include "tests/support/workloads/run_writer.h"

#include <algorithm>
#include <cmath>

Q_DECLARE_METATYPE(collscope::Finding)

namespace collscope {

namespace {

TraceModelPtr planted(PlantedCause cause)
{
    PlantedPlan plan;
    plan.ranks = 8;
    plan.tensorParallel = 2;
    plan.cause = cause;
    plan.culprit = 5;
    plan.extraUs = 400;
    const QTemporaryDir folder;
    writePlanted(plan, folder.path().toStdString());
    auto loaded = loadPath(folder.path().toStdString());
    return loaded ? *loaded : nullptr;
}

MetricResult measured(const TraceModel& model, std::string_view id, const MetricOptions& options = {})
{
    return evaluate(model, *findMetric(id), options);
}

} // namespace

class TestWhatIfMetrics : public QObject
{
    Q_OBJECT

private slots:
    /// What a late rank costs is the difference to the same job without what makes it late.
    void theGainIsTheDifference()
    {
        const TraceModelPtr late = planted(PlantedCause::SlowKernel);
        const TraceModelPtr without = planted(PlantedCause::None);
        QVERIFY(late && without);
        const double stepS = *measured(*late, "avg_step_time").value;
        const double trueGain = 100 * (stepS - *measured(*without, "avg_step_time").value) / stepS;
        QVERIFY(trueGain > 5);
        const MetricResult gain = measured(*late, "what_if_no_late_rank");
        QVERIFY2(gain.value, gain.reason.c_str());
        QVERIFY2(std::abs(*gain.value - trueGain) < 1, std::to_string(*gain.value - trueGain).c_str());
        QCOMPARE(gain.rows.size(), std::size_t(8));
        const MetricResult nothing = measured(*without, "what_if_no_late_rank");
        QVERIFY(nothing.value && std::abs(*nothing.value) < 1);
    }
    void theReplayIsMeasured()
    {
        const TraceModelPtr model = planted(PlantedCause::SlowKernel);
        QVERIFY(model);
        const MetricResult error = measured(*model, "what_if_replay_error");
        QVERIFY(error.value && *error.value < 0.5);
        const MetricResult explained = measured(*model, "what_if_explained_path");
        QVERIFY(explained.value && *explained.value > 99 && *explained.value <= 100);
        double sum = 0;
        for (const auto& [key, value] : explained.details) {
            const bool isPart = key.ends_with("_pct") && key.find("replay_error") == std::string::npos;
            sum += isPart ? numberOf(value).value_or(0) : 0;
        }
        QVERIFY(std::abs(sum - 100) < 1e-6);
    }
    void aSingleRankIsNotReplayed()
    {
        const TraceModelPtr model = planted(PlantedCause::SlowKernel);
        QVERIFY(model);
        MetricOptions options;
        options.rank = 3;
        for (const char* const id : {"what_if_no_late_rank", "what_if_replay_error"}) {
            const MetricResult result = measured(*model, id, options);
            QCOMPARE(result.state, MetricState::NotApplicable);
            QVERIFY(result.reason.find("all ranks") != std::string::npos);
        }
    }
    /// Ranks without a GPU are refused with the reason of the replay.
    void cpusAreRefused()
    {
        const QTemporaryDir folder;
        writeGlooJob(GlooJob::Straggler, folder.path().toStdString());
        const auto model = loadPath(folder.path().toStdString());
        QVERIFY(model);
        for (const char* const id :
             {"what_if_no_late_rank", "what_if_replay_error", "what_if_explained_path", "what_if_slowdown"}) {
            const MetricResult result = measured(**model, id);
            QVERIFY2(!result.value && !result.reason.empty(), id);
        }
    }
    void findingsHaveScenarios_data()
    {
        QTest::addColumn<Finding>("finding");
        QTest::addColumn<QString>("spec");
        const auto row = [](const char* spec, FindingKind kind, const auto& change) {
            Finding finding;
            finding.kind = kind;
            change(finding);
            QTest::addRow("%d %s", static_cast<int>(kind), spec) << finding << QString::fromLatin1(spec);
        };
        const auto alone = [](Finding&) {};
        const auto ofRanks = [](std::vector<std::int32_t> ranks) {
            return [ranks = std::move(ranks)](Finding& finding) { finding.ranks = ranks; };
        };
        const auto ofGroup = [](const char* group) { return [group](Finding& own) { own.group = group; }; };
        const auto idle = [](IdleCause cause) { return [cause](Finding& own) { own.idleCause = cause; }; };
        row("rank=5", FindingKind::LateRank, ofRanks({5}));
        row("rank=2,7", FindingKind::SlowKernelsOnRank, ofRanks({2, 7}));
        row("late", FindingKind::UnbalancedWork, alone);
        row("comm=tp:overlapped", FindingKind::ExposedCommunication, ofGroup("mesh_tp"));
        row("comm=overlapped", FindingKind::ExposedCommunication, ofGroup("0x1f"));
        row("bandwidth=dp:2", FindingKind::SlowCollectives, ofGroup("mesh_dp_shard"));
        row("stages=balanced", FindingKind::PipelineBubble, alone);
        row("launches=0", FindingKind::LaunchBound, alone);
        row("input=0", FindingKind::GpuIdle, idle(IdleCause::LoadsData));
        row("launches=0", FindingKind::GpuIdle, idle(IdleCause::CpuBound));
        row("", FindingKind::GpuIdle, idle(IdleCause::Outside));
        row("", FindingKind::RanksMissing, alone);
    }
    void findingsHaveScenarios()
    {
        QFETCH(const Finding, finding);
        QFETCH(const QString, spec);
        const auto scenario = scenarioOf(finding);
        QCOMPARE(QString::fromStdString(scenario ? scenario->spec : ""), spec);
    }
    /// A row per scenario, with the numbers of the answer.
    void theWorkbookListsTheScenarios()
    {
        const TraceModelPtr model = planted(PlantedCause::SlowKernel);
        QVERIFY(model);
        Analysis analysis(*model, {});
        const WhatIfAnswer answer = answerWhatIf(analysis, {});
        QVERIFY(!answer.scenarios.empty() && !answer.limits.empty());
        for (const bool isWanted : {false, true}) {
            RunReportOptions options;
            options.withScenarios = isWanted;
            const RunSheets run = runSheets(analysis, "planted", options);
            const Sheet* const sheet = run.gpuTimeline.sheet("what_if");
            QCOMPARE(sheet != nullptr, isWanted);
            if (!sheet)
                continue;
            QCOMPARE(sheet->rows.size(),
                     answer.scenarios.size() + answer.after.size() + answer.limits.size());
            const auto cell
                = [&](std::string_view title) { return sheet->rows.front()[*sheet->column(title)]; };
            QCOMPARE(keyText(cell("scenario")), answer.scenarios.front().scenario.spec);
            QVERIFY(std::abs(*numberOf(cell("gain_ms")) - answer.scenarios.front().gainNs / 1e6) < 1e-9);
            const double measuredMs = *numberOf(cell("step_ms")) + *numberOf(cell("gain_ms"));
            QVERIFY(std::abs(*numberOf(cell("gain_percent")) - 100 * *numberOf(cell("gain_ms")) / measuredMs)
                    < 1e-9);
        }
    }
    /// They cost as much as all others together.
    void onlyComputedIfAskedFor()
    {
        const MetricCatalog catalog;
        const auto has = [](const std::vector<MetricRequest>& requests, std::string_view id) {
            return std::any_of(requests.begin(), requests.end(),
                               [&](const MetricRequest& request) { return request.name == id; });
        };
        for (const char* const id :
             {"what_if_no_late_rank", "what_if_replay_error", "what_if_explained_path", "what_if_slowdown"}) {
            QVERIFY(has(catalog.all(), id));
            QVERIFY(!has(catalog.usual(), id));
        }
        QVERIFY(has(catalog.usual(), "avg_step_time"));
        QCOMPARE(catalog.usual().size() + 4, catalog.all().size());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWhatIfMetrics)
#include "tst_what_if_metrics.moc"
