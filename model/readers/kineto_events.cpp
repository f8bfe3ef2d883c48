// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto_events.h"

#include "model/readers/json_repair.h"
#include "model/readers/kineto_event_reader.h"

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
/// A boundary (blanks, a comma, a brace, a key) takes hardly more text than this.
constexpr std::size_t longestBoundary = 4096;

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
        m_splitter = JsonEventSplitter::amidEvents();
        m_sink.setIsPart();
    }
    KinetoEventSink& sink() { return m_sink; }
    const JsonEventSplitter& splitter() const { return m_splitter; }

private:
    /// Where the slow path must take over: text from `begin` on, whose first event is already `done`.
    struct Resume
    {
        std::size_t begin = 0;
        bool done = false;
    };
    Resume parseList(char* text, std::size_t size, std::uint64_t offset);
    void scan(std::string_view text, std::uint64_t offset, bool firstIsDone);
    void scanPending(std::size_t from);
    void loseElement(std::uint64_t offset);
    void giveUpOpenElement();
    void parseAlone(std::string_view event, std::uint64_t offset);
    void commit(const RawEvent& event, std::uint64_t offset);
    void commitCounter(const RawEvent& event, std::uint64_t offset);
    void commitMetadata(const RawEvent& event);

    TraceFragment& m_fragment;
    FragmentBuilder& m_builder;
    KinetoEventSink m_sink;
    JsonEventSplitter m_splitter;
    std::string m_pending; ///< text of an element that the last block did not end
    std::uint64_t m_pendingOffset = 0;
    std::size_t m_searched = 0; ///< of m_pending: no boundary was found before
    std::vector<JsonEventSplitter::Span> m_spans;
    std::vector<StringId> m_namesThere; ///< of a part's strings in the table it is merged into
    KinetoEventReader m_reader;
    RawEvent m_event; ///< the event at hand: clearing what was set is cheaper than making a new one
    ondemand::parser m_parser;
    ondemand::parser m_singleParser;
    simdjson::dom::parser m_domParser;
};

void KinetoEventParser::Impl::parse(TextBlock& block)
{
    const std::size_t byteOrderMark = block.offset() == 0 && block.view().starts_with("\xEF\xBB\xBF") ? 3 : 0;
    Resume resume{byteOrderMark, false};
    if (m_splitter.isBetweenEvents())
        resume = parseList(block.text(), block.size(), block.offset());
    if (resume.begin < block.size())
        scan(block.view().substr(resume.begin), block.offset() + resume.begin, resume.done);
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
    m_splitter.addOtherElements(whole ? others : othersUpToResume);
    return whole ? nothingLeft : resume;
}

void KinetoEventParser::Impl::scan(std::string_view text, std::uint64_t offset, bool firstIsDone)
{
    if (!m_pending.empty()) {
        const std::size_t from = m_pending.size();
        m_pending.append(text);
        return scanPending(from);
    }
    m_spans.clear();
    m_splitter.scan(text, 0, m_spans);
    for (const JsonEventSplitter::Span& span : m_spans) {
        if (!std::exchange(firstIsDone, false))
            parseAlone(text.substr(span.begin, span.end - span.begin), offset + span.begin);
    }
    const std::size_t open = m_splitter.openBegin(text.size());
    m_searched = 0;
    m_pending.assign(text.substr(open));
    m_pendingOffset = offset + open;
    m_splitter.rebase();
}

void KinetoEventParser::Impl::scanPending(std::size_t from)
{
    m_spans.clear();
    m_splitter.scan(m_pending, from, m_spans);
    for (const JsonEventSplitter::Span& span : m_spans)
        parseAlone(std::string_view(m_pending).substr(span.begin, span.end - span.begin),
                   m_pendingOffset + span.begin);
    const std::size_t open = m_splitter.openBegin(m_pending.size());
    if (open > 0)
        m_searched = 0; // another element is open now
    m_pending.erase(0, open);
    m_pendingOffset += open;
    m_splitter.rebase();
    if (m_pending.size() > longestElement)
        giveUpOpenElement();
}

void KinetoEventParser::Impl::loseElement(std::uint64_t offset)
{
    ++m_fragment.source.eventsInFile;
    m_sink.exclude("malformed_event", offset, "This event is not valid JSON and could not be repaired.");
    m_splitter.resynchronise();
}

void KinetoEventParser::Impl::giveUpOpenElement()
{
    // What looks like the next event is taken for one: only the element that never ends is lost. An element
    // behind it may hold what looks like events, too; it is given up when it is still open after a few of
    // them. So no text is looked at more often than that.
    constexpr int patience = 16;
    std::size_t at = nextEventBoundary(m_pending, std::max<std::size_t>(m_searched, 1));
    m_searched = m_pending.size() - std::min(m_pending.size(), longestBoundary);
    if (at == std::string::npos)
        return;
    const std::string text = std::exchange(m_pending, {});
    const std::uint64_t offset = m_pendingOffset;
    loseElement(offset);
    for (int boundaries = 0; at < text.size();) {
        const std::size_t end = std::min(nextEventBoundary(text, at + 1), text.size());
        m_spans.clear();
        m_splitter.scan(std::string_view(text).substr(0, end), at, m_spans);
        for (const JsonEventSplitter::Span& span : m_spans)
            parseAlone(std::string_view(text).substr(span.begin, span.end - span.begin), offset + span.begin);
        at = end;
        boundaries = m_splitter.hasOpenEvent() && m_spans.empty() ? boundaries + 1 : 0;
        if (boundaries == patience && end < text.size()) {
            const std::size_t begin = m_splitter.openBegin(end);
            loseElement(offset + begin);
            at = nextEventBoundary(text, begin + 1);
            boundaries = 0;
        }
    }
    const std::size_t open = m_splitter.openBegin(text.size());
    m_pending.assign(text, open);
    m_pendingOffset = offset + open;
    m_searched = 0;
    m_splitter.rebase();
}

void KinetoEventParser::Impl::finish()
{
    // An element that is open at the end is cut off, unless other events can be seen in it.
    for (std::size_t before = 0; m_splitter.hasOpenEvent() && m_pending.size() != before;) {
        before = m_pending.size();
        giveUpOpenElement();
    }
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
    m_splitter.continueFrom(later.m_splitter);
    m_pending = std::exchange(later.m_pending, {});
    m_pendingOffset = later.m_pendingOffset;
    m_searched = 0;
}

void KinetoEventParser::Impl::parseAlone(std::string_view source, std::uint64_t offset)
{
    ++m_fragment.source.eventsInFile;
    const auto attempt = [&](std::string_view json) {
        try {
            const simdjson::padded_string padded(json);
            ondemand::document document = m_singleParser.iterate(padded);
            m_reader.read(document.get_object(), m_event);
            commit(m_event, offset);
            return true;
        } catch (const simdjson::simdjson_error&) {
            return false;
        }
    };
    if (attempt(source))
        return;
    const RepairedJson repaired = repairJson(source);
    if (!repaired.changed() || !attempt(repaired.text)) {
        m_sink.exclude("malformed_event", offset, "This event is not valid JSON and could not be repaired.");
        return;
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
}

void KinetoEventParser::Impl::commit(const RawEvent& event, std::uint64_t offset)
{
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

const JsonEventSplitter& KinetoEventParser::document() const
{
    return m_impl->splitter();
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
