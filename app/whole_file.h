// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Every file that the program writes: whole or not at all, whatever fails.

#include <string>
#include <string_view>

namespace collscope {

/// Writes under a temporary name in the same folder, on to the disk, then renames. What stood there before
/// stays until then, and so it does if anything fails; a link's target is replaced, not the link. A device or
/// a pipe (/dev/stdout) is written as it is. Path: any bytes. The answer: "", or a sentence that says why
/// not.
std::string writeWholeFile(const std::string& path, std::string_view content, bool executable = false);

} // namespace collscope
