// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the model gets threads without knowing any: whoever starts a load or a computation brings this.

#include <cstddef>
#include <functional>
#include <utility>

namespace collscope {

/// Runs independent pieces of work, possibly at once. By default one after the other in the calling thread.
class Parallel
{
public:
    using Body = std::function<void(std::size_t)>;
    /// Runs body(0) ... body(count - 1), in any order; returns when all are done. May be called from within a
    /// body.
    using ForEach = std::function<void(std::size_t count, const Body& body)>;

    Parallel() = default;
    /// `threads`: how many bodies run at once, the caller's included.
    Parallel(int threads, ForEach forEach)
        : m_threads(threads)
        , m_forEach(std::move(forEach))
    { }

    int threads() const { return m_threads; }
    void forEach(std::size_t count, const Body& body) const
    {
        if (m_forEach && count > 1)
            return m_forEach(count, body);
        for (std::size_t i = 0; i < count; ++i)
            body(i);
    }

private:
    int m_threads = 1;
    ForEach m_forEach;
};

} // namespace collscope
