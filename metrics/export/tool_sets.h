// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The nine sets of metrics selected by name with --tools.

#include "metrics/export/written_report.h"

namespace collscope {

struct ToolSet
{
    std::string_view name; ///< "communication"
    std::span<const std::string_view> metrics; ///< ids, in order
};

/// throughput, communication, memory, overlap, training_phases, fsdp, straggler, kernel, gpu_utilization.
std::span<const ToolSet> allToolSets();
/// By name; nullptr if there is none.
const ToolSet* findToolSet(std::string_view name);

} // namespace collscope
