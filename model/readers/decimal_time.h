// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Decimal text -> integer nanoseconds, exactly. Never through double: at 1.7e15 us a double has a grid of
// 0.25 us.

#include <cstdint>
#include <optional>
#include <string_view>

namespace collscope {

/// Microseconds as JSON writes them ("4458677009853.422", "-1.5e3", also in quotes) to ns; digits below 1 ns
/// are rounded half to even. nullopt for anything that is no finite number or does not fit int64.
std::optional<std::int64_t> nanosecondsFromMicroseconds(std::string_view text);

/// Whether such a text is a decimal number, however large: then it did not fit.
bool isDecimalNumber(std::string_view text);

/// An integer, in quotes or not; a fraction or other text is nullopt.
std::optional<std::int64_t> integerFromText(std::string_view text);

} // namespace collscope
