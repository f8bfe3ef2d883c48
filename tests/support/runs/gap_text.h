// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One gap of a GPU in a trace of a few events.

#include "metrics/idle/gpu_gap.h"
#include "tests/support/texts/kineto_text.h"

#include <optional>
#include <string>

namespace collscope {

inline constexpr int mainThread = 1;
inline constexpr int backwardThread = 2;

/// One step in which the GPU works until 100 us and from 200 us on; the launch of the later kernel is at 195.
/// Three launches 10 us apart make the median. The gap may be longer.
struct GapText
{
    KinetoText trace;
    double endUs;

    explicit GapText(double gapUs = 100)
        : endUs(100 + gapUs)
    {
        trace.annotation("ProfilerStep#1", mainThread, 0, endUs + 100);
        for (const int at : {10, 20, 30}) {
            const int launched = trace.call("cudaLaunchKernel", mainThread, at, 1);
            trace.kernel("gemm", 7, at + 5, at == 30 ? 65 : 5, launched);
        }
    }
    /// `beforeUs`: how long before the end of the gap.
    void launchNext(double beforeUs = 5, int thread = mainThread)
    {
        trace.kernel("last", 7, endUs, 90, trace.call("cudaLaunchKernel", thread, endUs - beforeUs, 1));
    }
};

/// The gap that begins at 100 us.
inline std::optional<GpuGap> gapOf(const TraceModel& model, TimelineGaps* all = nullptr)
{
    const TimelineGaps gaps = findGaps(model, model.timelines.front(), {}, [] { return false; });
    if (all)
        *all = gaps;
    for (const GpuGap& gap : gaps.gaps) {
        if (gap.range.beginNs == 100'000 && gap.range.lengthNs() >= 100'000)
            return gap;
    }
    return std::nullopt;
}

inline std::string textOf(const TraceModel& model, const std::optional<GpuGap>& gap)
{
    return gap ? std::string(idleCauseName(gap->cause)) + " "
            + std::string(gap->name ? model.text(gap->name) : std::string_view("-"))
               : "no gap";
}

} // namespace collscope
