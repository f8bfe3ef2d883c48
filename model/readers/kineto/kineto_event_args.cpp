// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/kineto_event_args.h"

#include "model/readers/byte_source.h"
#include "model/readers/text/json_repair.h"
#include "model/readers/text/list_pieces.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace collscope {

namespace ondemand = simdjson::ondemand;

namespace {

constexpr std::size_t pieceBytes = std::size_t{64} * 1024;
/// Most events are shorter.
constexpr std::size_t usualEvent = 512;
/// An event longer than this is not read again.
constexpr std::size_t longestEvent = std::size_t{16} << 20;

/// The texts of a file's events; the file is read once, from start to end.
class EventTexts
{
public:
    using GoesOn = std::function<bool(std::uint64_t diskBytes)>;

    EventTexts(ByteSource& source, const GoesOn& goesOn)
        : m_source(source)
        , m_goesOn(goesOn)
    { }

    /// The object that starts at `offset`, which may be invalid JSON; "" if it does not end, or on
    /// cancellation. A parser may read beyond the text. Offsets must ascend; a text is valid until the next
    /// call.
    std::string_view at(std::uint64_t offset)
    {
        if (!moveTo(offset))
            return {};
        for (std::size_t length = usualEvent; length <= longestEvent; length *= 2) {
            const std::string_view text = front(length);
            const bool isLast = text.size() < length;
            const ListPiece piece = nextPiece(text, 0, isLast);
            if (piece.kind == ListPiece::Kind::Event || piece.kind == ListPiece::Kind::Broken)
                return text.substr(piece.begin, piece.end - piece.begin);
            if (isLast || m_isCancelled)
                break;
        }
        return {};
    }
    bool isCancelled() const { return m_isCancelled; }

private:
    std::size_t buffered() const { return m_end - m_front; }

    bool moveTo(std::uint64_t offset)
    {
        if (offset < m_offset)
            return false;
        std::uint64_t rest = offset - m_offset;
        m_offset = offset;
        const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(rest, buffered()));
        m_front += here;
        rest -= here;
        while (rest > 0 && shouldContinue()) {
            const std::uint64_t skipped = m_source.skip(rest);
            if (skipped == 0)
                return false;
            rest -= skipped;
        }
        return rest == 0;
    }

    /// The next `length` bytes; fewer at the end of the file.
    std::string_view front(std::size_t length)
    {
        while (buffered() < length && shouldContinue()) {
            if (m_front > 0)
                std::memmove(m_memory.data(), m_memory.data() + m_front, buffered());
            m_end = buffered();
            m_front = 0;
            m_memory.resize(std::max(m_memory.size(), m_end + pieceBytes + simdjson::SIMDJSON_PADDING));
            const std::size_t got = m_source.read({m_memory.data() + m_end, pieceBytes});
            m_end += got;
            if (got < pieceBytes)
                break;
        }
        return {m_memory.data() + m_front, std::min(length, buffered())};
    }

    bool shouldContinue()
    {
        m_isCancelled = m_isCancelled || !m_goesOn(m_source.diskBytesRead());
        return !m_isCancelled;
    }

    ByteSource& m_source;
    const GoesOn& m_goesOn;
    std::vector<char> m_memory;
    std::size_t m_front = 0, m_end = 0; ///< of the part of m_memory that is read and not yet passed
    std::uint64_t m_offset = 0; ///< of m_front in the file
    bool m_isCancelled = false;
};

struct NamedArgs
{
    std::string name;
    EventArgs args;
};

/// Nested values are returned as text, at any depth: nothing here recurses. Valid as long as the document.
std::string_view valueText(ondemand::value value)
{
    std::string_view text;
    if (value.type() == ondemand::json_type::string && value.get_string().get(text) == simdjson::SUCCESS)
        return text;
    text = value.type() == ondemand::json_type::object || value.type() == ondemand::json_type::array
        ? simdjson::to_json_string(value).value()
        : value.raw_json_token();
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
        text.remove_suffix(1);
    return text;
}

/// The name that the event has in the model: of a list or an object, which no profiler writes, the first
/// character.
std::string_view nameText(ondemand::value& value)
{
    const ondemand::json_type type = value.type();
    return type == ondemand::json_type::object || type == ondemand::json_type::array
        ? std::string_view(value.raw_json_token()).substr(0, 1)
        : valueText(value);
}

