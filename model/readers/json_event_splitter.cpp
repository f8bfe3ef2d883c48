// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/json_event_splitter.h"

#include <array>

namespace collscope {

namespace {

/// Characters that can change the state inside an element; everything else is skipped in a tight loop.
constexpr std::array<bool, 256> structuralTable()
{
    std::array<bool, 256> table{};
    for (const char c : {'"', '{', '}', '[', ']'})
        table[static_cast<unsigned char>(c)] = true;
    return table;
}
constexpr std::array<bool, 256> isStructural = structuralTable();

bool isBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

constexpr std::size_t envelopeLimit = 64u
    << 20; ///< a real one has at most a few MB (pg_config of thousands of ranks)

} // namespace

void JsonEventSplitter::scan(std::string_view text, std::size_t from, std::vector<Span>& events)
{
    std::size_t at = from;
    while (at < text.size())
        at = m_inEvents ? scanEvents(text, at, events) : scanOutside(text, at);
}

std::size_t JsonEventSplitter::scanOutside(std::string_view text, std::size_t at)
{
    const std::size_t begin = at;
    const auto keep = [&](std::size_t end) {
        if (m_documents == 1 && m_envelope.size() < envelopeLimit)
            m_envelope.append(text.substr(begin, end - begin));
    };
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (m_inString) {
            if (m_escaped)
                m_escaped = false;
            else if (c == '\\')
                m_escaped = true;
            else if (c == '"')
                m_inString = false;
            else if (m_depth == 1 && m_key.size() < 32)
                m_key += c;
            continue;
        }
        if (m_done && m_depth == 0 && (c == '{' || c == '[')) {
            keep(at);
            ++m_documents;
            m_done = false;
            return at;
        }
        if (c == '"') {
            m_inString = true;
            if (m_depth == 1)
                m_key.clear();
        } else if (c == '[' && !m_done && (m_depth == 0 || (m_depth == 1 && m_key == "traceEvents"))) {
            keep(at + 1);
            m_bareArray = m_depth == 0;
            m_inEvents = true;
            m_depth = 0;
            return at + 1;
        } else if (c == '{' || c == '[') {
            ++m_depth;
        } else if (c == '}' || c == ']') {
            --m_depth;
        }
    }
    keep(at);
    return at;
}

std::size_t JsonEventSplitter::scanEvents(std::string_view text, std::size_t at, std::vector<Span>& events)
{
    if (m_depth > 0 || m_inString || m_inScalar)
        return scanElement(text, at, events);
    while (at < text.size() && (isBlank(text[at]) || text[at] == ','))
        ++at;
    if (at == text.size())
        return at;
    const char c = text[at];
    if (c == ']') {
        m_inEvents = false;
        m_done = true;
        m_depth = m_bareArray ? 1 : 2; // the bracket itself is still to come, and belongs to the envelope
        return at;
    }
    m_begin = at;
    m_isObject = c == '{';
    if (c == '{' || c == '[') {
        m_depth = 1;
        return scanElement(text, at + 1, events);
    }
    m_inScalar = true;
    m_inString = c == '"';
    return scanElement(text, at + 1, events);
}

std::size_t JsonEventSplitter::skipString(std::string_view text, std::size_t at)
{
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (m_escaped) {
            m_escaped = false;
        } else if (c == '\\') {
            m_escaped = true;
        } else if (c == '"') {
            m_inString = false;
            return at + 1;
        }
    }
    return at;
}

std::size_t JsonEventSplitter::scanElement(std::string_view text, std::size_t at, std::vector<Span>& events)
{
    const std::size_t size = text.size();
    while (at < size) {
        if (m_inString) {
            at = skipString(text, at);
            continue;
        }
        if (m_inScalar) {
            while (at < size && text[at] != ',' && text[at] != ']' && text[at] != '"')
                ++at;
            if (at == size)
                return at;
            if (text[at] == '"') {
                m_inString = true;
                ++at;
                continue;
            }
            m_inScalar = false;
            ++m_otherElements;
            return at;
        }
        while (at < size && !isStructural[static_cast<unsigned char>(text[at])])
            ++at;
        if (at == size)
            return at;
        const char c = text[at++];
        if (c == '"') {
            m_inString = true;
        } else if (c == '{' || c == '[') {
            ++m_depth;
        } else if (--m_depth == 0) {
            if (m_isObject)
                events.push_back({m_begin, at});
            else
                ++m_otherElements;
            return at;
        }
    }
    return at;
}

void JsonEventSplitter::resynchronise()
{
    m_depth = 0;
    m_inString = m_escaped = m_inScalar = false;
}

JsonEventSplitter JsonEventSplitter::amidEvents()
{
    JsonEventSplitter splitter;
    splitter.m_inEvents = true;
    return splitter;
}

void JsonEventSplitter::continueFrom(const JsonEventSplitter& later)
{
    std::string envelope = std::move(m_envelope) + later.m_envelope;
    const std::uint64_t others = m_otherElements + later.m_otherElements;
    const int documents = m_documents + later.m_documents - 1;
    const bool bare = m_bareArray;
    *this = later;
    m_envelope = std::move(envelope);
    m_otherElements = others;
    m_documents = documents;
    m_bareArray = bare;
}

std::string JsonEventSplitter::envelope() const
{
    std::string text = m_envelope;
    if (m_inEvents && m_documents == 1)
        text += m_bareArray ? "]" : "]}";
    return text;
}

} // namespace collscope
