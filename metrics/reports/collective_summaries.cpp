// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Summaries of collectives of one kind: over all ranks by message, and rank by rank.

#include "metrics/core/statistics.h"
#include "metrics/reports/collective_sheets.h"

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

/// The row of a summary before it is written: its values, and the calls that they are of.
struct SyncSummary
{
    CollectiveKindRow values;
    const Call* call = nullptr; ///< the first
    std::array<Statistics, 5> figures; ///< latency, skews of starts and ends, bandwidths
    std::int64_t totalNs = 0, count = 0;
};

struct LongSummary
{
    CallKindRow values;
    LongKey key;
    const Call* call = nullptr; ///< the first
    std::int64_t count = 0;
    std::optional<double> deviation;
    double least = 0;
};

SyncSummary summaryOf(const std::vector<const ListedCollective*>& collectives,
                      const CollectiveListing& listing, const CollectiveReportOptions& options)
{
    std::array<std::vector<double>, 5> figures;
    SyncSummary summary;
    summary.call = collectives.front()->call;
    for (const ListedCollective* collective : collectives) {
        const CollectiveTimes& times = collective->times;
        summary.totalNs += times.transferNs;
        figures[0].push_back(nsToUs(times.transferNs));
        figures[1].push_back(nsToUs(times.skewNs()));
        figures[2].push_back(nsToUs(times.departures.lengthNs()));
        addNumber(algorithmBandwidthCell(*collective, options), figures[3]);
        addNumber(busBandwidthCell(*collective, options), figures[4]);
    }
    for (std::size_t i = 0; i < figures.size(); ++i)
        summary.figures[i] = statisticsOf(std::move(figures[i]));
    summary.count = static_cast<std::int64_t>(collectives.size());
    summary.values = {restricted(kindOf(listing, *summary.call), collectiveKeys(), allCallKeys),
                      summary.figures[0].mean,
                      summary.figures[3].mean,
                      summary.figures[4].mean,
                      nsToMs(summary.totalNs),
                      static_cast<double>(summary.count)};
    return summary;
}

LongSummary summaryOf(const LongKey& key, const std::vector<const Call*>& calls,
                      const CollectiveListing& listing)
{
    std::int64_t sumNs = 0;
    std::vector<double> durations;
    for (const Call* own : calls) {
        sumNs += own->durationNs();
        durations.push_back(nsToUs(own->durationNs()));
    }
    const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
    CallKind kind = kindOf(listing, *calls.front());
    kind.rank = key.rank;
    const auto count = static_cast<double>(calls.size());
    return {{restricted(kind, callKeys(), allCallKeys), nsToUs(sumNs), nsToUs(sumNs) / count, *most, count},
            key,
            calls.front(),
            static_cast<std::int64_t>(calls.size()),
            calls.size() > 1 ? std::optional(standardDeviationOf(durations)) : std::nullopt,
            *least};
}

/// Sorts the largest total first; equal ones keep the order of their keys.
template<typename Row, typename Values>
void sortDescending(std::vector<Row>& rows, std::optional<double> Values::*total)
{
    std::stable_sort(rows.begin(), rows.end(),
                     [total](const Row& a, const Row& b) { return *(a.values.*total) > *(b.values.*total); });
}

/// The values of the rows, in their order; nullopt without rows.
template<typename Table, typename Row>
std::optional<Table> valuesOf(const std::vector<Row>& rows)
{
    Table table;
    for (const Row& row : rows)
        table.rows.push_back(row.values);
    return rows.empty() ? std::nullopt : std::optional(std::move(table));
}

} // namespace

