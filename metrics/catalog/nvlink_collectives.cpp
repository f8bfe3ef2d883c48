// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What collectives need to send over NVLink, against what the counters say was sent.

#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "metrics/counters/nvlink_intervals.h"
#include "metrics/counters/nvlink_traffic.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr std::size_t mostCallsListed = 1000;

/// Calls of one type, group and size.
struct AlikeTraffic
{
    std::string type, group;
    std::uint64_t bytes = 0; ///< S
    double neededBytes = 0;
    std::vector<double> sentLeast, sentMost, receivedLeast, receivedMost, rates;
};

Value ratioValue(double part, double whole)
{
    return whole > 0 ? Value(part / whole) : Value();
}

double megabytes(double bytes)
{
    return std::round(bytes / 1e3) / 1e3;
}

Value roundedRatio(double part, double whole)
{
    return whole > 0 ? Value(std::round(1e3 * part / whole) / 1e3) : Value();
}

/// null if they were not counted.
Value::Object boundsOf(std::string_view name, std::optional<ByteBounds> bytes)
{
    return {{std::string(name) + "_bytes_least", bytes ? Value(bytes->least) : Value()},
            {std::string(name) + "_bytes_most", bytes ? Value(bytes->most) : Value()}};
}

void append(Value::Object& object, Value::Object&& more)
{
    std::move(more.begin(), more.end(), std::back_inserter(object));
}

/// What was needed and counted, of a link or a GPU.
void appendTraffic(Value::Object& object, double neededBytes, ByteBounds sent,
                   std::optional<ByteBounds> received)
{
    object.emplace_back("needed_bytes", neededBytes);
    append(object, boundsOf("sent", sent));
    append(object, boundsOf("received", received));
    object.emplace_back("sent_to_needed_least", ratioValue(static_cast<double>(sent.least), neededBytes));
    object.emplace_back("sent_to_needed_most", ratioValue(static_cast<double>(sent.most), neededBytes));
}

/// The same in a row that begins with `first`.
std::vector<Value> trafficRow(std::vector<Value> first, double neededBytes, ByteBounds sent,
                              std::int64_t calls)
{
    const auto least = static_cast<double>(sent.least), most = static_cast<double>(sent.most);
    for (const double bytes : {neededBytes, least, most})
        first.emplace_back(megabytes(bytes));
    for (const double bytes : {least, most})
        first.push_back(roundedRatio(bytes, neededBytes));
    first.emplace_back(calls);
    return first;
}

Value medianValue(const std::vector<double>& values)
{
    return values.empty() ? Value() : Value(medianOf(values));
}

std::vector<AlikeTraffic> alikeOf(Analysis& analysis, const NvlinkTraffic& traffic)
{
    std::map<std::tuple<std::string, std::string, std::uint64_t>, std::size_t> places;
    std::vector<AlikeTraffic> alike;
    for (const CallTraffic& own : traffic.calls) {
        const Call& call = analysis.callOf(own.call);
        std::string group = groupText(analysis.model(), call);
        std::string type(kernelClassName(call.kind));
        const auto [known, isNew] = places.try_emplace({type, group, *call.bytes}, alike.size());
        if (isNew)
            alike.push_back(
                {std::move(type), std::move(group), *call.bytes, own.neededBytes, {}, {}, {}, {}, {}});
        AlikeTraffic& sums = alike[known->second];
        sums.sentLeast.push_back(static_cast<double>(own.sent.least));
        sums.sentMost.push_back(static_cast<double>(own.sent.most));
        if (own.received) {
            sums.receivedLeast.push_back(static_cast<double>(own.received->least));
            sums.receivedMost.push_back(static_cast<double>(own.received->most));
        }
        if (own.gigabytesPerSecond)
            sums.rates.push_back(*own.gigabytesPerSecond);
    }
    return alike;
}

