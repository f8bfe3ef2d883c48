// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tables of a rank's report about operators and kernels, under the names of TraceLens. Sums are exact in
// ns; cell values are converted at the end.

#include "metrics/core/sheet_columns.h"
#include "metrics/operators/operator_launchers.h"

#include <map>
#include <span>

namespace collscope {

/// Origin of a kernel: an operator with its category, or, if no operator is known, the runtime call with the
/// category "graph" or "runtime". Both empty if the trace does not record it.
struct KernelParent
{
    std::string_view category;
    StringId name;
};

/// Finds the parents of the kernels of one file.
class KernelParents
{
public:
    /// Model and launchers must outlive this.
    KernelParents(const TraceModel& model, const OperatorLaunchers& launchers)
        : m_model(model)
        , m_launchers(launchers)
    { }
    /// O(log n).
    KernelParent of(SliceRef kernel);

private:
    const TraceModel& m_model;
    const OperatorLaunchers& m_launchers;
    std::map<StringId, bool> m_graphNames; ///< whether a runtime call of that name launches a graph
};

/// Calls f(kernel, durationNs, stream) for each kernel on the file's GPU streams; polls `cancelled`
/// regularly.
void forEachKernel(const TraceModel& model, const Timeline& timeline, const std::function<bool()>& cancelled,
                   const std::function<void(SliceRef kernel, std::int64_t ns, std::int32_t stream)>& f);

/// 100 x part / whole; empty if the whole is 0.
Value percentCell(std::int64_t part, std::int64_t whole);

/// ops_summary_by_category: cost of the launchers of each category on the GPU. Excludes NCCL kernels.
Sheet operatorCategorySheet(std::span<const OperatorLaunchers> files);
/// ops_summary: cost of each operator on the GPU. `most` rows, 0 = all.
Sheet operatorSheet(const TraceModel& model, std::span<const OperatorLaunchers> files, std::size_t most);
/// kernel_summary: durations by parent, kernel and stream. `totalNs` is the total_time of gpu_timeline. For
/// files without operators, only the category of the parent is given.
Sheet kernelSheet(const TraceModel& model, std::span<const OperatorLaunchers> files, std::int64_t totalNs,
                  const std::function<bool()>& cancelled);

} // namespace collscope
