// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/finding.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

struct KindRow
{
    std::string_view id;
    std::string_view advice;
};

/// In the order of FindingKind.
constexpr KindRow kindRows[] = {
    {"ranks_missing", "Open the files of all ranks: the missing ones may be those that the others wait for."},
    {"several_runs", "Open the files of one job."},
    {"unrecognised_communication",
     "If these kernels communicate, name them in a rule ([[communication]] in a file for --define)."},
    {"clocks_apart", "If these are two jobs, open the files of one job."},
    {"no_steps",
     "Mark the steps (profiler.step() in PyTorch, StepTraceAnnotation in JAX), so that the first and the "
     "last one can be left out."},
    {"profiler_overhead",
     "Record less (no stacks, no shapes, fewer steps), and compare the time of a step with that of a run "
     "without a profiler."},
    {"hardware_trouble", "Take this GPU or node out of the job, and have it examined."},
    {"network_trouble",
     "Compare NCCL_IB_HCA, NCCL_SOCKET_IFNAME and the plugins of these nodes with those of the others."},
    {"job_slowed", "Look at what changed at that time: nodes, other jobs, data, checkpoints."},
    {"straggler", "Look at what this rank does before it arrives; the others only wait for it."},
    {"late_rank", "Look at what this rank does before it arrives; the others only wait for it."},
    {"slow_kernels_on_rank",
     "Compare clocks, temperature and power of this GPU with the others, and look for other jobs on it. If "
     "the size of the data varies, compare that first."},
    {"unbalanced_work",
     "Give all ranks equally much to do: sort or pack samples by length, divide layers by their cost."},
    {"unbalanced_experts", "Balance the experts: look at the tokens that the router sends to each of them."},
    {"exposed_communication",
     "Start it earlier or in smaller parts so that it runs beside compute, or send less."},
    {"slow_collectives",
     "Look for a slow link or a busy network between these ranks, and for kernels that run at the same "
     "time."},
    {"gpu_idle", ""},
    {"launch_bound", "If the kernels are short, use CUDA graphs or torch.compile, or fuse them."},
    {"exposed_copies", "Copy on another stream with non_blocking=True, or keep the data on the GPU."},
    {"pipeline_bubble", "Use more microbatches, an interleaved schedule, or stages that take equally long."},
    {"outlier_steps", "Compare these steps with the others: they compute longer."},
    {"allocator",
     "Reuse memory: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, avoid empty_cache(), leave some "
     "memory free."},
    {"recompiles", "Keep shapes constant or mark them as dynamic, and warm up before the measurement."}};

/// In the order of IdleCause.
constexpr std::string_view idleAdvice[idleCauseCount]
    = {"Remove the call that waits (.item(), .cpu(), synchronize()), or move it to the end of the step.",
       "Reuse memory: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, avoid empty_cache().",
       "Use more workers, prefetching and pinned memory in the data loader.",
       "Keep shapes constant or mark them as dynamic, and warm up before the measurement.",
       "Switch automatic collection off (gc.disable()) and collect at a chosen time on all ranks.",
       "Record less (no stacks, no shapes, fewer steps): this time is not spent without the profiler.",
       "Save in the background (asynchronous checkpoints), or less often.",
       "Look at which rank comes last, and why; let the CPUs meet less often.",
       "Copy earlier and on another stream (from pinned memory, with non_blocking=True), or keep the data "
       "on the GPU.",
       "Launch earlier: less Python per operator, CUDA graphs or torch.compile.",
       "Look at the event that the stream waits for: the work before it is on the critical path.",
       "Look at what the thread waits for, and start it earlier or in the background.",
       "Record more (with_stack=True, all threads) to see what the program does there.",
       "Record what launches this work (in PyTorch: ProfilerActivity.CPU, too).",
       "If the kernels are short, use CUDA graphs or torch.compile, or fuse them.",
       "Record synchronisation events and all streams to see what holds the work back."};

/// Where a CUDA graph launches the work already.
constexpr std::string_view insideGraphAdvice = "Fuse kernels: these are launched by a graph already.";

/// About memory of the host that the GPU can reach.
constexpr std::string_view pinnedMemoryAdvice = "Allocate pinned memory once and reuse it: pinning and "
                                                "freeing it takes long, and may wait for the GPU.";

constexpr std::string_view copyOnGpuAdvice
    = "Avoid the copy on the GPU (contiguous(), clone(), cat()), or fuse it with a kernel beside it.";

/// Advice about copies by a part of their name, as CUPTI and ROCm write it. The first one that fits counts.
constexpr std::pair<std::string_view, std::string_view> copyAdvice[] = {
    {"Pageable",
     "Copy from and to pinned memory with non_blocking=True on another stream, or keep the data on the GPU."},
    {"DtoD", copyOnGpuAdvice},
    {"DeviceToDevice", copyOnGpuAdvice}};

