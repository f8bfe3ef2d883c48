// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/kineto_event_reader.h"

#include <cstring>

namespace collscope {

namespace ondemand = simdjson::ondemand;

namespace {

/// A scalar as written in the file, without the blanks after it.
std::string_view tokenOf(ondemand::value value)
{
    std::string_view token = value.raw_json_token();
    while (!token.empty() && static_cast<unsigned char>(token.back()) <= ' ')
        token.remove_suffix(1);
    return token;
}

std::string_view unquoted(std::string_view token)
{
    return token.size() >= 2 && token.front() == '"' ? token.substr(1, token.size() - 2) : token;
}

/// A scalar's text without quotes and blanks; a list unchanged. Escapes are kept: the args that are used
/// contain none that matter.
std::string_view plainText(ondemand::value value)
{
    const std::string_view token = tokenOf(value);
    switch (token.empty() ? '\0' : token.front()) {
    case '[': {
        ondemand::array array = value.get_array();
        std::string_view text = simdjson::to_json_string(array);
        while (!text.empty() && text.back() != ']')
            text.remove_suffix(1);
        return text;
    }
    case '{':
    case 'n':
        return {};
    default:
        return unquoted(token);
    }
}

/// Whether an event may have arbitrary arg names, which are read from the args' text: counters and metadata
/// have, and so may an event whose phase follows later.
bool hasNamedArgs(char phase)
{
    return phase == 'C' || phase == 'M' || phase == 0;
}

/// Sets a field. Of several values the last one counts, as in most readers.
void set(std::string_view& field, std::string_view value, RawEvent& event)
{
    event.repeatsKey |= field.data() != nullptr;
    field = value;
}

void readArgs(ondemand::value value, RawEvent& event)
{
    if (value.type() != ondemand::json_type::object)
        return;
    ondemand::object object = value.get_object();
    if (hasNamedArgs(event.phase)) {
        event.argsJson = object.raw_json();
        object.reset();
    }
    for (ondemand::field field : object) {
        if (std::string_view* text = kinetoArgField(event.args, field.key().raw())) {
            event.repeatsKey |= !text->empty();
            *text = plainText(field.value());
            event.setArgs.push_back(text);
        }
    }
}

} // namespace

std::string_view KinetoEventReader::text(ondemand::value value, std::string& scratch)
{
    const std::string_view token = tokenOf(value);
    if (token.size() < 2 || token.front() != '"')
        return token; // a number: pid 4242 and pid "4242" are the same process
    const std::string_view content = token.substr(1, token.size() - 2);
    if (std::memchr(content.data(), '\\', content.size()) == nullptr)
        return content;
    scratch.assign(std::string_view(value.get_string()));
    return scratch;
}

void KinetoEventReader::read(ondemand::object object, RawEvent& event)
{
    event.clear();
    for (ondemand::field field : object) {
        // Keys are distinguished by their raw text; the padding allows reading beyond a short one.
        const char* raw = field.key().raw();
        const auto keyIs = [raw](std::string_view key) {
            return std::memcmp(raw, key.data(), key.size()) == 0 && raw[key.size()] == '"';
        };
        switch (raw[0]) {
        case 'p':
            if (keyIs("ph")) {
                event.repeatsKey |= event.phase != 0;
                const std::string_view token = field.value().raw_json_token();
                event.phase = token.size() > 2 && token[0] == '"' && token[2] == '"' ? token[1] : '\0';
            } else if (keyIs("pid")) {
                set(event.pid, text(field.value(), m_pid), event);
            }
            break;
        case 't':
            if (keyIs("ts"))
                set(event.ts, field.value().raw_json_token(), event);
            else if (keyIs("tid"))
                set(event.tid, text(field.value(), m_tid), event);
            break;
        case 'd':
            if (keyIs("dur"))
                set(event.dur, field.value().raw_json_token(), event);
            break;
        case 'n':
            if (keyIs("name"))
                set(event.name, text(field.value(), m_name), event);
            break;
        case 'c':
            if (keyIs("cat"))
                set(event.category, unquoted(tokenOf(field.value())), event);
            break;
        case 'i':
            if (keyIs("id"))
                set(event.id, text(field.value(), m_id), event);
            break;
        case 'a':
            if (keyIs("args"))
                readArgs(field.value(), event);
            break;
        default:
            break;
        }
    }
}

} // namespace collscope
