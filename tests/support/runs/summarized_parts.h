// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run reduced to summaries, as `plan --keep summary` and `reduce` do it.

#include "metrics/summary/summarized_events.h"
#include "model/partial/fragment_archive.h"
#include "model/readers/run/load_trace.h"
#include "model/readers/run/reduced_run.h"
#include "model/readers/run/reduced_task.h"
#include "tests/support/suite/run_folder.h"

namespace collscope {

/// Writes the plan and the parts of a run into a folder `name` of `folder`. Returns its path; empty if the
/// run cannot be read.
inline std::string writeSummarizedParts(const RunFolder& folder, const std::string& name,
                                        const std::string& run, std::uint32_t tasks)
{
    const auto plan = planLoad({run}, {});
    if (!plan)
        return {};
    const std::string text = planText(reducePlan(*plan, tasks, Kept::Summaries, COLLSCOPE_VERSION));
    folder.write(name + '/' + std::string(planName), text);
    const auto read = parsePlan(text);
    for (std::uint32_t task = 0; task < tasks; ++task) {
        std::vector<PackedSection> sections;
        const Status done = reduceFiles(filesOfTask(*read, task), {}, summarizeEvents,
                                        [&](PackedSection section) -> Status {
                                            sections.push_back(std::move(section));
                                            return {};
                                        });
        if (!done)
            return {};
        folder.write(name + '/' + partName(task, planHash(text)),
                     partBytes(planHash(text), task, std::move(sections)));
    }
    return folder.path(name);
}

} // namespace collscope