Value shareOfPeak(const NvlinkTraffic& traffic, std::optional<double> rate)
{
    return rate && traffic.peakPerDirection ? Value(100 * *rate / *traffic.peakPerDirection) : Value();
}

void addCollectives(Analysis& analysis, const NvlinkTraffic& traffic, MetricResult& result)
{
    MetricTable table;
    table.title = "Traffic of collectives: medians over calls and ranks, per GPU and direction";
    table.sheet.name = "collectives";
    table.sheet.columns = {"Type",
                           "Group",
                           "Needed MB",
                           "Sent MB least",
                           "Sent MB most",
                           "Sent/needed least",
                           "Sent/needed most",
                           "GB/s",
                           "% of peak",
                           "Calls"};
    Value::Array objects;
    for (const AlikeTraffic& own : alikeOf(analysis, traffic)) {
        const double least = medianOf(own.sentLeast), most = medianOf(own.sentMost);
        const auto rate = own.rates.empty() ? std::nullopt : std::optional(medianOf(own.rates));
        const auto calls = static_cast<std::int64_t>(own.sentLeast.size());
        const Value share = shareOfPeak(traffic, rate);
        objects.emplace_back(Value::Object{{"type", own.type},
                                           {"group", own.group},
                                           {"message_bytes", own.bytes},
                                           {"calls", calls},
                                           {"needed_bytes", own.neededBytes},
                                           {"sent_bytes_least", least},
                                           {"sent_bytes_most", most},
                                           {"received_bytes_least", medianValue(own.receivedLeast)},
                                           {"received_bytes_most", medianValue(own.receivedMost)},
                                           {"sent_to_needed_least", ratioValue(least, own.neededBytes)},
                                           {"sent_to_needed_most", ratioValue(most, own.neededBytes)},
                                           {"gigabytes_per_second", orNull(rate)},
                                           {"peak_percent", share}});
        table.sheet.rows.push_back(
            {own.type, own.group, megabytes(own.neededBytes), megabytes(least), megabytes(most),
             roundedRatio(least, own.neededBytes), roundedRatio(most, own.neededBytes),
             rate ? Value(std::round(10 * *rate) / 10) : Value(),
             numberOf(share) ? Value(std::round(10 * *numberOf(share)) / 10) : Value(), calls});
    }
    result.details.emplace_back("collectives", std::move(objects));
    if (!table.sheet.rows.empty())
        result.tables.push_back(std::move(table));
}

void addCalls(Analysis& analysis, const NvlinkTraffic& traffic, MetricResult& result)
{
    Value::Array objects;
    for (std::size_t i = 0; i < std::min(traffic.calls.size(), mostCallsListed); ++i) {
        const CallTraffic& own = traffic.calls[i];
        const Call& call = analysis.callOf(own.call);
        Value::Object object{{"rank", static_cast<std::int64_t>(analysis.calls()[own.call.rank].rank)},
                             {"gpu", traffic.ranks.nameOf(own.device)},
                             {"type", kernelClassName(call.kind)},
                             {"group", groupText(analysis.model(), call)},
                             {"begin_ns", call.range.beginNs},
                             {"end_ns", call.range.endNs},
                             {"needed_bytes", own.neededBytes}};
        append(object, boundsOf("sent", own.sent));
        append(object, boundsOf("received", own.received));
        object.emplace_back("gigabytes_per_second", orNull(own.gigabytesPerSecond));
        object.emplace_back("peak_percent", shareOfPeak(traffic, own.gigabytesPerSecond));
        objects.emplace_back(std::move(object));
        if (analysis.options().wantEvidence)
            result.evidence.push_back(call.slice);
    }
    std::sort(result.evidence.begin(), result.evidence.end());
    result.details.emplace_back("calls", std::move(objects));
    result.details.emplace_back("calls_told", static_cast<std::int64_t>(traffic.calls.size()));
}

