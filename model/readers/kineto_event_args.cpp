// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto_event_args.h"

#include "model/readers/byte_source.h"
#include "model/readers/json_event_splitter.h"
#include "model/readers/json_repair.h"
#include "model/readers/kineto_event_reader.h"

#include <optional>

namespace collscope {

namespace ondemand = simdjson::ondemand;

namespace {

constexpr std::size_t pieceBytes = std::size_t{64} * 1024;
/// An event longer than this is not looked at again.
constexpr std::size_t longestEvent = std::size_t{16} << 20;

/// The text of the first object from where the source is; "" if none ends.
std::string firstObject(ByteSource& source)
{
    JsonEventSplitter splitter = JsonEventSplitter::amidEvents();
    std::vector<JsonEventSplitter::Span> spans;
    std::string text;
    while (text.size() < longestEvent) {
        const std::size_t before = text.size();
        text.resize(before + pieceBytes);
        text.resize(before + source.read({text.data() + before, pieceBytes}));
        splitter.scan(text, before, spans);
        if (!spans.empty())
            return text.substr(spans.front().begin, spans.front().end - spans.front().begin);
        if (text.size() < before + pieceBytes)
            break;
    }
    return {};
}

struct NamedArgs
{
    std::string name;
    EventArgs args;
};

std::string valueText(ondemand::value value)
{
    std::string_view text;
    if (value.type() == ondemand::json_type::string && value.get_string().get(text) == simdjson::SUCCESS)
        return std::string(text);
    text = value.type() == ondemand::json_type::object || value.type() == ondemand::json_type::array
        ? simdjson::to_json_string(value).value()
        : value.raw_json_token();
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ')
        text.remove_suffix(1);
    return std::string(text);
}

/// Nested values are taken as text, however deep they are: nothing here recurses.
std::optional<NamedArgs> parsed(std::string_view text)
{
    try {
        const simdjson::padded_string json(text);
        ondemand::parser parser;
        NamedArgs event;
        RawEvent raw;
        ondemand::document document = parser.iterate(json);
        KinetoEventReader reader; // keeps the unescaped name
        reader.read(document.get_object(), raw);
        event.name = raw.name;
        document = parser.iterate(json);
        ondemand::object args;
        if (document["args"].get_object().get(args) != simdjson::SUCCESS)
            return event;
        for (ondemand::field field : args) {
            const std::string key(std::string_view(field.unescaped_key()));
            event.args.emplace_back(key, valueText(field.value()));
        }
        return event;
    } catch (const simdjson::simdjson_error&) {
        return std::nullopt;
    }
}

} // namespace

Result<EventArgs> readEventArgs(const std::string& path, std::uint64_t offset, std::string_view name,
                                const std::function<bool()>& cancelled)
{
    auto source = ByteSource::open(path);
    if (!source)
        return source.error();
    while (offset > 0 && !cancelled()) {
        const std::uint64_t skipped = (*source)->skip(offset);
        if (skipped == 0)
            break;
        offset -= skipped;
    }
    if (cancelled())
        return Error{Error::Kind::Cancelled, "Reading the event again was cancelled.", path};
    const std::string text = offset == 0 ? firstObject(**source) : std::string();
    std::optional<NamedArgs> event = parsed(text);
    if (!event)
        event = parsed(repairJson(text).text);
    if (!event || event->name != name)
        return Error{Error::Kind::Format,
                     path + " has changed since it was loaded: the event is not there any more.", path,
                     offset};
    return std::move(event->args);
}

} // namespace collscope
