// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Text of any bytes, made fit for files that hold UTF-8 alone: workbooks, names of folders.

#include <string>
#include <string_view>

namespace collscope {

/// The text with U+FFFD for each byte that is no UTF-8 and for U+FFFE and U+FFFF, which XML cannot hold.
std::string validText(std::string_view text);
/// The same with "_" for each character that printableLine() escapes: controls and marks of direction.
std::string plainText(std::string_view text);
/// The front of a text with at most so many bytes, no character cut apart.
std::string_view textFront(std::string_view text, std::size_t bytes);

} // namespace collscope
