// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A training run with pipeline stages: one forward, one backward (1F1B), played through stage by stage, so
// that who waits for whom follows from the schedule.

#include "tests/support/runs/small_run.h"

namespace collscope {

/// Degrees and times of the run; times in microseconds.
struct PipelineShape
{
    int stages = 2, replicas = 1, tensor = 1; ///< ranks = product, tensor fastest
    int microBatches = 4;
    int steps = 4;
    double forwardUs = 200; ///< of one micro-batch on one stage; backward takes twice as long
    double slowStageUs = 0; ///< what the last stage takes longer (it has the output head)
    bool describesGroups = true; ///< "mesh_pp" and so on
    bool writesCard = true;
    bool numbersCalls = false; ///< collectives have a Seq
    bool namesPeers = false; ///< sends and receives name both ranks
    std::string annotation = {}; ///< around the launch of each send and receive; empty: none is launched
    int ranksPerNode = 0;

    int ranks() const { return stages * replicas * tensor; }
    int rankOf(int stage, int replica, int place) const
    {
        return (stage * replicas + replica) * tensor + place;
    }
};

/// One step of a run, played by all ranks.
class PipelinePlay
{
public:
    PipelinePlay(const PipelineShape& shape, SmallRun& run)
        : m_shape(shape)
        , m_run(run)
    { }

    /// Plays a step that begins at `begin`; when it ends.
    double step(int number, double begin)
    {
        std::vector<std::vector<Pass>> todo;
        for (int stage = 0; stage < m_shape.stages; ++stage)
            todo.push_back(schedule(stage));
        std::vector<std::size_t> next(todo.size(), 0);
        std::vector<double> now(todo.size(), begin + 20);
        m_done.clear();
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t stage = 0; stage < todo.size(); ++stage) {
                while (next[stage] < todo[stage].size()) {
                    const Pass pass = todo[stage][next[stage]];
                    const auto ready = readyAt(static_cast<int>(stage), pass);
                    if (!ready)
                        break;
                    now[stage] = play(static_cast<int>(stage), pass, now[stage], *ready);
                    ++next[stage];
                    moved = true;
                }
            }
        }
        const double end = finish(now);
        for (int rank = 0; rank < m_shape.ranks(); ++rank)
            m_run.step(rank, number, begin, end + 20 - begin);
        return end + 20;
    }

