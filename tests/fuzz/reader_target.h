// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Feeds bytes to one reader the way the program does: as a file that is sniffed, read and assembled.

#include "model/readers/reader.h"

#include <cstdint>
#include <span>
#include <string>

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace collscope {

/// Writes the bytes to a temporary file of that name and reads it. Always 0; a defect shows as a crash or
/// sanitizer report, or as an abort when the reader's own accounts do not add up (events = shown + excluded)
/// or it takes more memory or time than files of that size may (Budget).
int readBytes(const ReaderDescriptor& reader, const char* fileName, std::span<const std::uint8_t> bytes);
int readBytes(SourceKind kind, const char* fileName, std::span<const std::uint8_t> bytes);
/// The same for a file that is there.
void readFileAt(const ReaderDescriptor& reader, const std::string& path);

/// What the reader makes of a file, once its accounts add up; an Error if it cannot be read.
Result<TraceFragment> fragmentAt(const ReaderDescriptor& reader, const std::string& path);

} // namespace collscope
