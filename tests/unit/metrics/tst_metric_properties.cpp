// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What must hold for every metric of a generated run, whatever its formula: names, compression and order of
// the files' events do not matter, nor does a clock that nothing is compared with; planted facts come out.

#include "metrics/analysis/analysis.h"
#include "metrics/export/written_report.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <random>
#include <set>

namespace collscope {

namespace {

using Json = nlohmann::json;

std::map<std::string, MetricResult> measureAll(const TraceModel& model, const MetricOptions& options = {})
{
    Analysis analysis(model, options);
    std::map<std::string, MetricResult> results;
    for (const MetricDescriptor& metric : allMetrics())
        results.emplace(metric.id, evaluate(analysis, *findMetric(metric.id)));
    return results;
}

std::string jsonOf(const std::string& id, const MetricResult& result)
{
    return resultsJson({{*findMetric(id), result}});
}

/// Everything a metric says, equal to the letter.
void compareAll(const TraceModel& expected, const TraceModel& got)
{
    const auto before = measureAll(expected);
    const auto after = measureAll(got);
    for (const auto& [id, result] : before) {
        const std::string left = jsonOf(id, result);
        const std::string right = jsonOf(id, after.at(id));
        QVERIFY2(left == right, (left + "\nbecame\n" + right).c_str());
    }
}

/// Times of one rank's events moved by so many microseconds.
std::string shifted(const std::string& kineto, double us)
{
    Json document = Json::parse(kineto);
    for (Json& event : document["traceEvents"]) {
        if (event.contains("ts") && event.value("ph", "") != "M")
            event["ts"] = event["ts"].get<double>() + us;
    }
    return document.dump();
}

std::string shuffled(const std::string& kineto)
{
    Json document = Json::parse(kineto);
    Json& events = document["traceEvents"];
    std::shuffle(events.begin(), events.end(), std::mt19937(7)); // NOLINT(cert-msc51-cpp): always the same
    return document.dump();
}

/// Active times of one rank, by walking over the edges of the plan.
struct PlannedTimes
{
    double communication = 0, compute = 0, both = 0, busy = 0, kernelSum = 0, communicationSum = 0;
};

PlannedTimes timesOf(const PlannedRank& rank, const std::vector<PlannedStep>& steps)
{
    PlannedTimes times;
    for (const PlannedStep& step : steps) {
        struct Edge
        {
            std::int64_t time;
            std::size_t kind; ///< 0 communication, 1 compute, 2 copies and sets
            int change;
        };
        std::vector<Edge> edges;
        for (const PlannedActivity& a : rank.activities) {
            const std::int64_t begin = std::max(a.startNs, step.startNs);
            const std::int64_t end = std::min(a.endNs(), step.startNs + step.durationNs);
            if (begin >= end)
                continue;
            const std::size_t kind = !a.isKernel() ? 2 : a.collective ? 0 : 1;
            edges.push_back({begin, kind, 1});
            edges.push_back({end, kind, -1});
            times.kernelSum += a.isKernel() ? static_cast<double>(end - begin) : 0;
            times.communicationSum += a.collective ? static_cast<double>(end - begin) : 0;
        }
        std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.time < b.time; });
        std::array<int, 3> running{};
        std::int64_t last = 0;
        for (const Edge& edge : edges) {
            const auto elapsed = static_cast<double>(edge.time - last);
            times.communication += running[0] > 0 ? elapsed : 0;
            times.compute += running[1] > 0 ? elapsed : 0;
            times.both += running[0] > 0 && running[1] > 0 ? elapsed : 0;
            times.busy += running[0] + running[1] + running[2] > 0 ? elapsed : 0;
            running[edge.kind] += edge.change;
            last = edge.time;
        }
    }
    return times;
}

std::vector<PlannedStep> innerSteps(const RunPlan& plan)
{
    return {plan.steps.begin() + 1, plan.steps.end() - 1};
}

