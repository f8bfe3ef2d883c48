// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Why a GPU had nothing to do: when the CPU launched the next piece of work, and what it was in until then.

#include "metrics/interval_profile.h"
#include "metrics/multirank/cause_chain.h"

#include <unordered_map>

namespace collscope {

/// What the CPU did while the GPU had nothing to do. Times are the timeline's own.
struct IdleReason
{
    enum class Kind : std::uint8_t
    {
        Cpu, ///< the launch came late: `cause` says what the CPU was in
        Queued, ///< launched before, but it did not start: the trace does not show what it waited for
        NoCpuEvents ///< the trace holds none
    };
    Kind kind = Kind::NoCpuEvents;
    Cause cause = Cause::Inconclusive;
    TimeRange window; ///< from when the GPU had nothing to do until the launch
    SliceRef launch; ///< none: the trace does not say
    SliceRef inside; ///< what the CPU was in for most of that time; none: nothing that was recorded
    std::int64_t insideNs = 0; ///< how much of the window it and others of its kind cover
    SliceRef around; ///< a longer one around it; none: nothing that says more
    std::int64_t coveredNs = 0; ///< how much of the window any recorded slice covers
    StringId thread; ///< of what was found
};

/// The CPU side of one timeline, asked about gaps of its GPU.
class CpuWitness
{
public:
    /// O(tracks), where the CPU's tracks do not begin with thousands of step markers.
    CpuWitness(const TraceModel& model, const Timeline& timeline);

    /// Whether the file says anything about the CPU but its steps.
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
        Copy, ///< a call that copies: input if it copies from the host
        Marker ///< of a step: says nothing
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
