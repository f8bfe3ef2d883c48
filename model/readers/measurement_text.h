// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the readers of small measurement files share: the whole text, JSON made strict, words found in a head.

#include "model/readers/byte_source.h"
#include "model/readers/reader.h"

#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// A fragment that names the file as its source and holds nothing yet.
TraceFragment fragmentOf(const SourceFile& file, SourceKind kind);

/// With every token's time; most measurements are a few KiB.
constexpr std::size_t largestMeasurement = std::size_t{256} << 20;

/// The whole file, inflated if it is gzip; a gzip file that is cut off is a problem, not an error. Error
/// TooLarge over `mostBytes`, Cancelled, or what opening gives.
Result<std::string> readText(const SourceFile& file, const ReadContext& context, Diagnostics& problems,
                             std::size_t mostBytes = largestMeasurement);
/// What the source says was lost behind this byte, if anything.
void noteDamage(const ByteSource& source, const std::string& path, std::uint64_t offset,
                Diagnostics& problems);

/// The text if it is one JSON document, its repaired form (NaN as null, ...; with a problem) if that is one,
/// else nullopt.
std::optional<std::string> strictJson(std::string_view text, const std::string& path, std::uint64_t offset,
                                      Diagnostics& problems);

/// True if `"key":` stands in the text and the value behind it begins with one of `first`.
bool holdsMember(std::string_view text, std::string_view key, std::string_view first);

/// The text without blanks, line ends and a byte order mark at its front.
std::string_view withoutLeadingBlanks(std::string_view text);

} // namespace collscope
