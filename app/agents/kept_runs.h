// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The runs that were asked about last, so that the next question does not load them again.

#include "app/agents/folder_fence.h"
#include "model/trace_model.h"

#include <cstdint>
#include <functional>
#include <list>

namespace collscope {

/// How loads are done.
struct RunLoading
{
    int threads = 0; ///< 0 = one per core
    std::optional<std::uint64_t> maxMemory;
    /// Called with the percentage of the files that has been read, ascending, from any thread.
    std::function<void(int percent)> progress = [](int) {};
};

class KeptRuns
{
public:
    /// A comparison needs two.
    static constexpr std::size_t most = 2;

    KeptRuns(const FolderFence& fence, RunLoading loading)
        : m_fence(fence)
        , m_loading(std::move(loading))
    { }

    void setProgress(std::function<void(int percent)> progress) { m_loading.progress = std::move(progress); }
    /// Returns a run, from memory if none of its files changed. An error as of loadTrace(), or if a file is
    /// outside of the fence.
    Result<TraceModelPtr> get(const std::vector<std::string>& paths, const LoadOptions& load);

private:
    /// What shows that files were changed, added or removed.
    struct Stamp
    {
        std::string path;
        std::int64_t changedNs = 0; ///< the system's own time of the last change, which nobody can set
        std::uint64_t node = 0, bytes = 0;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    struct Kept
    {
        std::vector<std::string> paths;
        std::vector<Stamp> stamps;
        TraceModelPtr model;
    };
    static Stamp stampOf(const std::string& path);
    static std::vector<Stamp> stampsOf(const LoadPlan& plan);
    static bool isFresh(const Kept& kept);
    Result<TraceModelPtr> load(const LoadPlan& plan, const LoadOptions& options) const;

    const FolderFence& m_fence;
    RunLoading m_loading;
    std::list<Kept> m_kept; ///< the last one first
};

} // namespace collscope
