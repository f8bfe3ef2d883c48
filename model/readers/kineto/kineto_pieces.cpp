// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The slow path: reads damaged text piece by piece and repairs each piece or sets it aside.

#include "model/readers/kineto/kineto_list_parser.h"
#include "model/readers/text/json_repair.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace ondemand = simdjson::ondemand;

namespace {

/// How often a broken event is tried with more text, because the apparent next event may be part of it.
constexpr int patience = 4;

/// The diagnostic that reports a repair.
struct Repair
{
    bool RepairedJson::*happened;
    std::string_view code, explanation;
};
constexpr std::array<Repair, 7> repairs{{
    {&RepairedJson::controlCharacters, "control_character",
     "A string contained raw control characters; they are shown escaped."},
    {&RepairedJson::invalidUtf8, "invalid_utf8",
     "A string contained bytes that are not UTF-8; each is shown as U+FFFD."},
    {&RepairedJson::loneSurrogates, "lone_surrogate",
     "A string contained half of a character (an escaped surrogate without its other half); it is shown as "
     "U+FFFD."},
    {&RepairedJson::trailingComma, "trailing_comma", "A comma preceded a closing bracket; it was ignored."},
    {&RepairedJson::notANumber, "not_a_number",
     "A number was NaN or infinite; the value is treated as missing."},
    {&RepairedJson::unescapedQuotes, "unescaped_quote",
     "A string contained quotes that were not escaped; they are shown as part of the string."},
    {&RepairedJson::badEscapes, "bad_escape",
     "A string contained backslashes that were not escaped; they are shown as part of the string."},
}};

} // namespace

/// Reads a text piece by piece. Returns the start of an element that may continue after the text, or the
/// position reached when reading must stop.
std::size_t KinetoListParser::parsePieces(std::string_view text, std::uint64_t offset, bool isLast)
{
    constexpr std::size_t askEvery = std::size_t{256} << 10;
    ListPieces pieces(text, isLast);
    std::size_t at = 0;
    std::size_t askAt = askEvery;
    while (at < text.size()) {
        if (at >= askAt) {
            askAt = at + askEvery;
            m_isStopped = m_isStopped || m_mustStop();
            if (m_isStopped)
                return at;
        }
        if (!m_document.isInList()) {
            const std::size_t begin = at;
            at = m_document.scan(text, begin, isLast);
            giveUp(text.substr(begin, at - begin), offset + begin, 0);
            if (m_document.isWaiting())
                return at;
            continue;
        }
        const ListPiece piece = pieces.next(at);
        checkCommas(piece, offset);
        if (piece.kind == ListPiece::Kind::Open)
            return piece.begin;
        at = parsePiece(text, piece, offset);
    }
    return text.size();
}

/// Checks that one comma separates two elements, and that none precedes the first or follows the last.
void KinetoListParser::checkCommas(const ListPiece& piece, std::uint64_t offset)
{
    using Kind = ListPiece::Kind;
    if (m_commas)
        *m_commas += piece.commas;
    if (piece.kind == Kind::Nothing || piece.kind == Kind::Open)
        return; // the next element is not complete yet
    const bool isElement = piece.kind != Kind::ListEnd;
    if (m_commas && piece.kind != Kind::Text && piece.kind != Kind::Head) {
        if (isElement && *m_commas == 0)
            m_sink.notice("missing_comma", offset + piece.begin, "A comma is missing between two events.");
        if (*m_commas > (isElement ? 1u : 0u))
            m_sink.notice("extra_comma", offset + piece.begin, "The event list contains an extra comma.");
    }
    // After a damaged piece, the separator before the next piece is unknown.
    const bool isWhole = piece.kind == Kind::Event || piece.kind == Kind::Other;
    m_commas = isWhole ? std::optional<std::size_t>(0) : std::nullopt;
}

/// Returns where the list continues after the piece.
std::size_t KinetoListParser::parsePiece(std::string_view text, const ListPiece& piece, std::uint64_t offset)
{
    const std::string_view content = text.substr(piece.begin, piece.end - piece.begin);
    switch (piece.kind) {
    case ListPiece::Kind::Event:
        if (parseEvent(content, offset + piece.begin))
            ++m_fragment.source.eventsInFile;
        else
            excludeBroken(content, offset + piece.begin);
        break;
    case ListPiece::Kind::Broken:
        return parseBroken(text, piece, offset);
    case ListPiece::Kind::Other:
        m_document.addOtherElements(1);
        break;
    case ListPiece::Kind::Text:
        if (giveUp(content, offset + piece.begin, m_lacksPhase ? 1 : 0) == 0) {
            m_sink.notice("text_between_events", offset + piece.begin,
                          "The event list contains text that is not a trace event, as if a program had "
                          "logged into the file; it was skipped.");
            m_textBytes += content.size();
        }
        m_lacksPhase = false;
        break;
    case ListPiece::Kind::Head:
        giveUp(content, offset + piece.begin, 0);
        m_document.beginAnother(content);
        break;
    case ListPiece::Kind::ListEnd:
        m_document.endList();
        break;
    case ListPiece::Kind::Open:
    case ListPiece::Kind::Nothing:
        break;
    }
    return piece.next;
}

