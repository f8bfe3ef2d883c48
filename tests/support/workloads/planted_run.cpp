// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/workloads/planted_run.h"

#include "tests/support/workloads/run_writer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace collscope {

namespace {

constexpr double launchUs = 6;
constexpr double kernelUs = 90;
constexpr double transferUs = 60;
constexpr double loaderUs = 80;

struct Event
{
    const char* category;
    std::string name;
    int pid, tid;
    double beginUs, durationUs; ///< true time
    std::string args;
};

class Simulation
{
public:
    explicit Simulation(const PlantedPlan& plan)
        : m_plan(plan)
        , m_random(plan.seed)
        , m_ranks(static_cast<std::size_t>(plan.ranks))
    { }

    void run()
    {
        for (int step = 0; step < m_plan.steps; ++step) {
            for (int rank = 0; rank < m_plan.ranks; ++rank)
                beginStep(rank);
            for (int layer = 0; layer < m_plan.layers; ++layer) {
                for (int rank = 0; rank < m_plan.ranks; ++rank)
                    layerKernels(rank, layer);
                if (m_plan.tensorParallel > 1)
                    collective(true, layer, "allreduce", 1 << 20);
            }
            collective(false, m_plan.layers, "_reduce_scatter_base", 1 << 22);
            collective(false, m_plan.layers + 1, "_allgather_base", 1 << 20);
            for (int rank = 0; rank < m_plan.ranks; ++rank)
                endStep(rank, step);
        }
    }

    const std::vector<Event>& events(int rank) const { return of(rank).events; }

private:
    struct Rank
    {
        std::vector<Event> events;
        double cpuUs = 1000, gpuUs = 1000;
        double stepBeginUs = 0;
        int correlation = 0;
    };
    Rank& of(int rank) { return m_ranks[static_cast<std::size_t>(rank)]; }
    const Rank& of(int rank) const { return m_ranks[static_cast<std::size_t>(rank)]; }
    double random(double most) { return std::uniform_real_distribution<double>(0, most)(m_random); }

    void cpu(int rank, const char* category, const std::string& name, double durationUs)
    {
        of(rank).events.push_back({category, name, 100, 100, of(rank).cpuUs, durationUs, ""});
        of(rank).cpuUs += durationUs;
    }

    void beginStep(int rank)
    {
        const bool isCulprit = rank == m_plan.culprit;
        const auto extra
            = [&](PlantedCause cause) { return isCulprit && m_plan.cause == cause ? m_plan.extraUs : 0.0; };
        of(rank).stepBeginUs = of(rank).cpuUs;
        cpu(rank, "user_annotation", plantedLoader, loaderUs + random(2) + extra(PlantedCause::LateInput));
        cpu(rank, "python_function", plantedSlowPython, 5 + extra(PlantedCause::SlowCpu));
    }

    /// When the GPU can start what the CPU launches now.
    double launch(int rank)
    {
        Rank& own = of(rank);
        own.events.push_back({"cuda_runtime", "cudaLaunchKernel", 100, 100, own.cpuUs, launchUs - 1,
                              "\"correlation\": " + std::to_string(++own.correlation)});
        own.cpuUs += launchUs;
        return std::max(own.gpuUs, own.cpuUs + 3);
    }

    void kernel(int rank, const std::string& name, double durationUs)
    {
        Rank& own = of(rank);
        const double begin = launch(rank);
        own.events.push_back({"kernel", name, rank % 8, 7, begin, durationUs,
                              "\"device\": " + std::to_string(rank % 8)
                                  + ", \"stream\": 7, \"correlation\": " + std::to_string(own.correlation)});
        own.gpuUs = begin + durationUs;
    }

    void layerKernels(int rank, int layer)
    {
        const bool isSlow = rank == m_plan.culprit && m_plan.cause == PlantedCause::SlowKernel && layer == 1;
        kernel(rank, plantedSlowKernel + std::to_string(layer),
               kernelUs + random(m_plan.noiseUs) + (isSlow ? m_plan.extraUs : 0));
        kernel(rank, "flash_fwd_kernel", kernelUs + random(m_plan.noiseUs));
    }

