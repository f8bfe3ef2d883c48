// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Bus bandwidth of collectives, in GB/s and relative to the peak of the link.

#include "metrics/analysis/transfers.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "model/kernels/collective_traits.h"
#include "model/kernels/kernel_names.h"
#include "model/text/lower_case.h"

#include <algorithm>

namespace collscope {

namespace {

struct Columns
{
    std::vector<double> bus, algorithm;
};

/// Name of the kind as spelled in metric ids: "allreduce".
std::string keyOf(KernelClass kind)
{
    return lowered(kernelClassName(kind));
}

Value::Object perGroup(const std::vector<Transfer>& transfers, const NodeMap& nodes)
{
    std::map<std::string, Columns> groups;
    std::map<std::string, const Call*> calls;
    for (const Transfer& transfer : transfers) {
        const std::string& name = transfer.group->text;
        Columns& columns = groups[name.empty() ? "unknown" : name];
        columns.bus.push_back(transfer.busBandwidth());
        columns.algorithm.push_back(transfer.algorithmBandwidth());
        calls.try_emplace(name.empty() ? "unknown" : name, transfer.call);
    }
    Value::Object object;
    for (const auto& [name, columns] : groups) {
        const Call& call = *calls[name];
        Value::Object group{{"median", medianOf(columns.bus)},
                            {"mean", meanOf(columns.bus)},
                            {"algbw_median", medianOf(columns.algorithm)},
                            {"calls", static_cast<std::int64_t>(columns.bus.size())},
                            {"group_size", static_cast<std::int64_t>(call.groupSize)}};
        if (const NodeMap::Peak& peak = nodes.peakOf(nodes.spanOf(call))) {
            group.emplace_back("peak_per_direction", peak.gigabytesPerSecond);
            group.emplace_back("utilization_pct", 100.0 * medianOf(columns.bus) / peak.gigabytesPerSecond);
        }
        object.emplace_back(name, std::move(group));
    }
    return object;
}

/// 100 x bus bandwidth / peak of the transfer's link, for transfers whose link peak is known.
std::vector<double> utilizations(const std::vector<Transfer>& transfers, const NodeMap& nodes)
{
    std::vector<double> percents;
    for (const Transfer& transfer : transfers) {
        if (const NodeMap::Peak& peak = nodes.peakOf(nodes.spanOf(*transfer.call)))
            percents.push_back(100.0 * transfer.busBandwidth() / peak.gigabytesPerSecond);
    }
    return percents;
}

void addRows(Analysis& analysis, const std::vector<Transfer>& transfers, bool median,
             const std::vector<double>& values, MetricResult& result)
{
    std::map<std::size_t, std::vector<double>> byRank;
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        for (const CallRef member : analysis.matching().membersOf(*transfers[i].instance)) {
            byRank[member.rank].push_back(values[i]);
            if (analysis.options().wantEvidence)
                result.evidence.push_back(analysis.calls()[member.rank].calls[member.call].slice);
        }
    }
    for (const auto& [rank, own] : byRank)
        result.rows.push_back(
            {analysis.calls()[rank].rank, std::nullopt, median ? medianOf(own) : meanOf(own)});
    if (!analysis.options().wantEvidence)
        return;
    for (const Transfer& transfer : transfers)
        result.evidenceRanges.push_back(transfer.call->range);
}

void addWarnings(Analysis& analysis, KernelClass kind, const Transfers& transfers, MetricResult& result)
{
    const std::string type(kernelClassName(kind));
    if (transfers.waiting > 0)
        result.warnings.push_back(
            "Includes waiting: " + std::to_string(transfers.waiting) + " of "
            + std::to_string(transfers.all.size()) + " " + type + " calls "
            + (analysis.options().rank
                   ? "are measured on one rank only"
                   : "have no data from some ranks of their group (rank not loaded, or no matching call)")
            + ": their durations may include waiting for other ranks, and the bandwidth is a lower bound.");
    const std::int64_t borrowed
        = std::count_if(transfers.all.begin(), transfers.all.end(),
                        [](const Transfer& t) { return isFromExecutionTrace(*t.call); });
    if (borrowed > 0)
        result.warnings.push_back(borrowedText(borrowed, static_cast<std::int64_t>(transfers.all.size())));
    const std::int64_t unused = transfers.unsized + transfers.withoutGroup;
    if (unused > 0)
        result.warnings.push_back(std::to_string(unused) + " " + type
                                  + " calls have no message size or group size and are not counted.");
    const std::vector<std::string> matching = analysis.matchingWarnings();
    result.warnings.insert(result.warnings.end(), matching.begin(), matching.end());
}

void addDetails(Analysis& analysis, KernelClass kind, const Transfers& transfers, MetricResult& result)
{
    Columns columns;
    for (const Transfer& transfer : transfers.all) {
        columns.bus.push_back(transfer.busBandwidth());
        columns.algorithm.push_back(transfer.algorithmBandwidth());
    }
    const NodeMap nodes(analysis);
    const std::vector<double> percents = utilizations(transfers.all, nodes);
    const auto [least, most] = std::minmax_element(columns.bus.begin(), columns.bus.end());
    result.details = {{"median", medianOf(columns.bus)},
                      {"mean", meanOf(columns.bus)},
                      {"min", *least},
                      {"max", *most},
                      {"calls", static_cast<std::int64_t>(columns.bus.size())},
                      {"algbw_median", medianOf(columns.algorithm)},
                      {"includes_wait", transfers.waiting > 0}};
    if (!percents.empty())
        result.details.emplace_back(keyOf(kind) + "_utilization_pct", medianOf(percents));
    result.details.emplace_back("per_group", perGroup(transfers.all, nodes));
    const std::size_t mostPresent
        = std::max_element(transfers.all.begin(), transfers.all.end(),
                           [](const Transfer& a, const Transfer& b) {
                               return a.instance->memberCount < b.instance->memberCount;
                           })
              ->instance->memberCount;
    const Transfer& first = transfers.all.front();
    result.inputs = {std::to_string(columns.bus.size()) + " calls, matched " + analysis.matching().rule
                         + "; t = shortest duration over the available ranks (up to "
                         + std::to_string(mostPresent) + ").",
                     "First call: S = " + std::to_string(*first.call->bytes) + " bytes, n = "
                         + std::to_string(first.call->groupSize) + ", t = " + numberText(nsToUs(first.ns))
                         + " us, algorithm bandwidth " + numberText(first.algorithmBandwidth())
                         + " GB/s, bus bandwidth " + numberText(first.busBandwidth()) + " GB/s."};
    for (const NodeSpan span : {NodeSpan::OneNode, NodeSpan::SeveralNodes}) {
        if (const NodeMap::Peak& peak = nodes.peakOf(span))
            result.inputs.push_back((span == NodeSpan::OneNode ? "Intra-node peak " : "Inter-node peak ")
                                    + numberText(peak.gigabytesPerSecond) + " GB/s (" + peak.source + "); "
                                    + nodes.rule() + ".");
    }
}

MetricResult bandwidth(Analysis& analysis, KernelClass kind, bool median)
{
    const Selection& selection = analysis.communicating();
    const Transfers& transfers = transfersOf(analysis, kind);
    if (transfers.all.empty())
        return noValue(selection, MetricState::NotApplicable, whyNone(analysis, kind, transfers));
    MetricResult result
        = valueOf(analysis, selection, median ? "median of matched calls" : "mean of matched calls");
    std::vector<double> values;
    for (const Transfer& transfer : transfers.all)
        values.push_back(transfer.busBandwidth());
    result.value = median ? medianOf(values) : meanOf(values);
    addRows(analysis, transfers.all, median, values, result);
    addDetails(analysis, kind, transfers, result);
    addWarnings(analysis, kind, transfers, result);
    return result;
}

/// Ratio of the AllReduce bus bandwidth to the peak of the link.
MetricResult utilization(Analysis& analysis)
{
    constexpr KernelClass kind = KernelClass::AllReduce;
    const Selection& selection = analysis.selection();
    Transfers transfers = transfersOf(analysis, kind); // a copy: some of them are removed below
    if (transfers.all.empty())
        return noValue(selection, MetricState::NotApplicable, whyNone(analysis, kind, transfers));
    const NodeMap nodes(analysis);
    const auto noPeak = std::erase_if(
        transfers.all, [&](const Transfer& transfer) { return !nodes.peakOf(nodes.spanOf(*transfer.call)); });
    const std::string& device = analysis.workload().deviceName;
    const bool anyPeak = nodes.peakOf(NodeSpan::OneNode) || nodes.peakOf(NodeSpan::SeveralNodes);
    if (transfers.all.empty())
        return noValue(selection, MetricState::NotApplicable,
                       anyPeak
                           ? "The peak bandwidth of the links between the ranks of these groups is unknown: "
                               + nodes.rule() + ". Add count_per_node and bandwidth_gbps to a workload card."
                           : "Peak unknown: neither the device"
                               + (device.empty() ? std::string() : " (" + device + ")")
                               + " nor a workload card gives the link bandwidth.");
    MetricResult result = valueOf(analysis, selection, "median of matched calls");
    addDetails(analysis, kind, transfers, result);
    std::vector<double> values = utilizations(transfers.all, nodes);
    for (double& value : values)
        value /= 100.0;
    result.value = medianOf(values);
    addRows(analysis, transfers.all, true, values, result);
    addWarnings(analysis, kind, transfers, result);
    if (noPeak > 0)
        result.warnings.push_back(
            std::to_string(noPeak)
            + " AllReduce calls use links of unknown peak bandwidth and are not counted.");
    return result;
}

template<KernelClass kind, bool isMedian>
MetricResult bandwidthOf(Analysis& analysis)
{
    return bandwidth(analysis, kind, isMedian);
}

/// The types side by side; no single number.
MetricResult bandwidthByType(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    MetricResult result = valueOf(analysis, selection, "median of matched calls");
    Sheet sheet;
    sheet.columns = {"Type", "Median GB/s", "Mean GB/s", "Lowest GB/s", "Highest GB/s", "Calls"};
    Value::Object types;
    std::string whyNot;
    for (const CollectiveTraits& type : allCollectiveTraits()) {
        if (type.rounds == 0) // its bus bandwidth says nothing about the links of a group
            continue;
        const Transfers& transfers = transfersOf(analysis, type.kernelClass);
        if (transfers.all.empty()) {
            if (whyNot.empty() && transfers.calls > 0)
                whyNot = whyNone(analysis, type.kernelClass, transfers);
            continue;
        }
        std::vector<double> values;
        for (const Transfer& transfer : transfers.all)
            values.push_back(transfer.busBandwidth());
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        const auto calls = static_cast<std::int64_t>(values.size());
        const std::string name(kernelClassName(type.kernelClass));
        types.emplace_back(name,
                           Value::Object{{"median", medianOf(values)},
                                         {"mean", meanOf(values)},
                                         {"min", *least},
                                         {"max", *most},
                                         {"calls", calls},
                                         {"includes_wait", transfers.waiting > 0}});
        sheet.rows.push_back({name, medianOf(values), meanOf(values), *least, *most, calls});
        MetricResult own;
        addWarnings(analysis, type.kernelClass, transfers, own);
        for (const std::string& warning : own.warnings)
            result.warnings.push_back(name + ": " + warning);
    }
    if (whyNot.empty())
        whyNot = "No call known to be an AllReduce, AllGather, ReduceScatter or all-to-all starts in the "
                 "window ("
            + selection.window + ").";
    if (types.empty())
        return noValue(selection, MetricState::NotApplicable, std::move(whyNot));
    result.details = {{"types", std::move(types)}};
    result.tables = {{"Bus bandwidth by type of collective", std::move(sheet)}};
    return result;
}

constexpr std::string_view needsSizes = "a trace with message sizes for its collectives (Kineto of PyTorch "
                                        "2.2 or later, nsys with NCCL payloads)";

constexpr MetricPart bandwidthParts[] = {
    {.id = "allreduce_bus_bandwidth",
     .title = "AllReduce bus bandwidth",
     .meaning = "Typical speed of an AllReduce, expressed as the load on each link.",
     .definition = "median over matched calls of S / t \u00d7 2(n-1)/n; S = bytes reduced (In), n = ranks of "
                   "the process group, t = shortest kernel duration over the available ranks",
     .compute = bandwidthOf<KernelClass::AllReduce, true>},
    {.id = "allgather_bus_bandwidth",
     .title = "AllGather bus bandwidth",
     .meaning = "Typical speed of an AllGather, expressed as the load on each link.",
     .definition = "median over matched calls of S / t \u00d7 (n-1)/n; S = bytes gathered (Out), n = ranks "
                   "of the process group, t = shortest kernel duration over the available ranks",
     .compute = bandwidthOf<KernelClass::AllGather, true>},
    {.id = "reducescatter_bus_bandwidth",
     .title = "ReduceScatter bus bandwidth",
     .meaning = "Typical speed of a ReduceScatter, expressed as the load on each link.",
     .definition = "median over matched calls of S / t \u00d7 (n-1)/n; S = bytes reduced (In), n = ranks of "
                   "the process group, t = shortest kernel duration over the available ranks",
     .compute = bandwidthOf<KernelClass::ReduceScatter, true>},
    {.id = "alltoall_bus_bandwidth",
     .title = "AllToAll bus bandwidth",
     .meaning = "Typical speed of an all-to-all exchange, expressed as the load on each link.",
     .definition
     = "median over matched calls of S / t \u00d7 (n-1)/n; S = bytes sent by the lowest rank (In, all "
       "splits), n = ranks of the process group, t = shortest kernel duration over the available ranks",
     .compute = bandwidthOf<KernelClass::AllToAll, true>},
    {.id = "avg_allreduce_bandwidth",
     .title = "AllReduce bus bandwidth (mean)",
     .meaning = "Mean bus bandwidth of the AllReduce calls.",
     .definition
     = "mean over matched calls of S / t \u00d7 2(n-1)/n, with S, t and n as in allreduce_bus_bandwidth",
     .compute = bandwidthOf<KernelClass::AllReduce, false>},
    {.id = "avg_allgather_bandwidth",
     .title = "AllGather bus bandwidth (mean)",
     .meaning = "Mean bus bandwidth of the AllGather calls.",
     .definition
     = "mean over matched calls of S / t \u00d7 (n-1)/n, with S, t and n as in allgather_bus_bandwidth",
     .compute = bandwidthOf<KernelClass::AllGather, false>},
    {.id = "avg_reducescatter_bandwidth",
     .title = "ReduceScatter bus bandwidth (mean)",
     .meaning = "Mean bus bandwidth of the ReduceScatter calls.",
     .definition
     = "mean over matched calls of S / t \u00d7 (n-1)/n, with S, t and n as in reducescatter_bus_bandwidth",
     .compute = bandwidthOf<KernelClass::ReduceScatter, false>},
};

} // namespace

