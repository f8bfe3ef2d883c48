// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/run_folders.h"

#include "model/readers/run/trace_directory.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

bool holds(const fs::path& folder, const ListedRun& run)
{
    return std::any_of(run.paths.begin(), run.paths.end(), [&](const fs::path& path) {
        const auto [inFolder, inPath] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
        return inFolder == folder.end();
    });
}

/// Returns the absolute path of a folder, without a trailing slash.
fs::path wholePath(const std::string& folder)
{
    std::error_code error;
    const fs::path whole = fs::absolute(folder, error).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}

} // namespace

RunList runsIn(const std::string& folder, const std::stop_token& stop)
{
    const fs::path root = wholePath(folder);
    RunList list;
    const auto plan = planLoad({root.string()}, {}, stop);
    if (!plan || plan->runs.size() < 2) {
        list.runs.push_back({root.string(), {root.string()}});
        return list;
    }
    for (const FoundRun& run : plan->runs) {
        const bool isFolder = run.paths.size() == 1 && fs::is_directory(run.paths.front());
        list.runs.push_back({isFolder ? run.paths.front() : (root / run.name).string(), run.paths});
    }
    std::error_code error;
    for (fs::directory_iterator entry(root, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        std::error_code ignored;
        const fs::path& path = entry->path();
        const bool isHidden = path.filename().string().starts_with('.');
        if (!isHidden && entry->is_directory(ignored)
            && std::none_of(list.runs.begin(), list.runs.end(),
                            [&](const ListedRun& run) { return holds(path, run); }))
            list.others.push_back(path.filename().string());
    }
    std::sort(list.others.begin(), list.others.end());
    return list;
}

} // namespace collscope
