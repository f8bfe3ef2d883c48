// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto_events.h"

#include "model/readers/json_repair.h"
#include "model/readers/kineto_event_reader.h"
#include "model/readers/list_pieces.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace collscope {

namespace ondemand = simdjson::ondemand;

namespace {

bool isFiller(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',';
}

/// An element that stays open for so long is damaged rather than long (an unescaped quote, a lost bracket).
constexpr std::size_t longestElement = std::size_t{8} << 20;
/// So often is a broken event tried with more text, since what looks like the next event can be a part of it.
constexpr int patience = 4;

/// Brackets around a part of a block, so that it is one JSON array; the bytes under them come back.
class AsArray
{
public:
    AsArray(char* begin, char* end)
        : m_begin(begin - 1)
        , m_end(end)
        , m_savedFront(*m_begin)
    {
        std::memcpy(m_savedBack, m_end, TextBlock::backMargin);
        *m_begin = '[';
        *m_end = ']';
        std::memset(m_end + 1, ' ', TextBlock::backMargin - 1);
    }
    AsArray(const AsArray&) = delete;
    AsArray& operator=(const AsArray&) = delete;
    ~AsArray()
    {
        *m_begin = m_savedFront;
        std::memcpy(m_end, m_savedBack, TextBlock::backMargin);
    }
    simdjson::padded_string_view json() const
    {
        const auto length = static_cast<std::size_t>(m_end + 1 - m_begin);
        return simdjson::padded_string_view(m_begin, length, length + TextBlock::backMargin - 1);
    }

private:
    static_assert(TextBlock::backMargin > simdjson::SIMDJSON_PADDING);
    char* m_begin;
    char* m_end;
    char m_savedFront;
    char m_savedBack[TextBlock::backMargin];
};

} // namespace

class KinetoEventParser::Impl
{
public:
    Impl(TraceFragment& fragment, FragmentBuilder& builder)
        : m_fragment(fragment)
        , m_builder(builder)
        , m_sink(fragment, builder)
    { }

    void parse(TextBlock& block);
    void takeFrom(Impl& later);
    void finish();
    void beginAmidEvents()
    {
        m_document = TraceDocument::amidEvents();
        m_sink.setIsPart();
    }
    bool isBetweenEvents() const { return m_document.isInList() && m_pending.empty(); }
    bool hasOpenEvent() const { return !m_pending.empty(); }
    KinetoEventSink& sink() { return m_sink; }
    const TraceDocument& document() const { return m_document; }

private:
    /// Where the slow path must take over: text from `begin` on, whose first event is already `done`.
    struct Resume
    {
        std::size_t begin = 0;
        bool done = false;
    };
    Resume parseList(char* text, std::size_t size, std::uint64_t offset);
    std::size_t parsePieces(std::string_view text, std::uint64_t offset, bool isLast);
    std::size_t parsePiece(std::string_view text, const ListPiece& piece, std::uint64_t offset);
    std::size_t parseBroken(std::string_view text, const ListPiece& piece, std::uint64_t offset);
    void parsePending(bool isLast);
    bool parseStrictly(std::string_view json, std::uint64_t offset, bool isRepaired = false);
    bool parseRepaired(std::string_view event, std::uint64_t offset);
    void lose(std::string_view event, std::uint64_t offset);
    void commit(const RawEvent& event, std::uint64_t offset);
    void commitCounter(const RawEvent& event, std::uint64_t offset);
    void commitMetadata(const RawEvent& event);

    TraceFragment& m_fragment;
    FragmentBuilder& m_builder;
    KinetoEventSink m_sink;
    TraceDocument m_document;
    std::string m_pending; ///< text of an element that the last block did not end
    std::uint64_t m_pendingOffset = 0;
    std::size_t m_worthAnotherLook = 0; ///< bytes of m_pending
    bool m_isFirstDone = false; ///< the first piece of the next text is in the model already
    std::vector<StringId> m_namesThere; ///< of a part's strings in the table it is merged into
    KinetoEventReader m_reader;
    RawEvent m_event; ///< the event at hand: clearing what was set is cheaper than making a new one
    ondemand::parser m_parser;
    ondemand::parser m_singleParser;
    simdjson::dom::parser m_domParser;
};

