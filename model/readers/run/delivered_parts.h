// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The parts in folders, and what of a run they contain: single ones and joined ones, in any mixture.

#include "model/partial/part_file.h"
#include "model/partial/reduce_plan.h"

#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace collscope {

inline constexpr std::string_view missingPart = "missing_part"; ///< a diagnostic code

/// All parts in the folders, in the order of their names.
std::vector<std::string> partsIn(const std::vector<std::string>& folders);

/// The tasks [first, last] of a plan.
struct TaskRange
{
    std::uint32_t first = 0;
    std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
    bool contains(std::uint32_t task) const { return first <= task && task <= last; }
};

class DeliveredParts
{
public:
    /// Reads the indexes of all parts in the folders, and keeps what they contain of `tasks`. A part without
    /// any of these is closed at once; the others stay open. What does not belong to the plan, and sections
    /// of one file that differ, become problems. `hash`: planHash() of the plan, which must outlive this
    /// object.
    DeliveredParts(const std::vector<std::string>& folders, const ReducePlan& plan, std::uint64_t hash,
                   Diagnostics& problems, TaskRange tasks = {});

    /// By file number. The same section may be in several parts; it is here once.
    std::map<std::uint32_t, PartLocation>& sections() { return m_sections; }
    /// Those of the tasks of which a part was read, ascending.
    std::vector<std::uint32_t> tasks() const;
    /// Adds a problem `missingPart` for each of the tasks that lacks sections. Returns whether any does.
    bool reportMissing(Diagnostics& problems) const;

private:
    void read(const std::string& path, Diagnostics& problems);
    void add(std::uint32_t file, PartLocation place, Diagnostics& problems);
    std::string_view partOf(std::uint32_t task) const;

    const ReducePlan& m_plan;
    const std::uint64_t m_hash;
    const TaskRange m_range;
    std::map<std::uint32_t, PartLocation> m_sections;
    std::vector<bool> m_tasks; ///< whether a part of the task was read
    std::map<std::string, std::string_view> m_unusable; ///< names of files, and what they are
    std::set<std::uint32_t> m_differing; ///< files whose sections differ
};

} // namespace collscope
