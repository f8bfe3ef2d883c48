// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/snapshot_files.h"

#include "model/readers/byte_source.h"
#include "model/readers/run/plan_choices.h"
#include "model/readers/trace_names.h"
#include "model/text/lower_case.h"
#include "model/text/natural_order.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace collscope {

namespace fs = std::filesystem;

namespace {

bool isSnapshot(const PlannedFile& planned)
{
    return planned.reader && planned.reader->kind == SourceKind::MemorySnapshot;
}

/// The pickles of a folder, in natural order as everywhere: the last path comes last.
std::vector<std::string> picklesIn(const fs::path& folder)
{
    constexpr int deepest = 2;
    std::vector<std::string> paths;
    std::error_code error, ignored;
    fs::recursive_directory_iterator entry(folder, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        if (entry.depth() >= deepest)
            entry.disable_recursion_pending();
        const std::string name = lowered(entry->path().filename().string());
        if ((name.ends_with(".pickle") || name.ends_with(".pickle.gz")) && entry->is_regular_file(ignored))
            paths.push_back(entry->path().string());
    }
    std::sort(paths.begin(), paths.end(), naturallyBefore);
    return paths;
}

/// Adds the snapshots next to a folder, if it is that of an iteration. Returns whether any were found.
bool addSnapshotsBeside(fs::path folder, LoadPlan& plan)
{
    std::error_code error;
    if (!fs::is_directory(folder, error) || iterationFromPath((folder / "any").string()) < 0)
        return false;
    constexpr std::size_t headBytes = 4096;
    const ReaderDescriptor& reader = readerOf(SourceKind::MemorySnapshot);
    bool isFound = false;
    for (int level = 0; level < 3 && folder.has_relative_path(); ++level, folder = folder.parent_path()) {
        for (const std::string& path : picklesIn(folder / "memory_snapshot")) {
            const auto head = readHead(path, headBytes);
            if (!head || reader.sniff(path, *head) != Sniff::Yes)
                continue;
            const auto bytes = static_cast<std::uint64_t>(fs::file_size(path, error));
            plan.files.push_back({{path, bytes, iterationFromPath(path), rankFromPath(path)}, &reader});
            isFound = true;
        }
        if (isFound) {
            plan.problems.add(
                Severity::Info, "snapshots_beside", (folder / "memory_snapshot").string(), 0,
                "The memory snapshots of the job, next to the opened folder, are loaded with it.");
            return true;
        }
    }
    return false;
}

} // namespace

void findSnapshotsBeside(LoadPlan& plan)
{
    if (plan.files.empty() || std::any_of(plan.files.begin(), plan.files.end(), isSnapshot))
        return;
    std::error_code error;
    // A path that ends with a slash, or is ".", has no file name.
    fs::path folder = fs::absolute(plan.path, error).lexically_normal();
    if (!folder.has_filename())
        folder = folder.parent_path();
    if (addSnapshotsBeside(folder, plan))
        return;
    // If it is a link, look next to its target.
    if (const fs::path target = fs::canonical(folder, error); !error && target != folder)
        addSnapshotsBeside(target, plan);
}

void chooseSnapshots(LoadPlan& plan, const IterationChoice& choice)
{
    std::set<std::int64_t> timelines, snapshots;
    for (const PlannedFile& planned : plan.files) {
        const bool hasEvents = isIterated(planned);
        if (planned.file.iteration >= 0 && (hasEvents || isSnapshot(planned)))
            (hasEvents ? timelines : snapshots).insert(planned.file.iteration);
    }
    if (snapshots.empty() || choice.mode == IterationChoice::Mode::All)
        return;
    const bool isShared = !timelines.empty() && snapshots.contains(*timelines.rbegin());
    const std::int64_t chosen = isShared ? *timelines.rbegin() : *snapshots.rbegin();
    if (!timelines.empty() && !isShared)
        plan.problems.add(Severity::Notice, "snapshots_of_another_iteration", "", 0,
                          "Memory snapshots of iteration " + std::to_string(*timelines.rbegin())
                              + ", the iteration of the timelines, are missing: those of iteration "
                              + std::to_string(chosen) + " are shown.");
    std::erase_if(plan.files, [&](const PlannedFile& planned) {
        if (!isSnapshot(planned) || planned.file.iteration < 0 || planned.file.iteration == chosen)
            return false;
        plan.problems.add(Severity::Info, "other_iteration",
                          fs::path(planned.file.path).parent_path().string(), 0,
                          "Memory snapshots of iteration " + std::to_string(planned.file.iteration)
                              + " are not loaded (those of iteration " + std::to_string(chosen)
                              + " are); open that folder or file to see them.");
        return true;
    });
}

} // namespace collscope
