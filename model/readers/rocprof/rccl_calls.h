// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which call of RCCL launched a kernel. A process may use several GPUs, each with a timeline of its own,
// but the calls are on the timeline of one of them.

#include "model/building/fragment.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace collscope {

/// The calls of one process.
class RcclCalls
{
public:
    /// `track` is that of the thread, in the builder of the process.
    void add(std::uint32_t track, TimeRange times, const CollectiveCall& call);
    bool isEmpty() const { return m_calls.empty(); }
    /// Finds the launches inside the calls, and calls that launched kernels themselves.
    void findLaunches(FragmentBuilder& threads);
    /// Gives communication kernels of a GPU the calls that launched them.
    void giveTo(FragmentBuilder& gpu) const;

private:
    struct Call
    {
        std::uint32_t track = 0;
        TimeRange times;
        CollectiveCall collective;
    };
    const Call* enclosing(std::uint32_t track, TimeRange times) const;

    std::vector<Call> m_calls; ///< by track and begin, once their launches are found
    std::unordered_map<std::uint32_t, std::size_t> m_launchedBy; ///< place of the call, by correlation
};

} // namespace collscope
