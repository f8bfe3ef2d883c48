// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// All-to-alls whose ranks send different amounts (expert parallelism): how uneven they are, and how much each
// rank sends to each other rank.

#include "metrics/reports/collective_sheets.h"
#include "metrics/statistics.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

/// Upper limit of senders and receivers for a readable sheet.
constexpr std::size_t mostTrafficRanks = 1024;

/// The calls of the ranks in one uneven all-to-all.
struct Uneven
{
    const ListedCollective* collective = nullptr;
    std::vector<const Call*> calls; ///< of the available ranks
    std::vector<double> bytes; ///< bytes that each of them sends; empty if any is unknown
    std::int64_t longestNs = 0, shortestNs = 0, sumNs = 0;

    std::int64_t wallNs() const { return collective->times.range().lengthNs(); }
    double allBytes() const
    {
        double sum = 0;
        for (const double own : bytes)
            sum += own;
        return sum;
    }
    /// Largest over mean; null if nothing is sent or the amounts are unknown.
    Value imbalance() const
    {
        const double sum = allBytes();
        if (sum <= 0)
            return {};
        return *std::max_element(bytes.begin(), bytes.end()) * static_cast<double>(bytes.size()) / sum;
    }
};

std::optional<double> sentBytes(const CollectiveListing& listing, const Call& call)
{
    const auto size = elementSizeBytes(listing.elementType(call));
    if (!size || !call.meta || !call.meta->inElements)
        return std::nullopt;
    return static_cast<double>(*call.meta->inElements) * *size;
}

std::vector<Uneven> unevenOf(const CollectiveListing& listing)
{
    std::vector<Uneven> found;
    for (const ListedCollective& collective : listing.collectives()) {
        if (!collective.isUneven)
            continue;
        Uneven uneven;
        uneven.collective = &collective;
        bool isKnown = true;
        for (const CallRef member : listing.membersOf(collective)) {
            const Call& call = listing.run().callOf(member);
            const std::int64_t ns = call.durationNs();
            uneven.shortestNs = uneven.calls.empty() ? ns : std::min(uneven.shortestNs, ns);
            uneven.longestNs = std::max(uneven.longestNs, ns);
            uneven.sumNs += ns;
            uneven.calls.push_back(&call);
            const auto bytes = sentBytes(listing, call);
            isKnown &= bytes.has_value();
            uneven.bytes.push_back(bytes.value_or(0));
        }
        if (!isKnown)
            uneven.bytes.clear();
        found.push_back(std::move(uneven));
    }
    return found;
}

Value perTime(const Uneven& uneven, double bytes, std::int64_t ns, const CollectiveReportOptions& options)
{
    return uneven.bytes.empty() || ns <= 0 ? Value() : Value(bandwidthOf(bytes, ns, options));
}

/// Bandwidths of the ranks, by their own durations.
std::vector<double> rankThroughputs(const Uneven& uneven, const CollectiveReportOptions& options)
{
    std::vector<double> throughputs;
    for (std::size_t i = 0; i < uneven.bytes.size(); ++i) {
        if (const std::int64_t ns = uneven.calls[i]->durationNs(); ns > 0)
            throughputs.push_back(bandwidthOf(uneven.bytes[i], ns, options));
    }
    return throughputs;
}

constexpr std::array<const char*, 8> rankFigures{"ts",
                                                 "dur",
                                                 "In msg nelems",
                                                 "Out msg nelems",
                                                 "In msg size (MB)",
                                                 "Out msg size (MB)",
                                                 "In split size",
                                                 "Out split size"};

