// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the trace files that one process wrote: a profiler with a schedule writes a file in each of its
// cycles.

#include "model/readers/run/load_plan.h"

namespace collscope {

/// The files of one process, in time order.
struct TraceProcess
{
    std::vector<std::size_t> files; ///< indices
    std::optional<std::int32_t> rank; ///< as stated by the files or their names
    std::string host; ///< empty: unknown
    std::int64_t beginNs = INT64_MAX, endNs = INT64_MIN; ///< wall clock; empty: no file states a time
};

/// The rank stated by the user, the file, or its name, in this order.
std::optional<std::int32_t> rankSaid(const PlannedFile& planned);
/// Whether the files have the same content, as far as this can be determined without reading them.
bool areCopies(const PlannedFile& a, const PlannedFile& b);

/// Groups the files at `which` by process. One process wrote files with the same host and process id, with
/// the same worker, or with the same rank and process id and continuing step numbers; every other file
/// belongs to a separate process. O(n log n).
std::vector<TraceProcess> traceProcesses(const std::vector<PlannedFile>& files,
                                         const std::vector<std::size_t>& which);

/// Numbers the cycles of processes that wrote several files as iterations, from 1: files recorded at about
/// the same time have the same number on all ranks.
void numberCycles(LoadPlan& plan);

} // namespace collscope
