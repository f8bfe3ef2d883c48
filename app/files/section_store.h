// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Saves the sections of a task in the folder of the parts while the task runs, takes over what was saved when
// an earlier start of the task was killed, and makes the part from them.

#include "model/partial/part_file.h"

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace collscope {

/// One start of a task. Each start writes to a file of its own, under a name that no other has, and only
/// reads those of others, whose complete sections never change. So the same task may run twice at the same
/// time without damage, also on file systems where locks do not work (Lustre without -o flock, mounts of
/// object stores). Any thread may add; one thread does the rest.
class SectionStore
{
public:
    /// Takes over the complete sections of `files` (positions in the plan) that are in the folder: in files
    /// of earlier starts, and in a part that lacks others.
    SectionStore(const std::string& folder, std::uint64_t plan, std::uint32_t task,
                 const std::set<std::uint32_t>& files);
    ~SectionStore();
    SectionStore(const SectionStore&) = delete;
    SectionStore& operator=(const SectionStore&) = delete;

    /// The files that remain to be read.
    const std::set<std::uint32_t>& missing() const { return m_missing; }
    /// Saves the section of a missing file. The section of a file that could not be read is not saved: the
    /// next start tries again. Error Io.
    Status add(PackedSection section);
    /// Writes the part, then removes what was saved. Error Io: it was not written.
    Status finish();
    /// Removes the files of sections of this start and of those before, once the part exists.
    void removeSaved();
    /// The files that could not be read, with the reasons.
    std::vector<std::pair<std::uint32_t, std::string>> failures() const;

private:
    void takeOver(const std::string& folder, const std::set<std::uint32_t>& files);
    void takeOver(std::uint32_t file, PartLocation place);
    Status open();
    Status append(std::string_view bytes);

    const std::uint64_t m_plan;
    const std::uint32_t m_task;
    const std::string m_prefix; ///< of the files of sections of all starts
    const std::string m_partPath;
    std::vector<std::string> m_found; ///< files of sections of other starts
    std::set<std::uint32_t> m_missing;

    std::mutex m_mutex; ///< protects what follows
    std::map<std::uint32_t, PackedSection> m_sections; ///< without bytes: these are in files
    std::string m_path; ///< of this start's file
    int m_file = -1;
    std::shared_ptr<const OpenedFile> m_saved; ///< the same file, for reading
    std::uint64_t m_size = 0; ///< of that file
};

} // namespace collscope
