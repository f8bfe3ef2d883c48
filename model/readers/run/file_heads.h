// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a file is, by as much of it as is needed to tell.

#include "model/readers/reader.h"

namespace collscope {

constexpr std::size_t headBytes = std::size_t{64} * 1024; ///< of files that are not logs

/// Whether a name in lower case is that of a log or of other text.
bool isLogName(std::string_view lowerName);
/// The first 64 KiB of a file; of a log, the first MiB and, of a longer one, the last MiB: logs start with
/// messages of launchers and libraries, and what a watchdog says comes last.
Result<std::string> headOf(const std::string& path, std::string_view lowerName);
/// nullptr if no format matches.
const ReaderDescriptor* readerFor(const std::string& name, const std::string& head);

} // namespace collscope
