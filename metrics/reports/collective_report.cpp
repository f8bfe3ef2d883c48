// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/collective_report.h"

#include "metrics/core/statistics.h"
#include "metrics/reports/collective_sheets.h"
#include "metrics/reports/reused_reports.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr double gigabyte = 1e9;
constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;

/// How well the match of a collective is known; empty for a call without partners.
Value confidenceOf(const CollectiveListing& listing, std::optional<std::uint32_t> instance)
{
    const auto& instances = listing.run().matching.instances;
    return instance && instances[*instance].memberCount > 1
        ? Value(matchConfidenceName(instances[*instance].confidence))
        : Value();
}

Value ruleOf(const CollectiveListing& listing, std::optional<std::uint32_t> instance)
{
    const auto& instances = listing.run().matching.instances;
    return instance && instances[*instance].memberCount > 1 ? Value(matchRuleName(instances[*instance].rule))
                                                            : Value();
}

Value groupSizeOf(const Call& call)
{
    return call.groupSize > 0 ? Value(call.groupSize) : Value();
}

} // namespace

double bandwidthOf(double bytes, std::int64_t ns, const CollectiveReportOptions& options)
{
    return bytes / (options.gibCompat ? gibibyte : gigabyte) / nsToSeconds(ns);
}

Value algorithmBandwidthCell(const ListedCollective& collective, const CollectiveReportOptions& options)
{
    const auto& bytes = collective.call->bytes;
    if (!bytes || collective.times.transferNs <= 0)
        return {};
    return bandwidthOf(static_cast<double>(*bytes), collective.times.transferNs, options);
}

Value busBandwidthCell(const ListedCollective& collective, const CollectiveReportOptions& options)
{
    const Value algorithm = algorithmBandwidthCell(collective, options);
    const auto factor = busFactor(collective.call->kind, collective.call->groupSize);
    const auto* const value = algorithm.as<double>();
    return value && factor ? Value(*value * *factor) : Value();
}

void addNumber(const Value& cell, std::vector<double>& values)
{
    if (const auto* value = cell.as<double>())
        values.push_back(*value);
}

Statistics statisticsOf(std::vector<double> values)
{
    if (values.empty())
        return {};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {meanOf(values), medianOf(values), *least, *most};
}

Sheet longSheet(const CollectiveListing& listing)
{
    struct Row
    {
        std::int32_t rank;
        const Call& call;
        const CollectiveCall& meta;
        std::optional<std::uint32_t> instance;
    };
    std::vector<SheetColumn<Row>> columns{
        {"collective_id",
         [&](const Row& row) { return row.instance ? Value(listing.idOf(*row.instance)) : Value(); }},
        {"index_in_group",
         [&](const Row& row) { return row.instance ? Value(listing.ordinalOf(*row.instance)) : Value(); }},
        {"rank", [](const Row& row) { return Value(row.rank); }},
        {"Process Group Name", [&](const Row& row) { return textCell(listing.groupName(row.call)); }},
        {"Process Group Ranks", [&](const Row& row) { return textCell(listing.groupRanks(row.call)); }},
        {"Collective name", [&](const Row& row) { return Value(listing.nameOf(row.call)); }},
        {"Group size", [](const Row& row) { return groupSizeOf(row.call); }},
        {"dtype", [&](const Row& row) { return textCell(listing.elementType(row.call)); }},
        {"In msg nelems", [](const Row& row) { return countCell(row.meta.inElements); }},
        {"In msg size (MB)",
         [&](const Row& row) { return listing.mebibytes(row.call, row.meta.inElements); }},
        {"Out msg nelems", [](const Row& row) { return countCell(row.meta.outElements); }},
        {"Out msg size (MB)",
         [&](const Row& row) { return listing.mebibytes(row.call, row.meta.outElements); }},
        {"In split size", [&](const Row& row) { return textCell(listing.inSplit(row.call)); }},
        {"Out split size", [&](const Row& row) { return textCell(listing.outSplit(row.call)); }},
        {"stream", [&](const Row& row) { return listing.streamOf(row.call); }},
        {"ts", [](const Row& row) { return Value(CollectiveListing::ownStartUs(row.call)); }},
        {"dur", [](const Row& row) { return Value(nsToUs(row.call.durationNs())); }},
        {"node_id", [&](const Row& row) { return listing.nodeOf(row.rank); }},
        {"node_span", [&](const Row& row) { return listing.nodeSpan(row.call); }},
        {"Process Group Description",
         [&](const Row& row) { return textCell(listing.groupDescription(row.call)); }},
        {"Seq", [](const Row& row) { return countCell(row.meta.sequence); }},
        {"matched by", [&](const Row& row) { return ruleOf(listing, row.instance); }},
        {"match confidence", [&](const Row& row) { return confidenceOf(listing, row.instance); }}};
    const auto forEach = [&listing](const auto& take) {
        const RunCollectives& run = listing.run();
        for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
            for (std::uint32_t c = 0; c < run.ranks[r].calls.size(); ++c) {
                const Call& call = run.ranks[r].calls[c];
                if (!take(Row{run.ranks[r].rank, call, listing.metaOf(call), listing.instanceOf({r, c})}))
                    return;
            }
        }
    };
    std::size_t calls = 0;
    for (const RankCalls& rank : listing.run().ranks)
        calls += rank.calls.size();
    return streamedSheet("nccl_long", std::move(columns), calls, forEach);
}