private:
    struct Pass
    {
        bool forward = true;
        int batch = 0;
        // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the default's 0 for a pointer
        friend auto operator<=>(const Pass&, const Pass&) = default;
    };
    static constexpr double transferUs = 12;

    std::vector<Pass> schedule(int stage) const
    {
        std::vector<Pass> passes;
        const int ahead = std::min(m_shape.stages - stage - 1, m_shape.microBatches);
        for (int batch = 0; batch < ahead; ++batch)
            passes.push_back({true, batch});
        for (int batch = ahead; batch < m_shape.microBatches; ++batch) {
            passes.push_back({true, batch});
            passes.push_back({false, batch - ahead});
        }
        for (int batch = std::max(0, m_shape.microBatches - ahead); batch < m_shape.microBatches; ++batch)
            passes.push_back({false, batch});
        return passes;
    }

    /// When the neighbour's part has arrived; 0 if there is no neighbour, nullopt if it is still to come.
    std::optional<double> readyAt(int stage, Pass pass) const
    {
        const int from = pass.forward ? stage - 1 : stage + 1;
        if (from < 0 || from >= m_shape.stages)
            return 0;
        const auto done = m_done.find({from, pass});
        return done == m_done.end() ? std::nullopt : std::optional(done->second + transferUs);
    }

    double play(int stage, Pass pass, double now, double ready)
    {
        const bool last = stage + 1 == m_shape.stages;
        const double length
            = (m_shape.forwardUs + (last ? m_shape.slowStageUs : 0)) * (pass.forward ? 1.0 : 2.0);
        const double start = std::max(now, ready);
        const double end = start + length;
        for (int replica = 0; replica < m_shape.replicas; ++replica) {
            for (int place = 0; place < m_shape.tensor; ++place) {
                const int rank = m_shape.rankOf(stage, replica, place);
                if (ready > 0) // a receive spins from when the rank is free until the data is there
                    hand(rank, std::min(now, start - transferUs), start,
                         peer("recv", replica, place, stage + (pass.forward ? -1 : 1), stage), 20);
                compute(rank, pass, start, length);
                const bool sends = pass.forward ? !last : stage > 0;
                if (sends)
                    hand(rank, end, end + transferUs,
                         peer("send", replica, place, stage, stage + (pass.forward ? 1 : -1)), 22);
            }
        }
        m_done[{stage, pass}] = end;
        return end + 2;
    }

    void hand(int rank, double begin, double end, const SmallCall& call, int stream)
    {
        if (!m_shape.annotation.empty())
            m_run.annotation(rank, m_shape.annotation, begin - 0.5, 0.4);
        m_run.call(rank, begin, end - begin, call, stream, m_shape.annotation.empty() ? -1 : begin - 0.4);
    }

    void compute(int rank, Pass pass, double start, double length)
    {
        const char* name = pass.forward ? "ampere_bf16_s16816gemm_bf16_128x128" : "flash_bwd_kernel";
        if (m_shape.tensor == 1) {
            m_run.kernel(rank, start, length * 0.6, 7, name);
            m_run.kernel(rank, start + length * 0.6, length * 0.4, 7, "ampere_bf16_s16816gemm_bf16_256x128");
            return;
        }
        m_run.kernel(rank, start, length * 0.85, 7, name);
        SmallCall call = group("allreduce", "mesh_tp", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL");
        call.ranks = list(rank / m_shape.tensor * m_shape.tensor, 1, m_shape.tensor);
        call.groupSize = m_shape.tensor;
        m_run.call(rank, start + length * 0.85, length * 0.15, numbered(rank, call), 24);
    }

    /// Gradients over the replicas, then the optimizer; when the slowest is through.
    double finish(const std::vector<double>& now)
    {
        const double last = *std::max_element(now.begin(), now.end());
        for (int stage = 0; stage < m_shape.stages; ++stage) {
            const double own = now[static_cast<std::size_t>(stage)];
            for (int rank = m_shape.rankOf(stage, 0, 0); rank < m_shape.rankOf(stage + 1, 0, 0); ++rank) {
                if (m_shape.replicas > 1) {
                    SmallCall call = group("_reduce_scatter_base", "mesh_dp_shard",
                                           "ncclDevKernel_ReduceScatter_Sum_bf16");
                    call.ranks = list(m_shape.rankOf(stage, 0, rank % m_shape.tensor), m_shape.tensor,
                                      m_shape.replicas);
                    call.groupSize = m_shape.replicas;
                    m_run.call(rank, own + 5, 60, numbered(rank, call), 26);
                }
                m_run.kernel(rank, last + 80, 40, 7, "multi_tensor_apply_adamw");
            }
        }
        return last + 120;
    }

    SmallCall group(const char* name, const char* description, const char* kernel) const
    {
        SmallCall call;
        call.name = name;
        call.group = std::string(description).substr(5);
        call.description = m_shape.describesGroups ? description : "";
        if (!m_shape.describesGroups)
            call.group = "7";
        call.inElements = call.outElements = 4096;
        call.kernel = kernel;
        return call;
    }
    SmallCall numbered(int rank, SmallCall call)
    {
        call.sequence = m_shape.numbersCalls ? ++m_numbers[{rank, call.group}] : 0;
        return call;
    }
    /// From one stage to another.
    SmallCall peer(const char* name, int replica, int place, int from, int to) const
    {
        SmallCall call = group(name, "mesh_pp", "ncclDevKernel_SendRecv");
        call.ranks
            = list(m_shape.rankOf(0, replica, place), m_shape.replicas * m_shape.tensor, m_shape.stages);
        call.groupSize = m_shape.stages;
        if (m_shape.namesPeers) {
            call.source = m_shape.rankOf(from, replica, place);
            call.destination = m_shape.rankOf(to, replica, place);
        }
        return call;
    }
    static std::string list(int first, int stride, int count)
    {
        std::string text;
        for (int i = 0; i < count; ++i)
            text += (i == 0 ? "[" : ", ") + std::to_string(first + i * stride);
        return text + "]";
    }

    const PipelineShape m_shape;
    SmallRun& m_run;
    std::map<std::pair<int, Pass>, double> m_done;
    std::map<std::pair<int, std::string>, std::int64_t> m_numbers; ///< by rank and group: the last one
};

inline SmallRun pipelineRun(const PipelineShape& shape)
{
    SmallRun run(shape.ranks());
    PipelinePlay play(shape, run);
    double now = 0;
    for (int step = 0; step < shape.steps; ++step)
        now = play.step(10 + step, now);
    if (shape.ranksPerNode > 0)
        run.ranksPerNode(shape.ranksPerNode);
    if (shape.writesCard)
        run.parallelism("tp: " + std::to_string(shape.tensor) + "\n    pp: " + std::to_string(shape.stages)
                        + "\n    dp_replicate: 1\n    dp_shard: " + std::to_string(shape.replicas)
                        + "\n    cp: 1\n    pp_mb: " + std::to_string(shape.microBatches));
    return run;
}

} // namespace collscope
