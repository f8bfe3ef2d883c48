// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/trace_document.h"

#include "model/readers/text/json_blanks.h"
#include "model/readers/text/list_pieces.h"

#include <algorithm>

namespace collscope {

namespace {

/// A real envelope has at most a few MB (the process groups of thousands of ranks).
constexpr std::size_t envelopeLimit = std::size_t{64} << 20;
constexpr std::size_t longestKey = 32;

/// Whether JSON has this character outside strings: brackets, separators, numbers, true, false, null, and NaN
/// and Infinity.
bool isJsonCharacter(char c)
{
    constexpr std::string_view known = "{}[]:,+-.0123456789eEtrufalsn NIity\t\r\n";
    return known.find(c) != std::string_view::npos;
}

} // namespace

std::size_t TraceDocument::scan(std::string_view text, std::size_t from, bool isLast)
{
    m_isWaiting = false;
    for (std::size_t at = from; at < text.size(); ++at) {
        const char c = text[at];
        // Strings, and the text around a list, do not contain events: either the apparent end of the list or
        // the apparent string was wrong, or the bracket that starts the list is lost.
        const Begins event = c == '{' ? eventBegins(text, at) : Begins::No;
        if (event == Begins::Unknown && !isLast)
            return waitAt(at, text.substr(from, at - from));
        if (event == Begins::Yes) {
            resumeList(text.substr(from, at - from));
            return at;
        }
        if (m_inString) {
            passInString(c);
            continue;
        }
        if (m_isDone && m_depth <= 0) {
            if (isJsonBlank(c))
                continue;
            const Begins document = c == '{' || c == '[' ? documentBegins(text, at) : Begins::No;
            if (document == Begins::Unknown && !isLast)
                return waitAt(at, text.substr(from, at - from));
            passEnd(text.substr(from, at - from), document == Begins::Yes);
            from = at;
            if (m_isInTail)
                continue;
        }
        const Begins list = c == '[' ? listBegins(text, at, text.substr(from, at - from)) : Begins::No;
        if (list == Begins::Unknown && !isLast)
            return waitAt(at, text.substr(from, at - from));
        if (list == Begins::Yes) {
            keep(text.substr(from, at + 1 - from));
            m_moreLists += m_isDone ? 1 : 0;
            enterList(m_depth == 0);
            return at + 1;
        }
        passOutside(c);
    }
    return passRest(text, from);
}

void TraceDocument::passInString(char c)
{
    if (m_isEscaped)
        m_isEscaped = false;
    else if (c == '\\')
        m_isEscaped = true;
    else if (c == '"')
        m_inString = false;
    else if (m_depth == 1 && m_key.size() < longestKey)
        m_key += c;
}

/// After the end of a document: another document starts, or other text.
void TraceDocument::passEnd(std::string_view before, bool begins)
{
    if (!m_isInTail)
        keep(before);
    m_isInTail = !begins;
    m_hasTail |= m_isInTail;
    if (m_isInTail)
        return;
    ++m_documents;
    m_depth = 0;
    m_isDone = false;
}

/// Whether the event list starts with this bracket; `before` is the text that was not kept yet.
Begins TraceDocument::listBegins(std::string_view text, std::size_t bracket, std::string_view before) const
{
    if (m_isDone && m_isBare)
        return Begins::No;
    if (m_depth == 1)
        return m_key == "traceEvents" ? Begins::Yes : Begins::No;
    if (m_depth != 0)
        return Begins::No;
    // A document that consists of the list only, or whose first brace is lost.
    const auto isBlank
        = [](std::string_view part) { return part.find_first_not_of(jsonBlanks) == std::string_view::npos; };
    return isBlank(m_envelope) && isBlank(before) ? Begins::Yes : documentBegins(text, bracket);
}

void TraceDocument::passOutside(char c)
{
    if (c == '"') {
        m_inString = true;
        if (m_depth == 1)
            m_key.clear();
    } else if (c == '{' || c == '[') {
        ++m_depth;
    } else if (c == '}' || c == ']') {
        --m_depth;
    } else {
        m_isMessy = m_isMessy || !isJsonCharacter(c);
    }
}

std::size_t TraceDocument::passRest(std::string_view text, std::size_t from)
{
    // If other text precedes the list, brackets and quotes do not show where it starts.
    const std::size_t list = m_isMessy && !m_isDone ? afterListBegin(text, from) : std::string_view::npos;
    if (list != std::string_view::npos) {
        keep(text.substr(from, list - from));
        m_inString = m_isEscaped = false;
        enterList(false);
        return list;
    }
    if (!m_isInTail)
        keep(text.substr(from));
    return text.size();
}

/// Continues at an event; `before` is the text that was not kept yet.
void TraceDocument::resumeList(std::string_view before)
{
    if (m_isDone && m_documents == 1)
        m_envelope.resize(std::min(m_envelope.size(), m_envelopeUpToList)); // that was not the end
    else if (!m_isDone)
        keep(before);
    (m_isDone ? m_resumed : m_mixed) += m_sawEvents ? 1 : 0;
    m_isDone = m_inString = m_isEscaped = m_isInTail = false;
    enterList(m_isBare);
}

std::size_t TraceDocument::waitAt(std::size_t at, std::string_view before)
{
    if (!m_isInTail)
        keep(before);
    m_isWaiting = true;
    return at;
}

void TraceDocument::enterList(bool isBare)
{
    m_isBare = isBare;
    m_isInList = true;
    m_isDone = false;
    m_sawEvents = true;
    m_depth = 0;
}

void TraceDocument::keep(std::string_view text)
{
    if (m_documents == 1 && m_envelope.size() < envelopeLimit)
        m_envelope.append(text);
}

void TraceDocument::endList()
{
    m_isInList = false;
    m_isDone = true;
    m_envelopeUpToList = m_envelope.size();
    m_depth = m_isBare ? 1 : 2; // the bracket itself follows, and belongs to the envelope
}

void TraceDocument::beginAnother(std::string_view head)
{
    if (!m_isBare)
        ++m_mixed;
    else // a bracket in the log lines above was mistaken for the list
        m_envelope.assign(head.substr(0, envelopeLimit));
    m_isBare = false;
}

TraceDocument TraceDocument::amidEvents()
{
    TraceDocument document;
    document.m_isInList = true;
    document.m_sawEvents = true;
    return document;
}

void TraceDocument::continueFrom(const TraceDocument& later)
{
    const std::size_t envelopeBytes = m_envelope.size();
    TraceDocument sum = later;
    sum.m_envelope = std::move(m_envelope) + later.m_envelope;
    sum.m_otherElements += m_otherElements;
    sum.m_documents += m_documents - 1;
    sum.m_mixed += m_mixed;
    sum.m_resumed += m_resumed;
    sum.m_moreLists += m_moreLists;
    sum.m_hasTail |= m_hasTail;
    sum.m_envelopeUpToList += envelopeBytes;
    sum.m_isMessy |= m_isMessy;
    sum.m_isBare = m_isBare;
    if (later.m_isDone && later.m_documents == 1) // it could not determine how deep the list was
        sum.m_depth += m_isBare ? -1 : 0;
    *this = std::move(sum);
}

std::string TraceDocument::envelope() const
{
    std::string text = m_envelope;
    if (m_isInList && m_documents == 1)
        text += m_isBare ? "]" : "]}";
    return text;
}

} // namespace collscope
