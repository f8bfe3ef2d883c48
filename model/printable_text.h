// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Names of files and of what is in them, made fit for a terminal: they can hold any bytes.

#include <string>
#include <string_view>

namespace collscope {

/// The text with each byte that is not UTF-8, and each character that a terminal would carry out or that
/// turns the direction of writing, as an escape (\x1b, \u202e): a name can neither pass for a line of output
/// nor hide what stands behind it.
std::string printableLine(std::string_view text);
/// The same for several lines: line ends and tabs stay.
std::string printableText(std::string_view text);
/// JSON text with those of these characters that it may hold as they are, from U+007F on, as \u escapes: the
/// same values, and nothing that a terminal carries out. Precondition: valid UTF-8.
std::string printableJson(std::string_view json);
/// Length of the valid UTF-8 sequence at the front of a text that is not empty, 0 if it is none (overlong
/// forms and surrogates are none).
std::size_t utf8Length(std::string_view text);

/// A valid UTF-8 sequence, or a single byte that belongs to none.
struct Utf8Sequence
{
    std::string_view bytes;
    bool isValid = false;
};
/// Takes the first one off the front of a text that is not empty.
Utf8Sequence takeSequence(std::string_view& text);

} // namespace collscope
