// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Big Kineto traces in the profiler's own layout, from a seed. Nothing big is kept in the repository.

#include <cstdint>
#include <filesystem>

namespace collscope::bench {

struct TraceSize
{
    std::uint64_t bytes = 0; ///< about; the last step is finished
    int rank = 0;
    int ranks = 1;
    std::uint64_t seed = 1;
};

/// Writes the trace of one rank: steps of nested CPU operators on two threads, launches, kernels on a compute
/// and a communication stream, collectives with metadata, flow arrows. The same bytes for the same size and
/// seed. The answer: how many events it holds.
std::uint64_t writeKinetoTrace(const std::filesystem::path& file, const TraceSize& size);

} // namespace collscope::bench