    /// In every group at once: all leave together when the last one has come and the data has moved.
    void collective(bool tensor, int layer, const char* name, int elements)
    {
        const int tp = m_plan.tensorParallel;
        const int groups = tensor ? m_plan.ranks / tp : tp;
        if (!tensor && m_plan.ranks / tp < 2)
            return;
        for (int group = 0; group < groups; ++group) {
            std::vector<int> members;
            for (int rank = 0; rank < m_plan.ranks; ++rank) {
                if ((tensor ? rank / tp : rank % tp) == group)
                    members.push_back(rank);
            }
            double lastUs = 0;
            std::vector<double> begins;
            for (const int rank : members) {
                begins.push_back(launch(rank));
                lastUs = std::max(lastUs, begins.back());
            }
            const double endUs = lastUs + transferUs * (1 + 0.1 * layer);
            for (std::size_t i = 0; i < members.size(); ++i)
                call(members[i], tensor, group, members, name, elements, begins[i],
                     endUs + random(m_plan.endJitterUs));
        }
    }

    void call(int rank, bool tensor, int group, const std::vector<int>& members, const std::string& name,
              int elements, double beginUs, double endUs)
    {
        Rank& own = of(rank);
        std::string list;
        for (const int member : members)
            list += (list.empty() ? "[" : ", ") + std::to_string(member);
        std::string groupName = tensor ? "tp" : "dp";
        if (!m_plan.sharesNames)
            groupName += std::to_string(group);
        if (m_plan.renamesGroups && rank % 2 == 1)
            groupName += "_other";
        const std::string kernel = name == "allreduce" ? "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"
            : name == "_allgather_base"                ? "ncclDevKernel_AllGather_RING_LL"
                                                       : "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL";
        const int share = elements / static_cast<int>(members.size());
        const int in = name == "_allgather_base" ? share : elements;
        const int out = name == "_reduce_scatter_base" ? share : elements;
        std::string args = "\"device\": " + std::to_string(rank % 8)
            + ", \"stream\": " + (tensor ? "20" : "24")
            + ", \"correlation\": " + std::to_string(own.correlation) + ", \"Collective name\": \"" + name
            + "\", \"Process Group Name\": \"" + groupName + "\", \"Process Group Description\": \"mesh_"
            + (tensor ? "tp" : "dp") + "\", \"Process Group Ranks\": \"" + list + "]\", \"Group size\": "
            + std::to_string(members.size()) + ", \"dtype\": \"BFloat16\", \"In msg nelems\": "
            + std::to_string(in) + ", \"Out msg nelems\": " + std::to_string(out);
        if (m_plan.writesSequence)
            args += ", \"Seq\": " + std::to_string(++m_sequence[{rank, tensor}]);
        own.events.push_back({"kernel", kernel, rank % 8, tensor ? 20 : 24, beginUs, endUs - beginUs, args});
        own.gpuUs = endUs;
    }

    /// The loss is read: the CPU waits for the GPU.
    void endStep(int rank, int step)
    {
        Rank& own = of(rank);
        const double end = std::max(own.cpuUs + 5, own.gpuUs);
        cpu(rank, "cuda_runtime", "cudaStreamSynchronize", end - own.cpuUs);
        own.events.push_back({"user_annotation", "ProfilerStep#" + std::to_string(step + 1), 100, 100,
                              own.stepBeginUs, own.cpuUs - own.stepBeginUs, ""});
        own.cpuUs += 20 + m_plan.pauseUs;
    }

    const PlantedPlan& m_plan;
    std::mt19937_64 m_random;
    std::vector<Rank> m_ranks;
    std::map<std::pair<int, bool>, int> m_sequence;
};

std::string micros(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.3f", value);
    return text;
}

template<typename T>
T valueOr(const std::map<int, T>& map, int key, T other)
{
    const auto found = map.find(key);
    return found == map.end() ? other : found->second;
}

} // namespace

