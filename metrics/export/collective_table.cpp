// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/collective_table.h"

#include "metrics/core/statistics.h"
#include "metrics/matching/wait_rule.h"
#include "model/interval_set.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

/// Shortest duration of each call's collective, by rank and call; its own duration for a call without
/// partners.
std::vector<std::vector<std::int64_t>> transferTimes(Analysis& analysis)
{
    const std::vector<RankCalls>& ranks = analysis.calls();
    std::vector<std::vector<std::int64_t>> times(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        for (const Call& call : ranks[i].calls)
            times[i].push_back(call.durationNs());
    }
    for (const CollectiveInstance& instance : analysis.matching().instances) {
        if (instance.confidence == MatchConfidence::OrderAlone)
            continue; // a shorter call may belong to another collective
        std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
        for (const CallRef member : analysis.matching().membersOf(instance))
            shortest = std::min(shortest, times[member.rank][member.call]);
        for (const CallRef member : analysis.matching().membersOf(instance))
            times[member.rank][member.call] = shortest;
    }
    return times;
}

} // namespace

CollectiveTypeSums& CollectiveTypeSums::operator+=(const CollectiveTypeSums& other)
{
    calls += other.calls;
    unsized += other.unsized;
    bytes += other.bytes;
    durationNs += other.durationNs;
    rooted += other.rooted;
    bandwidths.insert(bandwidths.end(), other.bandwidths.begin(), other.bandwidths.end());
    return *this;
}

CollectiveTypeSums RankCollectives::sum() const
{
    CollectiveTypeSums all;
    for (const auto& [type, row] : types)
        all += row;
    return all;
}

std::optional<double> RankCollectives::collectiveBandwidth() const
{
    double weighted = 0;
    double weight = 0;
    for (const auto& [type, row] : types) {
        if (row.bandwidths.empty())
            continue;
        weighted += row.bytes * meanOf(row.bandwidths);
        weight += row.bytes;
    }
    return ratio(weighted, weight);
}

std::optional<double> RankCollectives::simpleBandwidth() const
{
    const auto bytes = sum().knownBytes();
    return bytes ? ratio(*bytes / 1e9, communicationSeconds) : std::nullopt;
}

std::vector<RankCollectives> collectivesByType(Analysis& analysis)
{
    const std::vector<RankCalls>& ranks = analysis.calls();
    const auto times = transferTimes(analysis);
    std::vector<RankCollectives> result;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        RankCollectives& rank = result.emplace_back();
        rank.rank = ranks[i].rank;
        std::vector<TimeRange> spans;
        for (std::size_t k = 0; k < ranks[i].calls.size(); ++k) {
            const Call& call = ranks[i].calls[k];
            if (!call.inWindow())
                continue;
            CollectiveTypeSums& row = rank.types[call.kind];
            ++row.calls;
            spans.push_back(call.range);
            row.durationNs += call.durationNs();
            row.unsized += call.bytes ? 0 : 1;
            row.bytes += static_cast<double>(call.bytes.value_or(0));
            const bool isRooted = hasRoot(analysis.model(), call);
            row.rooted += isRooted ? 1 : 0;
            if (const auto wire = wireBytes(call); wire && times[i][k] > 0 && !isRooted)
                row.bandwidths.push_back(*wire / static_cast<double>(times[i][k]));
        }
        if (analysis.communicating().isOfCpu) {
            rank.communicationSeconds = nsToSeconds(IntervalSet(std::move(spans)).lengthNs());
            continue;
        }
        for (const RankBreakdown& work : analysis.work()) {
            if (work.rank == rank.rank)
                rank.communicationSeconds = nsToSeconds(work.total.communication());
        }
    }
    return result;
}

} // namespace collscope
