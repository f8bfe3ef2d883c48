// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/protected_files.h"

#include "model/readers/run/trace_directory.h"

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace collscope {

namespace {

using FileNumber = std::pair<dev_t, ino_t>;

std::mutex mutex;

/// Keyed by inode rather than by name: links and other spellings lead to the same file.
std::map<FileNumber, std::string>& inputs()
{
    static std::map<FileNumber, std::string> all;
    return all;
}

std::optional<FileNumber> regularFile(const std::string& path)
{
    struct stat info = {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode))
        return std::nullopt;
    return FileNumber(info.st_dev, info.st_ino);
}

} // namespace

void protectInput(const std::string& path)
{
    const std::lock_guard lock(mutex);
    if (const auto file = regularFile(path))
        inputs().emplace(*file, path);
}

void protectInputs(const LoadPlan& plan)
{
    for (const PlannedFile& planned : plan.files)
        protectInput(planned.file.part ? planned.file.part->file->path() : planned.file.path);
    for (const WreckedFile& wreck : plan.wrecks)
        protectInput(wreck.path);
}

Status checkReplaceable(const std::string& path)
{
    const auto file = regularFile(path);
    if (!file)
        return {};
    const auto refusal = [&](const std::string& replaced, const std::string& what) {
        return Error{Error::Kind::Io,
                     "cannot write " + path + ": it would replace " + replaced + ", " + what
                         + ". Give the output another name.",
                     path};
    };
    {
        const std::lock_guard lock(mutex);
        if (const auto input = inputs().find(*file); input != inputs().end())
            return refusal(input->second, "which is an input of this run");
    }
    const std::string_view format = traceFormat(path);
    if (format.empty())
        return {};
    std::error_code unknown;
    const std::filesystem::path target = std::filesystem::canonical(path, unknown);
    return refusal(unknown ? path : target.string(), "which is a trace: " + std::string(format));
}

} // namespace collscope
