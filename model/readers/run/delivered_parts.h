// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The parts in folders, and what of a run they contain: single ones and joined ones, in any mixture.

#include "model/partial/part_file.h"
#include "model/partial/reduce_plan.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace collscope {

inline constexpr std::string_view missingPart = "missing_part"; ///< a diagnostic code

/// All parts in the folders, in the order of their names.
std::vector<std::string> partsIn(const std::vector<std::string>& folders);

class DeliveredParts
{
public:
    /// Reads the indexes of all parts in the folders. What does not belong to the plan, and sections of one
    /// file that differ, become problems. `hash`: planHash() of the plan, which must outlive this object.
    DeliveredParts(const std::vector<std::string>& folders, const ReducePlan& plan, std::uint64_t hash,
                   Diagnostics& problems);

    /// By file number. The same section may be in several parts; it is here once.
    std::map<std::uint32_t, PartLocation>& sections() { return m_sections; }
    /// Whether a part of the task was read.
    bool hasTask(std::uint32_t task) const { return m_tasks[task]; }
    /// Adds a problem `missingPart` for each of the tasks [first, last] that lacks sections. Returns whether
    /// any does.
    bool reportMissing(std::uint32_t first, std::uint32_t last, Diagnostics& problems) const;

private:
    void read(const std::string& path, Diagnostics& problems);
    void add(std::uint32_t file, PartLocation place, Diagnostics& problems);
    std::string_view partOf(std::uint32_t task) const;

    const ReducePlan& m_plan;
    const std::uint64_t m_hash;
    std::map<std::uint32_t, PartLocation> m_sections;
    std::vector<bool> m_tasks;
    std::set<std::string> m_unreadable; ///< names of files
    std::set<std::uint32_t> m_differing; ///< files whose sections differ
};

} // namespace collscope
