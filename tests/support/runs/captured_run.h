// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Captures without step markers that hold a known amount of work.

#include "tests/support/runs/small_run.h"

namespace collscope {

/// Two ranks. A unit of work is a GEMM, two kernels of attention and three of a norm; units begin at equal
/// distances. Times in us.
struct Capture
{
    int lengthUs = 300'000;
    int units = 50;
    int ranks = 2;
    int gemmUs = 1000, attentionUs = 1000, normUs = 200;
    int gemms = 1; ///< of each unit
    const char* gemm = "gemm_kernel";
    const char* attention = "flash_fwd_kernel";
};

inline SmallRun capturedRun(const Capture& capture)
{
    SmallRun run(capture.ranks);
    for (int rank = 0; rank < capture.ranks; ++rank) {
        run.cpu(rank, "main", 0, capture.lengthUs); // the capture lasts so long
        int at = 0;
        const auto kernel = [&](const char* name, int us) {
            run.kernel(rank, at, us, 7, name);
            at += us;
        };
        for (int unit = 0; unit < capture.units; ++unit) {
            at = 100 + unit * (capture.lengthUs / capture.units);
            for (int i = 0; i < capture.gemms; ++i)
                kernel(capture.gemm, capture.gemmUs);
            for (int i = 0; i < 2; ++i)
                kernel(capture.attention, capture.attentionUs);
            for (int i = 0; i < 3; ++i)
                kernel("layer_norm_kernel", capture.normUs);
        }
    }
    return run;
}

} // namespace collscope