PlantedPlan plannedBy(std::uint64_t seed)
{
    std::mt19937_64 random(seed * 7919 + 1);
    const auto below
        = [&](int count) { return static_cast<int>(random() % static_cast<std::uint64_t>(count)); };
    PlantedPlan plan;
    plan.seed = seed;
    plan.ranks = std::vector{2, 2, 3, 4, 4, 6, 8, 8, 16, 64}[static_cast<std::size_t>(below(10))];
    plan.tensorParallel = plan.ranks % 4 == 0 ? std::vector{1, 2, 4}[static_cast<std::size_t>(below(3))]
        : plan.ranks % 2 == 0                 ? 1 + below(2)
                                              : 1;
    plan.steps = plan.ranks > 8 ? 4 : 5 + below(4);
    plan.layers = 2 + below(4);
    plan.cause = static_cast<PlantedCause>(below(4));
    plan.culprit = below(plan.ranks);
    plan.extraUs = plan.cause == PlantedCause::None ? 0 : 150 + below(600);
    plan.noiseUs = 1 + below(4);
    plan.writesSequence = below(3) != 0;
    plan.renamesGroups = below(4) == 0;
    plan.sharesNames = below(3) == 0;
    const bool isLong = below(4) == 0;
    plan.pauseUs = isLong ? 400000 : 0;
    if (isLong)
        plan.steps = 12;
    for (int rank = 1; rank < plan.ranks; ++rank) {
        if (below(2) == 0)
            plan.offsetUs[rank] = (below(2) == 0 ? -1 : 1) * (200.0 + below(20000)) + 0.125;
        if (isLong && below(2) == 0)
            plan.driftPpm[rank] = 20 + below(60);
    }
    if (plan.ranks > 3 && below(4) == 0) {
        const int missing = below(plan.ranks);
        if (missing != plan.culprit)
            plan.missing.insert(missing);
    }
    return plan;
}

std::string planText(const PlantedPlan& plan)
{
    static constexpr const char* causes[] = {"nothing", "slow kernel", "slow CPU", "late input"};
    std::string text = "seed " + std::to_string(plan.seed) + ": " + std::to_string(plan.ranks) + " ranks, tp "
        + std::to_string(plan.tensorParallel) + ", " + std::to_string(plan.steps) + " steps, "
        + causes[static_cast<int>(plan.cause)] + " on rank " + std::to_string(plan.culprit) + " by "
        + micros(plan.extraUs) + " us";
    text += std::string(plan.writesSequence ? "" : ", no Seq") + (plan.renamesGroups ? ", renamed" : "")
        + (plan.sharesNames ? ", shared names" : "");
    for (const auto& [rank, us] : plan.offsetUs)
        text += ", clock " + std::to_string(rank) + " " + micros(us) + " us";
    for (const auto& [rank, ppm] : plan.driftPpm)
        text += ", drift " + std::to_string(rank) + " " + micros(ppm) + " ppm";
    for (const int rank : plan.missing)
        text += ", without rank " + std::to_string(rank);
    return text;
}

void writePlanted(const PlantedPlan& plan, const std::string& folder)
{
    Simulation simulation(plan);
    simulation.run();
    for (int rank = 0; rank < plan.ranks; ++rank) {
        if (plan.missing.contains(rank))
            continue;
        const double offset = valueOr(plan.offsetUs, rank, 0.0);
        const double rate = 1 + valueOr(plan.driftPpm, rank, 0.0) * 1e-6;
        std::string text = R"({"schemaVersion": 1, "distributedInfo": {"backend": "nccl", "rank": )"
            + std::to_string(rank) + ", \"world_size\": " + std::to_string(plan.ranks)
            + "}, \"baseTimeNanoseconds\": 1700000000000000000, \"traceEvents\": [";
        bool first = true;
        for (const Event& event : simulation.events(rank)) {
            // Begin and end as this rank's clock reads them.
            const double begin = 1e5 + event.beginUs * rate + offset;
            text += (first ? "\n" : ",\n") + std::string(R"({"ph": "X", "cat": ")") + event.category
                + R"(", "name": ")" + event.name + R"(", "pid": )" + std::to_string(event.pid)
                + ", \"tid\": " + std::to_string(event.tid) + ", \"ts\": " + micros(begin)
                + ", \"dur\": " + micros(event.durationUs * rate) + ", \"args\": {" + event.args + "}}";
            first = false;
        }
        writeFile(folder + "/rank" + std::to_string(rank) + "_trace.json", text + "\n]}");
    }
}

} // namespace collscope
