// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a task saves while it runs: each section of its part as soon as it is complete, so that a task that is
// killed reads only the other files again. See reduce-and-merge.md.

#include "model/partial/part_file.h"

#include <map>
#include <set>

namespace collscope {

/// The files of sections of a task are "part-00003-9f86d081884c7d65.XXXXXX.sections", one for each start of
/// the task, in the folder of the parts.
inline constexpr std::string_view sectionsEnding = ".sections";
/// What these names begin with: "part-00003-9f86d081884c7d65."
std::string sectionsPrefix(std::uint32_t task, std::uint64_t plan);

/// The first bytes of a file of sections.
std::string sectionsHeader(std::uint64_t plan, std::uint32_t task);
/// What stands in front of the bytes of a section in such a file.
std::string sectionHeader(const PackedSection& section);

/// The sections of a file of sections, by index in the plan's list of files, up to the first that is damaged
/// or not complete: whoever wrote it was killed. `files`: those of the task; a section of another file is
/// damage. Empty for a file of another task or plan. Memory does not grow with the file.
std::map<std::uint32_t, PartLocation> readSections(const std::string& path, std::uint64_t plan,
                                                   std::uint32_t task, const std::set<std::uint32_t>& files);

} // namespace collscope
