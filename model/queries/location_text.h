// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A location in a run as one line of text, for sharing: "run@rank:track:begin-end", or "run@begin-end" for a
// time range. Times of a slice are in ns on its own rank's clock, whichever clocks the view uses; time ranges
// are on the axis.

#include "model/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

struct Location
{
    std::string run; ///< title, for display; the location is resolved by the other fields
    std::optional<std::int32_t> rank;
    std::string track; ///< name of the stream or thread; empty without a rank
    TimeRange range; ///< on the clock of the rank, if there is one
    friend bool operator==(const Location&, const Location&) = default;
};

/// Parses a location; nullopt if the text is not one.
std::optional<Location> parseLocation(std::string_view text);
std::string locationText(const Location& location);

} // namespace collscope
