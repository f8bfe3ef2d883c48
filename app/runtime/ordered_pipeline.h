// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Implements Parallel::forPieces() on several threads.

#include "model/parallel.h"

#include <atomic>
#include <cstddef>
#include <vector>

namespace collscope {

/// Each thread reads the next piece, works on it while it is in its cache, and takes finished pieces in order
/// unless another thread is doing so. The stages overlap, without rounds at whose end threads would wait.
class Pipeline
{
public:
    Pipeline(std::size_t slotCount, const Parallel::Stages& stages);

    /// Body of each thread; returns when all pieces are taken, or on stop or failure.
    void serve();
    bool wasStopped() const { return m_stopped; }

private:
    bool readOne(std::size_t& slot, std::size_t& number);
    bool takeReady();
    bool isOver() const { return m_stopped || (m_allRead && m_taken == m_read); }

    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    const Parallel::Stages& m_stages;
    std::vector<std::atomic<bool>> m_isFree; ///< by slot
    std::vector<std::atomic<std::size_t>> m_ready; ///< slot by piece number, modulo the slot count
    std::atomic_flag m_reading, m_taking; ///< held by the active thread
    std::atomic<std::size_t> m_read = 0, m_taken = 0; ///< counts of pieces
    std::atomic<bool> m_allRead = false, m_stopped = false;
};

} // namespace collscope
