// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words and numbers for the sentences of the cause chain.

#include "metrics/analysis.h"

namespace collscope {

/// Up to four digits with a suitable unit: "8.7 ms", "312.5 \u00b5s", "1.204 s".
std::string timeText(std::int64_t ns);
/// "9 %"; "0 %" if the whole is 0.
std::string percentText(std::int64_t part, std::int64_t whole);
/// "rank 3", "ranks 3, 5", "ranks 3, 5, 6 and 2 more". Precondition: not empty.
std::string alsoLateText(const std::vector<std::int32_t>& ranks);
/// A name from the trace in quotes, shortened to 60 bytes.
std::string quotedName(std::string_view name);
/// "AllReduce #221 of dp0 [0, 2]", "... of group 6 [1, 3]"; without Seq "AllReduce of dp0 [0, 2] at 12.5 ms",
/// the arrival of its first rank.
std::string collectiveText(Analysis& analysis, std::uint32_t instance);

} // namespace collscope
