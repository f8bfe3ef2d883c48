// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/user_folders.h"

#include "app/runtime/environment.h"
#include "model/text/folder_lists.h"

#include <filesystem>
#include <vector>

namespace collscope {

namespace {

namespace fs = std::filesystem;

// Organisation and application, as QSettings of the window names them.
constexpr const char* ownFolder = "collscope/collscope";

/// The folder that the variable names, else the one in the home folder; empty if there is neither. The
/// specification ignores relative paths: https://specifications.freedesktop.org/basedir-spec
fs::path baseFolder(const char* name, const char* inHome)
{
    if (const fs::path chosen = environmentVariable(name); chosen.is_absolute())
        return chosen;
    const fs::path home = environmentVariable("HOME");
    return home.is_absolute() ? home / inHome : fs::path();
}

std::string folderIn(const fs::path& base)
{
    return base.empty() ? std::string() : (base / ownFolder).string();
}

} // namespace

std::string configuredFile(const std::string& name)
{
    const std::string onMachine = environmentVariable("XDG_CONFIG_DIRS");
    std::vector<fs::path> folders = absoluteFolders(onMachine.empty() ? "/etc/xdg" : onMachine);
    if (fs::path own = baseFolder("XDG_CONFIG_HOME", ".config"); !own.empty())
        folders.insert(folders.begin(), std::move(own));
    for (const fs::path& folder : folders) {
        std::error_code error;
        const fs::path file = folder / ownFolder / name;
        if (fs::is_regular_file(file, error))
            return file.string();
    }
    return {};
}

std::string userConfigFolder()
{
    return folderIn(baseFolder("XDG_CONFIG_HOME", ".config"));
}

std::string userCacheFolder()
{
    return folderIn(baseFolder("XDG_CACHE_HOME", ".cache"));
}

} // namespace collscope
