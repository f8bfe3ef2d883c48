// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/hang_merge.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace collscope {

namespace {

/// The latest time of any call.
std::int64_t latestNs(const FlightRecord& record)
{
    std::int64_t latest = FlightCalls::noTime;
    for (const auto* times : {&record.calls.createdNs, &record.calls.startedNs, &record.calls.completedNs}) {
        for (const std::int64_t ns : *times)
            latest = std::max(latest, ns);
    }
    return latest;
}

} // namespace

void settleHang(HangEvidence& evidence, const std::vector<std::string>& paths, Diagnostics& problems)
{
    const auto pathOf
        = [&](SourceId source) { return source.value < paths.size() ? paths[source.value] : std::string(); };
    std::vector<std::tuple<std::int32_t, std::int64_t, std::size_t>> order; // rank, latest first, index
    for (std::size_t i = 0; i < evidence.records.size(); ++i) {
        const FlightRecord& record = evidence.records[i];
        if (record.rank)
            order.emplace_back(*record.rank, latestNs(record), i);
        else
            problems.add(Severity::DataLoss, "rank_unknown", pathOf(record.source), 0,
                         "Neither the name of the dump nor its process groups say which rank wrote it; it is "
                         "left out.");
    }
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        const auto& [rankA, latestA, indexA] = a;
        const auto& [rankB, latestB, indexB] = b;
        return rankA != rankB ? rankA < rankB : latestA != latestB ? latestA > latestB : indexA < indexB;
    });
    std::vector<FlightRecord> kept;
    for (const auto& [rank, latest, index] : order) {
        if (!kept.empty() && kept.back().rank == rank) {
            problems.add(Severity::Notice, "older_dump", pathOf(evidence.records[index].source), 0,
                         "Another dump of rank " + std::to_string(rank)
                             + " has later calls; this one is left out.");
            continue;
        }
        kept.push_back(std::move(evidence.records[index]));
    }
    evidence.records = std::move(kept);
    std::stable_sort(evidence.ras.begin(), evidence.ras.end(),
                     [](const RasSnapshot& a, const RasSnapshot& b) { return a.time < b.time; });
    std::stable_sort(evidence.stacks.begin(), evidence.stacks.end(),
                     [](const PythonStacks& a, const PythonStacks& b) { return a.rank < b.rank; });
}

} // namespace collscope
