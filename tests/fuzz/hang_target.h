// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Feeds bytes to a reader of Flight Recorder dumps, and judges the job that they belong to.

#include "model/readers/reader.h"

#include <cstdint>
#include <span>

namespace collscope {

extern const ReaderDescriptor flightRecorderReader, flightRecorderJsonReader;

/// Reads the bytes as readBytes() does, as the dump of one rank among two sound ones. Aborts if the verdict
/// names a rank that the dumps do not name, accuses one that left no dump, though nothing else says that it
/// ended, or says more than its proofs allow. Always 0.
int judgeBytes(const ReaderDescriptor& reader, const char* fileName, std::span<const std::uint8_t> bytes);

} // namespace collscope
