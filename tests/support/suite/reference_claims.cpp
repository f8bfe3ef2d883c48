// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite/reference_claims.h"

#include "tests/support/suite/data_folders.h"

#include <QDir>
#include <QFile>

#include <cmath>

namespace collscope {

using nlohmann::json;

namespace {

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<ReferenceClaim> makeClaims()
{
    const char* hta = "HTA nccl_data.json.gz";
    const char* renamed = "HTA nccl_data.json.gz (as kineto_trace_0.json)";
    std::vector<ReferenceClaim> claims{
        {"kineto_4rank", "comm_comp_overlap_16 (first file rank0)", "comm_comp_overlap",
         "comm_comp_overlap_16", 100, "/overlap_ratio_of_comm"},
        {"kineto_straddle", "comm_comp_overlap_16", "comm_comp_overlap", "comm_comp_overlap_16", 100,
         "/overlap_ratio_of_comm"},
        {"kineto_4rank", "pipeline_bubble_16", "bubble_size_pipeline", "pipeline_bubble_16", 1,
         "/bubble_ratio"},
        {"kineto_4rank", "straggler_lag_16", "straggler", "straggler_lag_16", 1, "/normalized_lag"},
        {"kineto_4rank", "traffic_distribution_16", "traffic_distribution", "traffic_distribution_16", 1,
         "-"},
        {"kineto_4rank", "iter_time_16", "avg_step_time", "iter_time_16", 1e-3, "/avg_iter_time_ms"},
        {"kineto_4rank", "throughput_tokens_16", "throughput_tokens_sec", "throughput_tokens_16", 1,
         "/throughput_tokens_per_s"},
        {"kineto_4rank", "tokens_per_second", "throughput_tokens_sec", "", 1, "",
         "--config ORACLE/inputs/toml/train_config.toml"},
        {"kineto_4rank", "avg/min/max_overlap_percent", "comm_comp_overlap", "avg_overlap_percent", 1, "/0"},
        {"kineto_4rank", "num_comm_ops per rank", "coll_call_num", "num_comm_ops"},
        {"kineto_4rank", "straggler_metrics", "straggler_slowdown", "", 1, "/1"},
        {"nsys_basic", "overlap (METRIC 5)", "comm_comp_overlap", "overlap", 100, "/overlap_ratio"},
        {"nsys_basic", "accurate_comm_time", "total_communication_time", "accurate_comm_time", 1e-3,
         "/effective_comm_time_ms"},
        {"nsys_basic", "phase_windows (METRIC 2)", "traffic_window", "phase_windows", 1, "-"},
        {"nsys_basic", "comm_breakdown (METRIC 1)", "comm_breakdown", "", 1, "-"},
        {"nsys_basic", "communication_overlap_ratio", "comm_comp_overlap", "communication_overlap_ratio",
         100},
        {"nsys_basic", "compute_comm_overlap", "comm_comp_overlap", "compute_comm_overlap"},
        {hta, "communication_overlap_ratio", "comm_comp_overlap", "communication_overlap_ratio", 100},
        {"kineto_truncated", "communication_overlap_ratio", "comm_comp_overlap", "compute_comm_overlap"},
        {"kineto_truncated", "compute_comm_overlap", "comm_comp_overlap", "compute_comm_overlap"},
        {"kineto_4rank_kt", "traffic_window", "traffic_window", "", 1, "-"},
        {"nvlink_basic", "avg_throughput", "avg_throughput"},
        {"nvlink_basic", "avg_throughput --link 1 --direction rx", "avg_throughput", "", 1, "",
         "--link 1 --direction rx"},
        {"nvlink_basic", "total_communication", "total_communication", "", 1, "/total_bytes"},
        {"nvlink_basic", "total_communication --link 1 --direction rx", "total_communication", "", 1,
         "/total_bytes", "--link 1 --direction rx"},
        {"nvlink_edge", "max_throughput", "max_throughput"},
        {"nvlink_edge", "avg_throughput", "avg_throughput"},
        {"nvlink_edge", "total_communication", "total_communication", "", 1, "/total_bytes"},
        {renamed, "coll_call_num", "coll_call_num"},
        {renamed, "communication_overhead", "communication_overhead"},
        {renamed, "straggler", "straggler"},
    };
    const char* groups[] = {"allgather", "allreduce", "reducescatter"};
    static const std::string ids[]
        = {"avg_allgather_bandwidth", "avg_allreduce_bandwidth", "avg_reducescatter_bandwidth"};
    static const std::string pointers[] = {"/0", "/1", "/2"};
    for (std::size_t i = 0; i < std::size(groups); ++i)
        claims.push_back({"kineto_4rank", "collective BW AllGather/AllReduce/ReduceScatter avg (rank0)",
                          ids[i].c_str(), "", 1, pointers[i].c_str(), "--rank 0"});
    // Rows whose metric has our name and whose value is the scalar.
    const auto plain = [&](const char* kase, std::initializer_list<const char*> names) {
        for (const char* name : names)
            claims.push_back({kase, name, name});
    };
    for (const char* kase : {"kineto_4rank", "kineto_4rank_kt"})
        plain(kase,
              {"average_memory_bandwidth",
               "memory_transfer_overhead",
               "moe_fraction",
               "straggler",
               "bandwidth_utilization_allgather_group_6",
               "bandwidth_utilization_allreduce_group_6",
               "bandwidth_utilization_alltoall_group_6",
               "bandwidth_utilization_reducescatter_group_6",
               "load_imbalance_ratio",
               "collective_vol_allreduce_gb",
               "collective_vol_allgather_gb",
               "collective_vol_reducescatter_gb",
               "collective_vol_alltoall_gb",
               "collective_vol_total_gb",
               "aggregate_gpu_utilization",
               "coll_call_num",
               "avg_step_time",
               "communication_fraction",
               "total_communication_time",
               "communication_ratio",
               "mean_sm_coverage",
               "dominant_kernel_concentration",
               "total_kernel_time"});
    plain("kineto_4rank_kt", {"communication_overhead", "bandwidth_utilization"});
    plain("kineto_truncated",
          {"avg_step_time", "communication_fraction", "total_communication_time",
           "dominant_kernel_concentration", "bandwidth_utilization_allreduce_group_6",
           "aggregate_gpu_utilization", "communication_ratio", "total_kernel_time",
           "memory_transfer_overhead"});
    plain("kineto_straddle",
          {"avg_step_time", "communication_fraction", "total_communication_time",
           "dominant_kernel_concentration", "bandwidth_utilization_allreduce_group_6",
           "aggregate_gpu_utilization", "communication_ratio", "total_kernel_time",
           "memory_transfer_overhead"});
    plain("nsys_basic",
          {"mean_sm_coverage", "dominant_kernel_concentration", "average_memory_bandwidth",
           "memory_transfer_overhead", "total_communication_time", "load_imbalance_ratio",
           "aggregate_gpu_utilization", "avg_step_time", "mfu"});
    plain("vllm_infer",
          {"tpot", "mfu", "total_communication_time", "communication_fraction", "avg_step_time"});
    plain(hta,
          {"mean_sm_coverage", "dominant_kernel_concentration", "average_memory_bandwidth",
           "memory_transfer_overhead", "total_communication_time", "bandwidth_utilization_allreduce_group_6",
           "aggregate_gpu_utilization", "communication_fraction", "communication_ratio",
           "collective_vol_total_gb", "avg_step_time"});
    return claims;
}

} // namespace

const std::vector<ReferenceClaim> referenceClaims = makeClaims();

const std::vector<UnclaimedRow> unclaimedRows{
    {"nsys_basic", "iteration_time",
     "which NVTX ranges have their text in StringIds is not in the model, and the tool misses those"},
    {"nsys_basic", "traffic_interval", "the same"},
    {"kineto_4rank", "nvlink_peak", "a constant of the tool's report, no metric"},
    {"compare", "final_analysis_report sheets", "a report, not a metric"},
    {"compare", "NCCL_Long comparison columns", "a report, not a metric"},
    {"compare", "run_tracelens_single_config.sh on rank*/trace.json", "a script that removes its input"},
};

json expectedRows()
{
    QFile file(oracleFolder() + QStringLiteral("/expected.json"));
    if (oracleFolder().isEmpty() || !file.open(QIODevice::ReadOnly))
        return json::array();
    return json::parse(file.readAll().toStdString());
}

json rowOf(const json& rows, const char* kase, const char* row)
{
    for (const json& one : rows) {
        if (one["case"] == kase && one["metric"] == row)
            return one;
    }
    throw std::runtime_error(std::string("expected.json has no row ") + kase + ": " + row);
}

QString pathOfCase(const QString& kase, const QString& scratch)
{
    if (!kase.startsWith(QStringLiteral("HTA")))
        return oracleFolder() + QStringLiteral("/inputs/") + kase;
    QString file = tracesFolder() + QStringLiteral("/kineto/hta/nccl_parser_config/nccl_data.json.gz");
    if (tracesFolder().isEmpty() || !QFile::exists(file))
        return {};
    if (!kase.contains(QStringLiteral("as kineto_trace_0")))
        return file;
    const QString copy = scratch + QStringLiteral("/kineto_trace_0.json");
    return QFile::exists(copy) || QFile::copy(file, copy) ? copy : QString();
}

QStringList optionsOf(const ReferenceClaim& claim)
{
    QString options = QString::fromLatin1(claim.options);
    options.replace(QStringLiteral("ORACLE"), oracleFolder());
    return options.split(u' ', Qt::SkipEmptyParts);
}

namespace {

/// Parts of the tools' tables whose rule is not stated anywhere.
bool isUnstated(const std::string& key)
{
    return key == "dp_detail" || key == "stream_roles";
}

bool sameNumber(const json& got, double expected)
{
    return got.is_number() && std::abs(got.get<double>() - expected) <= 1e-6 * std::abs(expected);
}

/// The row's value; the tools print some as Python or as text.
json valueOf(const json& row)
{
    json value = row["value"];
    if (value.is_string() && value.get<std::string>().starts_with("{")) {
        std::string text = value;
        std::replace(text.begin(), text.end(), '\'', '"');
        value = json::parse(text);
    }
    return value;
}

double scalarOf(const json& value)
{
    if (!value.is_string())
        return value.get<double>();
    const std::string text = value; // "Straggler Slowdown:  1.12"
    return std::stod(text.substr(text.find(':') + 1));
}

} // namespace

QString disagreement(const ReferenceClaim& claim, const json& row, const json& value, const json& details,
                     double factor)
{
    const json expected = valueOf(row);
    const auto differs = [](const std::string& what, const json& got, const json& wanted) {
        return QString::fromStdString(what + ": " + got.dump() + " is not " + wanted.dump());
    };
    if (expected == "nan" || std::string_view(claim.scalar) == "-") {
        if (!value.is_null())
            return differs("value", value, nullptr);
        if (expected == "nan")
            return details.value("printed", "") == "nan" ? QString() : QStringLiteral("not printed as nan");
    } else {
        const double scalar = scalarOf(expected.at(json::json_pointer(claim.scalar))) * factor;
        if (!sameNumber(value, scalar))
            return differs("value", value, scalar);
    }
    if (!expected.is_object())
        return {};
    for (const auto& [key, wanted] : expected.items()) {
        const std::string ours = key == "min" || key == "max" ? key + "_iter_time_ms" : key;
        const json got = details.value(ours, json());
        const bool same = wanted.is_number() ? sameNumber(got, wanted.get<double>()) : got == wanted;
        if (!same && !isUnstated(key))
            return differs(key, got, wanted);
    }
    return {};
}

} // namespace collscope
