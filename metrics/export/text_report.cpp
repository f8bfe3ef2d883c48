// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/text_report.h"

#include "metrics/analysis/known_communication.h"
#include "metrics/analysis/transfers.h"
#include "metrics/core/statistics.h"
#include "metrics/export/collective_table.h"
#include "metrics/export/nvlink_report.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace collscope {

namespace {

/// Degrees of parallelism from card or TOML, else from the process groups of the calls; nullopt = unknown.
struct Degrees
{
    std::optional<std::int64_t> data, replicate, shard, tensor, pipeline, context;
    std::string source;
};

Degrees degreesOf(Analysis& analysis)
{
    const Mesh& described = analysis.workload().mesh;
    if (described.isKnown)
        return {described.dpReplicate * described.dpShard,
                described.dpReplicate,
                described.dpShard,
                described.tp,
                described.pp,
                described.cp,
                described.source};
    const RankMesh& mesh = analysis.run().mesh;
    Degrees degrees;
    std::int64_t product = 1;
    const std::pair<MeshDimension, std::optional<std::int64_t> Degrees::*> parts[]
        = {{MeshDimension::Data, &Degrees::data},
           {MeshDimension::Tensor, &Degrees::tensor},
           {MeshDimension::Pipeline, &Degrees::pipeline},
           {MeshDimension::Context, &Degrees::context}};
    for (const auto& [dimension, degree] : parts) {
        const MeshExtent& extent = mesh.extent(dimension);
        if (extent.size <= 0)
            continue;
        degrees.*degree = extent.size;
        product *= extent.size;
        constexpr std::string_view groups = "process groups"; // better evidence than figures from the size
        if (degrees.source.empty()
            || (!degrees.source.starts_with(groups) && extent.source.starts_with(groups)))
            degrees.source = extent.source;
    }
    // If the degrees account for the whole run, the remaining degrees are 1.
    const auto& worldSize = analysis.workload().worldSize;
    const bool isWhole = worldSize && !worldSize.isLeast && *worldSize == product;
    for (const auto& [dimension, degree] : parts) {
        if (!degrees.source.empty() && isWhole && !(degrees.*degree))
            degrees.*degree = 1;
    }
    std::int32_t replicates = 0;
    std::int32_t shards = 0;
    bool isSplit = !mesh.ranks.empty();
    for (const RankPlace& place : mesh.ranks) {
        isSplit = isSplit && place.replicate >= 0 && place.shard >= 0;
        replicates = std::max(replicates, place.replicate + 1);
        shards = std::max(shards, place.shard + 1);
    }
    if (degrees.data == 1) {
        degrees.replicate = degrees.shard = 1;
    } else if (isSplit && degrees.data == std::int64_t{replicates} * shards) {
        degrees.replicate = replicates;
        degrees.shard = shards;
    }
    return degrees;
}

/// The known degrees: "_dp2x4_tp2".
std::string degreesInName(const Degrees& degrees)
{
    std::string name;
    if (degrees.replicate && degrees.shard)
        name += "_dp" + std::to_string(*degrees.replicate) + "x" + std::to_string(*degrees.shard);
    else if (degrees.data)
        name += "_dp" + std::to_string(*degrees.data);
    return degrees.tensor ? name + "_tp" + std::to_string(*degrees.tensor) : name;
}

std::string rightAligned(const std::string& text, std::size_t width)
{
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

/// Evaluates a metric by id; returns a reason if this version does not have it.
MetricResult resultOf(Analysis& analysis, std::string_view id)
{
    const auto request = findMetric(id);
    return request ? evaluate(analysis, *request)
                   : MetricResult::missingInput("this version has no metric " + std::string(id) + ".");
}

std::string notAvailable(const std::string& reason)
{
    return "not available: " + reason;
}

std::string valueText(const MetricResult& result, int digits, double factor = 1.0)
{
    return result.value ? fixedText(*result.value * factor, digits) : notAvailable(result.reason);
}

const Value* detail(const MetricResult& result, std::string_view key)
{
    const auto found = std::find_if(result.details.begin(), result.details.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    return found == result.details.end() ? nullptr : &found->second;
}

std::string optionalText(const std::optional<double>& value, int digits, const char* unit,
                         const std::string& reason)
{
    return value ? fixedText(*value, digits) + " " + unit : notAvailable(reason);
}

void addConfiguration(Analysis& analysis, FramedReport& report)
{
    const TraceModel& model = analysis.model();
    const Workload& workload = analysis.workload();
    report.heading("CONFIGURATION");
    report.entry("Run", model.title);
    report.entry("Model",
                 workload.modelName.empty() ? notAvailable("neither a card nor a TOML file names it.")
                                            : workload.modelName);
    const bool onCpu = isCpuRun(model, analysis.allRanks().ranks);
    const Known<std::int64_t>& worldSize = workload.worldSize;
    report.entry(onCpu ? "Ranks (on CPUs)" : "GPUs",
                 !worldSize              ? std::to_string(model.ranks().size()) + " (ranks with a trace)"
                     : worldSize.isLeast ? textOf(worldSize) + " (" + worldSize.source + ")"
                                         : std::to_string(*worldSize));
    report.entry("Device",
                 !workload.deviceName.empty() ? workload.deviceName
                     : onCpu                  ? "CPU"
                                              : notAvailable("neither the trace nor a card names it."));
    const StepTimes& steps = analysis.stepTimes();
    report.entry(
        "Iterations measured",
        steps.ranks.empty()
            ? notAvailable(steps.selection.failure ? steps.selection.failure->reason : "no step was found.")
            : std::to_string(steps.ranks.front().secondsEach.size()) + " (" + steps.selection.window + ")");
    const auto figure = [&](const char* label, const Known<std::int64_t>& known, const char* missing) {
        report.entry(label,
                     known ? std::to_string(*known) + " (" + known.source + ")" : notAvailable(missing));
    };
    figure("Batch size (global)", workload.globalBatch, "neither a card nor a TOML file states it.");
    figure("Sequence length", workload.seqLen, "neither a card nor a TOML file states it.");
    const Degrees degrees = degreesOf(analysis);
    if (degrees.source.empty()) {
        report.entry("Parallelism", notAvailable("no card, TOML file or process group states it."));
        return;
    }
    report.entry("Parallelism", "by " + degrees.source);
    const auto data = degrees.replicate ? std::nullopt : degrees.data; // if the split is not known
    const auto experts = workload.mesh.isKnown ? std::optional<std::int64_t>(workload.mesh.ep) : std::nullopt;
    for (const auto& [name, degree] :
         {std::pair("context_parallel", degrees.context), std::pair("data_parallel", data),
          std::pair("data_parallel_replicate", degrees.replicate),
          std::pair("data_parallel_shard", degrees.shard), std::pair("expert_parallel", experts),
          std::pair("pipeline_parallel", degrees.pipeline), std::pair("tensor_parallel", degrees.tensor)}) {
        if (degree)
            report.entry(std::string("  ") + name, std::to_string(*degree));
    }
}

void addThroughput(Analysis& analysis, FramedReport& report)
{
    report.heading("1. THROUGHPUT METRICS");
    const MetricResult tokens = resultOf(analysis, "throughput_tokens_sec");
    report.entry("Tokens per Second", valueText(tokens, 2));
    const Value* samples = detail(tokens, "samples_per_s");
    const double* perSecond = samples ? samples->as<double>() : nullptr;
    report.entry("Samples per Second",
                 perSecond ? fixedText(*perSecond, 4)
                           : notAvailable(tokens.value ? "the batch size is unknown." : tokens.reason));
    report.entry("Time per Iteration (ms)", valueText(resultOf(analysis, "avg_step_time"), 3, 1000.0));
    report.entry("Total Execution Time (s)",
                 valueText(resultOf(analysis, "total_trace_time"), 6) + "  (whole file)");
}

void addOverlap(Analysis& analysis, FramedReport& report)
{
    report.heading("2. COMMUNICATION-COMPUTATION OVERLAP");
    const MetricResult overlap = resultOf(analysis, "comm_comp_overlap");
    report.entry("Average Overlap (%)", valueText(overlap, 2));
    std::vector<MetricRow> ranks;
    std::copy_if(overlap.rows.begin(), overlap.rows.end(), std::back_inserter(ranks),
                 [](const MetricRow& row) { return row.rank && !row.step; });
    if (ranks.empty())
        return;
    const auto [least, most] = std::minmax_element(
        ranks.begin(), ranks.end(), [](const MetricRow& a, const MetricRow& b) { return a.value < b.value; });
    report.entry("Minimum Overlap (%)",
                 fixedText(least->value, 2) + " (rank " + std::to_string(*least->rank) + ")");
    report.entry("Maximum Overlap (%)",
                 fixedText(most->value, 2) + " (rank " + std::to_string(*most->rank) + ")");
    report.line("Per rank:");
    for (const MetricRow& row : ranks)
        report.entry("  Rank " + std::to_string(*row.rank), fixedText(row.value, 2) + " %");
}

/// Message bytes in GB, followed by `unit`; unknown is not 0.
std::string gigabytesText(const CollectiveTypeSums& sums, const std::string& unit)
{
    return sums.knownBytes() ? fixedText(*sums.knownBytes() / 1e9, 6) + unit
                             : notAvailable("no call in the trace has a message size.");
}

/// Like gigabytesText(), for a table column.
std::string gigabytesCell(const CollectiveTypeSums& sums)
{
    return sums.knownBytes() ? fixedText(*sums.knownBytes() / 1e9, 6) : "-";
}

std::string whyNoBandwidth(const CollectiveTypeSums& sums)
{
    return sums.rooted > 0 ? "no call has a kernel that lasts as long as the transfer."
                           : "no call has a known size and process group.";
}

void addRank(const RankCollectives& rank, FramedReport& report)
{
    const CollectiveTypeSums all = rank.sum();
    report.line();
    report.line("Rank " + std::to_string(rank.rank));
    report.entry("  Collective Bandwidth",
                 optionalText(rank.collectiveBandwidth(), 3, "GB/s", whyNoBandwidth(all)));
    report.entry("  Simple Bandwidth",
                 optionalText(rank.simpleBandwidth(), 3, "GB/s",
                              all.knownBytes() ? "the window contains no communication."
                                               : "no call in the trace has a message size."));
    report.entry("  Traffic", gigabytesText(all, " GB"));
    report.entry("  Operations", std::to_string(all.calls));
    if (rank.types.empty())
        return;
    const auto row = [&](const std::array<std::string, 7>& cells) {
        std::string line = "  " + padded(cells[0], 16);
        for (std::size_t i = 1; i < cells.size(); ++i)
            line += rightAligned(cells[i], i == 1 ? 8 : 12);
        report.line(line);
    };
    row({"Type", "Count", "Avg GB/s", "Median GB/s", "Min GB/s", "Max GB/s", "GB"});
    for (const auto& [type, figures] : rank.types) {
        const auto& known = figures.bandwidths;
        const auto cell = [&](double (*f)(const std::vector<double>&)) {
            return known.empty() ? std::string("-") : fixedText(f(known), 3);
        };
        row({std::string(kernelClassName(type)), std::to_string(figures.calls), cell(meanOf),
             cell([](const std::vector<double>& v) { return medianOf(v); }),
             cell([](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); }),
             cell([](const std::vector<double>& v) { return *std::max_element(v.begin(), v.end()); }),
             gigabytesCell(figures)});
    }
}

void addNetwork(Analysis& analysis, const std::vector<RankCollectives>& ranks, FramedReport& report)
{
    report.heading("3. NETWORK LOAD");
    if (analysis.communicating().failure) {
        report.line(notAvailable(analysis.communicating().failure->reason));
        return;
    }
    std::vector<double> bandwidths;
    CollectiveTypeSums all;
    for (const RankCollectives& rank : ranks) {
        if (const auto bandwidth = rank.collectiveBandwidth())
            bandwidths.push_back(*bandwidth);
        all += rank.sum();
    }
    const std::optional<double> average
        = bandwidths.empty() ? std::nullopt : std::optional(meanOf(bandwidths));
    const std::optional<double> peak = analysis.workload().linkGbpsPerDirection();
    const std::string noCall = whyNoBandwidth(all);
    report.entry("Average Collective Bandwidth", optionalText(average, 3, "GB/s", noCall));
    report.entry("Peak Bandwidth (one direction)",
                 optionalText(peak, 1, "GB/s", "the links of the device are unknown; pass --hardware."));
    report.entry("Network Utilization",
                 optionalText(average && peak ? ratio(*average, *peak, 100.0) : std::nullopt, 2, "%",
                              average ? "the peak is unknown." : noCall));
    report.entry(
        "Total Traffic",
        gigabytesText(all, " GB (message sizes, all ranks, " + analysis.communicating().window + ")"));
    if (all.unsized > 0)
        report.line("Calls without a size in the trace: " + std::to_string(all.unsized)
                    + "; they count as operations, not as traffic.");
    report.line("Bandwidth is bus bandwidth: message size x factor of the process group / time of the last "
                "rank to arrive.");
    if (all.rooted > 0)
        report.line(countText(all.rooted, "call") + " " + std::string(rootedText));
    for (const RankCollectives& rank : ranks)
        addRank(rank, report);
}

void addTraffic(Analysis& analysis, const std::vector<RankCollectives>& ranks, FramedReport& report)
{
    report.heading("4. TRAFFIC DISTRIBUTION BY COLLECTIVE TYPE");
    if (analysis.communicating().failure) {
        report.line(notAvailable(analysis.communicating().failure->reason));
        return;
    }
    std::map<KernelClass, CollectiveTypeSums> types;
    double bytes = 0;
    for (const RankCollectives& rank : ranks) {
        for (const auto& [type, row] : rank.types)
            types[type] += row;
        bytes += rank.sum().bytes;
    }
    if (types.empty()) {
        report.line(whyNoCommunication(analysis, analysis.communicating()).reason);
        return;
    }
    report.line(padded("Type", 18) + rightAligned("Count", 10) + rightAligned("GB", 16)
                + rightAligned("Share (%)", 12) + rightAligned("Avg time (ms)", 16));
    for (const auto& [type, row] : types)
        report.line(
            padded(std::string(kernelClassName(type)), 18) + rightAligned(std::to_string(row.calls), 10)
            + rightAligned(gigabytesCell(row), 16)
            + rightAligned(bytes > 0 && row.knownBytes() ? fixedText(100.0 * row.bytes / bytes, 2)
                                                         : std::string("-"),
                           12)
            + rightAligned(fixedText(nsToMs(row.durationNs) / static_cast<double>(row.calls), 4), 16));
    const MetricResult parallelismKinds = resultOf(analysis, "traffic_distribution");
    if (const Value* fractions = detail(parallelismKinds, "fractions");
        fractions && fractions->as<Value::Object>()) {
        report.line();
        report.line("By parallelism (share of bytes):");
        for (const auto& [name, share] : *fractions->as<Value::Object>()) {
            const auto* number = share.as<double>();
            if (number && *number > 0)
                report.entry("  " + name, fixedText(100.0 * *number, 2) + " %");
        }
    }
}

} // namespace

std::string textReport(Analysis& analysis)
{
    FramedReport report;
    report.heading("COLLECTIVE COMMUNICATION REPORT");
    report.line(
        "Generated by Collscope " COLLSCOPE_VERSION ". GB = 1e9 bytes. Times and traffic: "
        + (analysis.communicating().failure ? std::string("see below") : analysis.communicating().window)
        + ", unless stated otherwise.");
    addConfiguration(analysis, report);
    addThroughput(analysis, report);
    addOverlap(analysis, report);
    const std::vector<RankCollectives> ranks
        = analysis.communicating().failure ? std::vector<RankCollectives>() : collectivesByType(analysis);
    addNetwork(analysis, ranks, report);
    addTraffic(analysis, ranks, report);
    if (!analysis.model().nvlink.empty()) {
        report.heading("5. NVLINK");
        addNvlink(analysis, usualNvlinkPeaks, report);
    }
    report.heading("END OF REPORT");
    return report.text();
}

std::string textReportName(Analysis& analysis, const std::string& prefix, const std::string& stamp)
{
    const TraceModel& model = analysis.model();
    const Workload& workload = analysis.workload();
    std::string name = model.trainConfig && !model.trainConfig->modelName.empty()
        ? model.trainConfig->modelName + model.trainConfig->modelFlavor
        : workload.modelName.empty() ? model.title
                                     : workload.modelName;
    for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-' && c != '_')
            c = '-';
    }
    // The name follows the pattern of other tools' reports; only the suffix of the count differs for CPU
    // runs.
    const bool isCounted = workload.worldSize && !workload.worldSize.isLeast; // else: the loaded ranks
    const bool areGpus = isCounted && !isCpuRun(model, analysis.allRanks().ranks);
    const std::string counted = areGpus ? "_gpu" : "_ranks";
    const std::int64_t gpus
        = isCounted ? *workload.worldSize : static_cast<std::int64_t>(model.ranks().size());
    return prefix + (prefix.empty() || prefix.back() == '_' ? "" : "_") + stamp + "_" + name
        + degreesInName(degreesOf(analysis)) + counted + std::to_string(gpus) + ".txt";
}

} // namespace collscope
