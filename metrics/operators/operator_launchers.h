// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which operator launched a piece of GPU work, and what each operator's launches cost on the GPU.

#include "model/trace_model.h"

#include <functional>
#include <string_view>
#include <vector>

namespace collscope {

/// One call of an operator that launched GPU work itself, or a runtime call that no operator encloses.
struct OperatorLauncher
{
    SliceRef slice; ///< on the CPU
    StringId name;
    bool isOperator = false; ///< false: a runtime or driver call
    SliceRef firstWork; ///< the first work counted in directNs; a none-slice without such work
    std::string_view category; ///< operatorCategory() of the name and the first work
    std::int64_t events = 0; ///< GPU events that it launched itself
    std::int64_t directNs = 0; ///< union of these without the kernels of NCCL and RCCL
    std::int64_t subtreeNs = 0; ///< union of everything launched inside it, at any depth
};

/// The launchers of one file. The operators around a call are those of its thread that enclose it, excluding
/// Python frames and annotations. An operator that starts inside another and ends after it is its sibling if
/// they overlap by less than a microsecond, and is ignored otherwise.
class OperatorLaunchers
{
public:
    /// linkedOnly: GPU events without a launch link (launch_links.h) have no launcher; otherwise the
    /// correlation is enough. Stops early, with partial results, when cancelled. O(n log n) of the slices of
    /// the threads that launch.
    OperatorLaunchers(const TraceModel& model, const Timeline& timeline, bool linkedOnly,
                      const std::function<bool()>& cancelled);

    const Timeline& timeline() const { return m_timeline; }
    /// Thread by thread in the order of their first launches.
    const std::vector<OperatorLauncher>& all() const { return m_launchers; }
    /// The launcher of a GPU slice; nullptr if the file does not record it. O(log n).
    const OperatorLauncher* of(SliceRef gpuSlice) const;
    /// False for a file in which only the GPU (and maybe its runtime) was traced.
    bool hasOperators() const { return m_hasOperators; }

private:
    static constexpr std::uint32_t none = Id<void>::noneValue;
    /// A GPU event that a call launched.
    struct Work
    {
        SliceRef call;
        SliceRef slice;
        TimeRange range;
        std::uint32_t launcher = none;
    };
    /// A slice of a thread that can enclose a launch.
    struct HostSlice
    {
        TimeRange range;
        SliceRef slice;
        std::uint32_t work = none; ///< the first GPU event that it launched
        bool isOperator = false;
    };
    class Stack;

    void collectWork(bool linkedOnly, const std::function<bool()>& cancelled);
    /// The operators and calls of the lanes of one thread, parents before children.
    std::vector<HostSlice> hostSlices(const std::vector<TrackId>& lanes) const;
    void readThread(const std::vector<TrackId>& lanes, const std::function<bool()>& cancelled);
    std::uint32_t addLauncher(const HostSlice& slice);
    void measureLaunchers();

    const TraceModel& m_model;
    const Timeline& m_timeline;
    std::vector<Work> m_work; ///< by call while threads are read; then by GPU slice
    std::vector<OperatorLauncher> m_launchers;
    bool m_hasOperators = false;
};

} // namespace collscope
