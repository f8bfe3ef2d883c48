// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The calls of a rank as bytes that are read chunk by chunk: the calls of ten thousand ranks take gigabytes.
//
//     size of the head, 4 bytes | head | chunk | chunk | ...
//
// Head and chunks are deflated with a checksum each (model/partial/deflated.h). The head states the sizes of
// the chunks.

#include "metrics/summary/summarized_calls.h"
#include "model/stored_bytes.h"

namespace collscope {

/// The bytes of a rank's calls.
std::string storeCalls(const EncodedCalls& calls);
/// Takes any bytes. Reads what the rank states; its chunks are read when they are asked for. Error: damaged.
/// Throws LostBytes.
Result<RankSummary> openCalls(const StoredBytes& bytes);

} // namespace collscope
