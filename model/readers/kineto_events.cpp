// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto_events.h"

#include "model/readers/decimal_time.h"
#include "model/readers/json_repair.h"
#include "model/readers/kineto_sink.h"

#include <simdjson.h>

#include <cstring>

namespace collscope {

namespace ondemand = simdjson::ondemand;

namespace {

/// A scalar's text without quotes and blanks; a list as it stands. Escapes stay: the args we keep hold none
/// that matter.
std::string_view plainText(ondemand::value value)
{
    const ondemand::json_type type = value.type();
    std::string_view text;
    if (type == ondemand::json_type::array) {
        ondemand::array array = value.get_array();
        text = simdjson::to_json_string(array);
    } else if (type != ondemand::json_type::object && type != ondemand::json_type::null) {
        text = value.raw_json_token();
    }
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
        text.remove_suffix(1);
    if (text.size() >= 2 && text.front() == '"')
        text = text.substr(1, text.size() - 2);
    return text;
}

void readArgs(ondemand::object object, KinetoArgs& args)
{
    for (ondemand::field field : object) {
        if (std::string_view* text = kinetoArgField(args, field.key().raw()))
            *text = plainText(field.value());
    }
}

} // namespace

class KinetoEventParser::Impl
{
public:
    Impl(TraceFragment& fragment, FragmentBuilder& builder)
        : m_fragment(fragment)
        , m_builder(builder)
        , m_sink(fragment, builder)
    { }

    void parse(char* text, std::size_t size, std::span<const JsonEventSplitter::Span> events,
               std::uint64_t fileOffset);
    KinetoEventSink& sink() { return m_sink; }

private:
    void parseAlone(std::string_view event, std::uint64_t offset);
    void readEvent(ondemand::object object, RawEvent& event);
    std::string_view text(ondemand::value value, std::string& scratch);
    void commit(const RawEvent& event, std::string_view source, std::uint64_t offset);
    void commitCounter(std::string_view source, const RawEvent& event, std::uint64_t offset);
    void commitMetadata(std::string_view source, const RawEvent& event);

