// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Points in time and durations as text for sentences.

#include <cstdint>
#include <string>

namespace collscope {

/// "2025-07-11 06:32:53 UTC".
std::string wallClockText(std::int64_t ns);
/// "42 s", "12 min", "1.0 hours", "3.2 days": a duration without false precision.
std::string aboutText(std::int64_t ns);

} // namespace collscope