void addLinks(const NvlinkTraffic& traffic, MetricResult& result)
{
    MetricTable table;
    table.title = "Links, over these calls: needed if the links of a GPU share the traffic evenly";
    table.sheet.name = "links";
    table.sheet.columns = {
        "rank", "Link", "Needed MB", "Sent MB least", "Sent MB most", "Sent/needed least", "Sent/needed most",
        "Calls"};
    Value::Array objects;
    for (const LinkTraffic& link : traffic.links) {
        Value::Object object{{"rank", static_cast<std::int64_t>(link.rank)},
                             {"gpu", traffic.ranks.nameOf(link.device)},
                             {"link", static_cast<std::int64_t>(link.link)},
                             {"calls", link.calls}};
        appendTraffic(object, link.neededBytes, link.sent, link.received);
        objects.emplace_back(std::move(object));
        table.sheet.rows.push_back(
            trafficRow({static_cast<std::int64_t>(link.rank), "link " + std::to_string(link.link)},
                       link.neededBytes, link.sent, link.calls));
    }
    result.details.emplace_back("links", std::move(objects));
    if (!table.sheet.rows.empty())
        result.tables.push_back(std::move(table));
}

void addGpus(const NvlinkTraffic& traffic, MetricResult& result)
{
    MetricTable table;
    table.title = "GPUs from their first to their last call, calls too short for the counters included";
    table.sheet.name = "gpus";
    table.sheet.columns = {
        "rank", "GPU", "Needed MB", "Sent MB least", "Sent MB most", "Sent/needed least", "Sent/needed most",
        "Calls"};
    Value::Array objects;
    for (const GpuTraffic& gpu : traffic.gpus) {
        Value::Object object{{"rank", static_cast<std::int64_t>(gpu.rank)},
                             {"gpu", traffic.ranks.nameOf(gpu.device)},
                             {"calls", gpu.calls},
                             {"begin_ns", gpu.range.beginNs},
                             {"end_ns", gpu.range.endNs}};
        if (gpu.doubt == TrafficDoubt::None) {
            appendTraffic(object, gpu.neededBytes, gpu.sent, gpu.received);
            table.sheet.rows.push_back(
                trafficRow({static_cast<std::int64_t>(gpu.rank), traffic.ranks.nameOf(gpu.device)},
                           gpu.neededBytes, gpu.sent, gpu.calls));
        } else {
            object.emplace_back("not_told", trafficDoubtName(gpu.doubt));
            object.emplace_back("not_told_calls", gpu.doubtful);
        }
        objects.emplace_back(std::move(object));
    }
    result.details.emplace_back("gpus", std::move(objects));
    if (!table.sheet.rows.empty())
        result.tables.push_back(std::move(table));
}

/// "1,200 calls cannot be told, because ...", by reason.
std::string addDoubts(const NvlinkTraffic& traffic, MetricResult& result)
{
    Value::Array objects;
    std::string most;
    std::int64_t mostCalls = 0;
    for (std::size_t i = 1; i < trafficDoubtCount; ++i) {
        const std::int64_t calls = traffic.doubts[i];
        if (calls == 0)
            continue;
        const auto doubt = static_cast<TrafficDoubt>(i);
        objects.emplace_back(Value::Object{
            {"reason", trafficDoubtName(doubt)}, {"text", trafficDoubtText(doubt)}, {"calls", calls}});
        const std::string text = "The traffic of " + countText(calls, "call")
            + " cannot be told: " + std::string(trafficDoubtText(doubt)) + ".";
        result.inputs.push_back(text);
        if (calls > mostCalls) {
            mostCalls = calls;
            most = text;
        }
    }
    result.details.emplace_back("not_told", std::move(objects));
    return most;
}

