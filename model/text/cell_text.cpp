// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/cell_text.h"

#include "model/text/valid_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace collscope {

namespace {

constexpr std::size_t longestText = 32'767;
constexpr std::size_t escapeLength = std::string_view("_x0041_").size();

bool beginsCharacter(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

/// UTF-16 units of the character that a byte of valid UTF-8 begins; 0 if it begins none.
std::size_t unitsOf(char c)
{
    return !beginsCharacter(c) ? 0 : static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
}

/// Returns the first characters of a valid text, at most `units` UTF-16 units.
std::string_view frontOf(std::string_view text, std::size_t units)
{
    std::size_t end = 0;
    for (; end < text.size() && unitsOf(text[end]) <= units; ++end)
        units -= unitsOf(text[end]);
    return text.substr(0, end);
}

/// The front of a longer text without the word at its end, which may go on: half a number is another number.
std::string_view withoutLastWord(std::string_view front)
{
    constexpr std::size_t longestWord = 256;
    const std::size_t blank = front.find_last_of(" ,;\n");
    return blank == std::string_view::npos || front.size() - blank > longestWord ? front
                                                                                 : front.substr(0, blank);
}

void appendUtf8(std::string& text, std::uint32_t code)
{
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code < 0x80) {
        add(code);
    } else if (code < 0x800) {
        add(0xC0 | code >> 6);
        add(0x80 | (code & 0x3F));
    } else {
        add(0xE0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3F));
        add(0x80 | (code & 0x3F));
    }
}

} // namespace

std::string cellText(std::string_view text)
{
    std::string valid = validText(text);
    if (valid.size() <= longestText || frontOf(valid, longestText).size() == valid.size())
        return valid;
    constexpr std::size_t ofNote = 64;
    const std::string_view kept = withoutLastWord(frontOf(valid, longestText - ofNote));
    const auto more = std::count_if(valid.begin() + static_cast<std::ptrdiff_t>(kept.size()), valid.end(),
                                    beginsCharacter);
    return std::string(kept) + " ... (cut: " + std::to_string(more) + " more characters)";
}

bool beginsWithEscape(std::string_view text)
{
    const auto isHex
        = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); };
    return text.size() >= escapeLength && text.starts_with("_x") && text[escapeLength - 1] == '_'
        && std::all_of(text.begin() + 2, text.begin() + 6, isHex);
}

std::string escapedCell(std::string_view text)
{
    std::string escaped;
    for (; !text.empty(); text.remove_prefix(1)) {
        if (beginsWithEscape(text))
            escaped += escapedUnderscore;
        else
            escaped += text.front();
    }
    return escaped;
}

std::string unescapedCell(std::string_view text)
{
    std::string plain;
    while (!text.empty()) {
        std::uint32_t code = 0;
        if (!beginsWithEscape(text)) {
            plain += text.front();
            text.remove_prefix(1);
            continue;
        }
        std::from_chars(text.data() + 2, text.data() + 6, code, 16);
        appendUtf8(plain, code);
        text.remove_prefix(escapeLength);
    }
    return validText(plain);
}

} // namespace collscope
