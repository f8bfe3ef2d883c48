// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The groups of the partition that become findings, one function per part. None of them owns time of another.

#include "metrics/findings/finding.h"

#include <functional>
#include <map>

namespace collscope {

/// What all groups are made from.
struct FindingInput
{
    Analysis& analysis;
    const Partition& partition;
    Findings& findings; ///< the groups are added here, with ranks, time and places, without costs
};

/// Facts that the model knows: missing ranks, several jobs, clocks, unrecognised communication, no steps.
void addRunFacts(const FindingInput& input);
/// Warnings: time between the steps, GPUs that are taken as one, a CPU that runs ahead of the GPU.
void addWarnings(const FindingInput& input);
/// Whether steps of one number are the same steps on all ranks; a warning where they are not: a rank may
/// count from its own begin. All ranks launch a collective in the same step of the program, whatever its
/// number; when it runs may differ by a step. Only for findings per step.
bool addShiftedSteps(const FindingInput& input);
/// What the profiler changed: its own work, and Python that it slowed down while GPUs wait for the CPU.
void addProfilerOverhead(const FindingInput& input);
/// What the logs of NCCL show to be different on some nodes of the job. It has no cost.
void addNetworkTrouble(const FindingInput& input);
/// Trouble with the hardware that other programs recorded, by device; warnings about records of another time.
void addHardwareTroubles(const FindingInput& input);
/// Appends that the GPU of a rank ran slower than the others, if its samples in the steps concerned show it.
void addSlowGpu(const FindingInput& input, std::int32_t rank,
                const std::function<bool(std::int64_t step)>& isConcerned, Finding& finding);
/// Since when the whole job is slower, as logs and the NCCL Inspector say beside the traces.
void addJobSlowed(const FindingInput& input);
/// Idle time by cause.
void addIdleTime(const FindingInput& input);
/// Copies by name.
void addCopies(const FindingInput& input);
/// The waiting that one rank imposes.
struct LateGroup
{
    Finding finding; ///< without words
    bool isWhole = true; ///< no rank of the collectives is missing
    std::vector<std::size_t> directWaits; ///< for this rank itself; into ExposedCalls::times
    WorstPlaces directPlaces; ///< of these waits
    std::map<std::int64_t, std::int64_t> nsByStep; ///< by number; without steps that are not affected
    std::int64_t unclearNs = 0; ///< waits for this rank while it may have waited itself, not known for whom
    std::int64_t passedOnNs = 0; ///< waits for ranks that are late only because they waited for this one

    void join(const LateGroup& other);
};
/// By the rank that is blamed.
struct LateGroups
{
    std::map<std::int32_t, LateGroup> experts; ///< in the collectives of expert parallelism
    std::map<std::int32_t, LateGroup> others;
};
/// Communication: pipeline bubbles, slow collectives, exposed communication by type and group. Gives the
/// waiting for late ranks to the caller.
LateGroups addCommunication(const FindingInput& input);
/// Likewise, where ranks are known by their sums: by type and group alone. Waits are part of it.
void addSummarizedCommunication(const FindingInput& input);

/// Excess of the kernels of one rank.
struct SlowRank
{
    double ns = 0; ///< at most what the rank computes longer than the median rank
    std::int64_t calls = 0;
    double kernelNs = 0; ///< duration of these kernels
    bool isGeneral = false; ///< they are most of what the rank computes
    StringId worst; ///< the name with the largest excess
    double worstNs = 0;
    double worstFactor = 1; ///< its duration relative to that of the peers
};

/// The ranks whose kernels are slower than those of their peers; one entry per rank of the partition.
std::vector<SlowRank> findSlowRanks(const FindingInput& input);
/// Whether some kernels are slower on a rank in their mean, so that each of their runs has to be compared.
bool mayHaveSlowRanks(const FindingInput& input);
/// Compute time of kernels that are slower than on other ranks.
void addSlowRanks(const FindingInput& input, const std::vector<SlowRank>& slow);
/// Waiting by the rank that arrived last, with the reason.
void addLateRanks(const FindingInput& input, const std::vector<SlowRank>& slow, LateGroups& late);
/// Compute time of a few steps beyond that of the others, on ranks without slow kernels.
void addOutlierSteps(const FindingInput& input, const std::vector<SlowRank>& slow);

/// The collectives whose bus bandwidth is far below that of the same size in groups of the same kind, by
/// index into Analysis::run().matching.instances; 0: not slow, else the share that it reaches, in percent.
std::vector<std::uint8_t> slowCollectives(Analysis& analysis);

/// ", in step 14 alone", ", 93 % of it in step 14", if one of several steps has nearly all of the time; else
/// nothing.
std::string loneStepText(const Partition& partition, const std::map<std::int64_t, std::int64_t>& nsByStep);
/// "1.2 ms per step (8 %)", "1.2 ms per step (8 %, mean of 8 ranks)" if some ranks do not pay.
std::string costText(const Findings& findings, const Finding& finding);
/// ", 9.6 ms on rank 3", ", on average 1.92 ms on 5 of them"; empty if all ranks pay.
std::string payersText(const FindingInput& input, const Finding& finding);

} // namespace collscope
