// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One pass over the GPU streams of a timeline in a window that gives each nanosecond to one part, and the
// exposed ones to the calls and copies that were running, in equal shares.

#include "metrics/analysis/gpu_timeline.h"
#include "metrics/partition/exposed_calls.h"
#include "metrics/partition/part_times.h"

namespace collscope {

class PartSweep
{
public:
    /// Shares are added to `calls` and `copies`; only calls of this timeline are touched. All arguments must
    /// outlive the sweep.
    PartSweep(const TraceModel& model, const Timeline& timeline, ExposedCalls& calls,
              std::vector<CopyShare>& copies);

    /// Times of the parts in a window. O(slices in the window x streams that change at once), without an
    /// allocation per slice. Stops early if cancelled.
    PartTimes run(TimeRange window, const std::function<bool()>& cancelled);

private:
    /// One stream: before its next slice, or inside one, of which a first part may be a wait.
    struct Cursor
    {
        TrackId track;
        const SliceColumns* slices = nullptr;
        std::size_t row = 0;
        std::size_t call = 0; ///< first call at or after the row
        std::int64_t nextNs = 0; ///< when it changes
        Part part = Part::Idle; ///< what it does now; idle outside slices
        Part kind = Part::Compute; ///< of the slice
        std::size_t owner = none; ///< index of the call, or of the copy's name
        OwnedStretches owned; ///< since it entered its part
        TimeRange stretch; ///< the last one of these
    };
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    bool seek(Cursor& cursor);
    void classify(Cursor& cursor);
    bool step(Cursor& cursor);
    void enter(Cursor& cursor, Part part);
    void leave(Cursor& cursor);
    void advance(std::int64_t ns);
    void share(Part part, TimeRange range);
    void finishCopy(Cursor& cursor);
    std::size_t copyIndex(StringId name, TrackId track);

    const TraceModel& m_model;
    ExposedCalls& m_calls;
    std::vector<CopyShare>& m_copies;
    const Timeline& m_timeline;
    GpuTimelineMeter m_kinds;
    std::vector<TrackId> m_streams;
    TimeRange m_window;
    std::int64_t m_nowNs = 0;
    PartTimes m_times;
    std::vector<Cursor> m_cursors;
    std::array<std::int64_t, partCount> m_active{}; ///< number of streams in each part
};

} // namespace collscope
