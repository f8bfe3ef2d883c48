// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/workloads/run_description.h"

#include <algorithm>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;
constexpr std::int64_t gpuBeginNs = 300 * us; ///< first kernel after the step's begin
constexpr std::int64_t stepTailNs = 60 * us; ///< last kernel to the step's end, at least
constexpr std::int64_t launchLeadNs = 8 * us; ///< a launch returns before its kernel starts
constexpr std::int64_t launchSpacingNs = 20 * us; ///< room for the CPU operators around a launch
constexpr int tensorStream = 24;
constexpr int dataStream = 20;

/// SplitMix64: the same numbers on every machine, unlike the distributions of <random>.
class Random
{
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed)
    { }
    /// In [-1, 1).
    double next()
    {
        std::uint64_t z = (m_state += 0x9E3779B97F4A7C15u);
        z = (z ^ (z >> 30u)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27u)) * 0x94D049BB133111EBu;
        return static_cast<double>((z ^ (z >> 31u)) >> 11u) / 4503599627370496.0 - 1.0;
    }

private:
    std::uint64_t m_state;
};

struct Op
{
    const char* name;
    const char* cpuOp;
    std::int64_t durationUs;
    std::uint32_t grid;
    bool takesLateness = false;
};

struct Transfer
{
    const char* kernel;
    const char* name; ///< `Collective name`
    const char* operation;
    std::int64_t inElements, outElements;
    const char* elementType;
    int elementBytes;
    double gigabytesPerSecond;
};

struct Group
{
    std::string name, description;
    std::vector<int> ranks;
};

const char* const gemmForward = "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn";
const char* const gemmBackward = "ampere_bf16_s16816gemm_bf16_256x128_ldg8_f2f_stages_64x3_nt";
const char* const normForward = "void at::native::(anonymous "
                                "namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float)";
const char* const flashForward
    = "void pytorch_flash::flash_fwd_kernel<pytorch_flash::Flash_fwd_kernel_traits<128, 64, 64, 4>>";
const char* const flashBackward
    = "void pytorch_flash::flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<128, 64, 64, "
      "8>>";
const char* const activation
    = "void at::native::vectorized_elementwise_kernel<4, at::native::silu_kernel(at::TensorIteratorBase&)>";
const char* const adam
    = "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4>>";

const Op attentionOps[] = {{normForward, "aten::native_layer_norm", 16, 432},
                           {gemmForward, "aten::linear", 150, 432, true},
                           {flashForward, "aten::_scaled_dot_product_flash_attention", 190, 512},
                           {gemmForward, "aten::linear", 90, 216}};
const Op feedForwardOps[] = {{normForward, "aten::native_layer_norm", 16, 432},
                             {gemmForward, "aten::linear", 230, 864},
                             {activation, "aten::silu", 30, 1024},
                             {gemmForward, "aten::linear", 210, 432}};
const Op backwardOps[] = {{gemmBackward, "MmBackward0", 210, 432},
                          {gemmBackward, "MmBackward0", 220, 864},
                          {activation, "SiluBackward0", 35, 1024},
                          {flashBackward, "ScaledDotProductFlashAttentionBackward0", 330, 512},
                          {gemmBackward, "MmBackward0", 150, 432},
                          {gemmBackward, "MmBackward0", 160, 432},
                          {normForward, "NativeLayerNormBackward0", 40, 432}};
const Op headOps[]
    = {{"void (anonymous namespace)::cunn_SoftMaxForward<8, c10::BFloat16, float>(float*, int)",
        "aten::log_softmax", 48, 512},
       {"void at::native::reduce_kernel<512, 1, at::native::MeanOps<float, float>>", "aten::mean", 12, 64}};
const Op optimizerOps[] = {{adam, "aten::_fused_adamw_", 110, 320}, {adam, "aten::_fused_adamw_", 95, 320}};

const Transfer tensorReduce{"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                            "allreduce",
                            "allreduce_",
                            8'388'608,
                            8'388'608,
                            "BFloat16",
                            2,
                            160};