simdjson::padded_string_view paddedView(std::string_view text)
{
    return simdjson::padded_string_view(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
}

/// Parses events one after the other, with memory for one of them.
class EventParser
{
public:
    /// Returns nullopt if the text is not JSON and cannot be repaired. The text must be padded.
    std::optional<NamedArgs> read(std::string_view text)
    {
        std::optional<NamedArgs> event = parsed(paddedView(text));
        if (!event)
            event = parsed(simdjson::padded_string(repairJson(text).text));
        return event ? event
                     : parsed(simdjson::padded_string(repairJson(text, EscapedQuote::MayEndString).text));
    }

private:
    std::optional<NamedArgs> parsed(const simdjson::padded_string_view& json)
    {
        try {
            NamedArgs event;
            ondemand::document document = m_parser.iterate(json);
            for (ondemand::field field : document.get_object()) {
                const ondemand::raw_json_string key = field.key(); // as in a load, not unescaped
                ondemand::value value = field.value();
                if (key == "name")
                    event.name = nameText(value);
                else if (key == "args" && value.type() == ondemand::json_type::object)
                    event.args = argsIn(value.get_object());
            }
            return event;
        } catch (const simdjson::simdjson_error&) {
            return std::nullopt;
        }
    }

    static EventArgs argsIn(ondemand::object object)
    {
        EventArgs args;
        for (ondemand::field field : object) {
            const std::string_view key = field.unescaped_key();
            args.emplace_back(key, valueText(field.value()));
        }
        return args;
    }

    ondemand::parser m_parser;
};

/// Whether an event has a wanted arg; nullopt if its text is not JSON. The text must be padded.
std::optional<bool> hasWanted(ondemand::parser& parser, std::string_view text, const ArgTest& isWanted)
{
    try {
        ondemand::document document = parser.iterate(paddedView(text));
        ondemand::object args;
        const simdjson::error_code error = document["args"].get_object().get(args);
        if (error == simdjson::NO_SUCH_FIELD || error == simdjson::INCORRECT_TYPE)
            return false;
        if (error != simdjson::SUCCESS)
            return std::nullopt;
        for (ondemand::field field : args) {
            const std::string_view key = field.unescaped_key();
            if (isWanted(key, valueText(field.value())))
                return true;
        }
        return false;
    } catch (const simdjson::simdjson_error&) {
        return std::nullopt;
    }
}

Error cancelledError(const std::string& path)
{
    return {Error::Kind::Cancelled, "Reading the event again was cancelled.", path};
}

Error changedError(const std::string& path, std::uint64_t offset)
{
    return {Error::Kind::Format, path + " has changed since it was loaded: the event was not found.", path,
            offset};
}

} // namespace

Result<EventArgs> readEventArgs(const std::string& path, std::uint64_t offset, std::string_view name,
                                const std::stop_token& stop)
{
    auto source = ByteSource::open(path);
    if (!source)
        return source.error();
    const EventTexts::GoesOn goesOn = [&](std::uint64_t) { return !stop.stop_requested(); };
    EventTexts texts(**source, goesOn);
    const std::string_view text = texts.at(offset);
    if (texts.isCancelled())
        return cancelledError(path);
    std::optional<NamedArgs> event = EventParser().read(text);
    if (!event || event->name != name)
        return changedError(path, offset);
    return std::move(event->args);
}

Status readArgsOf(const TraceModel& model, const std::string& path, std::span<const EventLocation> events,
                  const std::function<void(SliceRef slice, EventArgs&& args)>& take,
                  const std::function<bool(std::uint64_t diskBytes)>& goesOn)
{
    auto source = ByteSource::open(path);
    if (!source)
        return source.error();
    EventTexts texts(**source, goesOn);
    EventParser eventParser;
    for (const EventLocation& place : events) {
        const std::string_view text = texts.at(place.offset);
        if (texts.isCancelled())
            return cancelledError(path);
        std::optional<NamedArgs> event = eventParser.read(text);
        if (!event || event->name != model.nameOf(place.slice))
            return changedError(path, place.offset);
        take(place.slice, std::move(event->args));
    }
    return {};
}

Result<std::vector<SliceRef>> slicesWithArg(const TraceModel& model, const std::string& path,
                                            std::span<const EventLocation> events, const ArgTest& isWanted,
                                            const std::function<bool(std::uint64_t diskBytes)>& goesOn)
{
    auto source = ByteSource::open(path);
    if (!source)
        return source.error();
    EventTexts texts(**source, goesOn);
    ondemand::parser parser;
    EventParser eventParser;
    std::vector<SliceRef> found;
    for (const EventLocation& place : events) {
        const std::string_view text = texts.at(place.offset);
        if (texts.isCancelled())
            return cancelledError(path);
        const std::optional<bool> verdict = hasWanted(parser, text, isWanted);
        if (verdict == false)
            continue;
        // Either a hit or a text that must be repaired; both are rare enough to check that the event is still
        // the same.
        const std::optional<NamedArgs> event = eventParser.read(text);
        if (!event || event->name != model.nameOf(place.slice))
            return changedError(path, place.offset);
        const bool isHit = verdict.value_or(false)
            || std::any_of(event->args.begin(), event->args.end(),
                           [&](const auto& arg) { return isWanted(arg.first, arg.second); });
        if (isHit)
            found.push_back(place.slice);
    }
    return found;
}

} // namespace collscope
