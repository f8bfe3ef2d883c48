// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a replay says, as metrics.

#include "metrics/definitions/metric_catalog.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/gloo_jobs.h"
#include "tests/support/workloads/planted_run.h"
#include "tests/support/workloads/run_writer.h"

#include <QFile>

#include <algorithm>
#include <cmath>

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
    /// The value that StragglerAnalysis publishes for its example.
    void operationsHaveASlowdown()
    {
        const QString file = tracesFolder() + QStringLiteral("/straggler_analysis/timeline-AR.json.gz");
        if (!QFile::exists(file))
            QSKIP("needs the real traces (COLLSCOPE_TRACES)");
        const auto model = loadPath(file.toStdString());
        QVERIFY(model);
        const MetricResult result = measured(**model, "what_if_slowdown");
        QVERIFY2(result.value, result.reason.c_str());
        QVERIFY2(std::abs(*result.value - 1.97304) < 2e-3, std::to_string(*result.value).c_str());
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
