// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runtime/ordered_pipeline.h"

#include <chrono>
#include <thread>

namespace collscope {

namespace {

/// Number of immediate retries of an idle thread; sleeping would take longer than most waits.
constexpr int briefly = 100;

/// Acquires a flag unless another thread holds it.
class Claim
{
public:
    explicit Claim(std::atomic_flag& flag)
        : m_flag(flag)
        , m_isHeld(!flag.test_and_set(std::memory_order_acquire))
    { }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;
    ~Claim()
    {
        if (m_isHeld)
            m_flag.clear(std::memory_order_release);
    }
    explicit operator bool() const { return m_isHeld; }

private:
    std::atomic_flag& m_flag;
    bool m_isHeld;
};

} // namespace

Pipeline::Pipeline(std::size_t slotCount, const Parallel::Stages& stages)
    : m_stages(stages)
    , m_isFree(slotCount)
    , m_ready(slotCount)
{
    for (std::size_t slot = 0; slot < slotCount; ++slot) {
        m_isFree[slot] = true;
        m_ready[slot] = none;
    }
}

void Pipeline::serve()
{
    try {
        std::size_t slot = 0;
        std::size_t number = 0;
        int idle = 0;
        while (!isOver()) {
            if (readOne(slot, number)) {
                m_stages.work(slot);
                m_ready[number % m_ready.size()] = slot;
                takeReady();
                idle = 0;
            } else if (takeReady()) {
                idle = 0;
            } else if (++idle < briefly) {
                std::this_thread::yield();
            } else {
                std::this_thread::sleep_for(std::chrono::microseconds(20));
            }
        }
    } catch (...) {
        m_stopped = true; // the other threads would wait for this piece
        throw;
    }
}

bool Pipeline::readOne(std::size_t& slot, std::size_t& number)
{
    const Claim reading(m_reading);
    if (!reading || m_allRead)
        return false;
    // The first free slot: its memory is most likely in the cache.
    for (slot = 0; slot < m_isFree.size() && !m_isFree[slot]; ++slot) { }
    if (slot == m_isFree.size())
        return false;
    if (!m_stages.read(slot)) {
        m_allRead = true;
        return false;
    }
    m_isFree[slot] = false;
    number = m_read++;
    return true;
}

bool Pipeline::takeReady()
{
    const Claim taking(m_taking);
    bool any = false;
    while (taking && !m_stopped) {
        const std::size_t slot = m_ready[m_taken % m_ready.size()].exchange(none);
        if (slot == none)
            break;
        any = true;
        if (!m_stages.take(slot))
            m_stopped = true;
        m_isFree[slot] = true;
        ++m_taken;
    }
    return any;
}

} // namespace collscope
