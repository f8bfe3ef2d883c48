// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/user_folders.h"

#include "app/runtime/environment.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

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
    std::string machine = environmentVariable("XDG_CONFIG_DIRS");
    if (machine.empty())
        machine = "/etc/xdg";
    std::string_view rest = machine;
    for (fs::path base = baseFolder("XDG_CONFIG_HOME", ".config");;) {
        std::error_code error;
        const fs::path file = base / ownFolder / name;
        if (base.is_absolute() && fs::is_regular_file(file, error))
            return file.string();
        if (rest.empty())
            return {};
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        base = rest.substr(0, colon);
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
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
