// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Converts text of any bytes for files that accept only UTF-8: workbooks, names of folders.

#include <string>
#include <string_view>

namespace collscope {

/// Returns the text with U+FFFD for each byte that is not UTF-8, and for U+FFFE and U+FFFF, which XML cannot
/// contain.
std::string validText(std::string_view text);
/// Like validText(), with "_" for each character that printableLine() escapes: control and direction
/// characters.
std::string plainText(std::string_view text);
/// The front of a text, with at most this number of bytes and without cutting a character.
std::string_view textFront(std::string_view text, std::size_t bytes);

} // namespace collscope
