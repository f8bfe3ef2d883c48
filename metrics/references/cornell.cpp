// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The public dashboard's tool set (main.py of seed 000 and its tools), by the formulas of metrics.md 3.

#include "metrics/reference.h"

namespace collscope {

namespace {

/// Communication and all kernels, whole ones in every step they touch: what crosses a boundary counts twice.
std::optional<Reference::Number> communicationFraction(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (selection.failure)
        return std::nullopt;
    const TraceModel& model = analysis.model();
    double sum = 0;
    std::size_t ranks = 0;
    for (const RankWindows& rank : selection.ranks) {
        std::int64_t kernels = 0;
        std::int64_t communication = 0;
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps) {
                for (const TrackId id : part.timeline->tracks) {
                    const Track& track = model.track(id);
                    if (track.kind != TrackKind::GpuStream)
                        continue;
                    forEachOverlapping(track.slices, step.range, [&](std::size_t row) {
                        if (track.slices.category[row] != SliceCategory::Kernel)
                            return;
                        kernels += track.slices.durationNs[row];
                        if (isCommunication(track.slices.kernelClass[row]))
                            communication += track.slices.durationNs[row];
                    });
                }
            }
        }
        if (const auto share
            = ratio(static_cast<double>(communication), static_cast<double>(kernels), 100.0)) {
            sum += *share;
            ++ranks;
        }
    }
    if (ranks == 0)
        return std::nullopt;
    return Reference::Number{sum / static_cast<double>(ranks), {}};
}

constexpr Reference entries[] = {
    {"communication_fraction", "", "main.py of the public dashboard",
     "a kernel that crosses a step boundary counts whole in both steps", communicationFraction},
};

} // namespace

extern const ReferenceSet cornellReferences;
const ReferenceSet cornellReferences{entries};

} // namespace collscope