void KinetoEventParser::Impl::parse(TextBlock& block)
{
    if (!m_pending.empty()) {
        m_pending.append(block.view());
        if (m_pending.size() >= m_worthAnotherLook)
            parsePending(m_pending.size() > longestElement);
        return;
    }
    const std::size_t byteOrderMark = block.offset() == 0 && block.view().starts_with("\xEF\xBB\xBF") ? 3 : 0;
    Resume resume{byteOrderMark, false};
    if (m_document.isInList())
        resume = parseList(block.text(), block.size(), block.offset());
    m_isFirstDone = resume.done;
    const std::string_view text = block.view().substr(resume.begin);
    const std::size_t open = parsePieces(text, block.offset() + resume.begin, false);
    m_pending.assign(text.substr(open));
    m_pendingOffset = block.offset() + resume.begin + open;
    m_worthAnotherLook = 0;
}

KinetoEventParser::Impl::Resume KinetoEventParser::Impl::parseList(char* text, std::size_t size,
                                                                   std::uint64_t offset)
{
    const Resume nothingLeft{size, false};
    std::size_t begin = 0;
    std::size_t end = size;
    while (begin < end && isFiller(text[begin]))
        ++begin;
    while (end > begin && isFiller(text[end - 1]))
        --end;
    if (begin == end)
        return nothingLeft;

    const AsArray array(text + begin, text + end);
    Resume resume{begin, false};
    std::uint64_t events = 0;
    std::uint64_t others = 0;
    std::uint64_t othersUpToResume = 0;
    bool whole = false;
    try {
        ondemand::document document = m_parser.iterate(array.json());
        for (ondemand::value element : document.get_array()) {
            const auto at = static_cast<std::size_t>(element.raw_json_token().data() - text);
            if (element.type() != ondemand::json_type::object) {
                ++others;
                continue;
            }
            m_reader.read(element.get_object(), m_event);
            ++events;
            commit(m_event, offset + at);
            resume = {at, true};
            othersUpToResume = others;
        }
        // The list ended at the bracket put there, or at the document's own: then the rest is not events.
        whole = document.current_location().error() != simdjson::SUCCESS;
    } catch (const simdjson::simdjson_error&) {
        // Something in this block is not JSON. The events behind the last good one are read one by one.
    }
    m_fragment.source.eventsInFile += events;
    m_document.addOtherElements(whole ? others : othersUpToResume);
    return whole ? nothingLeft : resume;
}

/// Reads a text piece by piece. The answer is where an element begins that may go on behind the text.
std::size_t KinetoEventParser::Impl::parsePieces(std::string_view text, std::uint64_t offset, bool isLast)
{
    std::size_t at = 0;
    while (at < text.size()) {
        if (!m_document.isInList()) {
            at = m_document.scan(text, at);
            continue;
        }
        const ListPiece piece = nextPiece(text, at, isLast);
        if (piece.kind == ListPiece::Kind::Open)
            return piece.begin;
        at = parsePiece(text, piece, offset);
    }
    return text.size();
}

