// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run as the tasks of a distributed run leave it: a folder with a plan and parts.

#include "model/readers/run/load_trace.h"
#include "model/readers/run/reduced_run.h"
#include "model/readers/run/reduced_task.h"
#include "tests/support/workloads/run_writer.h"

#include <filesystem>
#include <string>
#include <vector>

namespace collscope {

/// Writes plan and parts of a run into a folder, which is made. `reduce`: what a task does with the events of
/// a file. Returns false if a task cannot read its files.
template<typename Reduce>
bool writeReduced(const std::string& run, const std::filesystem::path& folder, std::uint32_t tasks, Kept kept,
                  Reduce reduce)
{
    const auto plan = planLoad({run}, {});
    if (!plan)
        return false;
    const std::string text = planText(reducePlan(*plan, tasks, kept, COLLSCOPE_VERSION));
    const auto read = parsePlan(text);
    std::filesystem::create_directories(folder);
    writeFile(folder / planName, text);
    for (std::uint32_t task = 0; task < tasks; ++task) {
        std::vector<PackedSection> sections;
        const Status done
            = reduceFiles(filesOfTask(*read, task), {}, reduce, [&](PackedSection section) -> Status {
                  sections.push_back(std::move(section));
                  return {};
              });
        if (!done)
            return false;
        writeFile(folder / partName(task, planHash(text)),
                  partBytes(planHash(text), task, std::move(sections)));
    }
    return true;
}

} // namespace collscope
