// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The operators of a rank grouped by their inputs: ops_unique_args, unified_perf_summary and the tables of
// the kinds of operators whose work is known, under the names of TraceLens.

#include "metrics/core/sheet.h"
#include "metrics/operators/operator_inputs.h"
#include "metrics/operators/operator_launchers.h"
#include "model/result.h"

#include <functional>
#include <span>

namespace collscope {

/// Provides the inputs of calls of one file, in any order, for those calls where they can be read. Fails if
/// the file cannot be read. The model does not keep inputs, so they are read from the file again.
using OperatorInputReader
    = std::function<Status(const Timeline& timeline, std::span<const SliceRef> calls,
                           const std::function<void(SliceRef call, OperatorInputs&& inputs)>& take)>;

/// The sheets ops_unique_args, unified_perf_summary and one for each kind of work (operator_work.h), without
/// empty sheets, of the `most` operators with the longest time on the GPU (0 = all). A note reports data that
/// could not be read. Rates relate each call's work to the union of its own kernels. The rows are the
/// operators that launched the kernels: for aten::convolution, the operator that it calls. O(n log n) of the
/// launches.
Workbook operatorCallSheets(const TraceModel& model, std::span<const OperatorLaunchers> files,
                            const OperatorInputReader& read, std::size_t most,
                            const std::function<bool()>& cancelled);

} // namespace collscope
