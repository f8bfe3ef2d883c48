// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A planned run, written to files, loaded and measured: the answers must be the plan's.

#include "app/runtime/thread_pool.h"
#include "metrics/export/written_report.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/stop_requests.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

#include <cmath>

namespace collscope {

namespace {

MetricResult measure(const TraceModel& model, std::string_view name, std::optional<int> rank = std::nullopt)
{
    MetricOptions options;
    options.rank = rank;
    const auto request = findMetric(name);
    return request ? evaluate(model, *request, options) : MetricResult();
}

double valueOf(const TraceModel& model, std::string_view name, std::optional<int> rank = std::nullopt)
{
    return measure(model, name, rank).value.value_or(std::nan(""));
}

} // namespace

class TestRunTruth : public QObject
{
    Q_OBJECT

private:
    static Result<TraceModelPtr> load(const QTemporaryDir& folder, const LoadContext& context = {})
    {
        auto plan = planLoad({folder.path().toStdString()}, {});
        return plan ? loadTrace(*plan, context) : Result<TraceModelPtr>(plan.error());
    }

private slots:
    /// Without jitter, gaps and stragglers the shares follow from the description by hand.
    void planHasThePlantedShares()
    {
        const WorkloadDescription description;
        const RunPlan plan = planRun(description);
        // us of one step: per layer 3 tensor-parallel all-reduces, an all-gather (90 us of kernels beside it)
        // and a reduce-scatter (200 us beside it); then the gradient norm, and the optimizer's all-gather
        // over two sampling periods with 180 us of kernels beside it.
        const auto transferNs = [](double bytes, double rate) { return std::floor(bytes / rate); };
        const double tensor = 3 * transferNs(8'388'608.0 * 2, 160);
        const double gather = transferNs(17'825'792.0 * 2 / 2, 76);
        const double scatter = transferNs(9'437'184.0 * 4 / 2, 65);
        const double norm = transferNs(1024.0 * 4 / 4 * 3 * 2, 0.3);
        const double optimizer = 2e6;
        const double total = 2 * (tensor + gather + scatter) + norm + optimizer;
        const double hidden = 2 * (90e3 + 200e3) + 180e3;
        const ExpectedNumbers expected = expectedNumbers(plan);
        QVERIFY2(std::abs(expected.meanOverlapPercent - 100 * hidden / total) < 1e-3,
                 numberText(expected.meanOverlapPercent).c_str());
        QCOMPARE(expected.callsPerStep, 2 * 5 + 2.0);
        COLLSCOPE_CLOSE(expected.stepSeconds, 0.01);
    }
    void metricsAgreeWithThePlan_data()
    {
        QTest::addColumn<bool>("late");
        QTest::addColumn<bool>("gzip");
        QTest::newRow("exact, plain") << false << false;
        QTest::newRow("late, gzip") << true << true;
    }
    void metricsAgreeWithThePlan()
    {
        QFETCH(bool, late);
        QFETCH(bool, gzip);
        const QTemporaryDir folder;
        const RunPlan plan = planRun(late ? lateDescription() : WorkloadDescription());
        RunFiles files;
        files.gzip = gzip;
        writeRun(plan, folder.path().toStdString(), files);
        const auto model = load(folder);
        QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
        const ExpectedNumbers expected = expectedNumbers(plan);

        QCOMPARE((*model)->ranks().size(), plan.ranks.size());
        QCOMPARE((*model)->worldSize.value_or(0), plan.description.ranks());
        QVERIFY((*model)->card.has_value());
        QVERIFY((*model)->trainConfig.has_value());
        COLLSCOPE_CLOSE(valueOf(**model, "avg_step_time"), expected.stepSeconds);
        COLLSCOPE_CLOSE(valueOf(**model, "iter_time"), expected.stepSeconds * 1000);
        COLLSCOPE_CLOSE(valueOf(**model, "comm_comp_overlap"), expected.meanOverlapPercent);
        COLLSCOPE_CLOSE(valueOf(**model, "communication_overlap_ratio"), expected.meanOverlapPercent / 100);
        COLLSCOPE_CLOSE(valueOf(**model, "coll_call_num"), expected.callsPerStep);
        for (const PlannedRank& rank : plan.ranks) {
            const ExpectedNumbers::Link& link = expected.links.at(rank.rank);
            COLLSCOPE_CLOSE(valueOf(**model, "comm_comp_overlap", rank.rank),
                            expected.overlapPercent.at(rank.rank));
            COLLSCOPE_CLOSE(valueOf(**model, "max_throughput", rank.rank), link.maxGBps);
            COLLSCOPE_CLOSE(valueOf(**model, "avg_throughput", rank.rank), link.averageGBps);
            COLLSCOPE_CLOSE(valueOf(**model, "total_communication", rank.rank),
                            std::floor(static_cast<double>(link.txBytes + link.rxBytes) / 2));
            COLLSCOPE_CLOSE(valueOf(**model, "peak_kernels", rank.rank),
                            static_cast<double>(link.peakKernels.size()));
        }
    }
    void peakKernelsAreThePlantedOnes()
    {
        const QTemporaryDir folder;
        const RunPlan plan = planRun(lateDescription());
        writeRun(plan, folder.path().toStdString(), RunFiles());
        const auto model = load(folder);
        QVERIFY(model.has_value());
        const ExpectedNumbers expected = expectedNumbers(plan);
        const MetricResult result = measure(**model, "peak_kernels", 3);
        const Value::Array* kernels = nullptr;
        for (const auto& [key, value] : result.details) {
            if (key == "kernels")
                kernels = value.as<Value::Array>();
        }
        QVERIFY(kernels != nullptr);
        QCOMPARE(kernels->size(), expected.links.at(3).peakKernels.size());
        for (std::size_t i = 0; i < kernels->size(); ++i) {
            for (const auto& [key, value] : *(*kernels)[i].as<Value::Object>()) {
                if (key == "name")
                    QCOMPARE(*value.as<std::string>(), expected.links.at(3).peakKernels[i]);
            }
        }
    }
    void nsysOfTheSameRunAgrees()
    {
        const QTemporaryDir folder;
        const RunPlan plan = planRun(lateDescription());
        RunFiles files;
        files.kineto = false;
        files.nsys = true;
        writeRun(plan, folder.path().toStdString(), files);
        const auto model = load(folder);
        QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
        const ExpectedNumbers expected = expectedNumbers(plan);
        COLLSCOPE_CLOSE(valueOf(**model, "avg_step_time"), expected.stepSeconds);
        COLLSCOPE_CLOSE(valueOf(**model, "comm_comp_overlap"), expected.meanOverlapPercent);
        COLLSCOPE_CLOSE(valueOf(**model, "coll_call_num"), expected.callsPerStep);
        COLLSCOPE_CLOSE(valueOf(**model, "peak_kernels", 1),
                        static_cast<double>(expected.links.at(1).peakKernels.size()));
    }
    void theIndexIsThatOfTheRowsOnTheAxis()
    {
        // Ranks are moved onto one axis after they are read, and the index with them.
        const QTemporaryDir folder;
        writeRun(planRun(lateDescription()), folder.path().toStdString(), RunFiles());
        const auto model = load(folder);
        QVERIFY(model.has_value());
        bool moved = false;
        for (const Track& track : (*model)->tracks) {
            SliceColumns again = track.slices;
            again.buildIndex();
            QVERIFY(track.slices.index == again.index);
            moved |= (*model)->timeline(track.timeline).fileToAxisNs != 0 && !track.slices.isEmpty();
        }
        QVERIFY(moved);
    }
    void threadsDoNotChangeTheModel()
    {
        const QTemporaryDir folder;
        writeRun(planRun(lateDescription()), folder.path().toStdString(), RunFiles());
        LoadContext threaded;
        threaded.parallel = threadPool(3);
        const auto a = load(folder);
        const auto b = load(folder, threaded);
        QVERIFY(a.has_value() && b.has_value());
        QCOMPARE((*a)->tracks.size(), (*b)->tracks.size());
        QCOMPARE((*a)->axisZeroNs, (*b)->axisZeroNs);
        QCOMPARE((*a)->strings.size(), (*b)->strings.size());
        for (std::size_t i = 0; i < (*a)->tracks.size(); ++i) {
            const Track& x = (*a)->tracks[i];
            const Track& y = (*b)->tracks[i];
            QVERIFY(x.slices.startNs == y.slices.startNs && x.slices.durationNs == y.slices.durationNs);
            QVERIFY(x.slices.name == y.slices.name && x.slices.depth == y.slices.depth);
            QVERIFY(x.name == y.name);
        }
        for (const MetricDescriptor& metric : allMetrics()) {
            const std::vector<NamedResult> left{{*findMetric(metric.id), measure(**a, metric.id)}};
            const std::vector<NamedResult> right{{*findMetric(metric.id), measure(**b, metric.id)}};
            QCOMPARE(resultsJson(left), resultsJson(right));
        }
    }
    void cancelledLoadsSaySo()
    {
        const QTemporaryDir folder;
        writeRun(planRun(WorkloadDescription()), folder.path().toStdString(), RunFiles());
        LoadContext context;
        context.stop = stopRequested();
        const auto model = load(folder, context);
        QVERIFY(!model);
        QVERIFY(model.error().kind == Error::Kind::Cancelled);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRunTruth)
#include "tst_run_truth.moc"