const Transfer shardGather{"ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                           "_allgather_base",
                           "_allgather_base_",
                           17'825'792,
                           17'825'792,
                           "BFloat16",
                           2,
                           76};
const Transfer gradientScatter{
    "ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "_reduce_scatter_base",
    "_reduce_scatter_base_",
    9'437'184,
    9'437'184,
    "Float",
    4,
    65};
const Transfer normReduce{"ncclDevKernel_AllReduce_Sum_f32_TREE_LL(ncclDevKernelArgsStorage<4096ul>)",
                          "allreduce",
                          "allreduce_",
                          1024,
                          1024,
                          "Float",
                          4,
                          0.3};

class Planner
{
public:
    explicit Planner(const WorkloadDescription& description);
    RunPlan run();

private:
    void playStep(PlannedStep& step);
    void optimize(int step);
    void compute(std::span<const Op> ops, bool mayBeLate);
    void layerWith(std::span<const Op> ops, const Transfer& transfer);
    void everyone(std::span<const Op> ops, const std::string& region, bool autograd);
    void tensorAllReduce();
    PlannedActivity& add(int rank, const char* name, const char* cpuOp, int stream, std::int64_t start,
                         std::int64_t duration);
    /// Starts a collective of every group at the given times; answers when it ends on each rank.
    std::vector<std::int64_t> transfer(const std::vector<Group>& groups, const Transfer& what, int stream,
                                       const std::vector<std::int64_t>& begin, std::int64_t fixedBytes = 0);
    void placeLaunches(PlannedRank& rank, std::size_t first, std::int64_t stepStart) const;
    void sampleLinks(PlannedRank& rank) const;

    const WorkloadDescription& m_d;
    RunPlan m_plan;
    Random m_random;
    std::vector<Group> m_tensorGroups, m_dataGroups, m_worldGroup;
    std::vector<std::int64_t> m_cursor; ///< by rank: when the compute stream is free
    std::vector<std::uint32_t> m_correlation;
    std::vector<std::uint8_t> m_waitsForLaunch; ///< by rank: the next kernel
    std::map<std::string, std::int64_t> m_sequence;
    std::string m_region;
    bool m_autograd = false;
    int m_step = 0;
};

Planner::Planner(const WorkloadDescription& description)
    : m_d(description)
    , m_random(description.seed)
    , m_cursor(static_cast<std::size_t>(description.ranks()))
    , m_correlation(static_cast<std::size_t>(description.ranks()), 1000)
    , m_waitsForLaunch(static_cast<std::size_t>(description.ranks()))
{
    m_plan.description = description;
    Group world{"0", "default_pg", {}};
    for (int rank = 0; rank < m_d.ranks(); ++rank) {
        PlannedRank planned;
        planned.rank = rank;
        planned.device = rank % m_d.ranksPerHost();
        planned.host = m_d.hosts[static_cast<std::size_t>(rank / m_d.ranksPerHost())];
        m_plan.ranks.push_back(std::move(planned));
        world.ranks.push_back(rank);
    }
    m_worldGroup.push_back(world);
    int name = 1;
    for (int first = 0; first < m_d.ranks(); first += m_d.tensorParallel) {
        Group group{std::to_string(name++), "mesh_tp", {}};
        for (int i = 0; i < m_d.tensorParallel; ++i)
            group.ranks.push_back(first + i);
        m_tensorGroups.push_back(group);
    }
    for (int first = 0; first < m_d.tensorParallel; ++first) {
        Group group{std::to_string(name++), "mesh_dp_shard", {}};
        for (int rank = first; rank < m_d.ranks(); rank += m_d.tensorParallel)
            group.ranks.push_back(rank);
        m_dataGroups.push_back(group);
    }
}

PlannedActivity& Planner::add(int rank, const char* name, const char* cpuOp, int stream, std::int64_t start,
                              std::int64_t duration)
{
    PlannedActivity activity;
    activity.name = name;
    activity.cpuOp = cpuOp;
    activity.region = m_region;
    activity.onAutogradThread = m_autograd;
    activity.stream = stream;
    activity.startNs = start;
    activity.durationNs = duration;
    activity.step = m_step;
    activity.correlation = ++m_correlation[static_cast<std::size_t>(rank)];
    auto& activities = m_plan.ranks[static_cast<std::size_t>(rank)].activities;
    activities.push_back(std::move(activity));
    return activities.back();
}

