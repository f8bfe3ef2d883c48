// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which trace files one process wrote: a profiler with a schedule writes one in each of its cycles.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace collscope {

struct LoadPlan;
struct PlannedFile;

/// The files of one process, in the order of their times.
struct TraceProcess
{
    std::vector<std::size_t> files; ///< indices
    std::optional<std::int32_t> rank; ///< as the files or their names say
    std::string host; ///< empty: not known
    std::int64_t beginNs = INT64_MAX, endNs = INT64_MIN; ///< wall clock; empty: no file says when it was
};

/// The rank that a person, the file, or its name says, in this order.
std::optional<std::int32_t> rankSaid(const PlannedFile& planned);
/// The same content, as far as can be told without reading it.
bool areCopies(const PlannedFile& a, const PlannedFile& b);

/// Groups the files at `which`. Of one process are files of the same host and process id, of the same worker,
/// and of the same rank and process id whose step numbers go on; all others are processes of their own.
/// O(n log n).
std::vector<TraceProcess> traceProcesses(const std::vector<PlannedFile>& files,
                                         const std::vector<std::size_t>& which);

/// Numbers the cycles of processes that wrote several files from 1 on, as iterations: the same number on all
/// ranks for what was recorded at about the same time.
void numberCycles(LoadPlan& plan);

} // namespace collscope
