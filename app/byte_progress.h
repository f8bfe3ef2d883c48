// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How far the loading of several files is, as one figure.

#include "model/readers/trace_directory.h"

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace collscope {

/// Bytes read of each file -> per cent of all. Readers call set() from any thread; `report` is called one at
/// a time.
class ByteProgress
{
public:
    ByteProgress(const LoadPlan& plan, std::function<void(int percent, std::size_t file)> report)
        : m_done(plan.files.size(), 0)
        , m_report(std::move(report))
    {
        for (const PlannedFile& planned : plan.files)
            m_total += planned.file.bytes;
    }

    void set(std::size_t file, std::uint64_t done)
    {
        const std::lock_guard lock(m_mutex);
        m_sum += done - m_done[file];
        m_done[file] = done;
        if (m_total > 0)
            m_report(static_cast<int>(100.0 * static_cast<double>(m_sum) / static_cast<double>(m_total)),
                     file);
    }

private:
    std::mutex m_mutex;
    std::vector<std::uint64_t> m_done;
    std::uint64_t m_sum = 0;
    std::uint64_t m_total = 0;
    std::function<void(int, std::size_t)> m_report;
};

} // namespace collscope
