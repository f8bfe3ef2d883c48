// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// All-to-alls whose ranks send different amounts (expert parallelism): how uneven they are, and how much each
// rank sends to each other rank.

#include "metrics/core/statistics.h"
#include "metrics/reports/collective_sheets.h"

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
    std::vector<const Call*> byRank = {}; ///< of a row: by index of the rank; nullptr without a call

    const Call& call() const { return *collective->call; }
    Value groupSize() const { return call().groupSize > 0 ? Value(call().groupSize) : Value(); }
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

Uneven unevenOf(const CollectiveListing& listing, const ListedCollective& collective)
{
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
    return uneven;
}

std::vector<Uneven> unevenOf(const CollectiveListing& listing)
{
    std::vector<Uneven> found;
    for (const ListedCollective& collective : listing.collectives()) {
        if (collective.isUneven)
            found.push_back(unevenOf(listing, collective));
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

struct RankFigure
{
    const char* title;
    std::function<Value(const Uneven& uneven, const Call& call)> cell;
};

/// The figures of each rank, rank by rank; empty on ranks that have no such call.
void addRankColumns(const CollectiveListing& listing, const std::vector<RankFigure>& figures,
                    std::vector<SheetColumn<Uneven>>& columns)
{
    for (std::size_t r = 0; r < listing.run().ranks.size(); ++r) {
        for (const RankFigure& figure : figures)
            columns.push_back({"rank_" + std::to_string(listing.run().ranks[r].rank) + "_" + figure.title,
                               [r, cell = figure.cell](const Uneven& row) {
                                   return row.byRank[r] ? cell(row, *row.byRank[r]) : Value();
                               }});
    }
}

std::int64_t sentElements(const Uneven& uneven)
{
    std::int64_t elements = 0;
    for (const Call* own : uneven.calls)
        elements += CollectiveListing::metaOf(*own).inElements.value_or(0);
    return elements;
}

} // namespace

Sheet unevenSheet(const CollectiveListing& listing, const CollectiveReportOptions& options)
{
    using Row = Uneven;
    const auto metaOf = &CollectiveListing::metaOf;
    const auto throughput
        = [&options](const Row& row) { return perTime(row, row.allBytes(), row.wallNs(), options); };
    std::vector<SheetColumn<Row>> columns{
        {"collective_id", [&](const Row& row) { return Value(listing.idOf(row.collective->instance)); }},
        {"Process Group Name", [&](const Row& row) { return textCell(listing.groupName(row.call())); }},
        {"Process Group Ranks", [&](const Row& row) { return textCell(listing.groupRanks(row.call())); }},
        {"Collective name", [&](const Row& row) { return textCell(listing.nameOf(row.call())); }},
        {"Group size", [](const Row& row) { return row.groupSize(); }},
        {"dtype", [&](const Row& row) { return textCell(listing.elementType(row.call())); }},
        {"stream", [&](const Row& row) { return listing.streamOf(row.call()); }},
        {"total data communicated (MB)",
         [](const Row& row) {
             return row.bytes.empty() ? Value() : Value(row.allBytes() / bytesPerMebibyte);
         }},
        {"total nelems communicated", [](const Row& row) { return Value(sentElements(row)); }},
        {"wall_time (us)", [](const Row& row) { return Value(nsToUs(row.wallNs())); }},
        {"max_rank_dur (us)", [](const Row& row) { return Value(nsToUs(row.longestNs)); }},
        {"min_rank_dur (us)", [](const Row& row) { return Value(nsToUs(row.shortestNs)); }},
        {"avg_rank_dur (us)",
         [](const Row& row) { return Value(nsToUs(row.sumNs) / static_cast<double>(row.calls.size())); }},
        {"throughput (GB/s)", throughput},
        {"max_rank_throughput (GB/s)",
         [&](const Row& row) { return numberCell(statisticsOf(rankThroughputs(row, options)).most); }},
        {"min_rank_throughput (GB/s)",
         [&](const Row& row) { return numberCell(statisticsOf(rankThroughputs(row, options)).least); }},
        {"size_imbalance", [](const Row& row) { return row.imbalance(); }},
        {"skew in start time", [](const Row& row) { return Value(nsToUs(row.collective->times.skewNs())); }},
        {"skew in end time",
         [](const Row& row) { return Value(nsToUs(row.collective->times.departures.lengthNs())); }}};
    if (listing.run().ranks.size() <= options.wideRanks) {
        addRankColumns(
            listing,
            {{"ts", [](const Row&, const Call& own) { return CollectiveListing::ownStartUs(own); }},
             {"dur", [](const Row&, const Call& own) { return nsToUs(own.durationNs()); }},
             {"In msg nelems",
              [=](const Row&, const Call& own) { return countCell(metaOf(own).inElements); }},
             {"Out msg nelems",
              [=](const Row&, const Call& own) { return countCell(metaOf(own).outElements); }},
             {"In msg size (MB)",
              [&listing, metaOf](const Row&, const Call& own) {
                  return listing.mebibytes(own, metaOf(own).inElements);
              }},
             {"Out msg size (MB)",
              [&listing, metaOf](const Row&, const Call& own) {
                  return listing.mebibytes(own, metaOf(own).outElements);
              }},
             {"In split size", [&](const Row&, const Call& own) { return textCell(listing.inSplit(own)); }},
             {"Out split size",
              [&](const Row&, const Call& own) { return textCell(listing.outSplit(own)); }}},
            columns);
        addRankColumns(
            listing,
            {{"skew in start time",
              [&](const Row& row, const Call& own) {
                  return nsToUs(listing.onAxis(own).beginNs - row.collective->times.arrivals.beginNs);
              }},
             {"skew in end time",
              [&](const Row& row, const Call& own) {
                  return nsToUs(row.collective->times.departures.endNs - listing.onAxis(own).endNs);
              }}},
            columns);
    }
    columns.push_back({"node_span", [&](const Row& row) { return listing.nodeSpan(row.call()); }});
    const auto forEach = [&listing](const auto& take) {
        for (const ListedCollective& collective : listing.collectives()) {
            if (!collective.isUneven)
                continue;
            Row row = unevenOf(listing, collective);
            row.byRank.resize(listing.run().ranks.size());
            for (const CallRef member : listing.membersOf(collective))
                row.byRank[member.rank] = &listing.run().callOf(member);
            if (!take(row))
                return;
        }
    };
    const std::vector<ListedCollective>& all = listing.collectives();
    const auto count = std::count_if(all.begin(), all.end(),
                                     [](const ListedCollective& collective) { return collective.isUneven; });
    return streamedSheet("nccl_all2allv", std::move(columns), static_cast<std::size_t>(count), forEach);
}

namespace {

/// The uneven all-to-alls of one group and type.
struct UnevenKind
{
    std::string_view elementType;
    const Uneven* first = nullptr;
    std::int64_t count = 0, wallNs = 0;
    Statistics sizes = {}, walls = {}, throughputs = {}, imbalances = {}, longest = {}, startSkews = {},
               endSkews = {};
};

UnevenKind kindOf(std::string_view elementType, const std::vector<const Uneven*>& members,
                  const CollectiveReportOptions& options)
{
    std::vector<double> sizes, walls, throughputs, imbalances, longest, startSkews, endSkews;
    UnevenKind kind{elementType, members.front(), static_cast<std::int64_t>(members.size())};
    for (const Uneven* uneven : members) {
        if (!uneven->bytes.empty())
            sizes.push_back(uneven->allBytes() / bytesPerMebibyte);
        walls.push_back(nsToUs(uneven->wallNs()));
        kind.wallNs += uneven->wallNs();
        addNumber(perTime(*uneven, uneven->allBytes(), uneven->wallNs(), options), throughputs);
        addNumber(uneven->imbalance(), imbalances);
        longest.push_back(nsToUs(uneven->longestNs));
        startSkews.push_back(nsToUs(uneven->collective->times.skewNs()));
        endSkews.push_back(nsToUs(uneven->collective->times.departures.lengthNs()));
    }
    kind.sizes = statisticsOf(sizes);
    kind.walls = statisticsOf(walls);
    kind.throughputs = statisticsOf(throughputs);
    kind.imbalances = statisticsOf(imbalances);
    kind.longest = statisticsOf(longest);
    kind.startSkews = statisticsOf(startSkews);
    kind.endSkews = statisticsOf(endSkews);
    return kind;
}

} // namespace

Sheet unevenSummary(const CollectiveListing& listing, const CollectiveReportOptions& options)
{
    using Row = UnevenKind;
    const std::vector<Uneven> all = unevenOf(listing);
    std::map<std::pair<std::uint32_t, std::string_view>, std::vector<const Uneven*>> kinds;
    for (const Uneven& uneven : all) {
        const std::uint32_t group = listing.run().matching.instances[uneven.collective->instance].group;
        kinds[{group, listing.elementType(uneven.call())}].push_back(&uneven);
    }
    std::vector<Row> rows;
    for (const auto& [key, members] : kinds)
        rows.push_back(kindOf(key.second, members, options));
    std::vector<SheetColumn<Row>> columns{
        {"Process Group Name",
         [&](const Row& row) { return textCell(listing.groupName(row.first->call())); }},
        {"dtype", [](const Row& row) { return textCell(row.elementType); }}};
    const auto addAll = [&](const char* title, Statistics Row::*spread) {
        addStatistics<Row>(
            title, [spread](const Row& row) { return row.*spread; }, columns);
    };
    const auto addMeanAndMost = [&](const std::string& title, Statistics Row::*spread) {
        columns.push_back(
            {title + "_mean", [spread](const Row& row) { return numberCell((row.*spread).mean); }});
        columns.push_back(
            {title + "_max", [spread](const Row& row) { return numberCell((row.*spread).most); }});
    };
    addAll("total data communicated (MB)", &Row::sizes);
    addAll("wall_time (us)", &Row::walls);
    columns.push_back({"Total wall_time (us)", [](const Row& row) { return Value(nsToUs(row.wallNs)); }});
    addAll("throughput (GB/s)", &Row::throughputs);
    addMeanAndMost("size_imbalance", &Row::imbalances);
    addMeanAndMost("max_rank_dur (us)", &Row::longest);
    addMeanAndMost("skew in start time", &Row::startSkews);
    addMeanAndMost("skew in end time", &Row::endSkews);
    const std::vector<SheetColumn<Row>> last{
        {"count", [](const Row& row) { return Value(row.count); }},
        {"Process Group Ranks",
         [&](const Row& row) { return textCell(listing.groupRanks(row.first->call())); }},
        {"Collective name", [&](const Row& row) { return textCell(listing.nameOf(row.first->call())); }},
        {"Group size", [](const Row& row) { return row.first->groupSize(); }},
        {"Total wall_time (ms)", [](const Row& row) { return Value(nsToMs(row.wallNs)); }},
        {"node_span", [&](const Row& row) { return listing.nodeSpan(row.first->call()); }}};
    columns.insert(columns.end(), last.begin(), last.end());
    return sheetOf("nccl_summary_all2allv", columns, rows, SheetKind::UnevenCollectives);
}

Sheet unevenTraffic(const CollectiveListing& listing)
{
    struct Sent
    {
        double bytes = 0;
        std::int64_t count = 0;
    };
    using Traffic = std::map<std::pair<std::int32_t, std::int32_t>, Sent>; // by sender and receiver
    Traffic traffic;
    for (const ListedCollective& collective : listing.collectives()) {
        if (!collective.isUneven || listing.run().ranks.size() > mostTrafficRanks)
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
    using Row = Traffic::value_type;
    return sheetOf<Row>(
        "nccl_all2allv_heatmap",
        {{"src_rank", [](const Row& row) { return Value(row.first.first); }},
         {"dst_rank", [](const Row& row) { return Value(row.first.second); }},
         {"total_sent_MB", [](const Row& row) { return Value(row.second.bytes / bytesPerMebibyte); }},
         {"avg_sent_MB",
          [](const Row& row) {
              return Value(row.second.bytes / bytesPerMebibyte / static_cast<double>(row.second.count));
          }},
         {"count", [](const Row& row) { return Value(row.second.count); }}},
        traffic);
}

} // namespace collscope
