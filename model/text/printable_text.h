// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Makes names of files, and text from files, safe for a terminal. They can contain any bytes.

#include <string>
#include <string_view>

namespace collscope {

/// Returns the text with escapes (\x1b, \u202e) for each byte that is not UTF-8, and for each character that
/// a terminal would interpret or that changes the writing direction. A name can then neither pass for a line
/// of output nor hide the text after it.
std::string printableLine(std::string_view text);
/// Like printableLine(), for several lines: line ends and tabs are kept.
std::string printableText(std::string_view text);
/// Returns JSON text with \u escapes for those of these characters that JSON allows unescaped, from U+007F
/// on. The values stay the same, and a terminal does not interpret any of it. Precondition: valid UTF-8.
std::string printableJson(std::string_view json);
/// The text without terminal escape sequences (ESC [ ... letter), with which loggers colour their lines.
std::string withoutTerminalColours(std::string_view text);
/// Length of the valid UTF-8 sequence at the front of a non-empty text; 0 if it is not valid, for example for
/// overlong forms and surrogates.
std::size_t utf8Length(std::string_view text);

/// A valid UTF-8 sequence, or a single byte that is not part of one.
struct Utf8Sequence
{
    std::string_view bytes;
    bool isValid = false;
};
/// Removes the first sequence from the front of a non-empty text.
Utf8Sequence takeSequence(std::string_view& text);

} // namespace collscope
