// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/user_folders.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

namespace collscope {

namespace {

namespace fs = std::filesystem;

constexpr const char* ownFolder = "collscope/collscope"; // organisation and application, as Qt names it

std::string variable(const char* name)
{
    const char* const value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing changes it
    return value ? value : "";
}

/// Relative paths are invalid according to the specification.
std::string folderOf(const char* name, const char* belowHome)
{
    if (std::string folder = variable(name); folder.starts_with('/'))
        return folder;
    const std::string home = variable("HOME");
    return home.empty() ? std::string() : home + "/" + belowHome;
}

std::vector<std::string> split(std::string_view list)
{
    std::vector<std::string> folders;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(':'), list.size());
        if (list.starts_with('/'))
            folders.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return folders;
}

} // namespace

std::string configuredFile(const std::string& name)
{
    std::vector<std::string> folders = split(variable("XDG_CONFIG_DIRS"));
    if (folders.empty())
        folders = {"/etc/xdg"};
    folders.insert(folders.begin(), folderOf("XDG_CONFIG_HOME", ".config"));
    for (const std::string& folder : folders) {
        const fs::path file = fs::path(folder) / ownFolder / name;
        std::error_code error;
        if (!folder.empty() && fs::exists(file, error) && !fs::is_directory(file, error))
            return file.string();
    }
    return {};
}

std::string userConfigFolder()
{
    const std::string folder = folderOf("XDG_CONFIG_HOME", ".config");
    return folder.empty() ? folder : folder + "/" + ownFolder;
}

std::string userCacheFolder()
{
    const std::string folder = folderOf("XDG_CACHE_HOME", ".cache");
    return folder.empty() ? folder : folder + "/" + ownFolder;
}

} // namespace collscope