/// About hardware that need not be broken, by cause.
constexpr std::pair<std::string_view, std::string_view> hardwareAdvice[] = {
    {"all_gpus", "Look at what these GPUs share: cooling, power supply, and limits that someone set."},
    {"chosen_clocks",
     "Someone set the clocks of this GPU: if nobody wants that, reset them (nvidia-smi -rgc, nvidia-smi "
     "-rac)."},
    {"program",
     "Look for the mistake in the program first (compute-sanitizer); if the error stays on this GPU with "
     "other programs, have the GPU examined."},
    {"corrected_errors",
     "A few of these need not mean that anything is broken: compare with other runs, and have device and "
     "cable examined if the counter keeps rising."},
    {"congestion",
     "Look at the switch port and the cable of this card, and at the flows that share its way: other cards "
     "carried about as much with far less congestion."}};

/// Where not all kernels of the rank take longer than on its peers.
constexpr std::string_view longerKernelsAdvice
    = "First compare what these kernels work on (tokens, sequence lengths): not all kernels of this rank "
      "take longer.";

/// About a network whose cards are all there.
constexpr std::string_view otherNetworkAdvice
    = "Compare the environment (NCCL_*), drivers and topology of these nodes with those of the others.";

/// About a late rank whose own waits are not known.
constexpr std::string_view waitedItselfAdvice
    = "Record all ranks: the one that it waited for may be missing here.";

} // namespace

std::string_view findingId(FindingKind kind)
{
    return kindRows[static_cast<std::size_t>(kind)].id;
}

std::string_view adviceFor(const Finding& finding)
{
    if (finding.kind == FindingKind::ExposedCopies) {
        for (const auto& [part, advice] : copyAdvice) {
            if (finding.name.find(part) != std::string::npos)
                return advice;
        }
    }
    if (finding.kind == FindingKind::HardwareTrouble) {
        for (const auto& [cause, advice] : hardwareAdvice) {
            if (finding.cause == cause)
                return advice;
        }
    }
    if (finding.kind == FindingKind::Allocator && finding.name.find("Host") != std::string::npos)
        return pinnedMemoryAdvice;
    if (finding.kind == FindingKind::LaunchBound && finding.isInsideGraph)
        return insideGraphAdvice;
    if (finding.kind == FindingKind::LateRank && finding.cause == "waited_itself")
        return waitedItselfAdvice;
    if (finding.kind == FindingKind::NetworkTrouble && finding.cause != "sockets"
        && finding.cause != "fewer_adapters")
        return otherNetworkAdvice;
    if (finding.kind == FindingKind::SlowKernelsOnRank && finding.cause == "longer_kernels")
        return longerKernelsAdvice;
    const std::string_view own = kindRows[static_cast<std::size_t>(finding.kind)].advice;
    return own.empty() && finding.idleCause ? idleAdvice[static_cast<std::size_t>(*finding.idleCause)] : own;
}

FindingKind kindOfIdle(IdleCause cause)
{
    return cause == IdleCause::LaunchOverhead ? FindingKind::LaunchBound
        : cause == IdleCause::Allocates       ? FindingKind::Allocator
        : cause == IdleCause::Compiles        ? FindingKind::Recompiles
                                              : FindingKind::GpuIdle;
}

void Finding::pay(std::int32_t rank, std::int64_t paidNs)
{
    if (paidNs == 0)
        return;
    ns += paidNs;
    auto paid = nsByRank.end();
    if (!nsByRank.empty() && rank <= nsByRank.back().first)
        paid = std::lower_bound(nsByRank.begin(), nsByRank.end(), std::pair(rank, std::int64_t{0}),
                                [](const auto& a, const auto& b) { return a.first < b.first; });
    if (paid == nsByRank.end() || paid->first != rank)
        paid = nsByRank.insert(paid, {rank, 0});
    paid->second += paidNs;
}

void Finding::join(const Finding& other)
{
    std::map<std::int32_t, std::int64_t> paid(nsByRank.begin(), nsByRank.end());
    for (const auto& [rank, paidNs] : other.nsByRank)
        paid[rank] += paidNs;
    nsByRank.assign(paid.begin(), paid.end());
    ns += other.ns;
    count += other.count;
    places.join(other.places);
    isEstimated |= other.isEstimated;
}

std::vector<std::int32_t> Finding::payers() const
{
    std::vector<std::int32_t> payers;
    for (const auto& [rank, paidNs] : nsByRank)
        payers.push_back(rank);
    return payers;
}

} // namespace collscope
