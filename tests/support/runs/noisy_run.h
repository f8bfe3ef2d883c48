// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs of the same work whose steps scatter. What a run was made slower by is known.

#include "tests/support/runs/noisy_series.h"
#include "tests/support/runs/small_run.h"

#include <vector>

namespace collscope {

enum class SlowedPart
{
    None,
    Compute, ///< kernels of every rank
    Communication, ///< the transfer, after all have arrived
    Waiting, ///< kernels of one rank: the others wait for it
    Idle, ///< the CPU of every rank
    Copy
};

struct NoisyRunPlan
{
    int ranks = 4;
    int steps = 42;
    SlowedPart slowed = SlowedPart::None;
    double slowedBy = 0.03; ///< of the step
    SeriesNoise noise = {};
    std::uint64_t number = 0; ///< which of the runs of this plan
};

/// Each step: a pause, a copy, three kernels, and a collective in which all wait for the last one.
inline SmallRun noisyRun(const NoisyRunPlan& plan)
{
    constexpr double stepUs = 10'000, pauseUs = 1200, copyUs = 800, kernelUs = 1800, transferUs = 2000;
    constexpr double ofRanks = 0.004; // how much ranks differ from each other in a step
    const auto longer = [&](SlowedPart part) { return plan.slowed == part ? plan.slowedBy * stepUs : 0.0; };
    SmallRun run(plan.ranks);
    NoisySeries step(plan.noise, plan.number);
    SeriesNoise calm = plan.noise;
    calm.outlierShare = 0;
    calm.checkpointEvery = 0;
    NoisySeries pause(calm, plan.number + 1'000'003), transfer(calm, plan.number + 2'000'003);
    double begin = 0;
    for (int number = 0; number < plan.steps; ++number) {
        const double factor = step.next();
        const double idle = pauseUs * pause.next() * factor + longer(SlowedPart::Idle);
        const double moving = transferUs * transfer.next() * factor + longer(SlowedPart::Communication);
        const double copying = copyUs * factor + longer(SlowedPart::Copy);
        std::vector<double> arrivals;
        double last = 0;
        for (int rank = 0; rank < plan.ranks; ++rank) {
            double now = begin + idle;
            run.copy(rank, now, copying, now - 20);
            now += copying;
            for (int kernel = 0; kernel < 3; ++kernel) {
                double lasts = kernelUs * factor * (1 + ofRanks * step.normal());
                lasts += longer(SlowedPart::Compute) / 3;
                lasts += rank == 0 ? longer(SlowedPart::Waiting) / 3 : 0;
                run.kernel(rank, now, lasts, 7, "gemm_kernel", now - 20);
                now += lasts;
            }
            arrivals.push_back(now);
            last = std::max(last, now);
        }
        SmallCall call;
        for (int rank = 0; rank < plan.ranks; ++rank)
            call.ranks += (rank == 0 ? "[" : ", ") + std::to_string(rank);
        call.ranks += "]";
        call.groupSize = plan.ranks;
        call.inElements = call.outElements = 250'000;
        call.sequence = number + 1;
        const double end = last + moving;
        for (int rank = 0; rank < plan.ranks; ++rank) {
            const double arrival = arrivals[static_cast<std::size_t>(rank)];
            run.call(rank, arrival, end - arrival, call, 20, arrival - 20);
            run.step(rank, number, begin, end - begin + 20);
        }
        begin = end + 40;
    }
    return run;
}

} // namespace collscope