/// Message bytes of the calls of one rank that start in the steps, all-gather by its output.
double plannedBytes(const PlannedRank& rank, const std::vector<PlannedStep>& steps)
{
    double bytes = 0;
    for (const PlannedStep& step : steps) {
        for (const PlannedActivity& a : rank.activities) {
            if (!a.collective || a.startNs < step.startNs || a.startNs >= step.startNs + step.durationNs)
                continue;
            const bool gathers = a.collective->name.find("allgather") != std::string::npos;
            const double size = a.collective->elementType == "Float" ? 4 : 2;
            bytes
                += size * static_cast<double>(gathers ? a.collective->outElements : a.collective->inElements);
        }
    }
    return bytes;
}

} // namespace

class TestMetricProperties : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    RunPlan m_plan = planRun(lateDescription());
    TraceModelPtr m_model;

    std::filesystem::path folder(const char* name) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }
    static TraceModelPtr load(const std::filesystem::path& path)
    {
        auto model = loadPath(path.string());
        return model ? *model : nullptr;
    }
    /// The plan as files, each rank's JSON changed by `change`.
    template<typename Change>
    std::filesystem::path write(const char* name, const Change& change, const char* prefix = "rank",
                                const char* suffix = "_trace.json") const
    {
        RunFiles others;
        others.kineto = false;
        writeRun(m_plan, folder(name), others);
        for (const PlannedRank& rank : m_plan.ranks)
            writeFile(folder(name) / (prefix + std::to_string(rank.rank) + suffix),
                      change(rank.rank, kinetoJson(m_plan, rank)));
        return folder(name);
    }