/// Lays the operators back to back on every rank.
void Planner::compute(std::span<const Op> ops, bool mayBeLate)
{
    for (int rank = 0; rank < m_d.ranks(); ++rank) {
        std::int64_t& cursor = m_cursor[static_cast<std::size_t>(rank)];
        for (const Op& op : ops) {
            auto duration = op.durationUs * us;
            duration
                += static_cast<std::int64_t>(static_cast<double>(duration) * m_d.jitter * m_random.next());
            if (mayBeLate && op.takesLateness && rank == m_d.stragglerRank)
                duration += m_d.lateNs;
            PlannedActivity& kernel = add(rank, op.name, op.cpuOp, 7, cursor, duration);
            kernel.grid = op.grid;
            kernel.waitsForLaunch = std::exchange(m_waitsForLaunch[static_cast<std::size_t>(rank)], 0) != 0;
            cursor += duration + m_d.gapNs;
        }
    }
}

std::vector<std::int64_t> Planner::transfer(const std::vector<Group>& groups, const Transfer& what,
                                            int stream, const std::vector<std::int64_t>& begin,
                                            std::int64_t fixedBytes)
{
    std::vector<std::int64_t> ends = begin;
    for (const Group& group : groups) {
        const auto size = static_cast<std::int64_t>(group.ranks.size());
        if (size < 2)
            continue;
        const bool reduce = std::string_view(what.name) == "allreduce";
        const bool gather = std::string_view(what.name) == "_allgather_base";
        const std::int64_t message = (gather ? what.outElements : what.inElements) * what.elementBytes;
        const std::int64_t wire
            = fixedBytes > 0 ? fixedBytes : message * (size - 1) / size * (reduce ? 2 : 1);
        const auto duration = static_cast<std::int64_t>(static_cast<double>(wire) / what.gigabytesPerSecond);
        std::int64_t last = 0;
        for (const int rank : group.ranks)
            last = std::max(last, begin[static_cast<std::size_t>(rank)]);
        const std::int64_t sequence = ++m_sequence[group.name];
        for (const int rank : group.ranks) {
            const auto r = static_cast<std::size_t>(rank);
            ends[r] = last + duration;
            PlannedActivity& activity = add(rank, what.kernel, "", stream, begin[r], ends[r] - begin[r]);
            activity.grid = 24;
            PlannedCollective call;
            call.name = what.name;
            call.operation = what.operation;
            call.inElements = gather ? what.inElements / size : what.inElements;
            call.outElements = reduce || gather ? what.outElements : what.outElements / size;
            call.elementType = what.elementType;
            call.groupName = group.name;
            call.groupDescription = group.description;
            call.ranks = group.ranks;
            call.sequence = sequence;
            call.transferBeginNs = last;
            call.wireBytes = wire;
            activity.collective = std::move(call);
        }
    }
    return ends;
}

/// One layer's compute with a data-parallel transfer beside it, which begins when one of the operators ends:
/// that after which about the hidden share of the transfer remains to be computed.
void Planner::layerWith(std::span<const Op> ops, const Transfer& what)
{
    if (m_d.dataParallel < 2) {
        compute(ops, true);
        return;
    }
    const std::int64_t message
        = what.elementBytes * what.inElements / m_d.dataParallel * (m_d.dataParallel - 1);
    const auto hidden
        = static_cast<std::int64_t>(static_cast<double>(message) / what.gigabytesPerSecond * m_d.hiddenShare);
    std::size_t before = ops.size();
    for (std::int64_t remaining = 0; before > 1; --before) {
        const std::int64_t longer = remaining + ops[before - 1].durationUs * us;
        if (longer - hidden > hidden - remaining)
            break; // further away
        remaining = longer;
    }
    compute(ops.first(before), true);
    const std::vector<std::int64_t> done = transfer(m_dataGroups, what, dataStream, m_cursor);
    compute(ops.subspan(before), true);
    for (std::size_t rank = 0; rank < done.size(); ++rank)
        m_cursor[rank] = std::max(m_cursor[rank], done[rank] + m_d.gapNs);
}

