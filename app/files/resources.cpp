// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/resources.h"

#include <cstdlib>
#include <filesystem>

namespace collscope {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name)
{
    const char* const value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing changes it
    return value ? value : "";
}

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
    for (const fs::path& root : {fs::path(variable("COLLSCOPE_RESOURCES")), installed}) {
        std::error_code error;
        const fs::path folder = fs::canonical(root / name, error);
        if (!root.empty() && !error && fs::is_directory(folder, error))
            return folder.string();
    }
    return {};
}

std::string programFile()
{
    const std::string started = variable("COLLSCOPE_PROGRAM");
    return started.empty() ? ownBinary().string() : started;
}

} // namespace collscope
