// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run played out on CPUs that launch and GPUs that work, with one thing gone wrong on purpose: what the
// trace then shows follows from it, and the cause is known. Times in us.

#include "tests/support/runs/small_run.h"

#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace collscope {

class CausedRun
{
public:
    struct Options
    {
        bool cpuEvents = true; ///< false: the trace holds steps and GPU work only
        double noise = 0; ///< kernels are longer by up to this
        bool tensorParallel = false; ///< ranks 0 and 1, 2 and 3, ... also share a group
    };

    CausedRun(int ranks, Options options)
        : m_run(ranks)
        , m_options(options)
        , m_cpu(static_cast<std::size_t>(ranks))
        , m_gpu(static_cast<std::size_t>(ranks))
        , m_longer(static_cast<std::size_t>(ranks))
    { }

    int ranks() const { return static_cast<int>(m_cpu.size()); }
    SmallRun& run() { return m_run; }

    /// The CPU is in something.
    void cpu(int rank, const std::string& name, double duration,
             const std::string& category = "python_function")
    {
        if (m_options.cpuEvents)
            m_run.cpu(rank, name, cpuOf(rank), duration, category);
        cpuOf(rank) += duration;
    }
    void kernel(int rank, const std::string& name, double duration, const std::string& args = "")
    {
        const double begin = started(rank);
        double& longer = m_longer[static_cast<std::size_t>(rank)];
        duration += jitter() + std::exchange(longer, 0.0);
        m_run.kernel(rank, begin, duration, 7, name, launchedAt(), args);
        gpuOf(rank) = begin + duration;
    }
    /// The rank's next kernel takes longer by this much.
    void slowNextKernel(int rank, double by) { m_longer[static_cast<std::size_t>(rank)] = by; }
    void copy(int rank, double duration)
    {
        const double begin = started(rank);
        m_run.copy(rank, begin, duration, launchedAt());
        gpuOf(rank) = begin + duration;
    }
    /// Everybody waits for the last one, then all move data for as long.
    void collective(const std::vector<int>& members, const std::string& group, double duration)
    {
        std::vector<double> begins;
        std::vector<double> launches;
        double last = 0;
        std::string list;
        for (const int rank : members) {
            begins.push_back(started(rank));
            launches.push_back(launchedAt());
            last = std::max(last, begins.back());
            list += (list.empty() ? "[" : ", ") + std::to_string(rank);
        }
        SmallCall call{"allreduce", group, list + "]", static_cast<int>(members.size()), 4096, 4096};
        call.sequence = ++m_sequences[group];
        for (std::size_t i = 0; i < members.size(); ++i) {
            m_run.call(members[i], begins[i], last + duration - begins[i], call, 20, launches[i]);
            gpuOf(members[i]) = last + duration;
        }
    }
    /// One step on all ranks; the CPU waits for the GPU at its end.
    void step(int number, const std::function<void(int step)>& body)
    {
        const std::vector<double> begins = m_cpu;
        body(number);
        for (int rank = 0; rank < ranks(); ++rank) {
            const double wait = std::max(0.0, gpuOf(rank) - cpuOf(rank)) + 1;
            cpu(rank, "cudaStreamSynchronize", wait, "cuda_runtime");
            const double begin = begins[static_cast<std::size_t>(rank)];
            m_run.step(rank, number, begin, cpuOf(rank) - begin);
            cpuOf(rank) += 1;
        }
    }
    /// Four steps: input, twelve kernels, the collective of the tensor-parallel pair, one of all others, then
    /// one of all ranks. `planted(step, rank, place)` is called before the input (place 0), and before the
    /// first kernel (1), in the middle (2) and before the first collective (3).
    void play(const std::function<void(int step, int rank, int place)>& planted)
    {
        for (int number = 10; number < 14; ++number) {
            step(number, [&](int step) {
                for (int rank = 0; rank < ranks(); ++rank) {
                    planted(step, rank, 0);
                    cpu(rank, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 20,
                        "user_annotation");
                    planted(step, rank, 1);
                    for (int layer = 0; layer < 12; ++layer) {
                        if (layer == 6)
                            planted(step, rank, 2);
                        kernel(rank, layer % 3 == 2 ? "softmax_kernel" : "gemm_kernel", 100);
                    }
                    planted(step, rank, 3);
                }
                if (m_options.tensorParallel)
                    collectivesOfGroups();
                collective(all(), "world", 50);
            });
        }
    }

private:
    std::vector<int> all() const
    {
        std::vector<int> ranks;
        for (int rank = 0; rank < this->ranks(); ++rank)
            ranks.push_back(rank);
        return ranks;
    }
    /// Pairs of neighbours, then those of even and those of odd number.
    void collectivesOfGroups()
    {
        for (int first = 0; first + 1 < ranks(); first += 2)
            collective({first, first + 1}, "tp" + std::to_string(first), 30);
        for (int odd = 0; odd < 2; ++odd) {
            std::vector<int> members;
            for (int rank = odd; rank < ranks(); rank += 2)
                members.push_back(rank);
            if (members.size() > 1)
                collective(members, "dp" + std::to_string(odd), 40);
        }
    }
    double& cpuOf(int rank) { return m_cpu[static_cast<std::size_t>(rank)]; }
    double& gpuOf(int rank) { return m_gpu[static_cast<std::size_t>(rank)]; }
    /// Launches; answers when the work begins.
    double started(int rank)
    {
        m_launch = cpuOf(rank);
        cpuOf(rank) += 4;
        return std::max(m_launch + 3, gpuOf(rank) + 0.5);
    }
    double launchedAt() const { return m_options.cpuEvents ? m_launch : -1; }
    double jitter()
    {
        m_random = m_random * 6364136223846793005u + 1442695040888963407u;
        return m_options.noise * static_cast<double>(m_random >> 40u) / static_cast<double>(1u << 24u);
    }

    SmallRun m_run;
    Options m_options;
    std::vector<double> m_cpu, m_gpu; ///< until when they are busy
    std::vector<double> m_longer; ///< by how much the next kernel is
    std::map<std::string, std::int64_t> m_sequences;
    double m_launch = 0;
    std::uint64_t m_random = 1;
};

} // namespace collscope
