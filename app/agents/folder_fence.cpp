// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/folder_fence.h"

#include <algorithm>
#include <set>

namespace collscope {

namespace fs = std::filesystem;

namespace {

Error notFound(const std::string& path)
{
    return {Error::Kind::NotFound, path + " does not exist in the folders that this server may read.", path};
}

} // namespace

Result<FolderFence> FolderFence::around(const std::vector<std::string>& folders)
{
    FolderFence fence;
    for (const std::string& folder : folders) {
        std::error_code error;
        const fs::path canonical = fs::canonical(folder, error);
        if (error)
            return Error{Error::Kind::NotFound, folder + " does not exist: " + error.message() + ".", folder};
        if (std::find(fence.m_folders.begin(), fence.m_folders.end(), canonical) == fence.m_folders.end())
            fence.m_folders.push_back(canonical.string());
    }
    return fence;
}

bool FolderFence::contains(const fs::path& canonical) const
{
    return std::any_of(m_folders.begin(), m_folders.end(), [&](const std::string& folder) {
        const fs::path own(folder);
        return std::mismatch(own.begin(), own.end(), canonical.begin(), canonical.end()).first == own.end();
    });
}

Result<std::string> FolderFence::inside(const std::string& asked) const
{
    // The system would end the path there.
    if (asked.empty() || asked.find('\0') != std::string::npos)
        return Error{Error::Kind::Usage, "A path cannot be empty, and cannot contain a NUL.", asked};
    std::set<std::string> found;
    const auto note = [&](const fs::path& path) {
        std::error_code error;
        const fs::path canonical = fs::canonical(path, error);
        if (!error && contains(canonical))
            found.insert(canonical.string());
    };
    if (fs::path(asked).is_absolute()) {
        note(asked);
    } else {
        for (const std::string& folder : m_folders) {
            note(fs::path(folder) / asked);
            if (fs::path(folder).filename() == asked)
                note(folder);
        }
    }
    // What is outside is not told apart from what does not exist.
    if (found.empty())
        return notFound(asked);
    if (found.size() > 1)
        return Error{Error::Kind::Usage,
                     asked + " may be " + *found.begin() + " or " + *std::next(found.begin())
                         + ": give the whole path.",
                     asked};
    return *found.begin();
}

Status FolderFence::allows(const LoadPlan& plan) const
{
    for (const PlannedFile& planned : plan.files) {
        std::error_code error;
        const fs::path canonical = fs::canonical(planned.file.path, error);
        if (error || !contains(canonical))
            return Error{Error::Kind::Usage,
                         planned.file.path
                             + " leads out of the folders that this server may read. Name its folder at the "
                               "start of the server, too.",
                         planned.file.path};
    }
    return {};
}

} // namespace collscope
