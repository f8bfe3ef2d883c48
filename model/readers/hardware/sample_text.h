// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Values and time stamps as tools print them. What a tool says it does not know is unknown, never 0.

#include "model/witnesses/hardware_record.h"

#include <optional>
#include <string_view>
#include <vector>

namespace collscope {

/// A time stamp. `ns` as in XidEvent::timeNs.
struct Stamp
{
    StampKind kind = StampKind::None;
    std::int64_t ns = 0;
    std::int64_t resolutionNs = 0; ///< the last digit

    friend bool operator==(const Stamp&, const Stamp&) = default;
};

/// The number in a cell: "187.80 W", "0x0000000000000004", "98 %". NaN for "N/A", "[N/A]", "[Not Supported]",
/// "-", an empty cell, and values of DCGM that mean the same; nullopt if the text is something else.
std::optional<double> sampleNumber(std::string_view text);

/// The number of a GPU as a tool counts; nullopt for other text, and for more GPUs than a node has.
std::optional<std::int32_t> gpuIndexOf(std::string_view text);

/// One of: seconds, ms, µs or ns since the epoch; "2026/11/29 18:10:27.123" (nvidia-smi);
/// "20261129 18:10:27" (dmon); ISO 8601 with or without zone. Years from 2000 to 2099. Nothing may follow.
std::optional<Stamp> stampOf(std::string_view text);
/// A time of the calendar as ns; nullopt for a day that does not exist. `clock`: "18:10:27".
std::optional<std::int64_t> calendarNs(int year, unsigned month, unsigned day, std::string_view clock);

/// The cells of a line of CSV, trimmed, quotes removed, at most 512.
void splitCells(std::string_view line, std::vector<std::string_view>& cells);
/// The words of a line between blanks or commas, at most 512.
void splitWords(std::string_view line, std::vector<std::string_view>& words);

/// The first line that is not empty, without line end and byte order mark.
std::string_view firstLine(std::string_view head);
/// The next line of a text, which is removed from it.
std::string_view takeLine(std::string_view& text);

/// The row of a table of columns for a name; a default one ("other") if none has it.
template<typename Row, std::size_t count>
Row rowNamed(const Row (&rows)[count], std::string_view name)
{
    for (const Row& row : rows) {
        if (row.name == name)
            return row;
    }
    return {};
}

} // namespace collscope
