// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Communication by type: number of calls, time and speed.

#include "metrics/analysis/call_sums.h"
#include "metrics/analysis/known_communication.h"
#include "metrics/analysis/transfers.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "model/kernels/collective_traits.h"
#include "model/kernels/kernel_names.h"

namespace collscope {

namespace {

MetricResult communicationFrequency(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    if (auto unknown = communicationUnknown(analysis, selection))
        return std::move(*unknown);
    if (const auto none = withoutSteps(selection))
        return *none;
    const CallTable& table = callTable(analysis);
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    result.value = table.meanPerStep(callsOf);
    table.addRows(callsOf, {}, result);
    result.details = {{"calls_by_type", table.byType(callsOf)}};
    double seconds = 0;
    for (const RankWindows& rank : selection.ranks)
        seconds += nsToSeconds(rank.windowNs());
    const std::int64_t calls = table.all().calls;
    if (const auto perSecond = ratio(static_cast<double>(calls), seconds))
        result.details.emplace_back("calls_per_second", *perSecond);
    result.inputs
        = {std::to_string(calls) + " " + std::string(selection.callsText())
           + " start in the window, summed over " + std::to_string(table.ranks().size()) + " ranks."};
    if (calls == 0)
        result.warnings.emplace_back("None of the run's " + std::string(selection.callsText())
                                     + " starts in the window.");
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
}

/// Median bus bandwidth in GB/s of each type for which it is known. Adds the reason for each other type to
/// the result.
Value::Object busBandwidths(Analysis& analysis, MetricResult& result)
{
    Value::Object object;
    std::int64_t rooted = 0;
    for (const CollectiveTraits& type : allCollectiveTraits()) {
        const KernelClass kind = type.kernelClass;
        std::vector<double> values;
        const Transfers& transfers = transfersOf(analysis, kind);
        for (const Transfer& transfer : transfers.all)
            values.push_back(transfer.busBandwidth());
        rooted += transfers.rooted;
        if (!values.empty())
            object.emplace_back(kernelClassName(kind), medianOf(std::move(values)));
    }
    if (rooted > 0)
        result.inputs.push_back(countText(rooted, "collective") + " " + std::string(rootedText));
    return object;
}

/// S / |C| in GB/s, mean of ranks; adds rows to the result.
std::optional<double> bytesPerTime(Analysis& analysis, const CallTable& table, MetricResult& result)
{
    std::size_t at = 0;
    return meanOfRanks(analysis.work(), result, [&](const RankBreakdown& rank) {
        double bytes = 0;
        for (const CallSums& kind : table.ranks()[at++].total)
            bytes += static_cast<double>(kind.bytes);
        return ratio(bytes, static_cast<double>(rank.total.communication())); // bytes per ns = GB/s
    });
}

MetricResult communicationEfficiency(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    const CallTable& table = callTable(analysis);
    if (auto reason = table.whyNoBytes())
        return noValue(selection, MetricState::NotApplicable, std::move(*reason));
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    result.value = bytesPerTime(analysis, table, result);
    if (!result.value)
        return whyNoCommunication(analysis, selection);
    std::int64_t communicationNs = 0;
    for (const RankBreakdown& rank : analysis.work())
        communicationNs += rank.total.communication();
    result.inputs = {table.sentence(),
                     "|C| = " + numberText(nsToMs(communicationNs))
                         + " ms with a communication kernel on the GPU, summed over ranks. It includes "
                           "waiting for late ranks; the bus bandwidths do not."};
    result.details = {{"busbw_median_by_type", busBandwidths(analysis, result)}};
    table.warnOfGaps({}, result);
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
}

/// A value in bytes; null if unknown, never 0.
Value bytesOf(const CallTable& table, CallTable::Figure gigabytes, double factor,
              std::optional<KernelClass> kind = {})
{
    const CallSums own = table.all(kind);
    if (own.calls > 0 && own.unsized == own.calls)
        return {};
    return table.meanPerStep(gigabytes, kind) * factor;
}

/// Per type and step, mean of ranks: time, plain sum, calls, bytes, share of the summed time.
Value::Object breakdown(const CallTable& table)
{
    constexpr double bytesPerGigabyte = 1e9;
    const double all = table.meanPerStep(sumMsOf);
    Value::Object object;
    for (const CollectiveTraits& type : allCollectiveTraits()) {
        const KernelClass kind = type.kernelClass;
        if (!table.has(kind))
            continue;
        const double sum = table.meanPerStep(sumMsOf, kind);
        object.emplace_back(
            kernelClassName(kind),
            Value::Object{{"time_ms", table.meanPerStep(unionMsOf, kind)},
                          {"sum_ms", sum},
                          {"count", table.meanPerStep(callsOf, kind)},
                          {"bytes", bytesOf(table, gigabytesOf, bytesPerGigabyte, kind)},
                          {"wire_bytes", bytesOf(table, wireGigabytesOf, bytesPerGigabyte, kind)},
                          {"share_percent", ratio(sum, all, 100.0).value_or(0.0)},
                          {"calls_without_size", table.all(kind).unsized}});
    }
    return object;
}

/// Mean over ranks of |C| per step, in ms.
double communicationMs(Analysis& analysis)
{
    std::vector<double> values;
    for (const RankBreakdown& rank : analysis.work())
        values.push_back(nsToMs(rank.total.communication()) / rank.stepCount());
    return meanOf(values);
}

/// Result with the parts shared by the two metrics that have no scalar.
MetricResult tableResult(Analysis& analysis, const CallTable& table)
{
    const Selection& selection = analysis.selection();
    const CallSums all = table.all();
    if (all.calls == 0 && all.sumNs == 0)
        return whyNoCommunication(analysis, selection);
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    result.inputs
        = {table.sentence(),
           "Values are per step, mean of ranks: time_ms is the union of a type's kernels clipped to the "
           "steps, sum_ms the sum of their durations, share_percent the share of these sums."};
    table.warnOfGaps({}, result);
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
}

MetricResult communicationBreakdown(Analysis& analysis)
{
    const CallTable& table = timedCallTable(analysis);
    MetricResult result = tableResult(analysis, table);
    if (result.state == MetricState::Value)
        result.details = {{"communication_ms", communicationMs(analysis)},
                          {"sum_ms", table.meanPerStep(sumMsOf)},
                          {"types", breakdown(table)}};
    return result;
}

/// Computes all communication values as one object.
MetricResult communication(Analysis& analysis)
{
    const CallTable& table = timedCallTable(analysis);
    MetricResult result = tableResult(analysis, table);
    if (result.state != MetricState::Value)
        return result;
    Value::Object volumes{{"gb_per_step", bytesOf(table, gigabytesOf, 1.0)},
                          {"wire_gb_per_step", bytesOf(table, wireGigabytesOf, 1.0)}};
    Value::Object byType;
    for (const CollectiveTraits& type : allCollectiveTraits()) {
        const KernelClass kind = type.kernelClass;
        if (table.has(kind))
            byType.emplace_back(kernelClassName(kind), bytesOf(table, gigabytesOf, 1.0, kind));
    }
    volumes.emplace_back("gb_by_type", std::move(byType));
    Value speed;
    MetricResult unused;
    if (!table.whyNoBytes()) {
        if (const auto value = bytesPerTime(analysis, table, unused))
            speed = *value;
    }
    Value::Object efficiency{{"gb_per_s", speed}, {"busbw_median_by_type", busBandwidths(analysis, result)}};
    result.details = {{"volume", std::move(volumes)},
                      {"time",
                       Value::Object{{"communication_ms", communicationMs(analysis)},
                                     {"sum_ms", table.meanPerStep(sumMsOf)},
                                     {"ms_by_type", table.byType(unionMsOf)}}},
                      {"frequency",
                       Value::Object{{"calls_per_step", table.meanPerStep(callsOf)},
                                     {"calls_by_type", table.byType(callsOf)}}},
                      {"breakdown", breakdown(table)},
                      {"efficiency", std::move(efficiency)}};
    return result;
}

} // namespace

const MetricDescriptor communicationMetric{
    .id = "communication",
    .title = "Communication summary",
    .group = "Communication",
    .unit = "object",
    .needs = needsTimeline,
    .meaning
    = "Volume, time, number of calls, breakdown by type, and efficiency of communication as one object.",
    .definition
    = "per step, mean of ranks: volume = message bytes S and wire bytes, time = |C| and union per type, "
      "frequency = calls, efficiency = S / |C| and median bus bandwidth",
    .ranks = &Analysis::selection,
    .compute = communication,
};

const MetricDescriptor communicationFrequencyMetric{
    .id = "communication_frequency",
    .title = "Communication calls per step",
    .group = "Communication",
    .unit = "count",
    .needs = needsTimeline,
    .meaning = "Communication kernels per step and GPU; for CPU runs, collectives per step and rank.",
    .definition
    = "number of communication kernels that start in the window / steps, per rank, then mean of ranks",
    .ranks = &Analysis::communicating,
    .compute = communicationFrequency,
};

const MetricDescriptor communicationEfficiencyMetric{
    .id = "communication_efficiency",
    .title = "Effective communication bandwidth",
    .group = "Communication",
    .unit = "GB/s",
    .direction = MetricDirection::HigherIsBetter,
    .needs = "a Kineto trace with message sizes for its collectives (PyTorch 2.2 or later)",
    .meaning = "Message bytes moved per second of communication time, waiting included.",
    .definition
    = "sum of message bytes S of the calls in the window / |C|, per rank, then mean of ranks; |C| = union of "
      "the communication kernels clipped to the steps",
    .ranks = &Analysis::selection,
    .compute = communicationEfficiency,
};

const MetricDescriptor communicationBreakdownMetric{
    .id = "communication_breakdown",
    .title = "Communication breakdown by type",
    .group = "Communication",
    .unit = "object",
    .needs = needsTimeline,
    .meaning = "Time, calls, bytes and share of each collective type.",
    .definition
    = "per type and step, mean of ranks: union and sum of kernel durations clipped to the steps, calls that "
      "start in the steps, their bytes S and S \u00d7 bus factor, share of the summed durations",
    .ranks = &Analysis::selection,
    .compute = communicationBreakdown,
};

} // namespace collscope