private slots:
    void initTestCase()
    {
        m_model = load(write("plain", [](int, std::string json) { return json; }));
        QVERIFY(m_model);
        std::size_t values = 0;
        for (const auto& [id, result] : measureAll(*m_model))
            values += result.state == MetricState::Value ? 1 : 0;
        QVERIFY2(values > allMetrics().size() / 3, "a full run should have most of the metrics");
    }
    void namesDoNotMatter()
    {
        const TraceModelPtr renamed = load(write(
            "renamed", [](int, std::string json) { return json; }, "kineto_trace_", ".json"));
        QVERIFY(renamed);
        compareAll(*m_model, *renamed);
    }
    void compressionDoesNotMatter()
    {
        const TraceModelPtr packed = load(write(
            "gzip", [](int, const std::string& json) { return gzipped(json); }, "rank", "_trace.json.gz"));
        QVERIFY(packed);
        compareAll(*m_model, *packed);
    }
    void orderOfEventsDoesNotMatter()
    {
        const TraceModelPtr other
            = load(write("shuffled", [](int, const std::string& json) { return shuffled(json); }));
        QVERIFY(other);
        compareAll(*m_model, *other);
    }
    /// A rank whose clock is 3 ms off: what compares ranks in time must change, nothing else may.
    void aClockOfItsOwnDoesNotMatter()
    {
        const TraceModelPtr other = load(write("shifted", [](int rank, const std::string& json) {
            return rank == 2 ? shifted(json, 3000.0) : json;
        }));
        QVERIFY(other);
        static const std::set<std::string> comparesClocks{
            "straggler", "straggler_delay", "synchronization_overhead", "total_trace_time", "peak_kernels"};
        const auto before = measureAll(*m_model);
        const auto after = measureAll(*other);
        for (const auto& [id, result] : before) {
            const MetricResult& now = after.at(id);
            if (comparesClocks.contains(id))
                continue;
            QVERIFY2(result.state == now.state, id.c_str());
            if (result.value)
                QVERIFY2(
                    areClose(*now.value, *result.value),
                    (id + ": " + numberText(*result.value) + " became " + numberText(*now.value)).c_str());
        }
        // The clocks are aligned on the collectives; on raw ones a shifted clock looks like a straggler.
        MetricOptions raw;
        raw.clocks = ClockChoice::Raw;
        const MetricResult shifted = evaluate(*other, *findMetric("straggler"), raw);
        QVERIFY2(*before.at("straggler").value != *shifted.value, "nothing was shifted");
        QVERIFY2(std::abs(*before.at("straggler").value - *after.at("straggler").value)
                     < std::abs(*before.at("straggler").value - *shifted.value) / 10,
                 "aligned clocks bring the ranks together again");
    }
    void plantedFactsComeOut()
    {
        const auto results = measureAll(*m_model);
        const std::vector<PlannedStep> steps = innerSteps(m_plan);
        const auto count = static_cast<double>(steps.size());
        double windowNs = 0;
        for (const PlannedStep& step : steps)
            windowNs += static_cast<double>(step.durationNs);
        double communication = 0;
        double exposed = 0;
        double busy = 0;
        double fraction = 0;
        double volume = 0;
        const auto ranks = static_cast<double>(m_plan.ranks.size());
        for (const PlannedRank& rank : m_plan.ranks) {
            const PlannedTimes times = timesOf(rank, steps);
            communication += times.communication / count / ranks;
            exposed += (times.communication - times.both) / count / ranks;
            busy += 100 * times.busy / windowNs / ranks;
            fraction += 100 * times.communicationSum / times.kernelSum / ranks;
            volume += plannedBytes(rank, steps) / count / ranks;
        }
        COLLSCOPE_CLOSE(results.at("total_communication_time").value.value_or(-1), communication / 1e9);
        COLLSCOPE_CLOSE(results.at("exposed_communication_time").value.value_or(-1), exposed / 1e9);
        COLLSCOPE_CLOSE(results.at("communication_fraction").value.value_or(-1), fraction);
        COLLSCOPE_CLOSE(results.at("aggregate_gpu_utilization").value.value_or(-1), busy);
        COLLSCOPE_CLOSE(results.at("communication_volume").value.value_or(-1), volume / 1e9);
        const double tokens = m_plan.description.batchSize * m_plan.description.sequenceLength;
        COLLSCOPE_CLOSE(results.at("throughput_tokens_sec").value.value_or(-1),
                        tokens * count / (windowNs / 1e9));
    }
    void theStragglerIsFound()
    {
        const Json json = Json::parse(jsonOf("straggler", measureAll(*m_model).at("straggler")));
        QCOMPARE(json["straggler"]["straggler_rank"].get<int>(), 3);
    }
    /// Launch attribution moves whole kernels between steps; over the whole run nothing is lost.
    void launchAttributionLosesNothing()
    {
        MetricOptions options = allSteps();
        Analysis clipped(*m_model, options);
        MetricOptions byLaunch = options;
        byLaunch.attribution = MetricOptions::Attribution::Launch;
        Analysis launched(*m_model, byLaunch);
        for (std::size_t rank = 0; rank < clipped.work().size(); ++rank) {
            std::int64_t planned = 0;
            for (const PlannedActivity& activity : m_plan.ranks[rank].activities)
                planned += activity.isKernel() ? activity.durationNs : 0;
            QCOMPARE(launched.work()[rank].total.kernelSumNs, planned);
            QVERIFY(clipped.work()[rank].total.kernelSumNs <= planned);
        }
    }
    /// Sweeps and sums of different tables agree with each other, exactly in ns.
    void tablesAgree()
    {
        Analysis analysis(*m_model, MetricOptions());
        for (std::size_t rank = 0; rank < analysis.work().size(); ++rank) {
            const TimeBreakdown& work = analysis.work()[rank].total;
            QCOMPARE(work.active.total(), work.windowNs);
            QCOMPARE(work.compute() + work.exposedCommunication()
                         + work.active.anyOf(ActiveCopy | ActiveSet, ActiveKernel) + work.active.idle(),
                     work.windowNs);
            const RankKernels& kernels = analysis.kernels()[rank];
            QCOMPARE(kernels.kernelNs, work.kernelSumNs);
            std::int64_t named = 0;
            for (const NameBreakdown& name : kernels.names)
                named += name.ns;
            QCOMPARE(named, work.kernelSumNs);
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMetricProperties)
#include "tst_metric_properties.moc"
