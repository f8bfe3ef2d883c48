// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why a rank was late at a collective, or a step took longer: a chain of measured facts, each with the slices
// and the time that show it. Only rules, no guesses: if no rule explains enough of the time, the answer is
// "inconclusive", with the numbers.
// See blame.md.

#include "metrics/analysis/analysis.h"

namespace collscope {

/// What delayed a rank (or a step).
enum class Cause : std::uint8_t
{
    None, ///< nothing to explain
    SlowKernel, ///< the same kernels, longer
    MoreWork, ///< more, different or larger kernels or copies
    SlowCpu, ///< the GPU was idle because of late launches
    LateInput, ///< the CPU was in the data loader, or the GPU in copies from the host
    MemoryAllocation, ///< the CPU was in cudaMalloc, cudaFree or similar while the GPU was idle
    Synchronisation, ///< the CPU was in cudaDeviceSynchronize or similar while the GPU was idle
    WaitedElsewhere, ///< it waited in another collective; the chain continues with the rank that was late
                     ///< there
    SlowTransfer, ///< the communication itself took longer, without waiting
    Inconclusive
};
constexpr int causeCount = static_cast<int>(Cause::Inconclusive) + 1;
/// Identifiers used in JSON: "slow_kernel", "more_work", ...
std::string_view causeName(Cause cause);
/// Text for sentences: "slower kernels", "more work", ... `onCpu`: for a run without GPUs, in which operators
/// compute.
std::string_view causeText(Cause cause, bool onCpu = false);

enum class CauseVerdict : std::uint8_t
{
    NobodyLate, ///< no rank was late by more than the clock uncertainty and the usual scatter; a step is not
                ///< longer either
    LateRank, ///< one rank was late, and `cause` explains at least 60 % of it; without links: no rank was
              ///< late, but the step took longer on this rank alone
    AllRanks, ///< no rank was late: the step took longer on most of the ranks compared, because of `cause`
    Inconclusive
};
/// Identifiers used in JSON: "nobody_late", "late_rank", "all_ranks", "inconclusive".
std::string_view causeVerdictName(CauseVerdict verdict);

/// One measured fact and its evidence.
struct CauseClause
{
    std::string text; ///< a sentence
    std::int32_t rank = -1; ///< rank of the slices; -1: several ranks
    std::vector<SliceRef> slices; ///< at most 32, the most relevant
    TimeRange range; ///< on the axis defined by Analysis::clocks()
    std::int64_t ns = 0; ///< the number in the sentence
};

/// One collective of the chain: the rank that was late there, and the cause.
struct CauseLink
{
    std::uint32_t instance = 0; ///< into Analysis::run().matching.instances
    std::int32_t rank = -1; ///< the last rank
    std::int64_t lateNs = 0; ///< relative to the median of its peers
    Cause cause = Cause::Inconclusive; ///< WaitedElsewhere: the next link contains the rank waited for
};

struct CauseChain
{
    CauseVerdict verdict = CauseVerdict::Inconclusive;
    Cause cause = Cause::Inconclusive; ///< at the end of the chain
    std::optional<Cause> alsoCause; ///< the smaller of two causes that only together explain 60 %
    std::int32_t rank = -1; ///< rank at the end of the chain; -1: no particular rank
    std::int64_t lateNs = 0; ///< of the first link; AllRanks: by how much the step was longer
    std::vector<CauseLink> links; ///< for a step: the links of its worst collective
    std::vector<CauseClause> clauses; ///< in reading order
    /// Ranks that were nearly as late as `rank` at the collective at the end of the chain: the others waited
    /// for these as well.
    std::vector<std::int32_t> alsoLate;
    /// For a step without a late rank: ranks that waited because they arrived early.
    std::vector<std::int32_t> early;
    bool othersUnknown = false; ///< missing ranks may have been late
    bool arrivalsUnknown
        = false; ///< inconclusive only because the late rank is unknown for too many collectives
    std::string
        hardware; ///< a sentence for the verdict, if the rank's GPU ran slower (metrics/hardware); else empty
    std::string largestCost; ///< a sentence for the verdict, where no rank is to blame; empty: none
    bool onCpu = false; ///< the ranks have no GPUs: CPU operators were compared
};

/// Message for reduced runs, whose causes answerWhy() and explainStep() refuse to explain.
inline constexpr std::string_view causesNeedOperators
    = "The run was reduced without most CPU events, which the cause analysis needs: plan the reduction with "
      "--keep all, or open the full traces.";

/// "Rank 3 delayed the other ranks: slower kernels."
std::string verdictSentence(const CauseChain& chain);

} // namespace collscope