void Planner::tensorAllReduce()
{
    m_cursor = transfer(m_tensorGroups, tensorReduce, tensorStream, m_cursor);
    for (std::int64_t& cursor : m_cursor)
        cursor += m_d.gapNs;
}

void Planner::optimize(int step)
{
    m_region = "Optimizer.step#AdamW.step";
    m_autograd = false;
    m_cursor = transfer(m_worldGroup, normReduce, dataStream, m_cursor);
    compute(optimizerOps, false);
    double rate = 120;
    for (const PlantedPeak& peak : m_d.peaks)
        rate = peak.step == step ? peak.gigabytesPerSecond : rate;
    // Two sampling periods long, so that at least one interval of the counters sees nothing else.
    Transfer gather = shardGather;
    gather.gigabytesPerSecond = rate;
    const auto wire = static_cast<std::int64_t>(static_cast<double>(2 * m_d.samplePeriodNs) * rate);
    gather.outElements = gather.inElements = wire / 2 * m_d.dataParallel / std::max(1, m_d.dataParallel - 1);
    const std::vector<std::int64_t> begins = m_cursor;
    const std::vector<std::int64_t> ends = transfer(m_dataGroups, gather, dataStream, begins, wire);
    for (int rank = 0; rank < m_d.ranks(); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        const std::int64_t middle = begins[r] + m_d.samplePeriodNs * 3 / 4;
        PlannedActivity& fill = add(
            rank, "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>(int)",
            "aten::zero_", 7, middle, 60 * us);
        fill.grid = 2048;
        fill.waitsForLaunch = true;
        fill.awaitedEndNs = begins[r] - m_d.gapNs; // of the optimizer
        PlannedActivity& concatenate = add(
            rank, "void at::native::(anonymous namespace)::CatArrayBatchedCopy_aligned16_contig<float, 4>",
            "aten::cat", 7, middle + 60 * us, 120 * us);
        concatenate.grid = 256;
        concatenate.waitsForLaunch = true;
        PlannedActivity& copy
            = add(rank, "Memcpy DtoH (Device -> Pageable)", "aten::item", 7, middle + 190 * us, 4 * us);
        copy.kind = PlannedKind::Memcpy;
        copy.bytes = 4;
        copy.waitsForLaunch = true;
        m_cursor[r] = std::max(ends[r], middle + 200 * us);
    }
}

void Planner::playStep(PlannedStep& step)
{
    std::vector<std::size_t> firstActivity;
    for (PlannedRank& rank : m_plan.ranks) {
        firstActivity.push_back(rank.activities.size());
        m_cursor[static_cast<std::size_t>(rank.rank)] = step.startNs + gpuBeginNs;
        m_region = "dataloader";
        PlannedActivity& input = add(rank.rank, "Memcpy HtoD (Pinned -> Device)", "aten::copy_", 7,
                                     step.startNs + 140 * us, 62 * us);
        input.kind = PlannedKind::Memcpy;
        input.bytes = 512 * 1024; // tokens, labels and masks
        input.waitsForLaunch = true;
        PlannedActivity& clear
            = add(rank.rank, "Memset (Device)", "aten::zero_", 7, step.startNs + 230 * us, 3 * us);
        clear.kind = PlannedKind::Memset;
        clear.bytes = 4096;
        clear.waitsForLaunch = true;
        m_waitsForLaunch[static_cast<std::size_t>(rank.rank)] = 1;
    }
    for (int layer = 0; layer < m_d.layers; ++layer) {
        m_region = "layers." + std::to_string(layer) + " forward";
        layerWith(attentionOps, shardGather);
        tensorAllReduce();
        compute(feedForwardOps, false);
        tensorAllReduce();
    }
    m_region = "loss";
    compute(headOps, false);
    m_autograd = true;
    for (int layer = m_d.layers; layer-- > 0;) {
        m_region = "layers." + std::to_string(layer) + " backward";
        layerWith(backwardOps, gradientScatter);
        tensorAllReduce();
    }
    optimize(m_step);
    const std::int64_t end = *std::max_element(m_cursor.begin(), m_cursor.end());
    const auto spread
        = static_cast<std::int64_t>(static_cast<double>(m_d.stepNs) * m_d.jitter * m_random.next() / 2);
    step.durationNs = std::max(m_d.stepNs + spread, end - step.startNs + stepTailNs);
    for (PlannedRank& rank : m_plan.ranks)
        placeLaunches(rank, firstActivity[static_cast<std::size_t>(rank.rank)], step.startNs);
}

