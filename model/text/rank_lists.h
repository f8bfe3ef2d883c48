// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Members of process groups, as written in traces.

#include <cstdint>
#include <string_view>
#include <vector>

namespace collscope {

/// Parses a list of ranks as written in the trace, "[0, 1, 2]"; empty if the list is abbreviated ("...").
std::vector<std::int32_t> parseRankList(std::string_view text);

} // namespace collscope
