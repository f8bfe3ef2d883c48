// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Facts from the name and the first bytes of a trace: the process that wrote it, its rank, and the time. They
// are enough to distinguish runs and profiler cycles before anything is read.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

struct TraceFacts
{
    std::optional<std::int32_t> rank; ///< distributedInfo.rank
    /// The process that wrote the file, according to its name: "host_4242" of host_4242.<time>.pt.trace.json,
    /// "worker3". Empty if the name does not state it.
    std::string process;
    bool isHostAndPid = false; ///< `process` is a host and a process id
    std::string host; ///< of `process`, or else host_name; empty if neither states it
    std::optional<std::int64_t> pid; ///< of the first CPU event
    std::optional<std::int64_t> firstStep; ///< number of the first ProfilerStep
    /// Wall-clock times (ns since the epoch): of the first event, and of the writing of the file by the
    /// profiler.
    std::optional<std::int64_t> beginNs, writtenNs;
    std::uint64_t hash = 0; ///< of the first bytes; identical files have equal hashes

    /// One of the two times; the start if it is known.
    std::optional<std::int64_t> anyTime() const { return beginNs ? beginNs : writtenNs; }
};

/// `head`: the first bytes of the file, inflated. Content that is cut off, damaged or invalid gives fewer
/// facts.
TraceFacts traceFacts(std::string_view path, std::string_view head);

} // namespace collscope
