// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How fast each member of each communicator was over the job, relative to its own typical speed.

#include "metrics/history/job_report.h"

#include <memory>
#include <vector>

namespace collscope {

/// Rows are members with operations, by communicator and rank; columns are equal parts of the job.
struct SpeedMap
{
    struct Row
    {
        std::uint32_t member = 0; ///< index into JobHistory::members
        /// Typical duration of an operation divided by the durations in this part, the mean over its
        /// operations: 1 is as usual, 0.5 takes twice as long. NaN: no operation.
        std::vector<float> speed;
    };
    std::vector<Row> rows;
    std::size_t columns = 0;
    std::int64_t beginNs = 0, endNs = 0; ///< of the columns, in UTC; both 0: by the order of operations alone
};

SpeedMap speedMap(const JobHistory& history, std::size_t columns);

/// What the window shows of a job.
struct JobCase
{
    std::shared_ptr<const JobHistory> history;
    JobReport report;
    SpeedMap map;
};
using JobCasePtr = std::shared_ptr<const JobCase>;

JobCasePtr examineJob(std::shared_ptr<const JobHistory> history);

} // namespace collscope