namespace {

/// A collective in which all ranks wait for all, with figures of each rank of the run, in us.
struct SyncRow
{
    const ListedCollective& collective;
    const Call& call; ///< of its lowest rank
    const CollectiveCall& meta;
    std::int64_t members;
    std::int32_t first, last; ///< ranks
    std::int64_t waitByDurationNs = 0;
    std::vector<std::optional<double>> starts, durations, waits;
};

SyncRow syncRow(const CollectiveListing& listing, const ListedCollective& collective)
{
    const RunCollectives& run = listing.run();
    const auto members = listing.membersOf(collective);
    const auto rankOf = [&](std::uint32_t member) { return run.ranks[members[member].rank].rank; };
    const std::vector<std::optional<double>> none(run.ranks.size());
    SyncRow row{collective,
                *collective.call,
                listing.metaOf(*collective.call),
                static_cast<std::int64_t>(members.size()),
                rankOf(collective.times.first),
                rankOf(collective.times.last),
                0,
                none,
                none,
                none};
    for (std::size_t m = 0; m < members.size(); ++m) {
        const Call& own = run.callOf(members[m]);
        row.waitByDurationNs += own.durationNs() - collective.times.transferNs;
        row.starts[members[m].rank] = listing.ownStartUs(own);
        row.durations[members[m].rank] = nsToUs(own.durationNs());
        if (m < collective.waits.size())
            row.waits[members[m].rank] = nsToUs(collective.waits[m]);
    }
    return row;
}

/// A figure of each rank, rank by rank.
void addRankColumns(const CollectiveListing& listing, std::vector<SheetColumn<SyncRow>>& columns)
{
    const auto add
        = [&](std::size_t r, const char* figure, std::vector<std::optional<double>> SyncRow::*member) {
              columns.push_back({"rank_" + std::to_string(listing.run().ranks[r].rank) + "_" + figure,
                                 [r, member](const SyncRow& row) { return numberCell((row.*member)[r]); }});
          };
    const std::size_t ranks = listing.run().ranks.size();
    for (std::size_t r = 0; r < ranks; ++r) {
        add(r, "ts", &SyncRow::starts);
        add(r, "dur", &SyncRow::durations);
    }
    for (std::size_t r = 0; r < ranks; ++r)
        add(r, "wait_time", &SyncRow::waits);
}

} // namespace

