// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/rocprof/rccl_calls.h"

#include <algorithm>
#include <tuple>

namespace collscope {

void RcclCalls::add(std::uint32_t track, TimeRange times, const CollectiveCall& call)
{
    m_calls.push_back({track, times, call});
}

/// The innermost call of a thread that lasted all of this time; nullptr if none did.
const RcclCalls::Call* RcclCalls::enclosing(std::uint32_t track, TimeRange times) const
{
    // Calls of a thread nest, so those that begin before the time and end after it enclose it.
    constexpr int nestedCalls = 8;
    auto call = std::upper_bound(
        m_calls.begin(), m_calls.end(), std::pair(track, times.beginNs),
        [](const auto& wanted, const Call& own) { return wanted < std::pair(own.track, own.times.beginNs); });
    for (int i = 0; i < nestedCalls && call != m_calls.begin() && (--call)->track == track; ++i) {
        if (call->times.endNs >= times.endNs)
            return &*call;
    }
    return nullptr;
}

void RcclCalls::findLaunches(FragmentBuilder& threads)
{
    std::stable_sort(m_calls.begin(), m_calls.end(), [](const Call& a, const Call& b) {
        return std::tie(a.track, a.times.beginNs, b.times.endNs)
            < std::tie(b.track, b.times.beginNs, a.times.endNs);
    });
    for (std::uint32_t t = 0; t < threads.trackCount() && !isEmpty(); ++t) {
        const SliceColumns& slices = threads.trackAt(t).slices;
        for (std::size_t row = 0; row < slices.size(); ++row) {
            const std::uint32_t correlation = slices.correlation[row];
            const Call* const call
                = correlation == 0 ? nullptr : enclosing(t, {slices.startNs[row], slices.endNs(row)});
            if (call)
                m_launchedBy.try_emplace(correlation, static_cast<std::size_t>(call - m_calls.data()));
        }
    }
}

void RcclCalls::giveTo(FragmentBuilder& gpu) const
{
    for (std::uint32_t t = 0; t < gpu.trackCount() && !m_launchedBy.empty(); ++t) {
        SliceColumns& slices = gpu.trackAt(t).slices;
        for (std::size_t row = 0; row < slices.size(); ++row) {
            const auto call = isCommunication(slices.kernelClass[row])
                ? m_launchedBy.find(slices.correlation[row])
                : m_launchedBy.end();
            if (call == m_launchedBy.end())
                continue;
            CollectiveCall collective = m_calls[call->second].collective;
            collective.onGpu = true;
            slices.kernelClass.set(row, collective.kind);
            slices.collective.set(row, gpu.addCollective(collective));
        }
    }
}

} // namespace collscope