/// Where the list goes on behind the piece.
std::size_t KinetoEventParser::Impl::parsePiece(std::string_view text, const ListPiece& piece,
                                                std::uint64_t offset)
{
    const std::string_view content = text.substr(piece.begin, piece.end - piece.begin);
    switch (piece.kind) {
    case ListPiece::Kind::Event:
        if (std::exchange(m_isFirstDone, false))
            break;
        ++m_fragment.source.eventsInFile;
        if (!parseStrictly(content, offset + piece.begin) && !parseRepaired(content, offset + piece.begin))
            lose(content, offset + piece.begin);
        break;
    case ListPiece::Kind::Broken:
        if (std::exchange(m_isFirstDone, false))
            break;
        return parseBroken(text, piece, offset);
    case ListPiece::Kind::Other:
        m_document.addOtherElements(1);
        break;
    case ListPiece::Kind::Text:
        m_sink.notice("text_between_events", offset + piece.begin,
                      "Text that is no trace event stands in the event list, as if a program had logged into "
                      "the file; it was passed over.");
        break;
    case ListPiece::Kind::Head:
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

std::size_t KinetoEventParser::Impl::parseBroken(std::string_view text, const ListPiece& piece,
                                                 std::uint64_t offset)
{
    ++m_fragment.source.eventsInFile;
    ListPiece attempt = piece;
    for (int i = 0; i < patience && attempt.kind == ListPiece::Kind::Broken; ++i) {
        if (parseRepaired(text.substr(attempt.begin, attempt.end - attempt.begin), offset + attempt.begin))
            return attempt.next;
        attempt = longerPiece(text, attempt);
    }
    lose(text.substr(piece.begin, piece.end - piece.begin), offset + piece.begin);
    return piece.next;
}

void KinetoEventParser::Impl::parsePending(bool isLast)
{
    const std::string text = std::exchange(m_pending, {});
    const std::size_t open = parsePieces(text, m_pendingOffset, isLast);
    m_pending.assign(text, open);
    m_pendingOffset += open;
    // Looking at it again costs as much as it is long, so that is done whenever it has doubled.
    m_worthAnotherLook = open == 0 ? 2 * m_pending.size() : 0;
}

void KinetoEventParser::Impl::lose(std::string_view event, std::uint64_t offset)
{
    m_sink.exclude("malformed_event", offset, "This event is not valid JSON and could not be repaired.");
    if (afterListBegin(event, 0) != std::string_view::npos)
        m_document.beginAnother(event);
}

void KinetoEventParser::Impl::finish()
{
    parsePending(true);
    m_sink.finish();
}

void KinetoEventParser::Impl::takeFrom(Impl& later)
{
    for (std::size_t id = later.m_namesThere.size(); id < later.m_fragment.strings.size(); ++id)
        later.m_namesThere.push_back(m_fragment.strings.intern(
            later.m_fragment.strings.view(StringId{static_cast<std::uint32_t>(id)})));
    m_sink.takeFrom(later.m_sink, m_builder.takeFrom(later.m_builder, later.m_namesThere),
                    later.m_namesThere);
    SourceInfo& source = later.m_fragment.source;
    m_fragment.source.eventsInFile += std::exchange(source.eventsInFile, 0);
    m_fragment.source.shown += std::exchange(source.shown, 0);
    m_fragment.source.excluded += std::exchange(source.excluded, 0);
    m_fragment.problems.merge(std::exchange(later.m_fragment.problems, {}));
    m_document.continueFrom(later.m_document);
    m_pending = std::exchange(later.m_pending, {});
    m_pendingOffset = later.m_pendingOffset;
    m_worthAnotherLook = later.m_worthAnotherLook;
}

bool KinetoEventParser::Impl::parseStrictly(std::string_view json, std::uint64_t offset, bool isRepaired)
{
    try {
        const simdjson::padded_string padded(json);
        ondemand::document document = m_singleParser.iterate(padded);
        m_reader.read(document.get_object(), m_event);
        if (isRepaired && m_event.phase == 0)
            return false; // the repair made something else of it
        commit(m_event, offset);
        return true;
    } catch (const simdjson::simdjson_error&) {
        return false;
    }
}

bool KinetoEventParser::Impl::parseRepaired(std::string_view event, std::uint64_t offset)
{
    RepairedJson repaired = repairJson(event);
    if (!repaired.changed() || !parseStrictly(repaired.text, offset, true)) {
        repaired = repairJson(event, EscapedQuote::MayEndString);
        if (!repaired.changed() || !parseStrictly(repaired.text, offset, true))
            return false;
    }
    if (repaired.controlCharacters)
        m_sink.notice("control_character", offset,
                      "A string held raw control characters; they are shown escaped.");
    if (repaired.invalidUtf8)
        m_sink.notice("invalid_utf8", offset,
                      "A string held bytes that are not UTF-8; each is shown as U+FFFD.");
    if (repaired.trailingComma)
        m_sink.notice("trailing_comma", offset, "A comma stood before a closing bracket; it was ignored.");
    if (repaired.notANumber)
        m_sink.notice("not_a_number", offset,
                      "A number was NaN or infinite; the value is treated as missing.");
    if (repaired.unescapedQuotes)
        m_sink.notice("unescaped_quote", offset,
                      "A string held quotes that were not escaped; they are shown as a part of it.");
    if (repaired.badEscapes)
        m_sink.notice("bad_escape", offset,
                      "A string held backslashes that were not escaped; they are shown as a part of it.");
    return true;
}

void KinetoEventParser::Impl::commit(const RawEvent& event, std::uint64_t offset)
{
    if (event.repeatsKey)
        m_sink.notice("duplicate_key", offset, "The event says a key twice; its last value counts.");
    if (event.phase == 'C')
        commitCounter(event, offset);
    else if (event.phase == 'M')
        commitMetadata(event);
    else
        m_sink.commit(event, offset);
}

void KinetoEventParser::Impl::commitCounter(const RawEvent& event, std::uint64_t offset)
{
    const auto time = m_sink.timeOf(event.ts, offset);
    if (!time)
        return;
    simdjson::dom::object args;
    bool any = false;
    if (m_domParser.parse(event.argsJson).get(args) == simdjson::SUCCESS) {
        for (const auto field : args) {
            double value = 0;
            if (field.value.get(value) != simdjson::SUCCESS)
                continue;
            const std::string name = args.size() == 1
                ? std::string(event.name)
                : std::string(event.name) + " " + std::string(field.key);
            m_sink.addCounter(name, *time, value);
            any = true;
        }
    }
    if (!any)
        return m_sink.exclude("empty_counter", offset, "A counter event without a number.");
    m_sink.countShown();
}

void KinetoEventParser::Impl::commitMetadata(const RawEvent& event)
{
    m_sink.countShown();
    if (event.name != "process_name" && event.name != "thread_name")
        return;
    simdjson::dom::object args;
    std::string_view name;
    if (m_domParser.parse(event.argsJson).get(args) != simdjson::SUCCESS
        || args["name"].get(name) != simdjson::SUCCESS)
        return;
    if (event.name == "process_name")
        m_builder.setProcessName(event.pid, name);
    else
        m_builder.setThreadName(event.pid, event.tid, name);
}

KinetoEventParser::KinetoEventParser(TraceFragment& fragment, FragmentBuilder& builder)
    : m_impl(std::make_unique<Impl>(fragment, builder))
{ }

KinetoEventParser::~KinetoEventParser() = default;

void KinetoEventParser::parse(TextBlock& block)
{
    m_impl->parse(block);
}

void KinetoEventParser::beginAmidEvents()
{
    m_impl->beginAmidEvents();
}

void KinetoEventParser::takeFrom(KinetoEventParser& later)
{
    m_impl->takeFrom(*later.m_impl);
}

void KinetoEventParser::finish()
{
    m_impl->finish();
}

const TraceDocument& KinetoEventParser::document() const
{
    return m_impl->document();
}

bool KinetoEventParser::isBetweenEvents() const
{
    return m_impl->isBetweenEvents();
}

bool KinetoEventParser::hasOpenEvent() const
{
    return m_impl->hasOpenEvent();
}

std::int64_t KinetoEventParser::firstStartNs() const
{
    return m_impl->sink().firstStartNs.value_or(0);
}

std::optional<std::int32_t> KinetoEventParser::collectiveRank() const
{
    return m_impl->sink().collectiveRank;
}

} // namespace collscope