std::size_t KinetoListParser::parseBroken(std::string_view text, const ListPiece& piece, std::uint64_t offset)
{
    const std::string_view content = text.substr(piece.begin, piece.end - piece.begin);
    if (content.find('}') == std::string_view::npos) { // without any closing brace
        excludeBroken(content, offset + piece.begin);
        return piece.next;
    }
    // First parsed as during a load, amid sound events: the fast parser does not compare the brackets of
    // values that it skips. The event may end before other elements.
    if (parseStrictly(content, offset + piece.begin)) {
        ++m_fragment.source.eventsInFile;
        if (m_isThorough)
            noteInvalidValue(offset + piece.begin);
        return m_eventBytes < content.size() ? piece.begin + m_eventBytes : piece.next;
    }
    ListPiece attempt = piece;
    for (int i = 0; i < patience && attempt.kind == ListPiece::Kind::Broken; ++i) {
        const std::string_view tried = text.substr(attempt.begin, attempt.end - attempt.begin);
        if (countPhases(tried) > 1)
            break; // two events are not one, even if they can be parsed as one
        if (parseRepaired(tried, offset + attempt.begin)) {
            ++m_fragment.source.eventsInFile;
            return attempt.next;
        }
        attempt = longerPiece(text, attempt);
    }
    excludeBroken(content, offset + piece.begin);
    return piece.next;
}

bool KinetoListParser::parseEvent(std::string_view event, std::uint64_t offset)
{
    if (m_isThorough)
        return parseThoroughly(event, offset);
    return parseStrictly(event, offset) || parseRepaired(event, offset);
}

/// Reads the same events as a load: a value that a load skips is reported, without other consequences.
bool KinetoListParser::parseThoroughly(std::string_view event, std::uint64_t offset)
{
    if (isSound(event)) {
        if (!parseStrictly(event, offset))
            return false;
        tell(event);
        return true;
    }
    if (parseRepaired(event, offset))
        return true;
    if (!parseStrictly(event, offset))
        return false;
    noteInvalidValue(offset);
    return true;
}

void KinetoListParser::noteInvalidValue(std::uint64_t offset)
{
    m_sink.notice("invalid_value", offset,
                  "A value of the event is not valid JSON (a number like 05 or +inf, mismatched brackets); "
                  "it is used as far as possible, and the event is not written to a clean copy.");
}

bool KinetoListParser::isSound(std::string_view json)
{
    // The fast parser is tried first; it rejects some numbers and depths that are valid.
    return m_domParser.parse(json.data(), json.size()).error() == simdjson::SUCCESS || isValidJson(json);
}

void KinetoListParser::tell(std::string_view json) const
{
    if (m_eventText)
        m_eventText(json);
}

void KinetoListParser::parsePending(bool isLast)
{
    const std::string text = std::exchange(m_pending, {});
    const std::size_t open = parsePieces(text, m_pendingOffset, isLast);
    m_pending.assign(text, open);
    m_pendingOffset += open;
    // Parsing takes time in proportion to the text, so it is repeated only when the text has doubled.
    m_worthAnotherLook = 2 * m_pending.size();
}

/// Excludes text that is not read as events: each "ph" in it belongs to one event, and `known` of them are
/// already counted. Returns the number of events lost.
std::uint64_t KinetoListParser::giveUp(std::string_view text, std::uint64_t offset, std::uint64_t known)
{
    const std::uint64_t phases = countPhases(text);
    if (phases > known)
        exclude(text, offset, phases - known);
    return phases - std::min(phases, known);
}

void KinetoListParser::exclude(std::string_view text, std::uint64_t offset, std::uint64_t events)
{
    m_fragment.source.eventsInFile += events;
    m_sink.exclude("malformed_event", offset, "This event is not valid JSON and could not be repaired.",
                   events);
    m_malformedBytes += text.size();
}

/// Excludes a broken object: an event, or the damaged remains of several.
void KinetoListParser::excludeBroken(std::string_view event, std::uint64_t offset)
{
    const std::uint64_t phases = countPhases(event);
    m_lacksPhase = phases == 0;
    exclude(event, offset, std::max<std::uint64_t>(phases, 1));
    if (afterListBegin(event, 0) != std::string_view::npos)
        m_document.beginAnother(event);
}

bool KinetoListParser::parseStrictly(std::string_view json, std::uint64_t offset, bool isRepaired)
{
    try {
        const simdjson::padded_string padded(json);
        ondemand::document document = m_singleParser.iterate(padded);
        m_reader.read(document.get_object(), m_event);
        if (isRepaired && m_event.phase == 0)
            return false; // the repair changed its meaning
        const char* behind = nullptr;
        const bool isAll = isRepaired || document.current_location().get(behind) != simdjson::SUCCESS;
        m_eventBytes = isAll ? json.size() : static_cast<std::size_t>(behind - padded.data());
        commit(m_event, offset);
        m_lacksPhase = m_event.phase == 0;
        return true;
    } catch (const simdjson::simdjson_error&) {
        return false;
    }
}

bool KinetoListParser::parseRepaired(std::string_view event, std::uint64_t offset)
{
    const auto attempt = [&](const RepairedJson& repaired) {
        return repaired.changed() && isSound(repaired.text) && parseStrictly(repaired.text, offset, true);
    };
    RepairedJson repaired = repairJson(event);
    if (!attempt(repaired)) {
        repaired = repairJson(event, EscapedQuote::MayEndString);
        if (!attempt(repaired))
            return false;
    }
    tell(repaired.text);
    for (const Repair& repair : repairs) {
        if (repaired.*repair.happened)
            m_sink.notice(repair.code, offset, repair.explanation);
    }
    return true;
}

} // namespace collscope
