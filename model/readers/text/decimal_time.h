// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Converts decimal text to integer nanoseconds, exactly. A double is never used: at 1.7e15 us its resolution
// is 0.25 us.

#include <cstdint>
#include <optional>
#include <string_view>

namespace collscope {

/// Converts microseconds as written in JSON ("4458677009853.422", "-1.5e3", also in quotes) to ns; digits
/// below 1 ns are rounded half to even. nullopt for text that is not a finite number, or does not fit int64.
std::optional<std::int64_t> nanosecondsFromMicroseconds(std::string_view text);

/// Whether the text is a decimal number of any size; if its conversion failed, the number did not fit.
bool isDecimalNumber(std::string_view text);

/// Parses an integer, in quotes or not; nullopt for a fraction or other text.
std::optional<std::int64_t> integerFromText(std::string_view text);

} // namespace collscope