Sheet implicitSyncSummary(const CollectiveListing& listing, const CollectiveReportOptions& options,
                          RunValues& values)
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
    using Row = SyncSummary;
    std::vector<Row> rows;
    for (const auto& [key, collectives] : kinds)
        rows.push_back(summaryOf(collectives, listing, options));
    sortDescending(rows, &CollectiveKindRow::totalMs);
    values.collectives = valuesOf<KindTable<CollectiveKindRow>>(rows);
    std::vector<SheetColumn<Row>> columns{
        {"Collective name", [](const Row& row) { return textCell(row.values.kind.name); }},
        {"dtype", [](const Row& row) { return textCell(row.values.kind.elementType); }},
        {"In msg nelems", [](const Row& row) { return countCell(row.values.kind.inElements); }},
        {"Process Group Name", [&](const Row& row) { return textCell(listing.groupName(*row.call)); }},
        {"Group size", [](const Row& row) { return countCell(row.values.kind.groupSize); }},
        {"Full msg size (MB)", [&](const Row& row) { return listing.fullMebibytes(*row.call); }}};
    for (std::size_t i = 0; i < 5; ++i)
        addStatistics<Row>(
            std::array{"comm_latency", "skew in start time", "skew in end time", "algo bw (GB/s)",
                       "bus bw (GB/s)"}[i],
            [i](const Row& row) { return row.figures[i]; }, columns);
    const std::vector<SheetColumn<Row>> last{
        {"count", [](const Row& row) { return Value(row.count); }},
        {"Total comm latency (ms)", [](const Row& row) { return numberCell(row.values.totalMs); }},
        {"Process Group Description",
         [](const Row& row) { return textCell(row.values.kind.groupDescription); }},
        {"node_span", [](const Row& row) { return textCell(row.values.kind.nodeSpan); }}};
    columns.insert(columns.end(), last.begin(), last.end());
    return sheetOf("nccl_summary_implicit_sync", columns, rows, SheetKind::Collectives);
}

Sheet longSummary(const CollectiveListing& listing, RunValues& values)
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
    using Row = LongSummary;
    std::vector<Row> rows;
    for (const auto& [key, calls] : kinds)
        rows.push_back(summaryOf(key, calls, listing));
    sortDescending(rows, &CallKindRow::sumUs);
    values.calls = valuesOf<KindTable<CallKindRow>>(rows);
    const std::vector<SheetColumn<Row>> columns{
        {"rank", [](const Row& row) { return Value(row.key.rank); }},
        {"Process Group Name", [](const Row& row) { return textCell(row.key.group); }},
        {"Process Group Ranks", [](const Row& row) { return textCell(row.key.ranks); }},
        {"Collective name", [](const Row& row) { return textCell(row.key.name); }},
        {"Group size",
         [](const Row& row) { return row.key.groupSize > 0 ? Value(row.key.groupSize) : Value(); }},
        {"dtype", [](const Row& row) { return textCell(row.key.elementType); }},
        {"In msg nelems", [](const Row& row) { return countCell(row.key.inElements); }},
        {"Out msg nelems", [](const Row& row) { return countCell(row.key.outElements); }},
        {"In split size", [](const Row& row) { return textCell(row.key.inSplit); }},
        {"Out split size", [](const Row& row) { return textCell(row.key.outSplit); }},
        {"stream", [&](const Row& row) { return listing.streamOf(*row.call); }},
        {"In msg size (MB)_first",
         [&](const Row& row) { return listing.mebibytes(*row.call, row.key.inElements); }},
        {"Out msg size (MB)_first",
         [&](const Row& row) { return listing.mebibytes(*row.call, row.key.outElements); }},
        {"dur_sum", [](const Row& row) { return numberCell(row.values.sumUs); }},
        {"dur_mean", [](const Row& row) { return numberCell(row.values.meanUs); }},
        {"dur_std", [](const Row& row) { return numberCell(row.deviation); }},
        {"dur_min", [](const Row& row) { return Value(row.least); }},
        {"dur_max", [](const Row& row) { return numberCell(row.values.maxUs); }},
        {"operation_count", [](const Row& row) { return Value(row.count); }},
        {"node_id", [&](const Row& row) { return listing.nodeOf(row.key.rank); }},
        {"node_span", [&](const Row& row) { return listing.nodeSpan(*row.call); }},
        {"Process Group Description",
         [&](const Row& row) { return textCell(listing.groupDescription(*row.call)); }}};
    return sheetOf("nccl_summary_long", columns, rows, SheetKind::Calls);
}

} // namespace collscope
