// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Compares kinds of collectives, and of the calls of each rank, of two runs.

#include "metrics/comparison/comparison.h"

#include <utility>

namespace collscope {

namespace {

/// A compared figure of a kind of collectives or calls.
template<typename Row>
struct Figure
{
    const char* name;
    std::optional<double> Row::*value;
    MetricDirection direction;
    TimeUnit unit = TimeUnit::Ms;
    bool hasPercent = true; ///< false for counts
    bool isTotal = false; ///< a sum over the calls: no verdict if the runs have different numbers of them
};

constexpr Figure<CollectiveKindRow> collectiveFigures[]
    = {{"comm_latency_mean", &CollectiveKindRow::latencyUs, MetricDirection::LowerIsBetter, TimeUnit::Us},
       {"algo bw (GB/s)_mean", &CollectiveKindRow::algorithmBandwidth, MetricDirection::HigherIsBetter},
       {"bus bw (GB/s)_mean", &CollectiveKindRow::busBandwidth, MetricDirection::HigherIsBetter},
       {"Total comm latency (ms)", &CollectiveKindRow::totalMs, MetricDirection::LowerIsBetter},
       {"count", &CollectiveKindRow::count, MetricDirection::Neutral, TimeUnit::Ms, false}};
constexpr Figure<CallKindRow> callFigures[]
    = {{"dur_sum", &CallKindRow::sumUs, MetricDirection::LowerIsBetter, TimeUnit::Us, true, true},
       {"dur_mean", &CallKindRow::meanUs, MetricDirection::LowerIsBetter, TimeUnit::Us},
       {"dur_max", &CallKindRow::maxUs, MetricDirection::LowerIsBetter, TimeUnit::Us},
       {"operation_count", &CallKindRow::count, MetricDirection::Neutral, TimeUnit::Ms, false}};

/// The members of a kind that all existing tables know: reports of older tools lack some.
template<typename Row>
CallKeys sharedKeys(const std::vector<const std::optional<KindTable<Row>>*>& tables)
{
    CallKeys shared = allCallKeys;
    for (const auto* table : tables)
        shared &= *table ? (*table)->known : allCallKeys;
    return shared;
}

/// Joins rows of two runs by their kinds, the largest change first.
template<typename Row>
std::vector<ComparedCalls> comparedCalls(const std::optional<KindTable<Row>>& base,
                                         const std::optional<KindTable<Row>>& test,
                                         std::span<const CallKey> keys, std::span<const Figure<Row>> figures,
                                         const CompareOptions& options)
{
    const CallKeys known = sharedKeys<Row>({&base, &test});
    const auto keyOf = [&](const Row& row) { return restricted(row.kind, keys, known); };
    const auto rowsOf = [](const auto& table) { return table ? &table->rows : nullptr; };
    std::vector<ComparedCalls> compared;
    for (const auto& rows : joinedRows<Row>({rowsOf(base), rowsOf(test)}, keyOf)) {
        ComparedCalls own{keyOf(anyOf(rows)), known, {}};
        const auto figureOf
            = [](const Row* row, auto member) { return row ? row->*member : std::optional<double>(); };
        const bool areEqual = figureOf(rows[0], &Row::count) == figureOf(rows[1], &Row::count);
        bool isJudged = false;
        for (const Figure<Row>& figure : figures) {
            const Delta& delta = own.figures.emplace_back(
                deltaOf(figureOf(rows[0], figure.value), figureOf(rows[1], figure.value),
                        {options.thresholdPercent, figure.direction}));
            // The status of a row is the status of its first value: the duration of the calls.
            const bool isOfOne = delta.status == DeltaStatus::New || delta.status == DeltaStatus::Gone;
            if (!std::exchange(isJudged, isJudged || !figure.isTotal || areEqual || isOfOne))
                own.status = delta.status;
        }
        compared.push_back(std::move(own));
    }
    sortByChange<ComparedCalls>(compared,
                                [](const ComparedCalls& row) -> const Delta& { return row.figures.front(); });
    return compared;
}

template<typename Row>
ComparedSheet callsSheet(ComparisonKind kind, std::string name, const RunSheets& base, const RunSheets& test,
                         std::span<const CallKey> keys, CallKeys known, std::span<const Figure<Row>> figures,
                         const std::vector<ComparedCalls>& rows)
{
    ComparedTable<ComparedCalls> table(base, test);
    const CallKey& rank = callKeys().front();
    const bool waitsForAll = kind == ComparisonKind::Collectives;
    for (const CallKey& key : keys) {
        if (known[key.at])
            table.add(key.at == rank.at ? ColumnRole::Rank : ColumnRole::Word, key.title,
                      [cell = key.cell](const ComparedCalls& row) { return cell(row.kind); });
    }
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const Figure<Row>& figure = figures[i];
        const ComparedColumn column{ColumnRole::Figure, figure.name, figure.unit,
                                    figure.direction == MetricDirection::HigherIsBetter};
        const auto deltaOfRow = [i](const ComparedCalls& row) -> const Delta& { return row.figures[i]; };
        const auto addOne = [&](ColumnRole role, std::optional<double> Delta::*member) {
            ComparedColumn own = column;
            own.role = role;
            table.addColumn(std::move(own), [deltaOfRow, member](const ComparedCalls& row) {
                return numberCell(deltaOfRow(row).*member);
            });
        };
        table.addDifference(column, deltaOfRow);
        if (figure.hasPercent)
            addOne(ColumnRole::Improvement, &Delta::improvement);
        addOne(ColumnRole::Ratio, &Delta::ratio);
    }
    table.add(ColumnRole::Status, "status",
              [](const ComparedCalls& row) { return Value(deltaStatusName(row.status)); });
    return table.sheet(kind, std::move(name), rows, [&](const ComparedCalls& row) {
        ComparedSubject subject;
        CallSubject& call = subject.call.emplace(CallSubject{row.kind, row.known, waitsForAll});
        if (call.kind.rank)
            subject.rank = static_cast<std::int32_t>(*call.kind.rank);
        call.kind.rank.reset();
        call.known.reset(rank.at);
        return subject;
    });
}

} // namespace

std::vector<ComparedCalls> comparedCollectives(const RunSheets& base, const RunSheets& test,
                                               const CompareOptions& options)
{
    return comparedCalls<CollectiveKindRow>(base.values.collectives, test.values.collectives,
                                            collectiveKeys(), collectiveFigures, options);
}

ComparedSheet compareCollectives(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return callsSheet<CollectiveKindRow>(
        ComparisonKind::Collectives, "nccl_implicit_sync_cmp", base, test, collectiveKeys(),
        sharedKeys<CollectiveKindRow>({&base.values.collectives, &test.values.collectives}),
        collectiveFigures, comparedCollectives(base, test, options));
}

ComparedSheet compareCalls(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return callsSheet<CallKindRow>(
        ComparisonKind::Calls, "nccl_long_cmp", base, test, callKeys(),
        sharedKeys<CallKindRow>({&base.values.calls, &test.values.calls}), callFigures,
        comparedCalls<CallKindRow>(base.values.calls, test.values.calls, callKeys(), callFigures, options));
}

} // namespace collscope
