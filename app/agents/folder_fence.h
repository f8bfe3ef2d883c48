// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The folders that an agent may read. Links are followed before a path is judged.

#include "model/readers/run/load_plan.h"
#include "model/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace collscope {

class FolderFence
{
public:
    /// An error names the first folder that does not exist.
    static Result<FolderFence> around(const std::vector<std::string>& folders);

    /// The folders, without links.
    const std::vector<std::string>& folders() const { return m_folders; }
    /// Returns the path without links. A relative path starts in one of the folders, or is the name of one.
    /// An error if it does not exist, is outside of all folders, or may be several.
    Result<std::string> inside(const std::string& asked) const;
    /// An error names the first file of a run that is a link to a place outside of all folders.
    Status allows(const LoadPlan& plan) const;

private:
    bool contains(const std::filesystem::path& canonical) const;

    std::vector<std::string> m_folders;
};

} // namespace collscope
