// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/resources.h"

#include "app/runtime/environment.h"

#include <filesystem>

namespace collscope {

namespace {

namespace fs = std::filesystem;

fs::path ownBinary()
{
    std::error_code error;
    return fs::canonical("/proc/self/exe", error);
}

} // namespace

std::string resourceFolder(const std::string& name)
{
    // In a build folder, this path is a link to the sources.
    const fs::path installed = ownBinary().parent_path() / "../share/collscope";
    for (const fs::path& root : {fs::path(environmentVariable("COLLSCOPE_RESOURCES")), installed}) {
        std::error_code error;
        const fs::path folder = fs::canonical(root / name, error);
        if (!root.empty() && !error && fs::is_directory(folder, error))
            return folder.string();
    }
    return {};
}

std::string programFile()
{
    const std::string started = environmentVariable("COLLSCOPE_PROGRAM");
    return started.empty() ? ownBinary().string() : started;
}

std::string windowProgramFile()
{
    return (fs::path(programFile()).parent_path() / "collscope-window").string();
}

} // namespace collscope
