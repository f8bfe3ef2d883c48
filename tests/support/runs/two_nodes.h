// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A planned run on two nodes of four GPUs, whose counter files have the same names on both. The traffic of
// rank r is r + 1 times the planned one, so that the counters themselves tell whose they are.

#include "tests/support/suite/run_folder.h"
#include "tests/support/workloads/run_writer.h"

#include <array>

namespace collscope {

class TwoNodes
{
public:
    static constexpr int gpusPerNode = 4;
    static constexpr int ranks = 2 * gpusPerNode;

    TwoNodes()
        : plan(planRun(description()))
    {
        for (PlannedRank& rank : plan.ranks) {
            for (PlannedSample& sample : rank.samples)
                sample.kib *= static_cast<std::uint64_t>(rank.rank + 1);
        }
    }

    RunPlan plan;
    std::array<std::string, 2> hosts{"nodea", "nodeb"};
    /// The number that the driver gives the GPU of a rank: by default as CUDA counts.
    std::array<int, ranks> numbers{0, 1, 2, 3, 0, 1, 2, 3};

    static WorkloadDescription description()
    {
        WorkloadDescription described;
        described.hosts = {"nodea", "nodeb"};
        described.tensorParallel = 2;
        described.dataParallel = 4;
        described.steps = 3;
        return described;
    }
    static int nodeOf(int rank) { return rank / gpusPerNode; }

    /// Its trace; `statesHost`: with the name of its host.
    std::string trace(int rank, bool statesHost) const
    {
        std::string json = kinetoJson(plan, plan.ranks[static_cast<std::size_t>(rank)]);
        const std::string key = "\"hostname\"";
        const std::size_t at = json.find(key);
        if (statesHost && at != std::string::npos)
            json.replace(at, key.size(), "\"host_name\"");
        return json;
    }
    void writeTraces(const RunFolder& folder, const std::string& into, bool stateHosts) const
    {
        for (int rank = 0; rank < ranks; ++rank)
            folder.write(into + "/rank" + std::to_string(rank) + "_trace.json", trace(rank, stateHosts));
    }
    std::string counters(int rank) const
    {
        return nvf1Bytes(plan, plan.ranks[static_cast<std::size_t>(rank)]);
    }
    std::string fileOf(int rank) const
    {
        return "nvlink_gpu" + std::to_string(numbers[static_cast<std::size_t>(rank)]) + ".bin";
    }
    void writeCounters(const RunFolder& folder, int node, const std::string& into) const
    {
        for (int rank = 0; rank < ranks; ++rank) {
            if (nodeOf(rank) == node)
                folder.write(into + "/" + fileOf(rank), counters(rank));
        }
    }
    static std::string uuidOf(int rank) { return "GPU-00" + std::to_string(rank) + "-abcd"; }
    /// What the sampler writes beside its files.
    std::string note(int node) const
    {
        std::string text = "host " + hosts[static_cast<std::size_t>(node)]
            + ".example.org\nstarted_unix_ns 1759968000000000000\nperiod_ms 1\n";
        for (int number = 0; number < gpusPerNode; ++number) {
            for (int rank = 0; rank < ranks; ++rank) {
                if (nodeOf(rank) == node && numbers[static_cast<std::size_t>(rank)] == number)
                    text += "gpu " + std::to_string(number) + " uuid " + uuidOf(rank)
                        + " links 0 1 2 3 records 100 missed 0\n";
            }
        }
        return text;
    }
    void writeNode(const RunFolder& folder, int node, const std::string& into) const
    {
        writeCounters(folder, node, into);
        folder.write(into + "/nvlink_sampler.txt", note(node));
    }
    /// Sent by the GPU of a rank, from first to last sample.
    std::uint64_t sentBy(int rank) const
    {
        std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> links; // first and last counter
        for (const PlannedSample& sample : plan.ranks[static_cast<std::size_t>(rank)].samples) {
            if (sample.transmit)
                links.try_emplace(sample.link, sample.kib, sample.kib).first->second.second = sample.kib;
        }
        std::uint64_t bytes = 0;
        for (const auto& [link, counter] : links)
            bytes += 1024 * (counter.second - counter.first);
        return bytes;
    }
};

} // namespace collscope
