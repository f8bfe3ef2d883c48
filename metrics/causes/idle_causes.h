// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why a GPU was idle: when the CPU launched the next piece of work, and which slice the CPU was in until
// then.

#include "metrics/analysis/interval_profile.h"
#include "metrics/causes/cause_chain.h"

#include <unordered_map>

namespace collscope {

/// The activity of the CPU while the GPU was idle. Times are in the timeline's own time.
struct IdleReason
{
    enum class Kind : std::uint8_t
    {
        Cpu, ///< the launch came late; `cause` describes the CPU's activity
        Queued, ///< already launched but not started; the trace does not show the reason
        NoCpuEvents ///< the trace contains no CPU events
    };
    Kind kind = Kind::NoCpuEvents;
    Cause cause = Cause::Inconclusive;
    TimeRange window; ///< from the start of the idle time to the launch
    SliceRef launch; ///< none: unknown
    SliceRef inside; ///< slice that the CPU was in for most of the window; none: nothing was recorded
    std::int64_t insideNs = 0; ///< part of the window covered by it and others of its kind
    SliceRef around; ///< a longer slice around it; none: no informative one
    std::int64_t coveredNs = 0; ///< part of the window covered by any recorded slice
    StringId thread; ///< thread of the slices found
};

/// The CPU side of one timeline, queried about gaps on its GPU.
class CpuWitness
{
public:
    /// O(tracks), unless the CPU tracks start with thousands of step markers.
    CpuWitness(const TraceModel& model, const Timeline& timeline);

    /// Whether the file contains CPU events other than step markers.
    bool hasEvents() const { return m_hasEvents; }
    /// O(CPU slices of two threads in the gap).
    IdleReason reasonOf(const IntervalProfile::Gap& gap);

private:
    enum class NameKind : std::uint8_t
    {
        Other,
        Allocation,
        Synchronisation,
        Input,
        Copy, ///< a call that copies: counts as input if it copies from the host
        Marker ///< a step marker: not a cause
    };
    struct Look;
    NameKind kindOf(StringId name);
    NameKind kindOf(SliceRef slice);
    bool copiesFromHost(SliceRef call) const;
    Look look(const Track& thread, TimeRange window, SliceRef launch);

    const TraceModel& m_model;
    const Timeline& m_timeline;
    const Track* m_stepThread = nullptr;
    bool m_hasEvents = false;
    std::unordered_map<std::uint32_t, NameKind> m_kinds;
};

} // namespace collscope
