// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Walks over one object or list of a JSON text and checks that each token may follow the previous one. Builds
// no tree and does not recurse.

#include "model/readers/text/json_blanks.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace collscope {

/// Index after the closing quote of the string that starts at `quote`; npos if the string does not end.
inline std::size_t afterString(std::string_view text, std::size_t quote)
{
    for (std::size_t at = quote + 1; at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (text[at] == '"')
            return at + 1;
    }
    return std::string_view::npos;
}

/// Whether a character can be part of a number, true, false or null, or of NaN or Infinity.
inline bool isScalarCharacter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+'
        || c == '.';
}

/// Asks `Guard` during the walk, which may stop it by returning false:
/// bool mayOpen(std::string_view text, std::size_t brace, bool isInList, std::size_t depth) for each object
/// inside, bool mayPass(std::string_view key, std::size_t depth) for each key. The walked element itself has
/// depth 1.
template<typename Guard>
class JsonWalk
{
public:
    enum class End
    {
        Closed,
        Open, ///< the text ends first
        Broken, ///< a token is not allowed at its place, or lists are nested deeper than any parser supports
        Stopped ///< by the guard
    };

    JsonWalk(std::string_view text, Guard& guard)
        : m_text(text)
        , m_guard(guard)
    { }

    /// Walks over the element at its opening bracket. Afterwards, at() is the index after the element, or the
    /// index where the walk ended.
    End walk(std::size_t begin)
    {
        m_at = begin;
        m_open.clear();
        m_isStopped = false;
        push();
        while (!m_open.empty()) {
            m_at = afterBlanks(m_text, m_at);
            if (m_at == m_text.size())
                return End::Open;
            if (!step())
                return m_isStopped ? End::Stopped : m_at == m_text.size() ? End::Open : End::Broken;
        }
        return End::Closed;
    }
    std::size_t at() const { return m_at; }
    /// Indices of the brackets that were open at the end, ascending.
    const std::vector<std::size_t>& open() const { return m_open; }

private:
    static constexpr std::size_t deepest = 1024; ///< the limit of simdjson

    enum class Expected : std::uint8_t
    {
        Key,
        Colon,
        Value,
        Separator
    };

    bool step()
    {
        const char c = m_text[m_at];
        switch (m_expected) {
        case Expected::Key:
            return c == '}' ? pop() : c == '"' && passKey();
        case Expected::Colon:
            m_expected = Expected::Value;
            return c == ':' && pass();
        case Expected::Value:
            if (c == '{' && !m_guard.mayOpen(m_text, m_at, isInList(), m_open.size() + 1))
                return stop();
            if (c == '{' || c == '[')
                return push();
            if (c == '"')
                return passString(Expected::Separator);
            return c == ']' ? pop() : passScalar();
        case Expected::Separator:
            if (c != ',')
                return pop();
            m_expected = isInList() ? Expected::Value : Expected::Key;
            return pass();
        }
        return false;
    }
    bool isInList() const { return m_text[m_open.back()] == '['; }
    bool stop()
    {
        m_isStopped = true;
        return false;
    }
    bool pass()
    {
        ++m_at;
        return true;
    }
    bool push()
    {
        if (m_open.size() == deepest)
            return false;
        m_open.push_back(m_at);
        m_expected = isInList() ? Expected::Value : Expected::Key;
        return pass();
    }
    bool pop()
    {
        if (m_text[m_at] != (isInList() ? ']' : '}'))
            return false;
        m_open.pop_back();
        m_expected = Expected::Separator;
        return pass();
    }
    bool passString(Expected next)
    {
        const std::size_t end = afterString(m_text, m_at);
        m_at = end == std::string_view::npos ? m_text.size() : end;
        m_expected = next;
        return end != std::string_view::npos;
    }
    bool passKey()
    {
        const std::size_t begin = m_at;
        if (!passString(Expected::Colon))
            return false;
        return m_guard.mayPass(m_text.substr(begin, m_at - begin), m_open.size()) || stop();
    }
    bool passScalar()
    {
        const std::size_t begin = m_at;
        std::size_t end = begin;
        while (end < m_text.size() && isScalarCharacter(m_text[end]))
            ++end;
        m_at = end; // the parser checks the word itself
        m_expected = Expected::Separator;
        return end > begin && end < m_text.size();
    }

    std::string_view m_text;
    Guard& m_guard;
    std::size_t m_at = 0;
    std::vector<std::size_t> m_open;
    Expected m_expected = Expected::Value;
    bool m_isStopped = false;
};

} // namespace collscope
