// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Names for the sentences of the cause chain.

#include "metrics/analysis/analysis.h"
#include "metrics/core/duration_text.h"

namespace collscope {

/// "rank 3", "ranks 3, 5", "ranks 3, 5, 6 and 2 more". Precondition: not empty.
std::string alsoLateText(const std::vector<std::int32_t>& ranks);
/// "AllReduce #221 of dp0 [0, 2]", "... of group 6 [1, 3]"; without Seq "AllReduce of dp0 [0, 2] at 12.5 ms",
/// the arrival of its first rank.
std::string collectiveText(Analysis& analysis, std::uint32_t instance);

} // namespace collscope
