// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A training job of many ranks in which everything is known: who is late and why, how far each clock is off.
// Simulated event by event (CPU launches ahead of the GPU, tensor-parallel all-reduces in each layer,
// gradients over the data-parallel groups), then written as one Kineto file per rank.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace collscope {

enum class PlantedCause
{
    None,
    SlowKernel, ///< one of its kernels takes longer than on the others
    SlowCpu, ///< its CPU is busy elsewhere before the first launch of the step
    LateInput ///< its data loader is slow
};

struct PlantedPlan
{
    int ranks = 4;
    int tensorParallel = 1; ///< divides ranks; data parallel = the rest
    int steps = 6;
    int layers = 4;
    PlantedCause cause = PlantedCause::None;
    int culprit = 0;
    double extraUs = 0; ///< of the cause, in each step
    double noiseUs = 2; ///< kernels take up to so much longer, at random
    double endJitterUs = 0.3; ///< ranks leave a collective up to so much apart
    std::map<int, double> offsetUs; ///< how far a rank's clock is ahead
    std::map<int, double> driftPpm;
    std::set<int> missing; ///< ranks without a file
    bool writesSequence = true;
    bool renamesGroups = false; ///< the same group has another name on each odd rank
    bool sharesNames = false; ///< all groups of one kind have one name
    double pauseUs = 0; ///< between steps: makes a long run of few events
    std::uint64_t seed = 1;
};

/// A plan drawn at random: 2 to 64 ranks, any cause, clocks, and names. The same seed, the same plan.
PlantedPlan plannedBy(std::uint64_t seed);
/// The plan in one line, for messages.
std::string planText(const PlantedPlan& plan);
/// Writes rank<N>_trace.json of every rank that is not missing into a folder that exists.
void writePlanted(const PlantedPlan& plan, const std::string& folder);

/// Names that the simulation uses.
constexpr const char* plantedSlowKernel = "sm90_xmma_gemm_bf16_layer";
constexpr const char* plantedSlowPython = "train.py(42): collect_statistics";
constexpr const char* plantedLoader = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";

} // namespace collscope