Sheet implicitSyncSheet(const CollectiveListing& listing, const CollectiveReportOptions& options)
{
    using Row = SyncRow;
    const auto perMember = [](const Row& row, std::int64_t ns) {
        return row.collective.times.tellsWaits ? Value(nsToUs(ns) / static_cast<double>(row.members))
                                               : Value();
    };
    std::vector<SheetColumn<Row>> columns{
        {"collective_id", [&](const Row& row) { return Value(listing.idOf(row.collective.instance)); }},
        {"Process Group Name", [&](const Row& row) { return textCell(listing.groupName(row.call)); }},
        {"Process Group Ranks", [&](const Row& row) { return textCell(listing.groupRanks(row.call)); }},
        {"Collective name", [&](const Row& row) { return Value(listing.nameOf(row.call)); }},
        {"Group size", [](const Row& row) { return groupSizeOf(row.call); }},
        {"dtype", [&](const Row& row) { return textCell(listing.elementType(row.call)); }},
        {"In msg nelems", [](const Row& row) { return countCell(row.meta.inElements); }},
        {"Out msg nelems", [](const Row& row) { return countCell(row.meta.outElements); }},
        {"In msg size (MB)",
         [&](const Row& row) { return listing.mebibytes(row.call, row.meta.inElements); }},
        {"Out msg size (MB)",
         [&](const Row& row) { return listing.mebibytes(row.call, row.meta.outElements); }},
        {"Full msg size (MB)", [&](const Row& row) { return listing.fullMebibytes(row.call); }},
        {"comm_latency", [](const Row& row) { return Value(nsToUs(row.collective.times.transferNs)); }},
        {"skew in start time", [](const Row& row) { return Value(nsToUs(row.collective.times.skewNs())); }},
        {"earliest arrival rank", [](const Row& row) { return Value(row.first); }},
        {"avg_wait_time",
         [perMember](const Row& row) { return perMember(row, row.collective.times.waitNs); }},
        {"skew in end time",
         [](const Row& row) { return Value(nsToUs(row.collective.times.departures.lengthNs())); }},
        {"algo bw (GB/s)", [&](const Row& row) { return algorithmBandwidthCell(row.collective, options); }},
        {"bus bw (GB/s)", [&](const Row& row) { return busBandwidthCell(row.collective, options); }}};
    if (listing.run().ranks.size() <= options.wideRanks)
        addRankColumns(listing, columns);
    const std::vector<SheetColumn<Row>> last{
        {"node_span", [&](const Row& row) { return listing.nodeSpan(row.call); }},
        {"Process Group Description",
         [&](const Row& row) { return textCell(listing.groupDescription(row.call)); }},
        {"latest arrival rank", [](const Row& row) { return Value(row.last); }},
        {"ranks present", [](const Row& row) { return Value(row.members); }},
        {"mean wait by duration",
         [perMember](const Row& row) { return perMember(row, row.waitByDurationNs); }},
        {"matched by", [&](const Row& row) { return ruleOf(listing, row.collective.instance); }},
        {"match confidence", [&](const Row& row) { return confidenceOf(listing, row.collective.instance); }}};
    columns.insert(columns.end(), last.begin(), last.end());
    const auto forEach = [&listing](const auto& take) {
        for (const ListedCollective& collective : listing.collectives()) {
            if (collective.waitsForAll && !take(syncRow(listing, collective)))
                return;
        }
    };
    const std::vector<ListedCollective>& all = listing.collectives();
    const auto count = std::count_if(
        all.begin(), all.end(), [](const ListedCollective& collective) { return collective.waitsForAll; });
    return streamedSheet("nccl_implicit_sync", std::move(columns), static_cast<std::size_t>(count), forEach);
}

