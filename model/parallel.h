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

    /// Work on a sequence too long to hold at once: each piece of it goes through the three stages in one of
    /// the slots 0 ... count - 1, which are used again and again.
    struct Stages
    {
        /// Puts the next piece into the slot; false if there is none. One call at a time.
        std::function<bool(std::size_t slot)> read;
        /// Works on the piece, while other threads work on others.
        std::function<void(std::size_t slot)> work;
        /// Takes the result, in the order in which pieces were read; false to stop. One call at a time.
        std::function<bool(std::size_t slot)> take;
    };
    using ForPieces = std::function<bool(std::size_t slotCount, const Stages& stages)>;

    Parallel() = default;
    /// `threads`: how many bodies run at once, the caller's included.
    Parallel(int threads, ForEach forEach, ForPieces forPieces)
        : m_threads(threads)
        , m_forEach(std::move(forEach))
        , m_forPieces(std::move(forPieces))
    { }

    int threads() const { return m_threads; }
    void forEach(std::size_t count, const Body& body) const
    {
        if (m_forEach && count > 1)
            return m_forEach(count, body);
        for (std::size_t i = 0; i < count; ++i)
            body(i);
    }
    /// False if a take() stopped it; pieces behind that one are lost. Two slots a thread, and some more, keep
    /// all threads busy.
    bool forPieces(std::size_t slotCount, const Stages& stages) const
    {
        if (m_forPieces && slotCount > 1)
            return m_forPieces(slotCount, stages);
        while (stages.read(0)) {
            stages.work(0);
            if (!stages.take(0))
                return false;
        }
        return true;
    }

private:
    int m_threads = 1;
    ForEach m_forEach;
    ForPieces m_forPieces;
};

} // namespace collscope
