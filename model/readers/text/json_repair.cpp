// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/json_repair.h"

#include "model/readers/text/json_blanks.h"
#include "model/text/printable_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <initializer_list>

namespace collscope {

namespace {

/// Length of a number literal at the front that JSON does not allow; 0 if there is none.
std::size_t nonNumberLength(std::string_view text)
{
    for (const std::string_view word :
         {"-Infinity", "Infinity", "-inf", "inf", "-NaN", "NaN", "-nan", "nan"}) {
        if (text.starts_with(word))
            return word.size();
    }
    return 0;
}

/// Removes a comma at the end of `text`, ignoring blanks after it; false if there is none.
bool dropTrailingComma(std::string& text)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    if (last == std::string::npos || text[last] != ',')
        return false;
    text.erase(last, 1);
    return true;
}

/// Copies an object and repairs it while copying.
class Mender
{
public:
    Mender(std::string_view text, EscapedQuote escaped)
        : m_text(text)
        , m_escaped(escaped)
    { }

    RepairedJson mend()
    {
        m_result.text.reserve(m_text.size() + 16);
        while (m_at < m_text.size()) {
            if (utf8Length(m_text.substr(m_at)) == 0) {
                m_result.text += "\xEF\xBF\xBD";
                m_result.invalidUtf8 = true;
                ++m_at;
            } else if (m_inString) {
                mendString();
            } else {
                mendOutside();
            }
        }
        return std::move(m_result);
    }

private:
    void copy(std::size_t bytes)
    {
        m_result.text.append(m_text.substr(m_at, bytes));
        m_at += bytes;
    }
    bool isInObject() const { return !m_brackets.empty() && m_brackets.back() == '{'; }

    void mendOutside()
    {
        if (const std::size_t word = nonNumberLength(m_text.substr(m_at)); word > 0) {
            m_result.text += "null";
            m_result.notANumber = true;
            m_at += word;
            return;
        }
        const char c = m_text[m_at];
        if (c == '"') {
            m_inString = true;
            m_isKey = m_expectsKey && isInObject();
        } else if (c == '{' || c == '[') {
            m_brackets += c;
            m_expectsKey = true;
        } else if (c == '}' || c == ']') {
            m_result.trailingComma |= dropTrailingComma(m_result.text);
            if (!m_brackets.empty())
                m_brackets.pop_back();
        } else if (c == ',' || c == ':') {
            m_expectsKey = c == ',';
        }
        copy(utf8Length(m_text.substr(m_at)));
    }

    void mendString()
    {
        const char c = m_text[m_at];
        if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x",
                          static_cast<unsigned>(static_cast<unsigned char>(c)));
            m_result.text += escape;
            m_result.controlCharacters = true;
            ++m_at;
        } else if (c == '\\') {
            mendEscape();
        } else if (c == '"' && !mayEnd(m_at)) {
            m_result.text += "\\\"";
            m_result.unescapedQuotes = true;
            ++m_at;
        } else {
            m_inString = c != '"';
            copy(utf8Length(m_text.substr(m_at)));
        }
    }

    void mendEscape()
    {
        const std::string_view rest = m_text.substr(m_at + 1);
        const char escaped = rest.empty() ? '\0' : rest.front();
        const bool ends = escaped == '"' && m_escaped == EscapedQuote::MayEndString && mayEnd(m_at + 1);
        constexpr std::string_view known = "\"\\/bfnrt";
        if (!ends && escaped != '\0' && known.find(escaped) != std::string_view::npos)
            return copy(2);
        if (escaped == 'u' && rest.find_first_not_of("0123456789abcdefABCDEF", 1) >= 5 && rest.size() >= 5)
            return mendSurrogates();
        m_result.text += "\\\\";
        m_result.badEscapes = true;
        ++m_at;
    }

    /// Copies or replaces the \u escape at the current position.
    void mendSurrogates()
    {
        constexpr std::size_t escapeBytes = 6;
        const auto unitAt = [this](std::size_t at) {
            unsigned unit = 0;
            const std::string_view digits = m_text.substr(std::min(at, m_text.size()), escapeBytes);
            if (digits.size() == escapeBytes && digits.starts_with("\\u"))
                std::from_chars(digits.data() + 2, digits.data() + escapeBytes, unit, 16);
            return unit;
        };
        const unsigned unit = unitAt(m_at);
        if (unit < 0xD800 || unit > 0xDFFF)
            return copy(escapeBytes);
        const unsigned next = unitAt(m_at + escapeBytes);
        if (unit < 0xDC00 && next >= 0xDC00 && next <= 0xDFFF)
            return copy(2 * escapeBytes);
        m_result.text += "\\ufffd";
        m_result.loneSurrogates = true;
        m_at += escapeBytes;
    }

    /// Whether the text after a quote could follow the end of this string.
    bool mayEnd(std::size_t quote) const
    {
        const std::size_t next = afterBlanks(m_text, quote + 1);
        if (m_isKey || next == m_text.size())
            return true; // keys do not contain quotes
        const char c = m_text[next];
        if (!isInObject())
            return c == ',' || c == ']';
        if (c != ',')
            return c == '}';
        const std::size_t behind = afterBlanks(m_text, next + 1);
        return behind < m_text.size() && (m_text[behind] == '}' || isKeyAt(behind));
    }

    /// Whether a key starts at `quote`: a short string followed by a colon.
    bool isKeyAt(std::size_t quote) const
    {
        constexpr std::size_t longestKey = 200;
        if (m_text[quote] != '"')
            return false;
        for (std::size_t at = quote + 1; at < m_text.size() && at < quote + longestKey; ++at) {
            if (m_text[at] == '\\') {
                ++at;
            } else if (m_text[at] == '"') {
                const std::size_t colon = afterBlanks(m_text, at + 1);
                return colon < m_text.size() && m_text[colon] == ':';
            }
        }
        return false;
    }

    std::string_view m_text;
    EscapedQuote m_escaped;
    RepairedJson m_result;
    std::size_t m_at = 0;
    std::string m_brackets; ///< currently open
    bool m_inString = false;
    bool m_isKey = false; ///< whether the open string is a key
    bool m_expectsKey = false;
};

} // namespace

bool isValidJson(std::string_view text)
{
    // nlohmann::json treats a zero byte as the end of the text, whatever follows.
    return text.find('\0') == std::string_view::npos && nlohmann::json::accept(text);
}

RepairedJson repairJson(std::string_view object, EscapedQuote escaped)
{
    return Mender(object, escaped).mend();
}

} // namespace collscope
