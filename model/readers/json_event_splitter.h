// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Finds the event objects of a Chrome trace in a stream of text, without parsing them: where each begins and
// ends.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Fed with consecutive pieces of a document (`{... "traceEvents": [ ... ] ...}` or a bare `[ ... ]`), it
/// reports the complete elements of the event array and collects everything outside the array (the envelope).
class JsonEventSplitter
{
public:
    struct Span
    {
        std::size_t begin = 0, end = 0; ///< into the text given to scan()
    };

    /// Scans text[from, size) and appends each complete object to `events`. The state carries over to the
    /// next call.
    void scan(std::string_view text, std::size_t from, std::vector<Span>& events);
    /// Start of the object that is still open at the end of the text, or the text's size if none is: keep the
    /// bytes from there, put them first in the next text, and tell rebase().
    std::size_t openBegin(std::size_t textSize) const
    {
        return m_depth > 0 && m_inEvents ? m_begin : textSize;
    }
    /// The kept bytes are now at the front of the text.
    void rebase() { m_begin = 0; }
    /// Gives up the open element: the next text begins between two elements of the list.
    void resynchronise();
    /// A splitter for a text that begins between two elements of the event list.
    static JsonEventSplitter amidEvents();
    /// Takes over the state of a splitter that was fed the text behind this one's.
    void continueFrom(const JsonEventSplitter& later);

    bool sawEvents() const { return m_inEvents || m_done; }
    /// True once the array's closing bracket was seen.
    bool isComplete() const { return m_done; }
    bool hasOpenEvent() const { return m_inEvents && m_depth > 0; }
    bool isBetweenEvents() const { return m_inEvents && m_depth == 0 && !m_inString && !m_inScalar; }
    /// Documents in the text; a second one follows where two writers shared a file.
    int documents() const { return m_documents; }
    /// Elements of the array that are no objects.
    std::uint64_t otherElements() const { return m_otherElements; }
    void addOtherElements(std::uint64_t count) { m_otherElements += count; }
    /// The (first) document without the elements of the event array; what is missing at the end of a cut file
    /// is closed. Valid JSON for a valid document.
    std::string envelope() const;

private:
    std::size_t scanOutside(std::string_view text, std::size_t at);
    std::size_t scanEvents(std::string_view text, std::size_t at, std::vector<Span>& events);
    /// Position behind the string's closing quote, or the text's end.
    std::size_t skipString(std::string_view text, std::size_t at);
    std::size_t scanElement(std::string_view text, std::size_t at, std::vector<Span>& events);

    std::string m_envelope;
    std::string m_key; ///< the last string at depth 1 outside the array
    std::size_t m_begin = 0;
    int m_depth = 0; ///< open brackets of the element, or of the envelope while outside
    bool m_inString = false;
    bool m_escaped = false;
    bool m_inEvents = false;
    bool m_done = false;
    int m_documents = 1;
    bool m_bareArray = false;
    bool m_isObject = false; ///< the open element
    bool m_inScalar = false;
    std::uint64_t m_otherElements = 0;
};

} // namespace collscope
