// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What logs of NCCL say, as a run of these files has it.

#include "model/readers/network/nccl_log_lines.h"
#include "tests/support/runs/nccl_job.h"

#include <sstream>

namespace collscope {

/// Each text is a file.
inline NetworkRecord recordOf(const std::vector<std::string>& logs, Diagnostics& problems)
{
    NetworkRecord record;
    std::uint32_t file = 0;
    for (const std::string& log : logs) {
        NcclLogLines lines;
        std::istringstream text(log);
        for (std::string line; std::getline(text, line);)
            lines.take(line);
        record.take(lines.takeRecord(), SourceId{file++});
    }
    record.settle(problems);
    return record;
}
inline NetworkRecord recordOf(const std::string& log)
{
    Diagnostics problems;
    return recordOf(std::vector<std::string>{log}, problems);
}
inline NetworkRecord recordOf(const NcclJob& job)
{
    Diagnostics problems;
    return recordOf(job.logs(), problems);
}

} // namespace collscope