void addRankCells(const CollectiveListing& listing, const Uneven& uneven, Value::Array& row)
{
    const RunCollectives& run = listing.run();
    const std::size_t first = row.size();
    row.resize(first + run.ranks.size() * (rankFigures.size() + 2));
    const CollectiveTimes& times = uneven.collective->times;
    for (const CallRef member : listing.membersOf(*uneven.collective)) {
        const Call& call = run.callOf(member);
        const CollectiveCall& meta = listing.metaOf(call);
        const TimeRange range = listing.onAxis(call);
        const Value cells[] = {listing.ownStartUs(call),
                               nsToUs(call.durationNs()),
                               countCell(meta.inElements),
                               countCell(meta.outElements),
                               listing.mebibytes(call, meta.inElements),
                               listing.mebibytes(call, meta.outElements),
                               textCell(listing.inSplit(call)),
                               textCell(listing.outSplit(call))};
        std::copy(std::begin(cells), std::end(cells),
                  row.begin() + static_cast<std::ptrdiff_t>(first + member.rank * rankFigures.size()));
        const std::size_t skews
            = first + run.ranks.size() * rankFigures.size() + std::size_t{2} * member.rank;
        row[skews] = nsToUs(range.beginNs - times.arrivals.beginNs);
        row[skews + 1] = nsToUs(times.departures.endNs - range.endNs);
    }
}

} // namespace

