// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the tasks of a distributed run leave with --keep summary.

#include "metrics/summary/summarized_events.h"
#include "tests/support/runs/reduced_folder.h"
#include "tests/support/suite/run_folder.h"

namespace collscope {

class MergedSummaries
{
public:
    /// A folder of parts, to be loaded like a run; empty: the run cannot be planned or reduced.
    std::string folderOf(const std::string& run, std::uint32_t tasks)
    {
        const std::string folder = m_folder.path("parts" + std::to_string(++m_runs));
        return writeReduced(run, folder, tasks, Kept::Summaries, summarizeEvents) ? folder : std::string();
    }

private:
    RunFolder m_folder;
    int m_runs = 0;
};

} // namespace collscope
