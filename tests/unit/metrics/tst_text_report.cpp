// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the exporters make of a planned run, whose numbers are known: text report, kernel summary, tables.

#include "metrics/export/collective_table.h"
#include "metrics/export/kernel_summary.h"
#include "metrics/export/leaderboard.h"
#include "metrics/export/text_report.h"
#include "metrics/export/tool_sets.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <set>

namespace collscope {

class TestTextReport : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    RunPlan m_plan;
    TraceModelPtr m_model;
    MetricOptions m_options;

    static NamedResult named(const char* id, std::optional<double> value)
    {
        NamedResult result{*findMetric(id), {}};
        result.result.state = value ? MetricState::Value : MetricState::NotApplicable;
        result.result.value = value;
        return result;
    }

private slots:
    void initTestCase()
    {
        m_plan = planRun({});
        writeRun(m_plan, m_folder.path().toStdString(), {});
        auto model = loadPath(m_folder.path().toStdString());
        QVERIFY(model.has_value());
        m_model = *model;
    }
    void collectivesAreThoseOfThePlan()
    {
        Analysis analysis(*m_model, m_options);
        const auto ranks = collectivesByType(analysis);
        QCOMPARE(ranks.size(), m_plan.ranks.size());
        for (const PlannedRank& planned : m_plan.ranks) {
            std::int64_t calls = 0;
            std::int64_t durationNs = 0;
            double bytes = 0;
            for (const PlannedActivity& activity : planned.activities) {
                // Inner steps: neither the first nor the last.
                if (!activity.collective || activity.step == 0
                    || activity.step + 1 == m_plan.description.steps)
                    continue;
                ++calls;
                durationNs += activity.durationNs;
                const PlannedCollective& call = *activity.collective;
                const std::int64_t elements
                    = call.name.find("gather") != std::string::npos ? call.outElements : call.inElements;
                bytes += static_cast<double>(elements * elementSizeBytes(call.elementType).value_or(0));
            }
            const auto& got = ranks[static_cast<std::size_t>(planned.rank)];
            QCOMPARE(got.sum().calls, calls);
            QCOMPARE(got.sum().bytes, bytes);
            std::int64_t gotNs = 0;
            for (const auto& [type, row] : got.types)
                gotNs += row.durationNs;
            QCOMPARE(gotNs, durationNs);
            QVERIFY(got.collectiveBandwidth().value_or(0) > 0);
        }
    }
    void reportHasEverySectionAndIsTheSameTwice()
    {
        Analysis analysis(*m_model, m_options);
        const std::string report = textReport(analysis);
        Analysis again(*m_model, m_options);
        QCOMPARE(textReport(again), report);
        const std::string frame(80, '=');
        for (const char* heading :
             {"CONFIGURATION", "1. THROUGHPUT METRICS", "2. COMMUNICATION-COMPUTATION OVERLAP",
              "3. NETWORK LOAD", "4. TRAFFIC DISTRIBUTION BY COLLECTIVE TYPE", "END OF REPORT"})
            QVERIFY2(report.find(frame + "\n" + heading + "\n" + frame + "\n") != std::string::npos, heading);
        QVERIFY(report.ends_with("END OF REPORT\n" + frame + "\n"));
        // Numbers of other places of the program, in the report's precision.
        const double overlap = expectedNumbers(m_plan).meanOverlapPercent;
        QVERIFY(report.find("Average Overlap (%):              " + fixedText(overlap, 2) + "\n")
                != std::string::npos);
        const double stepMs = expectedNumbers(m_plan).stepSeconds * 1000;
        QVERIFY(report.find("Time per Iteration (ms):          " + fixedText(stepMs, 3) + "\n")
                != std::string::npos);
        QVERIFY2(report.find(m_folder.path().toStdString()) == std::string::npos, "a path is not of the run");
        QVERIFY2(report.find(" \n") == std::string::npos, "blanks at the end of a line");
    }
    void reportsNameFollowsTheRule()
    {
        Analysis analysis(*m_model, m_options);
        const std::string name = textReportName(analysis, "", "20260102-030405");
        QVERIFY2(name.starts_with("20260102-030405_") && name.ends_with("_dp1x2_tp2_gpu4.txt"), name.c_str());
        QCOMPARE(textReportName(analysis, "nccl", "20260102-030405"), "nccl_" + name);
        QCOMPARE(textReportName(analysis, "nccl_", "20260102-030405"), "nccl_" + name);
        QVERIFY(name.find_first_of(" /\\:*?\"<>|") == std::string::npos);
    }
    void reportOfARunWithoutTimelineSaysWhy()
    {
        TraceModel empty;
        Analysis analysis(empty, m_options);
        const std::string report = textReport(analysis);
        QVERIFY(report.find("Average Overlap (%):              not available: ") != std::string::npos);
        QVERIFY(report.find("END OF REPORT") != std::string::npos);
    }
    void kernelSummaryCountsEveryKernelOnce()
    {
        const auto rows = kernelSummary(*m_model, m_options);
        QVERIFY(rows.has_value());
        std::map<std::string, std::pair<std::int64_t, std::int64_t>> planned; // name: instances, total
        for (const PlannedRank& rank : m_plan.ranks) {
            for (const PlannedActivity& activity : rank.activities) {
                if (activity.isKernel()) {
                    ++planned[activity.name].first;
                    planned[activity.name].second += activity.durationNs;
                }
            }
        }
        QCOMPARE(rows->size(), planned.size());
        double percent = 0;
        for (std::size_t i = 0; i < rows->size(); ++i) {
            const KernelSummaryRow& row = (*rows)[i];
            QCOMPARE(row.instances, planned[std::string(row.name)].first);
            QCOMPARE(row.totalNs, planned[std::string(row.name)].second);
            QVERIFY(i == 0 || row.totalNs <= (*rows)[i - 1].totalNs);
            QVERIFY(row.minNs <= static_cast<std::int64_t>(row.medianNs)
                    && row.medianNs <= double(row.maxNs));
            percent += row.timePercent;
        }
        QVERIFY(std::abs(percent - 100) < 1e-9);
        const auto json = nlohmann::json::parse(kernelSummaryJson(*rows));
        QCOMPARE(json.size(), rows->size());
        QCOMPARE(json[0]["Total Time (ns)"].get<std::int64_t>(), rows->front().totalNs);
        QVERIFY(kernelSummaryCsv(*rows).starts_with(
            "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Exposed "
            "(ns),Waiting (ns),Name\n"));
        QVERIFY(!kernelSummary(TraceModel(), m_options).has_value());
    }
    void leaderboardRowHasTheFieldsOfThePublicTable()
    {
        const Value::Object card = cardFields(*m_model, nullptr);
        const auto json
            = nlohmann::json::parse(jsonText(leaderboardRow(*m_model, card, {named("avg_step_time", 0.25)})));
        const auto& metadata = json["metadata"];
        QCOMPARE(metadata["tp"].get<int>(), 2);
        QCOMPARE(metadata["dp_shard"].get<int>(), 2);
        QCOMPARE(metadata["total_count"].get<int>(), 4);
        QCOMPARE(metadata["batch_size"].get<int>(), m_plan.description.batchSize);
        QCOMPARE(metadata["hardware_model"].get<std::string>(), m_plan.description.cardGpu);
        for (const char* field : {"workload_name", "framework", "phase", "model_family", "precision",
                                  "seq_len", "pp", "dp_replicate", "ep", "cp", "comm_library", "trace_url"})
            QVERIFY2(metadata.contains(field), field);
        QCOMPARE(json["metrics"].size(), std::size_t{25});
        QCOMPARE(json["metrics"]["avg_step_time"].get<double>(), 0.25);
        QVERIFY2(json["metrics"]["mfu"].is_null(), "what was not measured is null, not 0");
    }
    void tablesOfSeveralRunsNameTheRun()
    {
        RunResults a{
            "a",
            "10",
            {{"tp", std::int64_t{2}}, {"protocols", Value::Array{"x"}}, {"iteration", std::int64_t{4}}},
            {named("avg_step_time", 1.5)}};
        RunResults b{"b,c", {}, {{"framework", "=vllm"}}, {named("avg_step_time", std::nullopt)}};
        b.results.front().result.reason = "no \"step\"";
        QCOMPARE(runsCsv({a, b}),
                 std::string("run,metric,scope,rank,step,value,unit,status,reason,iteration,tp,"
                             "card_iteration,framework\n"
                             "a,avg_step_time,,,,1.5,,value,,10,2,4,\n"
                             "\"b,c\",avg_step_time,,,,,,not_applicable,\"no \"\"step\"\"\",,,,'=vllm\n"));
    }
    void iterationsAreRows()
    {
        NamedResult first = named("avg_step_time", 0.5);
        first.result.details = {{"min_s", 0.25}, {"steps", std::int64_t{3}}, {"list", Value::Array{1.0}}};
        QCOMPARE(
            iterationsCsv({{10, {first}}, {20, {named("avg_step_time", 0.75), named("coll_call_num", 4)}}}),
            std::string("iteration,avg_step_time_value,avg_step_time_min_s,avg_step_time_steps,"
                        "coll_call_num_value\n10,0.5,0.25,3,\n20,0.75,,,4\n"));
    }
    void numbersDoNotFollowTheDesktopsLocale()
    {
        QCOMPARE(fixedText(1234.5678, 2), std::string("1234.57"));
        QCOMPARE(fixedText(-0.5, 0), std::string("-0"));
        QCOMPARE(fixedText(1e300, 1).size(), std::size_t{303});
    }
    void theNineToolsAreThere()
    {
        std::set<std::string_view> names;
        for (const ToolSet& set : allToolSets()) {
            names.insert(set.name);
            QVERIFY(!set.metrics.empty());
        }
        QCOMPARE(
            names,
            (std::set<std::string_view>{"throughput", "communication", "memory", "overlap", "training_phases",
                                        "fsdp", "straggler", "kernel", "gpu_utilization"}));
        QVERIFY(findToolSet("nccl") == nullptr);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestTextReport)
#include "tst_text_report.moc"
