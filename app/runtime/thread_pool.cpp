// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runtime/thread_pool.h"

#include "app/runtime/memory_policy.h"
#include "app/runtime/ordered_pipeline.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace collscope {

namespace {

void pauseThread()
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
}

/// Spins before sleeping: a load hands out work every half millisecond, and sleeping and waking would take a
/// tenth of that.
template<typename Condition>
void spinUntil(Condition condition)
{
    constexpr int aboutFiftyMicroseconds = 1'000;
    for (int i = 0; i < aboutFiftyMicroseconds && !condition(); ++i)
        pauseThread();
}

/// One call of forEach(): a counter hands out the bodies. It outlives the call as long as a helper uses it.
struct Job
{
    Job(std::size_t bodies, const Parallel::Body& run)
        : count(bodies)
        , body(run)
    { }

    /// Runs bodies until none is left to start.
    void help()
    {
        for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) {
            try {
                body(i);
            } catch (...) {
                const std::lock_guard lock(errorMutex);
                error = std::current_exception();
            }
            if (done.fetch_add(1) + 1 == count)
                done.notify_all();
        }
    }
    bool hasMore() const { return next.load() < count; }
    void wait() const
    {
        spinUntil([&] { return done.load(std::memory_order_relaxed) == count; });
        for (std::size_t seen = done.load(); seen < count; seen = done.load())
            done.wait(seen);
    }

    const std::size_t count;
    const Parallel::Body& body; ///< not accessed once all bodies have started
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    std::mutex errorMutex;
    std::exception_ptr error; ///< rethrown where forEach() was called
};

/// Used instead of QThreadPool: a load requests helpers several thousand times per second, and QThreadPool's
/// tasks are allocated, queued and cannot be joined by the caller.
class Pool
{
public:
    explicit Pool(int helpers)
    {
        try {
            for (int i = 0; i < helpers; ++i)
                m_threads.emplace_back([this] { serve(); });
        } catch (const std::system_error&) {
            // The process limit is reached (ulimit -u, a control group): the existing threads, or the caller
            // alone, do the work.
        }
    }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ending = true;
        }
        m_wake.notify_all();
        for (std::thread& thread : m_threads)
            thread.join();
    }

    /// Returns the number of threads that could be started.
    int helpers() const { return static_cast<int>(m_threads.size()); }

    void forEach(std::size_t count, const Parallel::Body& body)
    {
        const auto begin = std::chrono::steady_clock::now();
        const auto job = std::make_shared<Job>(count, body);
        {
            const std::lock_guard lock(m_mutex);
            m_jobs.push_back(job);
            m_jobsMade.fetch_add(1);
        }
        m_wake.notify_all();
        job->help();
        job->wait();
        {
            const std::lock_guard lock(m_mutex);
            std::erase(m_jobs, job);
        }
        if (std::chrono::steady_clock::now() - begin >= longWork)
            giveMemoryOfThreadsBack();
        if (job->error)
            std::rethrow_exception(job->error);
    }

private:
    static constexpr std::chrono::seconds longWork{1}; ///< in which much may have been freed

    std::shared_ptr<Job> findWork() const
    {
        const auto found
            = std::find_if(m_jobs.rbegin(), m_jobs.rend(), [](const auto& job) { return job->hasMore(); });
        return found == m_jobs.rend() ? nullptr : *found;
    }

    void serve()
    {
        std::unique_lock lock(m_mutex);
        for (;;) {
            std::shared_ptr<Job> job;
            m_wake.wait(lock, [&] { return m_ending || (job = findWork()) != nullptr; });
            if (m_ending)
                return;
            lock.unlock();
            job->help();
            job.reset();
            const unsigned made = m_jobsMade.load();
            spinUntil([&] { return m_jobsMade.load(std::memory_order_relaxed) != made; });
            lock.lock();
        }
    }

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<std::shared_ptr<Job>>
        m_jobs; ///< of waiting callers; inner jobs come last and are helped first
    std::vector<std::thread> m_threads;
    std::atomic<unsigned> m_jobsMade = 0;
    bool m_ending = false;
};

} // namespace

bool canStartThreads()
{
    try {
        std::thread([] {}).join();
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

Parallel threadPool(int threads)
{
    if (threads == 0)
        threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    if (threads == 1)
        return {};
    const auto pool = std::make_shared<Pool>(threads - 1);
    threads = 1 + pool->helpers();
    if (threads == 1)
        return {};
    const auto forEach
        = [pool](std::size_t count, const Parallel::Body& body) { pool->forEach(count, body); };
    const auto forPieces = [=](std::size_t slotCount, const Parallel::Stages& stages) {
        Pipeline pipeline(slotCount, stages);
        forEach(static_cast<std::size_t>(threads), [&](std::size_t) { pipeline.serve(); });
        return !pipeline.wasStopped();
    };
    return {threads, forEach, forPieces};
}

} // namespace collscope
