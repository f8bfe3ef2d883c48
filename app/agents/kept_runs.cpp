// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/kept_runs.h"

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/runtime/byte_progress.h"
#include "model/readers/run/load_trace.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace collscope {

namespace fs = std::filesystem;

namespace {

bool lacksMemory(const TraceModel& model)
{
    const auto& problems = model.problems.entries();
    return std::any_of(problems.begin(), problems.end(),
                       [](const Diagnostic& problem) { return problem.code == "memory_limit"; });
}

} // namespace

KeptRuns::Stamp KeptRuns::stampOf(const std::string& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
        return {path, -1, 0, 0};
    constexpr std::int64_t nsPerSecond = 1'000'000'000;
    return {path, status.st_ctim.tv_sec * nsPerSecond + status.st_ctim.tv_nsec, status.st_ino,
            static_cast<std::uint64_t>(status.st_size)};
}

std::vector<KeptRuns::Stamp> KeptRuns::stampsOf(const LoadPlan& plan)
{
    std::set<std::string> paths(plan.paths.begin(), plan.paths.end());
    for (const PlannedFile& planned : plan.files) {
        paths.insert(planned.file.path);
        paths.insert(fs::path(planned.file.path).parent_path().string());
    }
    // A file may appear in a folder that contained none.
    constexpr std::size_t mostFolders = 4096;
    for (const std::string& path : plan.paths) {
        std::error_code error;
        for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
             entry.increment(error)) {
            if (paths.size() < mostFolders + plan.files.size() && entry->is_directory(error))
                paths.insert(entry->path().string());
        }
    }
    std::vector<Stamp> stamps;
    std::transform(paths.begin(), paths.end(), std::back_inserter(stamps), stampOf);
    return stamps;
}

bool KeptRuns::isFresh(const Kept& kept)
{
    return std::all_of(kept.stamps.begin(), kept.stamps.end(),
                       [](const Stamp& stamp) { return stampOf(stamp.path) == stamp; });
}

Result<TraceModelPtr> KeptRuns::load(const LoadPlan& plan, const LoadOptions& options) const
{
    int last = 0;
    ByteProgress progress(plan, [&](const ByteProgress::State& state) {
        if (state.percent() <= last)
            return;
        last = state.percent();
        m_loading.progress(last);
    });
    LoadContext context = loadContext(options, m_loading.threads);
    context.progress = [&](std::size_t file, std::uint64_t done) { progress.set(file, done); };
    return loadTrace(plan, context);
}

Result<TraceModelPtr> KeptRuns::get(const std::vector<std::string>& paths, const LoadOptions& load)
{
    const auto known
        = std::find_if(m_kept.begin(), m_kept.end(), [&](const Kept& kept) { return kept.paths == paths; });
    if (known != m_kept.end()) {
        m_kept.splice(m_kept.begin(), m_kept, known);
        if (isFresh(m_kept.front()))
            return m_kept.front().model;
        m_kept.pop_front();
    }
    LoadOptions options = load;
    options.maxMemory = m_loading.maxMemory;
    const auto plan = planLoad(paths, options, interruptToken());
    if (!plan)
        return plan.error();
    if (const Status allowed = m_fence.allows(*plan); !allowed)
        return allowed.error();
    while (m_kept.size() >= most)
        m_kept.pop_back();
    // Before the load, so that what is written meanwhile counts as a change.
    std::vector<Stamp> stamps = stampsOf(*plan);
    auto model = this->load(*plan, options);
    if (model && lacksMemory(**model) && !m_kept.empty()) {
        m_kept.clear();
        model = this->load(*plan, options);
    }
    if (model)
        m_kept.push_front({paths, std::move(stamps), *model});
    return model;
}

} // namespace collscope
