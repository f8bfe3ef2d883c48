// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Shared by the parsers of what stands beside Flight Recorder dumps: logs, snapshots of RAS, stacks.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// No job has more; numbers above are damage.
constexpr std::int32_t largestRank = 1'000'000;

/// A number at the front of a text, and the text after it.
struct WitnessNumber
{
    std::optional<std::int64_t> value; ///< nullopt: no decimal number, or none that fits
    std::string_view rest;
};
WitnessNumber witnessNumber(std::string_view text);

/// The number as a rank; nullopt if it cannot be one.
std::optional<std::int32_t> witnessRank(std::optional<std::int64_t> number);

/// A text as it is kept: valid UTF-8, and at most 4 KiB.
std::string witnessText(std::string_view text);

} // namespace collscope
