// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/kineto_list_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

namespace collscope {

namespace ondemand = simdjson::ondemand;

namespace {

bool isFiller(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',';
}

/// A number, possibly written as a string; nullopt for anything else.
std::optional<double> numberOf(simdjson::dom::element value)
{
    double number = 0;
    std::string_view text;
    if (value.get(number) == simdjson::SUCCESS)
        return number;
    if (value.get(text) != simdjson::SUCCESS)
        return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isAll = error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
    return isAll ? std::optional(number) : std::nullopt;
}

/// An element that stays open for this many bytes is damaged rather than long (an unescaped quote, a lost
/// bracket).
constexpr std::size_t longestElement = std::size_t{8} << 20;

/// Puts brackets around a part of a block to make it one JSON array; the bytes under them are restored
/// afterwards.
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

void KinetoListParser::parse(TextBlock& block)
{
    if (!m_pending.empty()) {
        m_pending.append(block.view());
        if (m_pending.size() >= m_worthAnotherLook)
            parsePending(m_pending.size() > longestElement);
        return;
    }
    const std::size_t byteOrderMark = block.offset() == 0 && block.view().starts_with("\xEF\xBB\xBF") ? 3 : 0;
    std::size_t begin = byteOrderMark;
    if (byteOrderMark > 0)
        m_sink.notice(
            "byte_order_mark", 0,
            "The file starts with a byte order mark, which strict JSON readers reject; it was skipped.");
    if (!m_isThorough)
        m_commas.reset(); // the fast path does not count commas
    m_lacksPhase = false; // each block is treated separately, as when threads read it
    if (m_document.isInList() && !m_isThorough)
        begin = parseList(block.text(), block.size(), block.offset());
    const std::string_view text = block.view().substr(begin);
    const std::size_t open = parsePieces(text, block.offset() + begin, false);
    m_pending.assign(text.substr(open));
    m_pendingOffset = block.offset() + begin + open;
    m_worthAnotherLook = 2 * m_pending.size();
}

/// Returns where the slow path must continue: after the last event that was read.
std::size_t KinetoListParser::parseList(char* text, std::size_t size, std::uint64_t offset)
{
    std::size_t begin = 0;
    std::size_t end = size;
    while (begin < end && isFiller(text[begin]))
        ++begin;
    while (end > begin && isFiller(text[end - 1]))
        --end;
    if (begin == end)
        return size;

    const AsArray array(text + begin, text + end);
    std::size_t last = begin; // start of the last event that was read
    std::uint64_t events = 0;
    std::uint64_t others = 0;
    std::uint64_t othersUpToLast = 0;
    bool whole = false;
    try {
        ondemand::document document = m_parser.iterate(array.json());
        for (ondemand::value element : document.get_array()) {
            const auto at = static_cast<std::size_t>(element.raw_json_token().data() - text);
            const ondemand::json_type type = element.type();
            // An extra bracket before events looks like a list.
            if (type == ondemand::json_type::array)
                throw simdjson::simdjson_error(simdjson::INCORRECT_TYPE);
            if (type != ondemand::json_type::object) {
                ++others;
                continue;
            }
            m_reader.read(element.get_object(), m_event);
            commit(m_event, offset + at); // throws if the args are not JSON; the event then counts as not
                                          // read
            ++events;
            last = at;
            othersUpToLast = others;
        }
        // The list ended either at the added bracket or at the document's own; then the rest is not events.
        whole = document.current_location().error() != simdjson::SUCCESS;
    } catch (const simdjson::simdjson_error&) {
        // Part of this block is not JSON. The events after the last good one are read one by one.
    }
    m_fragment.source.eventsInFile += events;
    m_document.addOtherElements(whole ? others : othersUpToLast);
    if (whole)
        return size;
    if (events == 0)
        return begin;
    m_commas = 0; // since the last event
    const char* const behind = endOfFirst(text + last, text + end);
    m_lacksPhase = m_event.phase == 0;
    return static_cast<std::size_t>(behind - text);
}

/// Where the first event of a list ends. Called once per block: calling it for each event would slow down
/// loading.
const char* KinetoListParser::endOfFirst(char* begin, char* end)
{
    const AsArray array(begin, end);
    const char* behind = end;
    try {
        ondemand::document document = m_parser.iterate(array.json());
        m_reader.read((*document.get_array().begin()).get_object(), m_event);
        if (document.current_location().get(behind) != simdjson::SUCCESS)
            behind = end;
    } catch (const simdjson::simdjson_error&) {
        behind = end; // cannot happen: the event was read before
    }
    return behind;
}

void KinetoListParser::finish()
{
    parsePending(true);
    m_sink.finish();
    const auto tellBytes = [this](std::string_view code, std::uint64_t bytes) {
        if (bytes > 0)
            m_fragment.problems.explainMore(code, m_fragment.source.path,
                                            " In total, " + std::to_string(bytes)
                                                + " bytes of the file are skipped.");
    };
    tellBytes("malformed_event", m_malformedBytes);
    tellBytes("text_between_events", m_textBytes);
}

void KinetoListParser::takeFrom(KinetoListParser& later)
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
    m_malformedBytes += std::exchange(later.m_malformedBytes, 0);
    m_textBytes += std::exchange(later.m_textBytes, 0);
    m_lacksPhase = later.m_lacksPhase;
}

void KinetoListParser::commit(const RawEvent& event, std::uint64_t offset)
{
    if (event.phase == 'C')
        commitCounter(event, offset);
    else if (event.phase == 'M')
        commitMetadata(event);
    else
        m_sink.commit(event, offset);
    if (event.repeatsKey)
        m_sink.notice("duplicate_key", offset, "The event contains a key twice; the last value is used.");
}

/// Returns false if the event has no args object. Throws if the args are not JSON, which a reader of only
/// some values does not notice.
bool KinetoListParser::readArgs(const RawEvent& event, simdjson::dom::object& args)
{
    if (event.argsJson.empty())
        return false;
    const simdjson::error_code error = m_domParser.parse(event.argsJson).get(args);
    if (error != simdjson::SUCCESS && error != simdjson::INCORRECT_TYPE)
        throw simdjson::simdjson_error(error);
    return error == simdjson::SUCCESS;
}

void KinetoListParser::commitCounter(const RawEvent& event, std::uint64_t offset)
{
    simdjson::dom::object args;
    const bool hasArgs = readArgs(event, args);
    const auto time = m_sink.timeOf(event.ts, offset);
    if (!time)
        return;
    bool any = false;
    if (hasArgs) {
        for (const auto field : args) {
            const std::optional<double> value = numberOf(field.value);
            if (!value)
                continue;
            const std::string name = args.size() == 1
                ? std::string(event.name)
                : std::string(event.name) + " " + std::string(field.key);
            m_sink.addCounter(name, *time, *value);
            any = true;
        }
    }
    if (!any)
        return m_sink.exclude("empty_counter", offset, "A counter event without a number.");
    m_sink.countShown();
}

void KinetoListParser::commitMetadata(const RawEvent& event)
{
    simdjson::dom::object args;
    std::string_view name;
    const bool isNamed = (event.name == "process_name" || event.name == "thread_name")
        && readArgs(event, args) && args["name"].get(name) == simdjson::SUCCESS;
    m_sink.countShown();
    if (!isNamed)
        return;
    if (event.name == "process_name")
        m_builder.setProcessName(event.pid, name);
    else
        m_builder.setThreadName(event.pid, event.tid, name);
}

} // namespace collscope
