// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/network/measured_ceiling.h"

#include "metrics/analysis/transfers.h"
#include "metrics/core/statistics.h"
#include "model/kernels/collective_traits.h"
#include "model/witnesses/network_record.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace collscope {

namespace {

/// The type that a program of nccl-tests measures: "all_reduce" is "allreduce".
const CollectiveTraits* traitsNamed(std::string name)
{
    std::erase(name, '_');
    const auto all = allCollectiveTraits();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const CollectiveTraits& traits) { return traits.word == name; });
    return found == all.end() ? nullptr : &*found;
}

std::optional<double> ceilingAt(const std::vector<NetworkBenchmark::Row>& rows, std::uint64_t bytes)
{
    const auto above = std::lower_bound(rows.begin(), rows.end(), bytes,
                                        [](const auto& row, std::uint64_t size) { return row.bytes < size; });
    if (above == rows.end()) { // the curve goes on as it ends, if it is flat there
        constexpr double flat = 0.05;
        const bool isFlat = rows.size() > 1
            && std::abs(*rows.back().best() - *(rows.end() - 2)->best()) <= flat * *rows.back().best();
        return isFlat ? rows.back().best() : std::nullopt;
    }
    if (above->bytes == bytes)
        return above->best();
    if (above == rows.begin() || (above - 1)->bytes == 0)
        return std::nullopt;
    const auto& below = *(above - 1);
    const double share = std::log(static_cast<double>(bytes) / static_cast<double>(below.bytes))
        / std::log(static_cast<double>(above->bytes) / static_cast<double>(below.bytes));
    return *below.best() + share * (*above->best() - *below.best());
}

bool areOnAsManyNodes(const NetworkBenchmark& benchmark, NodeSpan span)
{
    if (benchmark.hosts.empty() || span == NodeSpan::Unknown)
        return true;
    return (benchmark.hosts.size() > 1) == (span == NodeSpan::SeveralNodes);
}

} // namespace

MeasuredCeiling measuredCeiling(Analysis& analysis)
{
    MeasuredCeiling compared;
    const auto& record = analysis.model().network;
    if (!record || record->benchmarks.empty())
        return compared;
    const NodeMap nodes(analysis);
    for (const NetworkBenchmark& benchmark : record->benchmarks) {
        const CollectiveTraits* const traits = traitsNamed(benchmark.collective);
        if (!traits || !benchmark.ranks) {
            compared.notes.push_back(
                "A table of nccl-tests does not say "
                + std::string(traits ? "on how many ranks it was measured" : "which collective was measured")
                + "; it is not compared with the run.");
            continue;
        }
        std::map<std::uint64_t, std::vector<double>> bySize;
        for (const Transfer& transfer : transfersOf(analysis, traits->kernelClass).all) {
            if (transfer.call->groupSize == *benchmark.ranks && !transfer.includesWait()
                && areOnAsManyNodes(benchmark, nodes.spanOf(*transfer.call)))
                bySize[*transfer.call->bytes].push_back(transfer.busBandwidth() * 1e9);
        }
        for (auto& [bytes, reached] : bySize) {
            const auto ceiling = ceilingAt(benchmark.rows, bytes);
            if (!ceiling)
                compared.notes.push_back("nccl-tests did not measure " + std::string(traits->name) + " of "
                                         + std::to_string(bytes) + " bytes, nor sizes around it.");
            else if (*ceiling > 0)
                compared.rows.push_back({traits->kernelClass, *benchmark.ranks, bytes, reached.size(),
                                         medianOf(reached), *ceiling, benchmark.source});
        }
        const bool isWrong = std::any_of(benchmark.rows.begin(), benchmark.rows.end(),
                                         [](const auto& row) { return row.wrong.value_or(0) > 0; });
        if (isWrong)
            compared.notes.push_back("nccl-tests counted wrong results in its " + std::string(traits->name)
                                     + ": its bandwidths may not be those of a sound network.");
        if (bySize.empty())
            compared.notes.push_back("The run has no " + std::string(traits->name) + " in groups of "
                                     + std::to_string(*benchmark.ranks)
                                     + " ranks, as nccl-tests measured it.");
    }
    std::stable_sort(compared.rows.begin(), compared.rows.end(),
                     [](const CeilingRow& a, const CeilingRow& b) {
                         return std::tie(a.kind, a.ranks, a.bytes) < std::tie(b.kind, b.ranks, b.bytes);
                     });
    return compared;
}

} // namespace collscope