namespace {

/// What a rank waited for others, and others for it.
struct RankWaits
{
    std::int32_t rank = 0;
    std::int64_t waitNs = 0, waitByDurationNs = 0, last = 0, first = 0, collectives = 0, callsNs = 0;
};

std::vector<RankWaits> rankWaits(const CollectiveListing& listing)
{
    const RunCollectives& run = listing.run();
    std::vector<RankWaits> waits;
    for (const RankCalls& rank : run.ranks) {
        RankWaits& own = waits.emplace_back(RankWaits{rank.rank});
        for (const Call& call : rank.calls)
            own.callsNs += call.durationNs();
    }
    for (const ListedCollective& collective : listing.collectives()) {
        if (!collective.waitsForAll || !collective.times.tellsWaits)
            continue;
        const auto members = listing.membersOf(collective);
        for (std::uint32_t m = 0; m < members.size(); ++m) {
            RankWaits& own = waits[members[m].rank];
            own.waitNs += collective.waits[m];
            own.waitByDurationNs += run.callOf(members[m]).durationNs() - collective.times.transferNs;
            own.last += m == collective.times.last ? 1 : 0;
            own.first += m == collective.times.first ? 1 : 0;
            ++own.collectives;
        }
    }
    return waits;
}

} // namespace

Sheet stragglerSheet(const CollectiveListing& listing, bool byDuration)
{
    using Row = RankWaits;
    std::vector<Row> rows = rankWaits(listing);
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
        return byDuration ? a.waitByDurationNs < b.waitByDurationNs : a.waitNs < b.waitNs;
    });
    const auto perCollective = [](const Row& row, double value, double factor) {
        return numberCell(ratio(value, static_cast<double>(row.collectives), factor));
    };
    const auto measured
        = [](const Row& row, std::int64_t ns) { return row.collectives > 0 ? Value(nsToUs(ns)) : Value(); };
    const std::vector<SheetColumn<Row>> columns{
        {"rank", [](const Row& row) { return Value(row.rank); }},
        {"total_wait_time_us", [&](const Row& row) { return measured(row, row.waitNs); }},
        {"mean_wait_time_us", [&](const Row& row) { return perCollective(row, nsToUs(row.waitNs), 1.0); }},
        {"times_arrived_last", [](const Row& row) { return Value(row.last); }},
        {"times_arrived_first", [](const Row& row) { return Value(row.first); }},
        {"pct_arrived_last",
         [&](const Row& row) { return perCollective(row, static_cast<double>(row.last), 100.0); }},
        {"num_collectives", [](const Row& row) { return Value(row.collectives); }},
        {"total_nccl_dur_us", [](const Row& row) { return Value(nsToUs(row.callsNs)); }},
        {"node_id", [&](const Row& row) { return listing.nodeOf(row.rank); }},
        {"total_wait_by_duration_us", [&](const Row& row) { return measured(row, row.waitByDurationNs); }}};
    return sheetOf("straggler_summary", columns, rows, SheetKind::Stragglers);
}

/// Note on collectives without data from some ranks of their group; empty if there are none.
std::string partialNote(const Matching& matching)
{
    std::int64_t all = 0, partial = 0;
    for (const CollectiveInstance& instance : matching.instances) {
        all += instance.memberCount > 1 ? 1 : 0;
        partial += instance.memberCount > 1 && !instance.isWhole ? 1 : 0;
    }
    return partial == 0 ? std::string()
                        : std::to_string(partial) + " of " + countText(all, "collective")
            + " have no data from some ranks of their group (trace not loaded, or no matching call): last "
              "rank, waits, latencies and bandwidths of these collectives are based on the available ranks "
              "and may include waiting for the missing ranks.";
}

