// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which task of a distributed run reads which file: plan.json, written once and never changed.

#include "model/diagnostics.h"
#include "model/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

/// What of each trace a part keeps.
enum class Kept : std::uint8_t
{
    WhatMetricsRead, ///< GPU work, collectives, annotations, launches; of CPU operators the outermost
    Everything ///< all events
};

struct ReducePlan
{
    struct File
    {
        std::string path;
        std::uint64_t bytes = 0; ///< on disk
        std::int64_t modified = 0; ///< ticks of the file clock
        std::int64_t iteration = -1;
        std::optional<std::int32_t> nameRank, chosenRank;
        std::string reader; ///< id; empty: an Nsight report that the task converts
        std::uint32_t task = 0;
    };
    std::string version; ///< of the program that made it: parts of another one do not fit
    std::vector<std::string> paths; ///< what the user named
    std::vector<std::int64_t> iterationsOffered;
    Diagnostics problems;
    Kept kept = Kept::WhatMetricsRead;
    std::uint32_t tasks = 1;
    std::vector<File> files;
};

/// Gives each file to a task so that all have about as many bytes: the largest first, to whoever has least.
void divideByBytes(ReducePlan& plan);

std::string planText(const ReducePlan& plan);
/// Error Format for what is no plan.
Result<ReducePlan> parsePlan(std::string_view text);
/// Parts name the plan that they belong to by this.
std::uint64_t planHash(std::string_view text);

/// "part-00003-9f86d081884c7d65.cspart"
std::string partName(std::uint32_t task, std::uint64_t plan);
inline constexpr std::string_view planName = "plan.json"; ///< in the folder of the parts
inline constexpr std::string_view partEnding = ".cspart";

} // namespace collscope
