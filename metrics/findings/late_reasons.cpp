// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/late_reasons.h"

#include "metrics/core/duration_text.h"
#include "metrics/findings/late_sums.h"

#include <cmath>
#include <optional>

namespace collscope {

namespace {

/// Whether a cause says more than that none was found.
bool isKnown(IdleCause cause)
{
    return cause != IdleCause::Outside && cause != IdleCause::NotRecorded && cause != IdleCause::Unexplained;
}

/// Whether slow kernels are why a rank is late: those on its ways to the collectives take longer, and not
/// only others. All names of a slow rank share that; of a few slow ones, the worst has most of it.
bool areSlowKernelsWhy(const SlowRank& kernels, const LateSums& sums, std::int64_t moreNs)
{
    if (2 * kernels.ns <= static_cast<double>(moreNs))
        return false;
    const std::int64_t moreInWorstNs = sums.moreOfEventsNs(
        [&](const SliceColumns& slices, std::size_t row) { return slices.name[row] == kernels.worst; });
    constexpr std::int64_t fewest = 10;
    return kernels.isGeneral ? fewest * moreInWorstNs > moreNs : 2 * moreInWorstNs > moreNs;
}

/// Words and cause of what a rank spends longer on.
LateReason wordsOf(const FindingInput& input, const SlowRank& kernels, const LateSums& sums,
                   const LateSums::Reason& most)
{
    LateReason reason;
    const std::string longer
        = most.lasts ? "longer" : "longer before some of its calls and shorter before others";
    if (most.spending < idleCauseCount) {
        const auto cause = static_cast<IdleCause>(most.spending);
        reason.cause = idleCauseName(cause);
        reason.text = "its GPU is idle " + longer
            + (isKnown(cause) ? ": " + std::string(idleCauseText(cause))
                              : ", and the trace does not show why");
        const std::vector<IdleCause>& causes = sums.causesOnCpu();
        reason.isOneOfTwo
            = causes.size() > 1 && causes.front() == cause && isKnown(cause) && isKnown(causes.back());
        if (reason.isOneOfTwo)
            reason.text += ", and " + std::string(idleCauseText(causes.back()));
    } else if (most.spending == copySpending) {
        reason.cause = "copies";
        reason.text = "it copies " + longer;
    } else if (most.lasts && areSlowKernelsWhy(kernels, sums, sums.moreNs(most.spending))) {
        reason.cause = kernels.isGeneral ? "slow_kernels" : "longer_kernels";
        reason.text = std::string(kernels.isGeneral ? "its kernels" : "some of its kernels")
            + " take longer, mostly " + quotedName(input.analysis.model().text(kernels.worst));
    } else {
        reason.cause = most.lasts ? "more_compute" : "varying_compute";
        reason.text = "it computes " + longer;
    }
    return reason;
}

} // namespace

LateReason reasonOf(const FindingInput& input, const std::vector<SlowRank>& slow, const ComparedWays& ways,
                    const LateGroup& group)
{
    LateSums sums(input, ways, group);
    sums.addAll();
    sums.uniteIdleTime();
    sums.dropWorkBeside();
    if (const auto cause = sums.causeOfLaunches(); cause && isKnown(*cause)) {
        const std::string text = *cause == IdleCause::CpuBound
            ? "its CPU is busy and launches later"
            : "its CPU launches later: " + std::string(idleCauseText(*cause));
        return {std::string(idleCauseName(*cause)), text, false, 0, sums.shareOfLaunches(), 0};
    }
    const LateSums::Reason most = sums.reason();
    LateReason reason;
    if (most.share >= leastExplained)
        reason = wordsOf(
            input, slow[static_cast<std::size_t>(&ways.late->rank().share() - input.partition.ranks.data())],
            sums, most);
    if (most.lasts)
        reason.moreNs = std::llround(sums.shareInAllSteps(most.spending)
                                     * static_cast<double>(sums.moreNs(most.spending)));
    reason.share = most.share;
    reason.computeShare = sums.computeShare();
    return reason;
}

} // namespace collscope
