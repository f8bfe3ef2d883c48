// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The sentences of a verdict. None of them says "probably": what the files do not tell is said to be unknown.

#include "metrics/hang/hang_findings.h"

#include <string>

namespace collscope {

/// "rank 5", "ranks 9 and 14", "ranks 0-3 and 7".
std::string ranksText(const HangJob& job, const std::vector<std::uint32_t>& ranks);
/// "DATA_PARALLEL_GROUP (0-3)".
std::string groupText(const HangJob& job, std::uint32_t group);
/// "call 45265 (all_to_all) of EXPERT_MODEL_PARALLEL_GROUP (8-15)".
std::string callText(const HangJob& job, const WaitGraph& graph, std::uint32_t point);
/// The function and line from which a rank made a call, the innermost that is not part of PyTorch:
/// "mlp.py:212".
std::string siteOf(const HangJob& job, std::uint32_t rank, std::size_t call);

/// What a finding says.
std::string findingText(const HangJob& job, const WaitGraph& graph, const HangFinding& finding);
/// What to do first about it.
std::string firstStep(const HangJob& job, const HangFinding& finding);

} // namespace collscope