    TraceFragment& m_fragment;
    FragmentBuilder& m_builder;
    KinetoEventSink m_sink;
    ondemand::parser m_parser;
    ondemand::parser m_singleParser;
    simdjson::dom::parser m_domParser;
    std::string m_nameScratch, m_categoryScratch, m_pidScratch, m_tidScratch, m_idScratch;
};

std::string_view KinetoEventParser::Impl::text(ondemand::value value, std::string& scratch)
{
    std::string_view token = value.raw_json_token();
    while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ')
        token.remove_suffix(1);
    if (token.size() < 2 || token.front() != '"')
        return token; // a number: pid 4242 and pid "4242" are the same process
    const std::string_view content = token.substr(1, token.size() - 2);
    if (std::memchr(content.data(), '\\', content.size()) == nullptr)
        return content;
    scratch.assign(std::string_view(value.get_string()));
    return scratch;
}

void KinetoEventParser::Impl::readEvent(ondemand::object object, RawEvent& event)
{
    for (ondemand::field field : object) {
        const ondemand::raw_json_string key = field.key();
        const char* raw = key.raw();
        switch (raw[0]) {
        case 'p':
            if (key.unsafe_is_equal("ph")) {
                const std::string_view token = field.value().raw_json_token();
                event.phase = token.size() > 2 && token[0] == '"' ? token[1] : '\0';
            } else if (key.unsafe_is_equal("pid")) {
                event.pid = text(field.value(), m_pidScratch);
            }
            break;
        case 't':
            if (key.unsafe_is_equal("ts"))
                event.ts = field.value().raw_json_token();
            else if (key.unsafe_is_equal("tid"))
                event.tid = text(field.value(), m_tidScratch);
            break;
        case 'd':
            if (key.unsafe_is_equal("dur"))
                event.dur = field.value().raw_json_token();
            break;
        case 'n':
            if (key.unsafe_is_equal("name"))
                event.name = text(field.value(), m_nameScratch);
            break;
        case 'c':
            if (key.unsafe_is_equal("cat"))
                event.category = text(field.value(), m_categoryScratch);
            break;
        case 'i':
            if (key.unsafe_is_equal("id"))
                event.id = text(field.value(), m_idScratch);
            break;
        case 'a':
            if (key.unsafe_is_equal("args") && field.value().type() == ondemand::json_type::object)
                readArgs(field.value().get_object(), event.args);
            break;
        default:
            break;
        }
    }
}

void KinetoEventParser::Impl::parse(char* base, std::size_t size,
                                    std::span<const JsonEventSplitter::Span> events, std::uint64_t fileOffset)
{
    m_fragment.source.eventsInFile += events.size();
    if (events.empty())
        return;
    // One array of all events costs one stage-1 pass; the bracket and the padding go over neighbouring bytes
    // and back.
    char* begin = base + events.front().begin - 1;
    char* end = base + events.back().end;
    const char savedFront = *begin;
    char savedBack[backMargin];
    std::memcpy(savedBack, end, backMargin);
    *begin = '[';
    *end = ']';
    std::memset(end + 1, ' ', backMargin - 1);

    std::size_t done = 0;
    try {
        const auto length = static_cast<std::size_t>(end + 1 - begin);
        ondemand::document document = m_parser.iterate(begin, length, length + backMargin - 1);
        for (ondemand::object object : document.get_array()) {
            if (done == events.size())
                break;
            RawEvent event;
            readEvent(object, event);
            const auto span = events[done];
            commit(event, {base + span.begin, span.end - span.begin}, fileOffset + span.begin);
            ++done;
        }
    } catch (const simdjson::simdjson_error&) {
        // Something in this chunk is not JSON. The events from `done` on are read one by one, below.
    }
    *begin = savedFront;
    std::memcpy(end, savedBack, backMargin);
    for (; done < events.size(); ++done) {
        const auto span = events[done];
        if (span.end <= size)
            parseAlone({base + span.begin, span.end - span.begin}, fileOffset + span.begin);
    }
}

void KinetoEventParser::Impl::parseAlone(std::string_view source, std::uint64_t offset)
{
    const auto attempt = [&](std::string_view json) {
        try {
            const simdjson::padded_string padded(json);
            ondemand::document document = m_singleParser.iterate(padded);
            RawEvent event;
            readEvent(document.get_object(), event);
            commit(event, json, offset);
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

void KinetoEventParser::Impl::commit(const RawEvent& event, std::string_view source, std::uint64_t offset)
{
    if (event.phase == 'C')
        commitCounter(source, event, offset);
    else if (event.phase == 'M')
        commitMetadata(source, event);
    else
        m_sink.commit(event, offset);
}

void KinetoEventParser::Impl::commitCounter(std::string_view source, const RawEvent& event,
                                            std::uint64_t offset)
{
    const auto time = m_sink.timeOf(event.ts, offset);
    if (!time)
        return;
    simdjson::dom::element document;
    simdjson::dom::object args;
    bool any = false;
    if (m_domParser.parse(source).get(document) == simdjson::SUCCESS
        && document["args"].get(args) == simdjson::SUCCESS) {
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

void KinetoEventParser::Impl::commitMetadata(std::string_view source, const RawEvent& event)
{
    m_sink.countShown();
    if (event.name != "process_name" && event.name != "thread_name")
        return;
    simdjson::dom::element document;
    std::string_view name;
    if (m_domParser.parse(source).get(document) != simdjson::SUCCESS
        || document["args"]["name"].get(name) != simdjson::SUCCESS)
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

void KinetoEventParser::parse(char* text, std::size_t size, std::span<const JsonEventSplitter::Span> events,
                              std::uint64_t fileOffset)
{
    m_impl->parse(text, size, events, fileOffset);
}

void KinetoEventParser::finish()
{
    m_impl->sink().finish();
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
