// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Requests to stop, as a user makes them: beforehand, or from another thread while the work goes on.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

namespace collscope {

/// Returns a token of which a stop is already requested.
inline std::stop_token stopRequested()
{
    std::stop_source source;
    source.request_stop();
    return source.get_token();
}

/// Requests a stop after a time, unless it is destroyed before.
class StopAfter
{
public:
    explicit StopAfter(std::chrono::milliseconds delay)
        : m_thread([source = m_source, delay](const std::stop_token& isOver) mutable {
            std::mutex mutex;
            std::unique_lock lock(mutex);
            std::condition_variable_any over;
            over.wait_for(lock, isOver, delay, [] { return false; });
            if (!isOver.stop_requested())
                source.request_stop();
        })
    { }
    std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    std::jthread m_thread; ///< last, so that it starts when the source exists
};

} // namespace collscope
