// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/hardware_clauses.h"

#include "metrics/core/value.h"
#include "metrics/hardware/hardware_troubles.h"
#include "metrics/hardware/network_series.h"
#include "metrics/hardware/slow_gpu.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostTroubles = 5;

bool isForKernels(const CauseChain& chain)
{
    return chain.verdict == CauseVerdict::LateRank && !chain.onCpu && chain.rank >= 0
        && (chain.cause == Cause::SlowKernel || chain.alsoCause == Cause::SlowKernel);
}

/// The time that a chain is about on a rank, on the wall clock of its host.
std::vector<TimeRange> timeOfClauses(Analysis& analysis, const CauseChain& chain)
{
    const TraceModel& model = analysis.model();
    const auto own
        = std::find_if(model.timelines.begin(), model.timelines.end(), [&](const Timeline& timeline) {
              return timeline.rank == chain.rank && timeline.hasWallClock;
          });
    std::optional<TimeRange> all;
    for (const CauseClause& clause : chain.clauses) {
        if (clause.rank == chain.rank && !clause.range.isEmpty())
            all = all ? all->united(clause.range) : clause.range;
    }
    if (own == model.timelines.end() || !all)
        return {};
    const TimeRange file = analysis.clocks().fromAxis(model.indexOf(*own), *all);
    return {{file.beginNs + model.axisZeroNs, file.endNs + model.axisZeroNs}};
}

} // namespace

void addHardware(Analysis& analysis, std::optional<std::int64_t> step, TimeRange axis, CauseChain& chain)
{
    const TraceModel& model = analysis.model();
    if ((!model.hardware && !hasNetworkSeries(model)) || analysis.options().cancelled())
        return;
    const auto say = [&](std::string text, std::int32_t rank) {
        chain.clauses.push_back({std::move(text), rank, {}, axis, axis.lengthNs()});
    };
    const std::vector<TimeRange> own
        = step ? wallStepsOf(model, chain.rank, *step) : timeOfClauses(analysis, chain);
    std::optional<std::int32_t> said;
    if (isForKernels(chain)) {
        const SlowGpu gpu = slowGpuOf(analysis, chain.rank, own);
        if (gpu.kind == SlowGpu::Kind::Slow) {
            chain.hardware = "Rank " + std::to_string(chain.rank) + ": " + gpu.text + ".";
            say(chain.hardware, chain.rank);
        } else if (gpu.kind == SlowGpu::Kind::TooCoarse) {
            say("Rank " + std::to_string(chain.rank) + ": " + gpu.text, chain.rank);
        }
        if (gpu.kind != SlowGpu::Kind::No)
            said = chain.rank;
    }
    const std::vector<TimeRange> all = step ? wallStepsOf(model, std::nullopt, *step) : own;
    if (all.empty())
        return;
    TimeRange time = all.front();
    for (const TimeRange range : all)
        time = time.united(range);
    const HardwareTroubles troubles
        = hardwareTroublesIn(analysis, {time, step ? "this step" : "this time", true, said});
    for (std::size_t i = 0; i < std::min(mostTroubles, troubles.all.size()); ++i) {
        const HardwareTrouble& trouble = troubles.all[i];
        say(trouble.text, trouble.ranks.size() == 1 ? trouble.ranks.front() : -1);
    }
    if (troubles.all.size() > mostTroubles)
        say(countText(static_cast<std::int64_t>(troubles.all.size() - mostTroubles), "more device")
                + " had trouble in this time.",
            -1);
}

} // namespace collscope