Sheet unmatchedSheet(const CollectiveListing& listing)
{
    struct Row
    {
        std::int32_t rank;
        const Call& call;
        UnmatchedReason reason;
    };
    const auto forEach = [&listing](const auto& take) {
        const RunCollectives& run = listing.run();
        for (const Unmatched& unmatched : run.matching.unmatched) {
            if (!take(Row{run.ranks[unmatched.call.rank].rank, run.callOf(unmatched.call), unmatched.reason}))
                return;
        }
    };
    return streamedSheet<Row>(
        "unmatched",
        {{"rank", [](const Row& row) { return Value(row.rank); }},
         {"Collective name", [&](const Row& row) { return Value(listing.nameOf(row.call)); }},
         {"Process Group Name", [&](const Row& row) { return textCell(listing.groupName(row.call)); }},
         {"dtype", [&](const Row& row) { return textCell(listing.elementType(row.call)); }},
         {"In msg nelems",
          [](const Row& row) { return countCell(CollectiveListing::metaOf(row.call).inElements); }},
         {"stream", [&](const Row& row) { return listing.streamOf(row.call); }},
         {"ts", [](const Row& row) { return Value(CollectiveListing::ownStartUs(row.call)); }},
         {"dur", [](const Row& row) { return Value(nsToUs(row.call.durationNs())); }},
         {"reason", [](const Row& row) { return Value(unmatchedReasonText(row.reason)); }}},
        listing.run().matching.unmatched.size(), forEach);
}

namespace {

/// What the sheets of a report are made from, as long as one of them is a stream.
struct ReportSource
{
    ReportSource(Analysis& analysis, const CollectiveReportOptions& chosen)
        : listing(analysis)
        , options(chosen)
    { }

    CollectiveListing listing;
    CollectiveReportOptions options;
};

} // namespace

Workbook collectiveReport(Analysis& analysis, const CollectiveReportOptions& options, RunValues& values)
{
    const auto source = std::make_shared<const ReportSource>(analysis, options);
    const CollectiveListing& listing = source->listing;
    const ClockAlignment& clocks = listing.run().clocks;
    const ClockChoice choice = analysis.options().clocks;
    const bool byDuration = clocks.fitsPoorly(choice);
    Workbook book;
    const auto add = [&book](Sheet sheet) {
        if (!sheet.isEmpty())
            book.sheets.push_back(std::move(sheet));
    };
    add(implicitSyncSummary(listing, options, values));
    add(longSummary(listing, values));
    add(unevenSummary(listing, options));
    const auto addRows = [&](Sheet sheet) {
        if (options.streamsRows)
            sheet.stream = std::make_shared<const RowStream>(
                RowStream{sheet.stream->count, sheet.stream->make, source});
        else
            sheet.keepRows();
        add(std::move(sheet));
    };
    if (!options.summariesOnly) {
        add(unevenTraffic(listing));
        addRows(longSheet(listing));
        addRows(implicitSyncSheet(listing, source->options));
        addRows(unevenSheet(listing, source->options));
    }
    const bool hasCalls = listing.run().matching.calls > 0;
    if (hasCalls) // Otherwise a sheet with one row per rank would look like a report.
        add(stragglerSheet(listing, byDuration));
    if (!options.summariesOnly)
        addRows(unmatchedSheet(listing));
    // A run without calls has nothing to match, and no matching rule.
    if (hasCalls)
        book.notes.push_back("Calls are matched across the ranks " + listing.run().matching.rule + ": "
                             + std::to_string(listing.run().matching.matchedCalls()) + " of "
                             + std::to_string(listing.run().matching.calls) + ".");
    if (std::string note = partialNote(listing.run().matching); !note.empty())
        book.notes.push_back(std::move(note));
    book.notes.push_back(clocks.summary(choice));
    if (byDuration)
        book.notes.emplace_back("The clocks are poorly aligned: straggler_summary is sorted by waits derived "
                                "from durations, which do not depend on clocks.");
    book.notes.push_back(bandwidthNote(options.gibCompat));
    const std::vector<std::string>& warnings = listing.run().matching.warnings;
    book.notes.insert(book.notes.end(), warnings.begin(), warnings.end());
    return book;
}

} // namespace collscope
