// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Finds the event list of a Chrome trace in a stream of text, and collects the document around it.

#include "model/readers/text/event_starts.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace collscope {

/// Receives consecutive pieces of a document (`{... "traceEvents": [ ... ] ...}` or a bare `[ ... ]`), finds
/// the start of its event list and collects everything outside the list (the envelope). The caller handles
/// the list itself and reports its end.
class TraceDocument
{
public:
    /// Scans the envelope in text[from, size); returns where an event list continues, or the text's size. Not
    /// to be called inside a list.
    std::size_t scan(std::string_view text, std::size_t from, bool isLast);
    /// Whether the last scan() stopped because it needs more text to continue. Never with isLast.
    bool isWaiting() const { return m_isWaiting; }
    /// Ends the list: the next scan() starts at its closing bracket.
    void endList();
    /// Starts another document in the list: the head of a second writer, or the actual document after log
    /// lines.
    void beginAnother(std::string_view head);
    /// A document whose text starts between two elements of an event list.
    static TraceDocument amidEvents();
    /// Takes over the state of the document that received the text after this one's.
    void continueFrom(const TraceDocument& later);

    bool isInList() const { return m_isInList; }
    bool sawEvents() const { return m_sawEvents; }
    /// Whether the list's closing bracket was seen.
    bool isComplete() const { return m_sawEvents && !m_isInList; }
    /// Number of documents in the text; a second one follows if two writers shared a file.
    int documents() const { return m_documents; }
    /// Number of document heads among the events of another document, and of events after their ends: two
    /// processes wrote to the file at the same time.
    int mixed() const { return m_mixed > 0 || m_documents > 1 ? m_mixed + m_resumed : 0; }
    /// How often events followed the apparent end of the only document's list.
    int resumed() const { return m_mixed > 0 || m_documents > 1 ? 0 : m_resumed; }
    /// Number of event lists of one document beyond the first.
    int moreLists() const { return m_moreLists; }
    /// Whether text that is not a document follows the end of a document.
    bool hasTail() const { return m_hasTail && m_mixed == 0 && m_resumed == 0; }
    /// Number of elements of the list that are not objects.
    std::uint64_t otherElements() const { return m_otherElements; }
    void addOtherElements(std::uint64_t count) { m_otherElements += count; }
    /// The (first) document without the elements of the event list; brackets missing at the end of a cut file
    /// are added. Valid JSON for a valid document.
    std::string envelope() const;

private:
    void keep(std::string_view text);
    void enterList(bool isBare);
    void passInString(char c);
    void passEnd(std::string_view before, bool begins);
    Begins listBegins(std::string_view text, std::size_t bracket, std::string_view before) const;
    void passOutside(char c);
    std::size_t passRest(std::string_view text, std::size_t from);
    void resumeList(std::string_view before);
    std::size_t waitAt(std::size_t at, std::string_view before);

    std::string m_envelope;
    std::string m_key; ///< the last string at depth 1
    int m_depth = 0; ///< open brackets
    bool m_inString = false;
    bool m_isEscaped = false;
    bool m_isInList = false;
    bool m_isDone = false; ///< the list of the current document is closed
    bool m_sawEvents = false;
    bool m_isBare = false; ///< the document consists of the list only
    bool m_isMessy = false; ///< text outside strings is not JSON
    int m_documents = 1;
    int m_mixed = 0; ///< heads among events
    int m_resumed = 0; ///< events after the end of a list
    int m_moreLists = 0;
    bool m_isWaiting = false;
    bool m_hasTail = false;
    bool m_isInTail = false; ///< after the end of a document, in text that is not one
    std::size_t m_envelopeUpToList = 0; ///< bytes before the apparent end of the list
    std::uint64_t m_otherElements = 0;
};

} // namespace collscope
