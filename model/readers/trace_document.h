// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Where the event list of a Chrome trace begins in a stream of text, and the document around it.

#include "model/readers/event_starts.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace collscope {

/// Fed with consecutive pieces of a document (`{... "traceEvents": [ ... ] ...}` or a bare `[ ... ]`), it
/// says where its event list begins and collects everything outside the list (the envelope). The list itself
/// is the caller's, who says where it ends.
class TraceDocument
{
public:
    /// Scans the envelope in text[from, size); the answer is where an event list goes on, or the text's size.
    /// Not to be called in a list.
    std::size_t scan(std::string_view text, std::size_t from, bool isLast);
    /// True if the answer of the last scan() is where more text is needed to go on. Never with isLast.
    bool isWaiting() const { return m_isWaiting; }
    /// The list is closed: the next scan() begins at its bracket.
    void endList();
    /// Another document begins in the list: the head of a second writer, or the true one behind log lines.
    void beginAnother(std::string_view head);
    /// For a text that begins between two elements of an event list.
    static TraceDocument amidEvents();
    /// Takes over the state of the document that was fed the text behind this one's.
    void continueFrom(const TraceDocument& later);

    bool isInList() const { return m_isInList; }
    bool sawEvents() const { return m_sawEvents; }
    /// True once the list's closing bracket was seen.
    bool isComplete() const { return m_sawEvents && !m_isInList; }
    /// Documents in the text; a second one follows where two writers shared a file.
    int documents() const { return m_documents; }
    /// Heads of documents amid the events of another, and events behind their ends: two processes wrote to
    /// the file at the same time.
    int mixed() const { return m_mixed > 0 || m_documents > 1 ? m_mixed + m_resumed : 0; }
    /// Events followed what looked like the end of the only document's list, so often.
    int resumed() const { return m_mixed > 0 || m_documents > 1 ? 0 : m_resumed; }
    /// Event lists of one document beyond the first.
    int moreLists() const { return m_moreLists; }
    /// Something that is no document stands behind the end of one.
    bool hasTail() const { return m_hasTail && m_mixed == 0 && m_resumed == 0; }
    /// Elements of the list that are no objects.
    std::uint64_t otherElements() const { return m_otherElements; }
    void addOtherElements(std::uint64_t count) { m_otherElements += count; }
    /// The (first) document without the elements of the event list; what is missing at the end of a cut file
    /// is closed. Valid JSON for a valid document.
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
    bool m_isDone = false; ///< the list of the document at hand is closed
    bool m_sawEvents = false;
    bool m_isBare = false; ///< the document is the list
    bool m_isMessy = false; ///< something outside strings is no JSON
    int m_documents = 1;
    int m_mixed = 0; ///< heads amid events
    int m_resumed = 0; ///< events behind the end of a list
    int m_moreLists = 0;
    bool m_isWaiting = false;
    bool m_hasTail = false;
    bool m_isInTail = false; ///< behind the end of a document, in what is none
    std::size_t m_envelopeUpToList = 0; ///< bytes before what was taken for the end of the list
    std::uint64_t m_otherElements = 0;
};

} // namespace collscope