/// The CPU runs ahead of the GPU, but where a kernel waits for its launch, and never launches after the
/// kernel's start. It leaves room around every launch.
void Planner::placeLaunches(PlannedRank& rank, std::size_t first, std::int64_t stepStart) const
{
    constexpr std::int64_t usualSpacingNs = 45 * us;
    std::int64_t ideal = stepStart + 40 * us;
    for (std::size_t i = first; i < rank.activities.size(); ++i) {
        PlannedActivity& activity = rank.activities[i];
        const std::int64_t latest = activity.startNs - launchLeadNs;
        activity.launchNs = activity.waitsForLaunch ? latest : std::min(ideal, latest);
        ideal = std::max(ideal, activity.launchNs) + usualSpacingNs;
    }
    std::int64_t next = std::numeric_limits<std::int64_t>::max();
    for (std::size_t i = rank.activities.size(); i-- > first;) {
        PlannedActivity& activity = rank.activities[i];
        activity.launchNs = std::min(activity.launchNs, next - launchSpacingNs);
        next = activity.launchNs;
    }
    if (next < stepStart + 10 * us)
        throw std::logic_error("the kernels at the begin of a step are too short to be launched in time");
}

/// NVML counts whole KiB, cumulatively, from some value that the GPU has had since boot.
void Planner::sampleLinks(PlannedRank& rank) const
{
    const std::int64_t end = m_plan.steps.back().startNs + m_plan.steps.back().durationNs;
    for (std::int64_t at = -m_d.samplePeriodNs; at <= end + m_d.samplePeriodNs; at += m_d.samplePeriodNs) {
        std::int64_t total = 0;
        for (const PlannedActivity& activity : rank.activities) {
            if (!activity.collective)
                continue;
            const std::int64_t begin = activity.collective->transferBeginNs;
            const std::int64_t done = std::clamp<std::int64_t>(at - begin, 0, activity.endNs() - begin);
            total += activity.collective->wireBytes * done / (activity.endNs() - begin);
        }
        const std::int64_t weights = std::int64_t{m_d.links} * 16 + 1;
        for (std::uint32_t link = 0; link < m_d.links; ++link) {
            // One link carries a little more than the others, so that "which link was it" has one answer.
            const std::int64_t bytes = total / weights * (link == 1 ? 17 : 16);
            const std::uint64_t since = 5'000'000u + std::uint64_t{link} * 1000u;
            const std::int64_t timeUs = (m_d.wallClockNs + at) / 1000;
            rank.samples.push_back({timeUs, link, true, since + static_cast<std::uint64_t>(bytes / 1024)});
            rank.samples.push_back(
                {timeUs, link, false, since + static_cast<std::uint64_t>(bytes / 1024 * 31 / 32)});
        }
    }
}

RunPlan Planner::run()
{
    std::int64_t start = 1'000'000;
    for (m_step = 0; m_step < m_d.steps; ++m_step) {
        PlannedStep step{m_d.firstStep + m_step, start, 0};
        playStep(step);
        start += step.durationNs;
        m_plan.steps.push_back(step);
    }
    for (PlannedRank& rank : m_plan.ranks)
        sampleLinks(rank);
    return std::move(m_plan);
}

} // namespace

RunPlan planRun(const WorkloadDescription& description)
{
    return Planner(description).run();
}

} // namespace collscope
