// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What one CPU thread did during a gap of the GPU.

#include "metrics/idle/idle_cause.h"
#include "model/name_table.h"

#include <array>
#include <map>
#include <utility>

namespace collscope {

/// The activity of one thread in a range. Times in ns, clipped to the range.
struct ThreadLook
{
    /// By named cause: the time in which its slices are the innermost ones of a named cause.
    std::array<std::int64_t, namedCauseCount> causeNs{};
    std::array<SliceRef, namedCauseCount> causeSlice{}; ///< the one that covers most
    std::int64_t namedNs = 0; ///< union of the slices of all named causes
    std::int64_t waitedNs = 0; ///< union of the slices that wait for something other than the GPU
    std::int64_t recordedNs = 0; ///< union of all slices except annotations
    SliceRef waitedSlice; ///< the longest of those
    SliceRef synchronising; ///< a synchronising call that was running when the range began
    StringId busiest; ///< name with the largest self time; none: nothing recorded
    std::int64_t busiestNs = 0;
    SliceRef busiestSlice; ///< the slice of this name with the largest self time
};

/// The calls repeated most in a range.
struct RepeatedCalls
{
    StringId name;
    std::int64_t count = 0;
    StringId under; ///< the operator or annotation around them; none: no such slice
};

/// Reads the threads of one timeline, without an allocation per range.
class ThreadReader
{
public:
    /// O(tracks). Model and timeline must outlive the reader.
    ThreadReader(const TraceModel& model, const Timeline& timeline);

    /// O(log n + slices of the thread in the range). `thread`: any track of it.
    ThreadLook look(TrackId thread, TimeRange range);
    RepeatedCalls repeated(TrackId thread, TimeRange range);
    /// The outermost operator around a moment of the thread; none-slice if there is none.
    SliceRef outermostOperator(TrackId thread, std::int64_t timeNs);
    /// The innermost operator around a call; none-slice if there is none. O(1) in practice.
    SliceRef operatorOf(SliceRef call) const;
    /// A call that waits for the GPU at a moment, if it is the last one on the thread before a launch.
    /// None-slice: there is none, or it ended before. O(1).
    SliceRef synchronisingBefore(SliceRef launch, std::int64_t timeNs);
    /// Whether the thread was in one operator or runtime call from a moment to another one.
    bool isInCall(TrackId thread, std::int64_t fromNs, std::int64_t toNs);
    /// One track of each thread.
    std::vector<TrackId> threads() const;
    /// Whether two tracks are lanes of one thread.
    bool isSameThread(TrackId a, TrackId b) const;

private:
    struct Item
    {
        TimeRange range; ///< unclipped
        SliceRef slice;
        StringId name;
        SliceCategory category = SliceCategory::Other;
        NameMeaning meaning = NameMeaning::Work;
    };
    void collect(TrackId thread, TimeRange range);
    void collectLane(TrackId lane, TimeRange range);
    NameMeaning meaningOf(SliceRef slice, const Track& track);
    NameMeaning copyMeaning(SliceRef call) const;
    SliceRef longFirstCall(SliceRef call);
    void addCoverage(TimeRange range, ThreadLook& look) const;
    void addSelfTimes(TimeRange range, ThreadLook& look);
    void addSelf(std::size_t item, std::int64_t ns, ThreadLook& look);

    const TraceModel& m_model;
    const Timeline& m_timeline;
    CauseNames m_names;
    using ThreadName = std::pair<StringId, StringId>; ///< pid, tid
    std::map<ThreadName, std::vector<TrackId>> m_lanes;
    bool m_hasRuntimeCalls = false; ///< of CUDA, HIP or the like
    std::vector<TrackId> m_everywhere; ///< lanes of the profiler, whose events name no thread
    std::map<std::pair<TrackId, StringId>, SliceRef> m_firstCalls; ///< see longFirstCall()
    std::vector<Item> m_items; ///< of the last range, by begin, then longest first
    std::vector<Item> m_merged; ///< memory for sorting
    std::vector<std::size_t> m_open; ///< of the items: those around the current moment
    std::vector<std::int64_t> m_itemSelfNs;
    NameTable<std::int64_t> m_selfNs; ///< zero between two calls
};

} // namespace collscope
