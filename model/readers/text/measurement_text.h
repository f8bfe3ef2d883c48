// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Shared by the readers of small measurement files: reads the text, makes JSON strict, finds members in a
// head.

#include "model/readers/byte_source.h"
#include "model/readers/reader.h"

#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// Returns an empty fragment with the file as its source.
TraceFragment fragmentOf(const SourceFile& file, SourceKind kind);

/// Allows for the times of every token; most measurements are a few KiB.
constexpr std::size_t largestMeasurement = std::size_t{256} << 20;

/// Reads the entire file, inflated if it is gzip; a gzip file that is cut off is a problem, not an error.
/// Error TooLarge over `mostBytes`, Cancelled, or an error of opening the file.
Result<std::string> readText(const SourceFile& file, const ReadContext& context, Diagnostics& problems,
                             std::size_t mostBytes = largestMeasurement);
/// Reports data that the source lost at this byte, if any.
void noteDamage(const ByteSource& source, const std::string& path, std::uint64_t offset,
                Diagnostics& problems);

/// Returns the text if it is one JSON document; its repaired form (NaN as null, ...) and a problem if that is
/// one; otherwise nullopt.
std::optional<std::string> strictJson(std::string_view text, const std::string& path, std::uint64_t offset,
                                      Diagnostics& problems);

/// Whether the text contains `"key":` with a value that starts with one of the characters of `first`.
bool holdsMember(std::string_view text, std::string_view key, std::string_view first);

/// Returns the text without blanks, line ends and a byte order mark at its front.
std::string_view withoutLeadingBlanks(std::string_view text);

} // namespace collscope
