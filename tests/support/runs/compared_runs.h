// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs that differ in a known way, to be compared.

#include "tests/support/runs/small_run.h"

namespace collscope {

/// What a run does otherwise; times in us.
struct RunChange
{
    int slowerGemm = 0; ///< on every rank: the step lasts longer by that
    int slowerAllReduce = 0; ///< on rank 2, which begins it earlier by that
    int firstStep = 0;
    bool lacksFirstAllGather = false; ///< of each step
};

/// Four ranks, five steps of 10 ms: a GEMM of 2 ms, an all-reduce of 1 ms, two all-gathers of 0.5 ms, a copy.
inline SmallRun comparedRun(const RunChange& change = {})
{
    constexpr int ranks = 4;
    constexpr int steps = 5;
    SmallRun run(ranks);
    for (int rank = 0; rank < ranks; ++rank) {
        for (int step = 0; step < steps; ++step) {
            const int begin = step * (10'000 + change.slowerGemm);
            const int later = begin + change.slowerGemm;
            run.step(rank, change.firstStep + step, begin, 10'000 + change.slowerGemm);
            run.kernel(rank, begin + 100, 2000 + change.slowerGemm, 7, "gemm_kernel", begin + 50);
            run.copy(rank, later + 2200, 100, later + 2150);
            SmallCall call;
            call.ranks = "[0, 1, 2, 3]";
            call.groupSize = ranks;
            call.inElements = call.outElements = 250'000;
            call.sequence = 1 + 3 * step;
            const int slower = rank == 2 ? change.slowerAllReduce : 0;
            run.call(rank, later + 4000 - slower, 1000 + slower, call, 20, later + 3000);
            call.name = "_allgather_base";
            call.kernel = "ncclDevKernel_AllGather_RING_LL";
            for (int i = 0; i < 2; ++i) {
                call.sequence = 2 + i + 3 * step;
                if (i > 0 || !change.lacksFirstAllGather)
                    run.call(rank, later + 6000 + 1000 * i, 500, call, 20, later + 5500 + 1000 * i);
            }
        }
    }
    return run;
}

} // namespace collscope
