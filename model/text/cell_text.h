// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Texts in the cells of Excel. In them, _xHHHH_ stands for the character with that code: ECMA-376 part 1,
// 22.9.2.19 (ST_Xstring).

#include <string>
#include <string_view>

namespace collscope {

/// Valid UTF-8 that Excel takes, at most 32,767 UTF-16 units. A longer text is cut
/// after a word, and says how many characters are missing.
std::string cellText(std::string_view text);
/// Whether a text begins with _xHHHH_. Where a name does, Excel would show another character.
bool beginsWithEscape(std::string_view text);
inline constexpr std::string_view escapedUnderscore = "_x005F_";
/// The text with escapedUnderscore in place of the first underscore of each _xHHHH_, so that it stays as it
/// is.
std::string escapedCell(std::string_view text);
/// The text with characters in place of _xHHHH_.
std::string unescapedCell(std::string_view text);

} // namespace collscope
