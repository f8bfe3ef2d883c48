// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Parses the event list of a Kineto trace. Includes simdjson, which KinetoEventParser keeps from its users.
// The fast path is in kineto_list_parser.cpp, the slow one in kineto_pieces.cpp.

#include "model/building/fragment.h"
#include "model/readers/kineto/kineto_event_reader.h"
#include "model/readers/text/list_pieces.h"
#include "model/readers/text/text_blocks.h"
#include "model/readers/text/trace_document.h"

#include <functional>
#include <optional>
#include <utility>

namespace collscope {

class KinetoListParser
{
public:
    KinetoListParser(TraceFragment& fragment, FragmentBuilder& builder)
        : m_fragment(fragment)
        , m_builder(builder)
        , m_sink(fragment, builder)
    { }

    void parse(TextBlock& block);
    void takeFrom(KinetoListParser& later);
    void finish();
    void beginAmidEvents()
    {
        m_document = TraceDocument::amidEvents();
        m_sink.setIsPart();
    }
    void setThorough(std::function<void(std::string_view)> eventText)
    {
        m_isThorough = true;
        m_eventText = std::move(eventText);
    }
    void setMustStop(std::function<bool()> mustStop) { m_mustStop = std::move(mustStop); }
    bool isStopped() const { return m_isStopped; }
    bool isBetweenEvents() const { return m_document.isInList() && m_pending.empty(); }
    bool hasOpenEvent() const { return !m_pending.empty(); }
    KinetoEventSink& sink() { return m_sink; }
    const TraceDocument& document() const { return m_document; }

private:
    std::size_t parseList(char* text, std::size_t size, std::uint64_t offset);
    std::size_t parsePieces(std::string_view text, std::uint64_t offset, bool isLast);
    void checkCommas(const ListPiece& piece, std::uint64_t offset);
    std::size_t parsePiece(std::string_view text, const ListPiece& piece, std::uint64_t offset);
    std::size_t parseBroken(std::string_view text, const ListPiece& piece, std::uint64_t offset);
    void parsePending(bool isLast);
    const char* endOfFirst(char* begin, char* end);
    bool parseStrictly(std::string_view json, std::uint64_t offset, bool isRepaired = false);
    bool parseEvent(std::string_view event, std::uint64_t offset);
    bool parseThoroughly(std::string_view event, std::uint64_t offset);
    bool parseRepaired(std::string_view event, std::uint64_t offset);
    void noteInvalidValue(std::uint64_t offset);
    bool isSound(std::string_view json);
    void tell(std::string_view json) const;
    std::uint64_t giveUp(std::string_view text, std::uint64_t offset, std::uint64_t known);
    void exclude(std::string_view text, std::uint64_t offset, std::uint64_t events);
    void excludeBroken(std::string_view event, std::uint64_t offset);
    void commit(const RawEvent& event, std::uint64_t offset);
    bool readArgs(const RawEvent& event, simdjson::dom::object& args);
    void commitCounter(const RawEvent& event, std::uint64_t offset);
    void commitMetadata(const RawEvent& event);

    TraceFragment& m_fragment;
    FragmentBuilder& m_builder;
    KinetoEventSink m_sink;
    TraceDocument m_document;
    std::string m_pending; ///< text of an element that continues after the last block
    std::uint64_t m_pendingOffset = 0;
    std::size_t m_worthAnotherLook = 0; ///< size of m_pending at which it is parsed again
    bool m_isThorough = false;
    std::optional<std::size_t> m_commas; ///< since the last element; nullopt: unknown
    bool m_lacksPhase = false; ///< the previous element has no "ph"; it may be in the text that follows
    std::uint64_t m_malformedBytes = 0, m_textBytes = 0; ///< skipped: of events, of other text
    std::function<bool()> m_mustStop = [] { return false; };
    bool m_isStopped = false;
    std::function<void(std::string_view)> m_eventText;
    std::vector<StringId> m_namesThere; ///< ids of a part's strings in the table that the part is merged into
    std::size_t m_eventBytes = 0; ///< length of the text of the last event read
    KinetoEventReader m_reader;
    RawEvent m_event; ///< the current event: clearing the fields that were set is cheaper than making a new
                      ///< one
    simdjson::ondemand::parser m_parser;
    simdjson::ondemand::parser m_singleParser;
    simdjson::dom::parser m_domParser;
};

} // namespace collscope
