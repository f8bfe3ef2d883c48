// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The operators of a rank by the inputs they were called with: ops_unique_args, unified_perf_summary and the
// tables of the kinds of operators whose work is known, under the names of TraceLens.

#include "metrics/reports/operator_inputs.h"
#include "metrics/reports/operator_launchers.h"
#include "metrics/reports/sheet.h"

#include <functional>
#include <span>

namespace collscope {

/// Gives the inputs of calls of one file, in any order, those that it can. "" or why it cannot: the model
/// does not keep them, so that they are read from the file again.
using OperatorInputReader
    = std::function<std::string(const Timeline& timeline, std::span<const SliceRef> calls,
                                const std::function<void(SliceRef call, OperatorInputs&& inputs)>& take)>;

/// The sheets ops_unique_args, unified_perf_summary and one of each kind of work (operator_work.h), empty
/// ones left out, of the `most` operators with the longest time on the GPU (0 = all). What could not be read
/// is a note. Rates count each call's work over the union of its own kernels. The rows are those of the
/// operators that launched the kernels: of aten::convolution the one that it calls. O(n log n) of the
/// launches.
Workbook operatorCallSheets(const TraceModel& model, std::span<const OperatorLaunchers> files,
                            const OperatorInputReader& read, std::size_t most,
                            const std::function<bool()>& cancelled);

} // namespace collscope
