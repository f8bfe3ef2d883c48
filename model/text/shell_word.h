// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Words of command lines that are printed for people to copy, or written into scripts.

#include <string>
#include <string_view>

namespace collscope {

/// Text as one word of a POSIX shell, whatever it contains; in quotes only where it needs them.
std::string shellWord(std::string_view text);

} // namespace collscope
