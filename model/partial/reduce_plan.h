// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Assigns the files of a distributed run to tasks: plan.json, written once and never changed.

#include "model/diagnostics.h"
#include "model/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

/// The events of each trace that a part keeps.
enum class Kept : std::uint8_t
{
    WhatMetricsRead, ///< GPU work, collectives, annotations, launches, outermost CPU operators
    Everything, ///< all events
    Summaries ///< no events, but what they add up to (model/timeline_summary.h)
};
/// "metrics", "all", "summary": the words of --keep and of plan.json.
std::string_view keptName(Kept kept);

/// What a file is recognised by, wherever it is copied to. A change that keeps the size and is further than
/// `sampledBytes` from both ends is not noticed; gzip files and databases change at an end, too.
struct FileIdentity
{
    static constexpr std::uint64_t sampledBytes = 64 << 10;
    std::uint64_t bytes = 0; ///< on disk
    std::uint32_t head = 0, tail = 0; ///< CRC-32 of the first and the last `sampledBytes`
    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

struct ReducePlan
{
    struct File
    {
        std::string path;
        FileIdentity identity;
        std::int64_t iteration = -1;
        std::optional<std::int32_t> nameRank, chosenRank;
        std::string process; ///< as in SourceFile
        bool isSpare = false; ///< as in PlannedFile
        std::string reader; ///< id; empty: an Nsight report that the task converts
        std::uint32_t task = 0;

        /// As far as it is known before the file is read.
        std::optional<std::int32_t> rank() const { return chosenRank ? chosenRank : nameRank; }
    };
    std::string version; ///< of the program that made it; parts of other versions do not match
    std::vector<std::string> paths; ///< paths given by the user
    std::vector<std::int64_t> iterationsOffered;
    Diagnostics problems;
    Kept kept = Kept::WhatMetricsRead;
    std::uint32_t tasks = 1;
    std::vector<File> files;
    /// A file from which nothing can be read, as in LoadPlan.
    struct Wreck
    {
        std::string path;
        std::optional<std::int32_t> rank;
        std::string why;
    };
    std::vector<Wreck> wrecks;
};

/// Assigns each task a block of consecutive ranks, so that all tasks have about the same number of bytes: a
/// block ends at the rank nearest to the task's share. Files without a rank follow in their order. A rank is
/// divided only if it is larger than a share, or if there are fewer ranks than tasks. Every task has a file,
/// as far as there are enough.
void divideByRank(ReducePlan& plan);

/// The folder of the run: the deepest that contains all files and the paths given by the user.
std::filesystem::path runFolder(const ReducePlan& plan);

/// Reads the text of a plan. Error Io: what is wrong with the file, without its name and a full stop.
Result<std::string> readPlanText(const std::string& path);
std::string planText(const ReducePlan& plan);
/// Error Format for text that is not a plan.
Result<ReducePlan> parsePlan(std::string_view text);
/// Hash of a plan. A part stores the hash of the plan that it belongs to.
std::uint64_t planHash(std::string_view text);

/// "part-00003-9f86d081884c7d65.cspart"
std::string partName(std::uint32_t task, std::uint64_t plan);
/// Whether a name is one that partName() makes, of any task and plan.
bool isPartName(std::string_view name);
/// Of the joined parts of several tasks: "part-00000-00099-9f86d081884c7d65.cspart"
std::string joinedPartName(std::uint32_t firstTask, std::uint32_t lastTask, std::uint64_t plan);
inline constexpr std::string_view planName = "plan.json"; ///< in the folder of the parts
inline constexpr std::string_view partEnding = ".cspart";

} // namespace collscope
