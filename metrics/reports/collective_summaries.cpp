// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Summaries of collectives of one kind: over all ranks by message, and rank by rank.

#include "metrics/reports/collective_sheets.h"
#include "metrics/statistics.h"

#include <algorithm>
#include <tuple>

namespace collscope {

namespace {

/// Properties besides the name that define a kind of collective: a tensor-parallel and a data-parallel
/// all-gather of the same size are different kinds.
struct SyncKey
{
    std::string_view name, elementType;
    std::optional<std::int64_t> inElements;
    std::int32_t groupSize = 0;
    std::string_view description;
    NodeSpan span = NodeSpan::Unknown;
    auto fields() const { return std::tie(name, elementType, inElements, groupSize, description, span); }
    friend bool operator<(const SyncKey& a, const SyncKey& b) { return a.fields() < b.fields(); }
};

struct LongKey
{
    std::int32_t rank = 0;
    std::string_view group, ranks, name;
    std::int32_t groupSize = 0;
    std::string_view elementType;
    std::optional<std::int64_t> inElements, outElements;
    std::string_view inSplit, outSplit;
    std::int32_t stream = -1;
    auto fields() const
    {
        return std::tie(rank, group, ranks, name, groupSize, elementType, inElements, outElements, inSplit,
                        outSplit, stream);
    }
    friend bool operator<(const LongKey& a, const LongKey& b) { return a.fields() < b.fields(); }
};

std::optional<std::int64_t> inElementsOf(const Call& call)
{
    return call.meta ? call.meta->inElements : std::nullopt;
}

/// Sorts rows by a column, largest first; rows with equal values keep the order of their keys.
void sortDescending(Sheet& sheet, std::string_view column)
{
    const std::size_t at = sheet.column(column).value();
    std::stable_sort(sheet.rows.begin(), sheet.rows.end(),
                     [at](const Value::Array& a, const Value::Array& b) {
                         return *a[at].as<double>() > *b[at].as<double>();
                     });
}

} // namespace

Sheet implicitSyncSummary(const CollectiveListing& listing, const CollectiveReportOptions& options)
{
    std::map<SyncKey, std::vector<const ListedCollective*>> kinds;
    for (const ListedCollective& collective : listing.collectives()) {
        if (!collective.waitsForAll)
            continue;
        const Call& call = *collective.call;
        kinds[{listing.nameOf(call), listing.elementType(call), inElementsOf(call), call.groupSize,
               listing.groupDescription(call), listing.nodes().spanOf(call)}]
            .push_back(&collective);
    }
    Sheet sheet{"nccl_summary_implicit_sync",
                {"Collective name", "dtype", "In msg nelems", "Process Group Name", "Group size",
                 "Full msg size (MB)"},
                {}};
    for (const char* figure :
         {"comm_latency", "skew in start time", "skew in end time", "algo bw (GB/s)", "bus bw (GB/s)"})
        addStatisticsColumns(figure, sheet.columns);
    for (const char* column : {"count", "Total comm latency (ms)", "Process Group Description", "node_span"})
        sheet.columns.emplace_back(column);
    for (const auto& [key, collectives] : kinds) {
        const Call& call = *collectives.front()->call;
        std::vector<double> latencies, startSkews, endSkews, algorithm, bus;
        std::int64_t totalNs = 0;
        for (const ListedCollective* collective : collectives) {
            totalNs += collective->times.transferNs;
            latencies.push_back(nsToUs(collective->times.transferNs));
            startSkews.push_back(nsToUs(collective->times.skewNs()));
            endSkews.push_back(nsToUs(collective->times.departures.lengthNs()));
            addNumber(algorithmBandwidthCell(*collective, options), algorithm);
            addNumber(busBandwidthCell(*collective, options), bus);
        }
        Value::Array row{textCell(key.name),
                         textCell(key.elementType),
                         countCell(key.inElements),
                         textCell(listing.groupName(call)),
                         key.groupSize > 0 ? Value(key.groupSize) : Value(),
                         listing.fullMebibytes(call)};
        for (std::vector<double>* values : {&latencies, &startSkews, &endSkews, &algorithm, &bus})
            addStatistics(std::move(*values), row);
        row.emplace_back(static_cast<std::int64_t>(collectives.size()));
        row.emplace_back(nsToMs(totalNs));
        row.push_back(textCell(key.description));
        row.push_back(listing.nodeSpan(call));
        sheet.rows.push_back(std::move(row));
    }
    sortDescending(sheet, "Total comm latency (ms)");
    return sheet;
}

Sheet longSummary(const CollectiveListing& listing)
{
    std::map<LongKey, std::vector<const Call*>> kinds;
    for (const RankCalls& rank : listing.run().ranks) {
        for (const Call& call : rank.calls)
            kinds[{rank.rank, listing.groupName(call), listing.groupRanks(call), listing.nameOf(call),
                   call.groupSize, listing.elementType(call), inElementsOf(call),
                   call.meta ? call.meta->outElements : std::nullopt, listing.inSplit(call),
                   listing.outSplit(call), listing.model().track(call.slice.track).stream}]
                .push_back(&call);
    }
    Sheet sheet{"nccl_summary_long",
                {"rank",
                 "Process Group Name",
                 "Process Group Ranks",
                 "Collective name",
                 "Group size",
                 "dtype",
                 "In msg nelems",
                 "Out msg nelems",
                 "In split size",
                 "Out split size",
                 "stream",
                 "In msg size (MB)_first",
                 "Out msg size (MB)_first",
                 "dur_sum",
                 "dur_mean",
                 "dur_std",
                 "dur_min",
                 "dur_max",
                 "operation_count",
                 "node_id",
                 "node_span",
                 "Process Group Description"},
                {}};
    for (const auto& [key, calls] : kinds) {
        const Call& call = *calls.front();
        std::int64_t sumNs = 0;
        std::vector<double> durations;
        for (const Call* own : calls) {
            sumNs += own->durationNs();
            durations.push_back(nsToUs(own->durationNs()));
        }
        const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
        sheet.rows.push_back({key.rank,
                              textCell(key.group),
                              textCell(key.ranks),
                              textCell(key.name),
                              key.groupSize > 0 ? Value(key.groupSize) : Value(),
                              textCell(key.elementType),
                              countCell(key.inElements),
                              countCell(key.outElements),
                              textCell(key.inSplit),
                              textCell(key.outSplit),
                              listing.streamOf(call),
                              listing.mebibytes(call, key.inElements),
                              listing.mebibytes(call, key.outElements),
                              nsToUs(sumNs),
                              nsToUs(sumNs) / static_cast<double>(calls.size()),
                              calls.size() > 1 ? Value(standardDeviationOf(durations)) : Value(),
                              *least,
                              *most,
                              static_cast<std::int64_t>(calls.size()),
                              listing.nodeOf(key.rank),
                              listing.nodeSpan(call),
                              textCell(listing.groupDescription(call))});
    }
    sortDescending(sheet, "dur_sum");
    return sheet;
}

} // namespace collscope
