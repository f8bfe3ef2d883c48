// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Durations, shares and names for sentences.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Up to four digits with a suitable unit: "8.7 ms", "312.5 \u00b5s", "1.204 s".
std::string timeText(std::int64_t ns);
/// "9 %"; "0 %" if the whole is 0.
std::string percentText(std::int64_t part, std::int64_t whole);
/// "9.3 %".
std::string percentText(double percent);
/// A name from the trace between back-ticks, shortened to 60 bytes. As in Markdown, a name that contains
/// back-ticks is between blanks and more of them than it has in a row: "`` a`b ``".
std::string quotedName(std::string_view name);
/// A piece of a sentence: a name, or the text around names.
struct SentencePiece
{
    std::string_view text; ///< without the back-ticks around a name
    bool isName = false;
};
/// Finds the names that quotedName() wrote. Back-ticks that have no partner are text.
std::vector<SentencePiece> sentencePieces(std::string_view sentence);
/// The first 60 bytes of UTF-8 text, cut between characters.
std::string shortened(std::string_view text);

} // namespace collscope
