// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Cuts an answer into pages that fit into the budget of an agent.

#include "model/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace collscope {

/// Tokens are counted without a tokenizer, as one for each two bytes. The public tokenizers o200k and cl100k
/// take 2.6 bytes or more for a token of these answers (of the demo run), so that this rather counts too
/// many.
constexpr std::size_t bytesPerToken = 2;
constexpr int usualMaxTokens = 8000;

/// A part of a text. All pages one after the other are the text, byte by byte.
struct PageOfAnswer
{
    std::string_view text;
    std::size_t begin = 0; ///< in bytes
    std::string next; ///< the cursor of the next page; empty: this is the last one
};

/// Returns the page that a cursor names; an empty cursor names the first one. It ends with a line if one fits
/// into `mostBytes`, and never inside a character. An error if the cursor does not belong to this text.
Result<PageOfAnswer> pageOf(std::string_view text, const std::string& cursor, std::size_t mostBytes);

/// Length of the longest cursor.
constexpr std::size_t longestCursor = 48;

} // namespace collscope
