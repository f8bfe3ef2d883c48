// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the name and the first bytes of a trace say about where it belongs: which process wrote it, which rank
// that is, and when. Enough to tell runs and profiler cycles apart before anything is read.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

struct TraceFacts
{
    std::optional<std::int32_t> rank; ///< distributedInfo.rank
    /// Who wrote the file, by its name: "host_4242" of host_4242.<time>.pt.trace.json, "worker3". Empty if
    /// the name does not say.
    std::string process;
    bool isHostAndPid = false; ///< `process` is a host and a process id
    std::string host; ///< of `process`, else host_name; empty if neither says it
    std::optional<std::int64_t> pid; ///< of the first event of the CPU
    std::optional<std::int64_t> firstStep; ///< number of the first ProfilerStep
    /// Wall-clock times (ns since the epoch): the first event, and when the profiler wrote the file.
    std::optional<std::int64_t> beginNs, writtenNs;
    std::uint64_t hash = 0; ///< of the first bytes: equal files have equal ones

    /// One of the two times, the begin if it is known.
    std::optional<std::int64_t> anyTime() const { return beginNs ? beginNs : writtenNs; }
};

/// `head`: the first bytes of the file, inflated. Content that is cut, damaged or made up gives fewer facts.
TraceFacts traceFacts(std::string_view path, std::string_view head);

} // namespace collscope
