// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Recordings of AMD's rocprofv3, as its JSON and as its database, written as its documentation describes
// them: ROCm/rocm-systems, projects/rocprofiler-sdk.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace collscope {

struct RocprofRun
{
    struct Kernel
    {
        std::string name;
        int gpu = 0;
        int queue = 1, stream = 0;
        std::int64_t beginNs = 0, endNs = 0;
        std::uint64_t correlation = 0;
    };
    struct Copy
    {
        std::string operation; ///< "HOST_TO_DEVICE"
        int gpu = 0;
        std::int64_t beginNs = 0, endNs = 0, bytes = 0;
        std::uint64_t correlation = 0;
    };
    struct Call
    {
        std::string domain; ///< "HIP_RUNTIME_API", "MARKER_CORE_API", "RCCL_API"
        std::string name; ///< of the function, or the message of a marker
        std::int64_t thread = 0;
        std::int64_t beginNs = 0, endNs = 0;
        std::uint64_t correlation = 0;
        std::vector<std::pair<std::string, std::string>> arguments = {}; ///< only in the database
    };
    std::vector<Kernel> kernels;
    std::vector<Copy> copies;
    std::vector<Call> calls;
    int gpus = 2;
    int allocations = 0; ///< records that are not shown
    std::int64_t pid = 4242;
};

/// `eventsFirst`: the descriptions follow the events, which rocprofv3 does not do.
std::string rocprofJson(const RocprofRun& run, bool eventsFirst = false);

/// Writes the database with the tables of a version of the schema: 3 (times in the rows) or 4 (in a table of
/// their own).
void writeRocpd(const std::string& path, const RocprofRun& run, int schema);

} // namespace collscope
