// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/event_args.h"

#include "model/readers/byte_source.h"
#include "model/readers/json_event_splitter.h"
#include "model/readers/json_repair.h"

#include <nlohmann/json.hpp>

namespace collscope {

namespace {

using json = nlohmann::ordered_json;

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

json parsed(const std::string& text)
{
    json event = json::parse(text, nullptr, false);
    return event.is_discarded() ? json::parse(repairJson(text).text, nullptr, false) : event;
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
    const json event = offset == 0 ? parsed(firstObject(**source)) : json();
    const auto found = event.is_object() ? event.find("name") : event.end();
    if (!event.is_object() || (!name.empty() && (found == event.end() || *found != name)))
        return Error{Error::Kind::Format,
                     path + " has changed since it was loaded: the event is not there any more.", path,
                     offset};
    EventArgs args;
    if (const auto object = event.find("args"); object != event.end() && object->is_object()) {
        for (const auto& [key, value] : object->items())
            args.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return args;
}

} // namespace collscope
