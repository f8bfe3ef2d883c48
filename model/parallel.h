// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Gives the model threads without depending on a thread library: the caller that starts a load or a
// computation provides this object.

#include <cstddef>
#include <functional>
#include <utility>

namespace collscope {

/// Runs independent pieces of work, possibly in parallel. By default, they run one after the other in the
/// calling thread.
class Parallel
{
public:
    using Body = std::function<void(std::size_t)>;
    /// Runs body(0) ... body(count - 1) in any order and returns when all are done. May be called from within
    /// a body.
    using ForEach = std::function<void(std::size_t count, const Body& body)>;

    /// Work on a sequence that is too long to keep in memory: each piece passes through the three stages in
    /// one of the slots 0 ... count - 1, which are reused.
    struct Stages
    {
        /// Puts the next piece into the slot; false at the end of the sequence. One call at a time.
        std::function<bool(std::size_t slot)> read;
        /// Works on the piece, while other threads work on other pieces.
        std::function<void(std::size_t slot)> work;
        /// Takes the result, in the order in which the pieces were read; false to stop. One call at a time.
        std::function<bool(std::size_t slot)> take;
    };
    using ForPieces = std::function<bool(std::size_t slotCount, const Stages& stages)>;

    Parallel() = default;
    /// `threads`: number of bodies that run in parallel, including the caller's.
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
    /// False if a take() stopped it; later pieces are lost. Slightly more than two slots per thread keep all
    /// threads busy.
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