std::string periodText(const NvlinkTraffic& traffic)
{
    const std::string shortest = numberText(nsToUs(traffic.shortestPeriodNs));
    const std::string longest = numberText(nsToUs(traffic.longestPeriodNs));
    if (traffic.longestPeriodNs == 0)
        return "The files have no bytes of single links, only sums or raw counters with the protocol's own "
               "bytes.";
    if (traffic.longestLagNs > traffic.longestPeriodNs)
        return "The counters were sampled every " + shortest + (shortest == longest ? "" : " to " + longest)
            + " us (median), but change less often: the usual distance is up to "
            + numberText(nsToUs(traffic.longestLagNs))
            + " us, and they may lag by as much. A call needs to last longer than that.";
    return "The counters were sampled every " + shortest + (shortest == longest ? "" : " to " + longest)
        + " us (median), and may lag by as much: a call needs "
          "to last at least three times that.";
}

MetricResult nvlinkCollectives(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    if (model.nvlink.empty())
        return MetricResult::missingInput(chooseNvlink(model, std::nullopt).missing);
    const Selection& selection = analysis.selection();
    const NvlinkTraffic traffic = nvlinkTrafficOf(analysis);
    MetricResult result = valueOf(analysis, selection, "bounds per call");
    const std::string most = addDoubts(traffic, result);
    result.inputs.insert(result.inputs.begin(), periodText(traffic));
    addCollectives(analysis, traffic, result);
    addLinks(traffic, result);
    addGpus(traffic, result);
    addCalls(analysis, traffic, result);
    const bool anyTotal = std::any_of(traffic.gpus.begin(), traffic.gpus.end(),
                                      [](const GpuTraffic& gpu) { return gpu.doubt == TrafficDoubt::None; });
    if (traffic.calls.empty() && !anyTotal) {
        MetricResult none
            = noValue(selection, MetricState::NotApplicable,
                      most.empty() ? "No collective starts in the window (" + selection.window + ")." : most);
        none.inputs = std::move(result.inputs);
        none.details = std::move(result.details);
        return none;
    }
    if (traffic.peakPerDirection)
        result.inputs.push_back("Peak of the links of a GPU: " + numberText(*traffic.peakPerDirection)
                                + " GB/s per direction (" + traffic.peakSource + ").");
    if (traffic.isOneNodeGuessed)
        result.warnings.emplace_back("That all ranks share one node is a guess: nothing says that there is a "
                                     "second one.");
    const bool anyGuess
        = std::any_of(traffic.calls.begin(), traffic.calls.end(),
                      [&](const CallTraffic& own) { return isGuess(traffic.ranks.of(own.device).evidence); });
    if (anyGuess)
        result.warnings.emplace_back("Which rank an NVLink file belongs to is partly guessed by its number.");
    if (traffic.calls.size() > mostCallsListed)
        result.warnings.push_back("The JSON lists the first " + std::to_string(mostCallsListed) + " of "
                                  + std::to_string(traffic.calls.size()) + " calls.");
    result.warnings.emplace_back(
        "Needed are the bytes of NCCL's rings with the protocol Simple. LL sends up to twice as many, "
        "reduction in the switch (NVLS) fewer, and paths beside NVLink are not counted.");
    return result;
}

} // namespace

const MetricDescriptor nvlinkCollectivesMetric{
    .id = "nvlink_collectives",
    .title = "NVLink traffic of collectives",
    .group = "NVLink",
    .unit = "bytes",
    .needs = "NVLink counters (NVF1 .bin) of ranks, and timelines with message sizes and a wall clock",
    .meaning = "What collectives need to send over NVLink, and what the counters say was sent.",
    .definition = "per call, GPU and direction: needed = S \u00d7 bus factor (nccl-tests), for groups within "
                  "one node; sent = "
                  "bytes of the samples that surely lie in the call (least) and that may lie in it (most), "
                  "counters lagging "
                  "by up to the usual distance between their changes; GB/s = samples that surely lie in the "
                  "transfer, relative to the peak "
                  "of all links",
    .ranks = &Analysis::selection,
    .compute = nvlinkCollectives,
};

} // namespace collscope