Sheet unevenSheet(const CollectiveListing& listing, const CollectiveReportOptions& options)
{
    Sheet sheet{"nccl_all2allv",
                {"collective_id", "Process Group Name", "Process Group Ranks", "Collective name",
                 "Group size", "dtype", "stream", "total data communicated (MB)", "total nelems communicated",
                 "wall_time (us)", "max_rank_dur (us)", "min_rank_dur (us)", "avg_rank_dur (us)",
                 "throughput (GB/s)", "max_rank_throughput (GB/s)", "min_rank_throughput (GB/s)",
                 "size_imbalance", "skew in start time", "skew in end time"},
                {}};
    const RunCollectives& run = listing.run();
    const bool isWide = run.ranks.size() <= options.wideRanks;
    if (isWide) {
        for (const RankCalls& rank : run.ranks) {
            for (const char* figure : rankFigures)
                sheet.columns.push_back("rank_" + std::to_string(rank.rank) + "_" + figure);
        }
        for (const RankCalls& rank : run.ranks) {
            for (const char* figure : {"skew in start time", "skew in end time"})
                sheet.columns.push_back("rank_" + std::to_string(rank.rank) + "_" + figure);
        }
    }
    sheet.columns.emplace_back("node_span");
    for (const Uneven& uneven : unevenOf(listing)) {
        const Call& call = *uneven.collective->call;
        const CollectiveTimes& times = uneven.collective->times;
        std::int64_t elements = 0;
        for (const Call* own : uneven.calls)
            elements += own->meta ? own->meta->inElements.value_or(0) : 0;
        const std::vector<double> throughputs = rankThroughputs(uneven, options);
        const auto [least, most] = std::minmax_element(throughputs.begin(), throughputs.end());
        const auto orNull = [&](const auto& at) { return throughputs.empty() ? Value() : Value(*at); };
        Value::Array row{listing.idOf(uneven.collective->instance),
                         textCell(listing.groupName(call)),
                         textCell(listing.groupRanks(call)),
                         textCell(listing.nameOf(call)),
                         call.groupSize > 0 ? Value(call.groupSize) : Value(),
                         textCell(listing.elementType(call)),
                         listing.streamOf(call),
                         uneven.bytes.empty() ? Value() : Value(uneven.allBytes() / bytesPerMebibyte),
                         elements,
                         nsToUs(uneven.wallNs()),
                         nsToUs(uneven.longestNs),
                         nsToUs(uneven.shortestNs),
                         nsToUs(uneven.sumNs) / static_cast<double>(uneven.calls.size()),
                         perTime(uneven, uneven.allBytes(), uneven.wallNs(), options),
                         orNull(most),
                         orNull(least),
                         uneven.imbalance(),
                         nsToUs(times.skewNs()),
                         nsToUs(times.departures.lengthNs())};
        if (isWide)
            addRankCells(listing, uneven, row);
        row.push_back(listing.nodeSpan(call));
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

Sheet unevenSummary(const CollectiveListing& listing, const CollectiveReportOptions& options)
{
    const std::vector<Uneven> all = unevenOf(listing);
    std::map<std::pair<std::uint32_t, std::string_view>, std::vector<const Uneven*>> kinds;
    for (const Uneven& uneven : all) {
        const std::uint32_t group = listing.run().matching.instances[uneven.collective->instance].group;
        kinds[{group, listing.elementType(*uneven.collective->call)}].push_back(&uneven);
    }
    Sheet sheet{"nccl_summary_all2allv", {"Process Group Name", "dtype"}, {}};
    addStatisticsColumns("total data communicated (MB)", sheet.columns);
    addStatisticsColumns("wall_time (us)", sheet.columns);
    sheet.columns.emplace_back("Total wall_time (us)");
    addStatisticsColumns("throughput (GB/s)", sheet.columns);
    for (const char* column :
         {"size_imbalance_mean", "size_imbalance_max", "max_rank_dur (us)_mean", "max_rank_dur (us)_max",
          "skew in start time_mean", "skew in start time_max", "skew in end time_mean",
          "skew in end time_max", "count", "Process Group Ranks", "Collective name", "Group size",
          "Total wall_time (ms)", "node_span"})
        sheet.columns.emplace_back(column);
    for (const auto& [key, members] : kinds) {
        std::vector<double> sizes, walls, throughputs, imbalances, longest, startSkews, endSkews;
        std::int64_t wallNs = 0;
        for (const Uneven* uneven : members) {
            if (!uneven->bytes.empty())
                sizes.push_back(uneven->allBytes() / bytesPerMebibyte);
            walls.push_back(nsToUs(uneven->wallNs()));
            wallNs += uneven->wallNs();
            addNumber(perTime(*uneven, uneven->allBytes(), uneven->wallNs(), options), throughputs);
            addNumber(uneven->imbalance(), imbalances);
            longest.push_back(nsToUs(uneven->longestNs));
            startSkews.push_back(nsToUs(uneven->collective->times.skewNs()));
            endSkews.push_back(nsToUs(uneven->collective->times.departures.lengthNs()));
        }
        const Call& call = *members.front()->collective->call;
        Value::Array row{textCell(listing.groupName(call)), textCell(key.second)};
        addStatistics(sizes, row);
        addStatistics(walls, row);
        row.emplace_back(nsToUs(wallNs));
        addStatistics(throughputs, row);
        for (const std::vector<double>* values : {&imbalances, &longest, &startSkews, &endSkews}) {
            row.push_back(values->empty() ? Value() : Value(meanOf(*values)));
            row.push_back(values->empty() ? Value()
                                          : Value(*std::max_element(values->begin(), values->end())));
        }
        row.emplace_back(static_cast<std::int64_t>(members.size()));
        row.push_back(textCell(listing.groupRanks(call)));
        row.push_back(textCell(listing.nameOf(call)));
        row.push_back(call.groupSize > 0 ? Value(call.groupSize) : Value());
        row.emplace_back(nsToMs(wallNs));
        row.push_back(listing.nodeSpan(call));
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

Sheet unevenTraffic(const CollectiveListing& listing)
{
    Sheet sheet{
        "nccl_all2allv_heatmap", {"src_rank", "dst_rank", "total_sent_MB", "avg_sent_MB", "count"}, {}};
    if (listing.run().ranks.size() > mostTrafficRanks)
        return sheet;
    struct Sent
    {
        double bytes = 0;
        std::int64_t count = 0;
    };
    std::map<std::pair<std::int32_t, std::int32_t>, Sent> traffic;
    for (const ListedCollective& collective : listing.collectives()) {
        if (!collective.isUneven)
            continue;
        for (const CallRef member : listing.membersOf(collective)) {
            const Call& call = listing.run().callOf(member);
            const auto size = elementSizeBytes(listing.elementType(call));
            // PyTorch cuts lists after 30 entries. Truncated lists parse as empty, so missing entries are not
            // made up.
            const std::vector<std::int32_t> parts = parseRankList(listing.inSplit(call));
            const std::vector<std::int32_t> ranks = parseRankList(listing.groupRanks(call));
            if (!size || parts.size() != ranks.size())
                continue;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                Sent& sent = traffic[{listing.run().ranks[member.rank].rank, ranks[i]}];
                sent.bytes += static_cast<double>(parts[i]) * *size;
                ++sent.count;
            }
        }
    }
    for (const auto& [pair, sent] : traffic)
        sheet.rows.push_back({pair.first, pair.second, sent.bytes / bytesPerMebibyte,
                              sent.bytes / bytesPerMebibyte / static_cast<double>(sent.count), sent.count});
    return sheet;
}

} // namespace collscope
