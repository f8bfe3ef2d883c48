// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/collective_report.h"

#include "metrics/reports/collective_sheets.h"
#include "metrics/reports/reused_reports.h"
#include "metrics/statistics.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr double gigabyte = 1e9;
constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;

Value::Array& newRow(Sheet& sheet)
{
    sheet.rows.emplace_back();
    sheet.rows.back().reserve(sheet.columns.size());
    return sheet.rows.back();
}

/// Adds per-rank columns to a wide sheet, one per rank for a kind of value.
void addRankColumns(const CollectiveListing& listing, const char* figure, std::vector<std::string>& columns)
{
    for (const RankCalls& rank : listing.run().ranks)
        columns.push_back("rank_" + std::to_string(rank.rank) + "_" + figure);
}

std::string_view confidenceOf(const CollectiveListing& listing, std::uint32_t instance)
{
    return matchConfidenceName(listing.run().matching.instances[instance].confidence);
}

std::string_view ruleOf(const CollectiveListing& listing, std::uint32_t instance)
{
    return matchRuleName(listing.run().matching.instances[instance].rule);
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

void addStatistics(std::vector<double> values, Value::Array& row)
{
    if (values.empty()) {
        row.resize(row.size() + 4);
        return;
    }
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    row.emplace_back(meanOf(values));
    row.emplace_back(medianOf(values));
    row.emplace_back(*least);
    row.emplace_back(*most);
}

void addStatisticsColumns(const std::string& name, std::vector<std::string>& columns)
{
    for (const char* statistic : {"_mean", "_median", "_min", "_max"})
        columns.push_back(name + statistic);
}

Sheet longSheet(const CollectiveListing& listing)
{
    Sheet sheet{"nccl_long",
                {"collective_id",
                 "index_in_group",
                 "rank",
                 "Process Group Name",
                 "Process Group Ranks",
                 "Collective name",
                 "Group size",
                 "dtype",
                 "In msg nelems",
                 "In msg size (MB)",
                 "Out msg nelems",
                 "Out msg size (MB)",
                 "In split size",
                 "Out split size",
                 "stream",
                 "ts",
                 "dur",
                 "node_id",
                 "node_span",
                 "Process Group Description",
                 "Seq",
                 "matched by",
                 "match confidence"},
                {}};
    const RunCollectives& run = listing.run();
    for (std::uint32_t r = 0; r < run.ranks.size(); ++r) {
        const RankCalls& rank = run.ranks[r];
        for (std::uint32_t c = 0; c < rank.calls.size(); ++c) {
            const Call& call = rank.calls[c];
            const CollectiveCall& meta = listing.metaOf(call);
            const auto instance = listing.instanceOf({r, c});
            Value::Array& row = newRow(sheet);
            row.push_back(instance ? Value(listing.idOf(*instance)) : Value());
            row.push_back(instance ? Value(listing.ordinalOf(*instance)) : Value());
            row.emplace_back(rank.rank);
            row.push_back(textCell(listing.groupName(call)));
            row.push_back(textCell(listing.groupRanks(call)));
            row.emplace_back(listing.nameOf(call));
            row.push_back(call.groupSize > 0 ? Value(call.groupSize) : Value());
            row.push_back(textCell(listing.elementType(call)));
            row.push_back(countCell(meta.inElements));
            row.push_back(listing.mebibytes(call, meta.inElements));
            row.push_back(countCell(meta.outElements));
            row.push_back(listing.mebibytes(call, meta.outElements));
            row.push_back(textCell(listing.inSplit(call)));
            row.push_back(textCell(listing.outSplit(call)));
            row.push_back(listing.streamOf(call));
            row.emplace_back(listing.ownStartUs(call));
            row.emplace_back(nsToUs(call.durationNs()));
            row.push_back(listing.nodeOf(rank.rank));
            row.push_back(listing.nodeSpan(call));
            row.push_back(textCell(listing.groupDescription(call)));
            row.push_back(countCell(meta.sequence));
            row.push_back(instance && run.matching.instances[*instance].memberCount > 1
                              ? Value(ruleOf(listing, *instance))
                              : Value());
            row.push_back(instance && run.matching.instances[*instance].memberCount > 1
                              ? Value(confidenceOf(listing, *instance))
                              : Value());
        }
    }
    return sheet;
}

Sheet implicitSyncSheet(const CollectiveListing& listing, const CollectiveReportOptions& options)
{
    Sheet sheet{"nccl_implicit_sync",
                {"collective_id", "Process Group Name", "Process Group Ranks", "Collective name",
                 "Group size", "dtype", "In msg nelems", "Out msg nelems", "In msg size (MB)",
                 "Out msg size (MB)", "Full msg size (MB)", "comm_latency", "skew in start time",
                 "earliest arrival rank", "avg_wait_time", "skew in end time", "algo bw (GB/s)",
                 "bus bw (GB/s)"},
                {}};
    const RunCollectives& run = listing.run();
    const bool isWide = run.ranks.size() <= options.wideRanks;
    if (isWide) {
        for (const RankCalls& rank : run.ranks) {
            const std::string prefix = "rank_" + std::to_string(rank.rank);
            sheet.columns.push_back(prefix + "_ts");
            sheet.columns.push_back(prefix + "_dur");
        }
        addRankColumns(listing, "wait_time", sheet.columns);
    }
    for (const char* column : {"node_span", "Process Group Description", "latest arrival rank",
                               "ranks present", "mean wait by duration", "matched by", "match confidence"})
        sheet.columns.emplace_back(column);

    std::vector<Value> starts(run.ranks.size()), durations(run.ranks.size()), waits(run.ranks.size());
    for (const ListedCollective& collective : listing.collectives()) {
        if (!collective.waitsForAll)
            continue;
        const Call& call = *collective.call;
        const CollectiveCall& meta = listing.metaOf(call);
        const auto members = listing.membersOf(collective);
        const auto rankOf = [&](std::uint32_t member) { return run.ranks[members[member].rank].rank; };
        const auto count = static_cast<double>(members.size());
        Value::Array& row = newRow(sheet);
        row.emplace_back(listing.idOf(collective.instance));
        row.push_back(textCell(listing.groupName(call)));
        row.push_back(textCell(listing.groupRanks(call)));
        row.emplace_back(listing.nameOf(call));
        row.push_back(call.groupSize > 0 ? Value(call.groupSize) : Value());
        row.push_back(textCell(listing.elementType(call)));
        row.push_back(countCell(meta.inElements));
        row.push_back(countCell(meta.outElements));
        row.push_back(listing.mebibytes(call, meta.inElements));
        row.push_back(listing.mebibytes(call, meta.outElements));
        row.push_back(listing.fullMebibytes(call));
        row.emplace_back(nsToUs(collective.times.transferNs));
        row.emplace_back(nsToUs(collective.times.skewNs()));
        row.emplace_back(rankOf(collective.times.first));
        row.push_back(collective.times.tellsWaits ? Value(nsToUs(collective.times.waitNs) / count) : Value());
        row.emplace_back(nsToUs(collective.times.departures.lengthNs()));
        row.push_back(algorithmBandwidthCell(collective, options));
        row.push_back(busBandwidthCell(collective, options));
        std::int64_t waitByDuration = 0;
        std::fill(starts.begin(), starts.end(), Value());
        std::fill(durations.begin(), durations.end(), Value());
        std::fill(waits.begin(), waits.end(), Value());
        for (std::size_t m = 0; m < members.size(); ++m) {
            const CallRef member = members[m];
            const Call& own = run.callOf(member);
            waitByDuration += own.durationNs() - collective.times.transferNs;
            starts[member.rank] = listing.ownStartUs(own);
            durations[member.rank] = nsToUs(own.durationNs());
            if (m < collective.waits.size())
                waits[member.rank] = nsToUs(collective.waits[m]);
        }
        for (std::size_t r = 0; isWide && r < starts.size(); ++r) {
            row.push_back(starts[r]);
            row.push_back(durations[r]);
        }
        if (isWide)
            row.insert(row.end(), waits.begin(), waits.end());
        row.push_back(listing.nodeSpan(call));
        row.push_back(textCell(listing.groupDescription(call)));
        row.emplace_back(rankOf(collective.times.last));
        row.emplace_back(static_cast<std::int64_t>(members.size()));
        row.push_back(collective.times.tellsWaits ? Value(nsToUs(waitByDuration) / count) : Value());
        row.emplace_back(ruleOf(listing, collective.instance));
        row.emplace_back(confidenceOf(listing, collective.instance));
    }
    return sheet;
}

Sheet stragglerSheet(const CollectiveListing& listing, bool byDuration)
{
    struct Sums
    {
        std::int64_t waitNs = 0, waitByDurationNs = 0, last = 0, first = 0, collectives = 0;
    };
    const RunCollectives& run = listing.run();
    std::vector<Sums> sums(run.ranks.size());
    for (const ListedCollective& collective : listing.collectives()) {
        if (!collective.waitsForAll || !collective.times.tellsWaits)
            continue;
        const auto members = listing.membersOf(collective);
        for (std::uint32_t m = 0; m < members.size(); ++m) {
            const Call& call = run.callOf(members[m]);
            Sums& own = sums[members[m].rank];
            own.waitNs += collective.waits[m];
            own.waitByDurationNs += call.durationNs() - collective.times.transferNs;
            own.last += m == collective.times.last ? 1 : 0;
            own.first += m == collective.times.first ? 1 : 0;
            ++own.collectives;
        }
    }
    Sheet sheet{"straggler_summary",
                {"rank", "total_wait_time_us", "mean_wait_time_us", "times_arrived_last",
                 "times_arrived_first", "pct_arrived_last", "num_collectives", "total_nccl_dur_us", "node_id",
                 "total_wait_by_duration_us"},
                {}};
    std::vector<std::size_t> order(sums.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return byDuration ? sums[a].waitByDurationNs < sums[b].waitByDurationNs
                          : sums[a].waitNs < sums[b].waitNs;
    });
    for (const std::size_t r : order) {
        const Sums& own = sums[r];
        const auto count = static_cast<double>(own.collectives);
        std::int64_t allNs = 0;
        for (const Call& call : run.ranks[r].calls)
            allNs += call.durationNs();
        const auto mean = ratio(nsToUs(own.waitNs), count);
        const auto share = ratio(static_cast<double>(own.last), count, 100.0);
        Value::Array& row = newRow(sheet);
        row.emplace_back(run.ranks[r].rank);
        const bool isMeasured = own.collectives > 0;
        row.push_back(isMeasured ? Value(nsToUs(own.waitNs)) : Value());
        row.push_back(mean ? Value(*mean) : Value());
        row.emplace_back(own.last);
        row.emplace_back(own.first);
        row.push_back(share ? Value(*share) : Value());
        row.emplace_back(own.collectives);
        row.emplace_back(nsToUs(allNs));
        row.push_back(listing.nodeOf(run.ranks[r].rank));
        row.push_back(isMeasured ? Value(nsToUs(own.waitByDurationNs)) : Value());
    }
    return sheet;
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
    Sheet sheet{"unmatched",
                {"rank", "Collective name", "Process Group Name", "dtype", "In msg nelems", "stream", "ts",
                 "dur", "reason"},
                {}};
    const RunCollectives& run = listing.run();
    for (const Unmatched& unmatched : run.matching.unmatched) {
        const Call& call = run.callOf(unmatched.call);
        Value::Array& row = newRow(sheet);
        row.emplace_back(run.ranks[unmatched.call.rank].rank);
        row.emplace_back(listing.nameOf(call));
        row.push_back(textCell(listing.groupName(call)));
        row.push_back(textCell(listing.elementType(call)));
        row.push_back(call.meta ? countCell(call.meta->inElements) : Value());
        row.push_back(listing.streamOf(call));
        row.emplace_back(listing.ownStartUs(call));
        row.emplace_back(nsToUs(call.durationNs()));
        row.emplace_back(unmatchedReasonText(unmatched.reason));
    }
    return sheet;
}

Workbook collectiveReport(Analysis& analysis, const CollectiveReportOptions& options)
{
    const CollectiveListing listing(analysis);
    const ClockAlignment& clocks = listing.run().clocks;
    const ClockChoice choice = analysis.options().clocks;
    const bool byDuration = clocks.fitsPoorly(choice);
    Workbook book;
    const auto add = [&book](Sheet sheet) {
        if (!sheet.isEmpty())
            book.sheets.push_back(std::move(sheet));
    };
    add(implicitSyncSummary(listing, options));
    add(longSummary(listing));
    add(unevenSummary(listing, options));
    if (!options.summariesOnly) {
        add(unevenTraffic(listing));
        add(longSheet(listing));
        add(implicitSyncSheet(listing, options));
        add(unevenSheet(listing, options));
    }
    const bool hasCalls = listing.run().matching.calls > 0;
    if (hasCalls) // Otherwise a sheet with one row per rank would look like a report.
        add(stragglerSheet(listing, byDuration));
    if (!options.summariesOnly)
        add(unmatchedSheet(listing));
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