const MetricDescriptor collectiveBandwidthMetric{
    .id = "collective_bandwidth",
    .title = "Collective bus bandwidth",
    .group = "Communication",
    .unit = "GB/s",
    .direction = MetricDirection::HigherIsBetter,
    .needs = needsSizes,
    .meaning = "Speed of each type of collective, expressed as the load on each link.",
    .definition
    = "per type, over matched calls: S / t \u00d7 bus factor; S = bytes of the message, t = shortest kernel "
      "duration over the available ranks; bus factor with n ranks: 2(n-1)/n for AllReduce, (n-1)/n for "
      "AllGather, ReduceScatter and all-to-all; other types have none; no single number",
    .parts = bandwidthParts,
    .ranks = &Analysis::communicating,
    .compute = bandwidthByType,
};

const MetricDescriptor bandwidthUtilizationMetric{
    .id = "bandwidth_utilization",
    .title = "AllReduce bandwidth utilization",
    .group = "Communication",
    .unit = "ratio",
    .direction = MetricDirection::HigherIsBetter,
    .needs = "a trace with message sizes for its collectives, and a device or card with known link bandwidth",
    .meaning = "Share of the link's one-way peak bandwidth that AllReduce achieves (1 = the full peak).",
    .definition
    = "median over matched AllReduce calls of bus bandwidth / peak per direction of the link: the device's "
      "links inside a node, the card's scale-out bandwidth / 8 between nodes",
    .ranks = &Analysis::selection,
    .compute = utilization,
};

} // namespace collscope
