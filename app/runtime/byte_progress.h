// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Load progress of several files as one number.

#include "model/readers/run/trace_directory.h"

#include <functional>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace collscope {

/// Converts bytes read per file into those of all files. Readers call set() from any thread; calls of
/// `report` are serialized.
class ByteProgress
{
public:
    struct State
    {
        std::size_t file = 0; ///< that was read last
        std::uint64_t done = 0, total = 0; ///< bytes of all files

        int percent() const
        {
            return static_cast<int>(100.0 * static_cast<double>(done) / static_cast<double>(total));
        }
    };
    using Report = std::function<void(const State& state)>; ///< called only where `total` > 0

    ByteProgress(const std::vector<std::uint64_t>& fileBytes, Report report)
        : m_done(fileBytes.size(), 0)
        , m_total(std::accumulate(fileBytes.begin(), fileBytes.end(), std::uint64_t{0}))
        , m_report(std::move(report))
    { }
    ByteProgress(const LoadPlan& plan, Report report)
        : ByteProgress(bytesOf(plan), std::move(report))
    { }

    void set(std::size_t file, std::uint64_t done)
    {
        const std::lock_guard lock(m_mutex);
        m_sum += done - m_done[file];
        m_done[file] = done;
        if (m_total > 0)
            m_report({file, m_sum, m_total});
    }

private:
    static std::vector<std::uint64_t> bytesOf(const LoadPlan& plan)
    {
        std::vector<std::uint64_t> bytes;
        for (const PlannedFile& planned : plan.files)
            bytes.push_back(planned.file.bytes);
        return bytes;
    }

    std::mutex m_mutex;
    std::vector<std::uint64_t> m_done;
    std::uint64_t m_sum = 0;
    std::uint64_t m_total = 0;
    Report m_report;
};

} // namespace collscope
