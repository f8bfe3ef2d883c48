// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A small workload, described, and what it would leave behind: every kernel, CPU call and byte on the links,
// planned exactly. Tests take their truth from the plan, never from the program under test. All times: ns
// since the run's zero.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// At the end of a step the optimizer's all-gather runs at this rate: it is the highest traffic of that
/// step's GPUs.
struct PlantedPeak
{
    int step = 0; ///< counted from 0
    double gigabytesPerSecond = 0; ///< sum over the links of one direction
};

/// What to plan. The defaults are a tiny exact run: no jitter, no gaps, so that shares can be checked in
/// closed form.
struct WorkloadDescription
{
    std::string model = "toy-250m";
    std::string gpuName = "NVIDIA A100-SXM4-80GB";
    std::string cardGpu = "nvidia_a100";
    int multiprocessors = 108;
    std::vector<std::string> hosts{"node0"};
    int tensorParallel = 2;
    int dataParallel = 2;
    int steps = 4;
    int firstStep = 10; ///< number of the first ProfilerStep
    std::int64_t stepNs = 10'000'000; ///< a step is longer only if its GPU work needs it
    int layers = 2;
    double hiddenShare = 0.75; ///< of each data-parallel transfer, what lies under the layer's compute
    int stragglerRank = -1; ///< -1 = none
    std::int64_t lateNs = 0; ///< how much longer the straggler computes in each layer
    double jitter = 0; ///< relative spread of compute durations; half of it on the steps
    std::int64_t gapNs = 0; ///< between two kernels of a stream
    std::vector<PlantedPeak> peaks;
    std::uint32_t links = 4;
    std::int64_t samplePeriodNs = 1'000'000;
    std::int64_t wallClockNs = 1'759'968'000'000'000'000; ///< zero of the run, since the epoch
    std::uint64_t seed = 1;
    int batchSize = 4; ///< global
    int sequenceLength = 512;

    static constexpr std::int64_t embeddingParameters = 32'000LL * 4096; ///< the output head has as many
    /// Layers as wide as those of an 8 B Llama: what the planned kernels could compute.
    std::int64_t parameters() const { return layers * 218'112'000LL + 2 * embeddingParameters + 4096; }
    int ranks() const { return tensorParallel * dataParallel; }
    int ranksPerHost() const { return ranks() / static_cast<int>(hosts.size()); }
};

/// Six ranks with jitter, gaps, planted peaks, and a rank 3 that computes longer than the others.
WorkloadDescription lateDescription();
/// The run that comes with the program.
WorkloadDescription demoDescription();

/// Metadata of a collective, as PyTorch writes it.
struct PlannedCollective
{
    std::string name; ///< "allreduce", "_allgather_base", ...
    std::string operation; ///< of c10d: "allreduce_"
    std::int64_t inElements = 0, outElements = 0;
    std::string elementType;
    std::string groupName, groupDescription;
    std::vector<int> ranks;
    std::int64_t sequence = 0;
    std::int64_t transferBeginNs = 0; ///< after waiting for the last rank
    std::int64_t wireBytes = 0; ///< sent, and as much received, over all links
};

enum class PlannedKind
{
    Kernel,
    Memcpy,
    Memset
};

struct PlannedActivity
{
    PlannedKind kind = PlannedKind::Kernel;
    std::string name;
    std::string cpuOp; ///< the operator that launches it
    std::string region; ///< the annotation around the launch: "layers.0 forward"
    bool onAutogradThread = false;
    int stream = 7;
    std::int64_t startNs = 0, durationNs = 0;
    int step = 0; ///< index
    std::uint32_t grid = 1;
    std::int64_t bytes = 0; ///< copies
    std::uint32_t correlation = 0; ///< unique within a rank
    std::int64_t launchNs = 0; ///< start of the CPU call
    std::int64_t awaitedEndNs
        = -1; ///< before its launch, the CPU waits for work that ends then; -1: it does not
    bool waitsForLaunch = false; ///< begins when the CPU has launched it; else the CPU is ahead
    std::optional<PlannedCollective> collective;

    std::int64_t endNs() const { return startNs + durationNs; }
    bool isKernel() const { return kind == PlannedKind::Kernel; }
};

struct PlannedStep
{
    int number = 0;
    std::int64_t startNs = 0, durationNs = 0; ///< the same on every rank
};

/// A counter reading of one link and direction: cumulative KiB, as NVML gives it.
struct PlannedSample
{
    std::int64_t timeUs = 0; ///< since the epoch
    std::uint32_t link = 0;
    bool transmit = true;
    std::uint64_t kib = 0;
};

struct PlannedRank
{
    int rank = 0;
    int device = 0; ///< on its host
    std::string host;
    std::vector<PlannedActivity> activities; ///< in issue order
    std::vector<PlannedSample> samples; ///< in the order of the file
};

struct RunPlan
{
    WorkloadDescription description;
    std::vector<PlannedStep> steps;
    std::vector<PlannedRank> ranks;
};

/// Plays the workload through, rank by rank and collective by collective. The same description gives the same
/// plan.
RunPlan planRun(const WorkloadDescription& description);

/// What a correct program answers about the run, worked out from the plan by counting, not by interval sets.
struct ExpectedNumbers
{
    double stepSeconds = 0; ///< mean of the inner steps
    std::map<int, double> overlapPercent; ///< by rank, inner steps
    double meanOverlapPercent = 0;
    double callsPerStep = 0; ///< rank 0, inner steps
    struct Link
    {
        double maxGBps = 0; ///< one link, one direction
        std::uint32_t maxLink = 0;
        std::int64_t maxBeginUs = 0, maxEndUs = 0; ///< since the epoch
        double averageGBps = 0;
        std::uint64_t txBytes = 0, rxBytes = 0;
        std::vector<std::string> peakKernels; ///< names, most overlap with the max interval first
        int peakCollectives = 0; ///< of these, how many communicate
    };
    std::map<int, Link> links; ///< by rank
};
ExpectedNumbers expectedNumbers(const RunPlan& plan);

} // namespace collscope
