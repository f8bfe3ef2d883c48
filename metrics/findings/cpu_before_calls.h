// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the CPU of a rank does before it launches its collectives.

#include "metrics/findings/rank_between_calls.h"
#include "metrics/idle/thread_reader.h"

#include <array>
#include <map>
#include <optional>
#include <vector>

namespace collscope {

/// What the threads that launch work spend their time on, in ns.
using CpuTimes = std::array<std::int64_t, idleCauseCount>;

/// Of one rank. Remembers what it has read: to be used by one thread at a time.
class CpuBeforeCalls
{
public:
    /// Model and rank must outlive this.
    CpuBeforeCalls(const TraceModel& model, const RankBetweenCalls& rank)
        : m_model(model)
        , m_rank(rank)
    { }

    const RankBetweenCalls& rank() const { return m_rank; }
    /// What the CPU did since it launched the rank's last call of the group, or since the step began, until
    /// it launched this one, by cause: also what nothing was recorded of (Outside). In ns; nullopt without
    /// the launches. O(log n + CPU events between them).
    std::optional<CpuTimes> of(std::uint32_t instance);

private:
    ThreadReader& readerOf(const Timeline& timeline)
    {
        return m_readers.try_emplace(&timeline, m_model, timeline).first->second;
    }
    const std::vector<TrackId>& launchingThreads(const Timeline& timeline);
    CpuTimes lookAt(const Timeline& timeline, TrackId thread, TimeRange range);

    const TraceModel& m_model;
    const RankBetweenCalls& m_rank;
    std::map<const Timeline*, ThreadReader> m_readers;
    std::map<const Timeline*, std::vector<TrackId>> m_launching; ///< see launchingThreads()
};

} // namespace collscope
