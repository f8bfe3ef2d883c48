// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/printable_text.h"

#include <algorithm>
#include <cstdio>

namespace collscope {

namespace {

/// The code point of a valid UTF-8 sequence.
unsigned codePoint(std::string_view sequence)
{
    const auto byte
        = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(sequence[i])); };
    if (sequence.size() == 1)
        return byte(0);
    unsigned code = byte(0) & (0x7Fu >> sequence.size());
    for (std::size_t i = 1; i < sequence.size(); ++i)
        code = code << 6 | (byte(i) & 0x3Fu);
    return code;
}

/// Control characters, and characters that change the writing direction or break a line.
bool isCarriedOut(unsigned code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x200E && code <= 0x200F)
        || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0x061C;
}

enum class Form
{
    Line,
    Lines, ///< line ends and tabs are kept
    Json ///< like Lines, with the escapes of JSON
};

std::string printable(std::string_view text, Form form)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto [bytes, isValid] = takeSequence(text);
        const unsigned code = isValid ? codePoint(bytes) : static_cast<unsigned char>(bytes[0]);
        if (isValid && (!isCarriedOut(code) || (form != Form::Line && (code == '\n' || code == '\t')))) {
            result += bytes;
            continue;
        }
        char escape[16];
        const bool isByte = bytes.size() < 2 && form != Form::Json;
        std::snprintf(escape, sizeof escape, isByte ? "\\x%02x" : "\\u%04x", code);
        result += escape;
    }
    return result;
}

} // namespace

std::string printableLine(std::string_view text)
{
    return printable(text, Form::Line);
}

std::string printableText(std::string_view text)
{
    return printable(text, Form::Lines);
}

std::string printableJson(std::string_view json)
{
    return printable(json, Form::Json);
}

std::size_t utf8Length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xC0u) == 0x80u; };
    const unsigned char first = byte(0);
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        if (!continues(1) || !continues(2))
            return 0;
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) >= 0xA0;
        return overlong || surrogate ? 0 : 3;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        if (!continues(1) || !continues(2) || !continues(3))
            return 0;
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool tooLarge = first == 0xF4 && byte(1) >= 0x90;
        return overlong || tooLarge ? 0 : 4;
    }
    return 0;
}

Utf8Sequence takeSequence(std::string_view& text)
{
    const std::size_t length = utf8Length(text);
    const Utf8Sequence sequence{text.substr(0, length == 0 ? 1 : length), length > 0};
    text.remove_prefix(sequence.bytes.size());
    return sequence;
}

std::string withoutTerminalColours(std::string_view text)
{
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] != '\x1b' || i + 1 >= text.size() || text[i + 1] != '[') {
            plain += text[i++];
            continue;
        }
        i += 2;
        while (i < text.size() && (text[i] < '@' || text[i] > '~'))
            ++i;
        i = std::min(i + 1, text.size());
    }
    return plain;
}

} // namespace collscope
