// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Who comes from the tools whose names end in _16 finds their keys, in their units, under those names.

#include "metrics/export/written_report.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/kineto_text.h"
#include "tests/support/texts/memory_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

namespace collscope {

class TestToolNames : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    RunPlan m_plan;
    TraceModelPtr m_model;

    nlohmann::json detailsOf(const char* name, const MetricOptions& options = {}) const
    {
        return nlohmann::json::parse(detailsJson(measure(*m_model, name, options)));
    }

private slots:
    void initTestCase()
    {
        WorkloadDescription description;
        description.stepNs = 10'123'457;
        m_plan = planRun(description);
        const std::filesystem::path folder = m_folder.path().toStdString();
        writeRun(m_plan, folder, {});
        const std::filesystem::path snapshots = folder / "memory_snapshot" / "iteration_10";
        std::filesystem::create_directories(snapshots);
        writeFile(snapshots / "rank2_memory_snapshot.pickle", py::smallSnapshot());
        auto model = loadPath(m_folder.path().toStdString());
        QVERIFY(model.has_value());
        m_model = *model;
    }
    void allSevenAreNames()
    {
        const std::string list = metricListText({});
        for (const char* name :
             {"iter_time_16", "comm_comp_overlap_16", "hardware_saturation_16", "pipeline_bubble_16",
              "straggler_lag_16", "throughput_tokens_16", "traffic_distribution_16"})
            QVERIFY2(list.find(name) != std::string::npos, name);
    }
    void iterationTimes()
    {
        const double ms = nsToMs(m_plan.steps[1].durationNs);
        for (const char* name : {"iter_time_16", "iter_time"}) {
            const auto details = detailsOf(name);
            for (const char* key : {"avg_iter_time_ms", "min_iter_time_ms", "max_iter_time_ms"})
                QCOMPARE(details.at(key).get<double>(), ms);
            QCOMPARE(details.at("std_iter_time_ms").get<double>(), 0.0);
            QCOMPARE(details.at("num_iterations").get<int>(), 2);
            QCOMPARE(details.at("iter_times_ms").get<std::vector<double>>(), (std::vector<double>{ms, ms}));
            QVERIFY(details.contains("min_s")); // ours are there as well
        }
        QVERIFY(!detailsOf("avg_step_time").contains("avg_iter_time_ms"));
        // A time of whole ns keeps them: 10.123457 ms and not 10.123457000000001.
        QCOMPARE(numberText(*evaluate(*m_model, *findMetric("iter_time_16"), {}).value), numberText(ms));
    }
    void overlap()
    {
        MetricOptions rank;
        rank.rank = 1;
        const auto details = detailsOf("comm_comp_overlap_16", rank);
        std::int64_t communication = 0;
        std::int64_t kernels = 0;
        for (const PlannedActivity& activity : m_plan.ranks[1].activities) {
            if (!activity.isKernel() || activity.step == 0 || activity.step + 1 == m_plan.description.steps)
                continue;
            ++kernels;
            communication += activity.collective ? 1 : 0;
        }
        QCOMPARE(details.at("num_comm_kernels").get<std::int64_t>(), communication);
        QCOMPARE(details.at("num_comp_kernels").get<std::int64_t>(), kernels - communication);
        const double comm = details.at("comm_time_ms").get<double>();
        const double both = details.at("overlap_time_ms").get<double>();
        QVERIFY(comm > 0 && both > 0 && both < comm);
        COLLSCOPE_CLOSE(details.at("overlap_ratio_of_comm").get<double>(), both / comm);
        COLLSCOPE_CLOSE(details.at("overlap_ratio_of_comp").get<double>(),
                        both / details.at("comp_time_ms").get<double>());
        QCOMPARE(details.at("overlap_ratio_of_comm").get<double>(),
                 *evaluate(*m_model, *findMetric("comm_comp_overlap_16"), rank).value);
    }
    void saturation()
    {
        const auto details = detailsOf("hardware_saturation_16");
        constexpr double mebibyteInGb = 1048576 / 1e9;
        QCOMPARE(details.at("peak_memory_gb").at("2").get<double>(), 16 * mebibyteInGb);
        // 0, 4, 8 and 16 MiB for 10 us each, then 12 for 20 us.
        COLLSCOPE_CLOSE(details.at("avg_memory_gb").at("2").get<double>(), 520.0 / 60 * mebibyteInGb);
        QCOMPARE(details.at("memory_by_rank").dump(), nlohmann::json::parse("[[2, 0.016777216]]").dump());
        for (const char* key : {"mfu_percent", "tflops_per_gpu", "num_gpus", "gpu_model"})
            QVERIFY2(details.contains(key), key);
        // What a GPU could do is another matter: without it there is no MFU, and memory all the same.
        const MetricResult unknown = evaluate(*m_model, *findMetric("hardware_saturation_16"), {});
        QVERIFY(unknown.state != MetricState::Value);
        QVERIFY(detailsJson(unknown).find("memory_by_rank") != std::string::npos);
        MetricOptions other;
        other.rank = 1;
        QVERIFY2(!detailsOf("hardware_saturation_16", other).contains("peak_memory_gb"),
                 "memory is never estimated");
    }
    void theOthers()
    {
        const auto throughput = detailsOf("throughput_tokens_16");
        for (const char* key : {"throughput_tokens_per_s", "total_tokens", "measured_duration_s",
                                "num_iterations", "batch_size", "seq_len"})
            QVERIFY2(throughput.contains(key), key);
        const auto lag = detailsOf("straggler_lag_16");
        for (const char* key : {"mean_lag_us", "p50_lag_us", "p95_lag_us", "max_lag_us", "min_lag_us",
                                "num_collectives", "num_ranks", "normalized_lag", "per_rank_end_times_us"})
            QVERIFY2(lag.contains(key), key);
        const auto traffic = detailsOf("traffic_distribution_16");
        for (const char* key : {"dp_bytes", "tp_bytes", "pp_bytes", "ep_bytes", "unknown_bytes",
                                "total_bytes", "fractions", "total_comm_calls", "mode", "by_type"})
            QVERIFY2(traffic.contains(key), key);
    }
    void aSentinelHasNoUnit()
    {
        // The dashboard's tool can read no file that ends early, and then prints -1 whatever the unit.
        QTemporaryDir folder;
        std::string text = kinetoJson(m_plan, m_plan.ranks[0]);
        text.resize(text.rfind("{\"ph\""));
        writeFile(std::filesystem::path(folder.path().toStdString()) / "rank0_trace.json", text);
        const auto model = loadPath(folder.path().toStdString());
        QVERIFY(model.has_value());
        MetricOptions options;
        options.definition = MetricOptions::Definition::Reference;
        for (const char* name : {"compute_comm_overlap", "communication_overlap_ratio",
                                 "total_communication_time", "accurate_comm_time"}) {
            const MetricResult result = evaluate(**model, *findMetric(name), options);
            QVERIFY2(result.value == -1.0,
                     (name + (" prints " + numberText(result.value.value_or(0)))).c_str());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestToolNames)
#include "tst_tool_names.moc"
