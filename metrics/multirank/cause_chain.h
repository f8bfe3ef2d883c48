// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why a rank came late to a collective, or a step took longer: a chain of measured facts, each with the
// slices and the time that show it. Rules only, no guesses: where no rule explains enough of the time the
// answer is "inconclusive", with the numbers.

#include "metrics/analysis.h"
#include "model/result.h"

namespace collscope {

/// What held a rank (or a whole step) up.
enum class Cause : std::uint8_t
{
    None, ///< nothing to explain
    SlowKernel, ///< the same kernels, longer
    MoreWork, ///< more, other or larger kernels or copies
    SlowCpu, ///< the GPU had nothing to do because its launches came late
    LateInput, ///< the CPU was in the data loader, or the GPU in copies from the host
    MemoryAllocation, ///< the CPU was in cudaMalloc, cudaFree and the like while the GPU had nothing to do
    Synchronisation, ///< the CPU was in cudaDeviceSynchronize and the like while the GPU had nothing to do
    WaitedElsewhere, ///< it waited in another collective; the chain goes on with who was late there
    SlowTransfer, ///< the communication itself took longer, without waiting for anybody
    Inconclusive
};
constexpr int causeCount = static_cast<int>(Cause::Inconclusive) + 1;
/// "slow_kernel", "more_work", ...: the words of the JSON.
std::string_view causeName(Cause cause);
/// "slower kernels", "more work", ...: for people. `onCpu`: of a run without GPUs, where operators compute.
std::string_view causeText(Cause cause, bool onCpu = false);

enum class CauseVerdict : std::uint8_t
{
    NobodyLate, ///< nobody came later than the clocks and the usual scatter allow; a step is not longer
                ///< either
    LateRank, ///< one rank was late, and `cause` explains at least 60 % of it; without links: nobody came
              ///< late, but the step took longer on this rank alone
    AllRanks, ///< nobody was late: the step took longer on most of the ranks compared, for `cause`
    Inconclusive
};
/// "nobody_late", "late_rank", "all_ranks", "inconclusive": the words of the JSON.
std::string_view causeVerdictName(CauseVerdict verdict);

/// One measured fact and what shows it.
struct CauseClause
{
    std::string text; ///< a sentence
    std::int32_t rank = -1; ///< whose slices these are; -1: of several ranks
    std::vector<SliceRef> slices; ///< at most 32, the most telling ones
    TimeRange range; ///< on the axis that Analysis::clocks() makes
    std::int64_t ns = 0; ///< the figure of the sentence
};

/// One collective of the chain: who was late there and why.
struct CauseLink
{
    std::uint32_t instance = 0; ///< into Analysis::run().matching.instances
    std::int32_t rank = -1; ///< last to come
    std::int64_t lateNs = 0; ///< behind the median of its peers
    Cause cause = Cause::Inconclusive; ///< WaitedElsewhere: the next link says for whom
};

struct CauseChain
{
    CauseVerdict verdict = CauseVerdict::Inconclusive;
    Cause cause = Cause::Inconclusive; ///< at the end of the chain
    std::optional<Cause> alsoCause; ///< where only two together explain 60 %: the smaller one
    std::int32_t rank = -1; ///< where the chain ends; -1: no rank in particular
    std::int64_t lateNs = 0; ///< of the first link; AllRanks: how much longer the step was
    std::vector<CauseLink> links; ///< of a step: those of its worst collective
    std::vector<CauseClause> clauses; ///< in reading order
    /// Ranks that came nearly as late as `rank` to the collective at the end of the chain: it is not
    /// `rank` alone that the others waited for.
    std::vector<std::int32_t> alsoLate;
    /// Of a step: ranks that waited for having come early, where nobody was late.
    std::vector<std::int32_t> early;
    bool othersUnknown = false; ///< ranks that are not there may have been late
    bool arrivalsUnknown = false; ///< of too many collectives it is not known who was late, and that is all
    bool onCpu = false; ///< the ranks have no GPUs: operators of the CPU were compared
};

/// Why neither of the two below answers about a reduced run.
inline constexpr std::string_view causesNeedOperators
    = "The run was reduced without most of what its CPUs did, which causes are read from: plan it with "
      "--keep all, or open the whole traces.";

/// "Rank 3 held the others up: slower kernels."
std::string verdictSentence(const CauseChain& chain);

/// Why the last rank came late to a collective (index into Analysis::run().matching.instances). It is
/// compared with those that came in the first half, from the last collective that they left together; times
/// are durations, which need no common clock. O(calls and slices between the two on at most 64 ranks).
CauseChain explainArrival(Analysis& analysis, std::uint32_t instance);

struct StepExplanation
{
    std::int64_t step = 0;
    std::int64_t durationNs = 0; ///< on the slowest rank
    std::int64_t othersNs = 0; ///< median of the other steps, each on its slowest rank; 0: there are none
    std::size_t others = 0; ///< how many
    TimeRange range; ///< of the slowest rank, on the axis that Analysis::clocks() makes
    std::string clocks; ///< ClockAlignment::summary
    CauseChain chain;
};

/// Why a step took as long as it did. With MetricOptions::rank only collectives of that rank count. An error
/// if no rank has the step (names those there are), or if there is no GPU work.
/// O(calls of the step + slices of the step and its neighbours on the ranks that are compared).
Result<StepExplanation> explainStep(Analysis& analysis, std::int64_t number);

} // namespace collscope
