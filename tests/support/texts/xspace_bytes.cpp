// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/texts/xspace_bytes.h"

#include <nlohmann/json.hpp>
#include <protozero/pbf_writer.hpp>

#include <cstdio>
#include <cstring>
#include <map>

namespace collscope {

namespace {

/// Numbers names as they come.
class Numbers
{
public:
    std::int64_t of(const std::string& name)
    {
        return m_numbers.try_emplace(name, static_cast<std::int64_t>(m_numbers.size()) + 1).first->second;
    }
    const std::map<std::string, std::int64_t>& all() const { return m_numbers; }

private:
    std::map<std::string, std::int64_t> m_numbers;
};

std::string statistic(std::int64_t id, std::int64_t number)
{
    std::string bytes;
    protozero::pbf_writer stat(bytes);
    stat.add_int64(1, id);
    stat.add_int64(4, number);
    return bytes;
}

void addNames(protozero::pbf_writer& plane, std::uint32_t field, const Numbers& numbers,
              const std::map<std::string, std::string>& more)
{
    for (const auto& [name, id] : numbers.all()) {
        std::string entry, value;
        protozero::pbf_writer meta(value);
        meta.add_int64(1, id);
        meta.add_string(2, name);
        if (const auto own = more.find(name); own != more.end())
            value += own->second;
        protozero::pbf_writer pair(entry);
        pair.add_int64(1, id);
        pair.add_message(2, value);
        plane.add_message(field, entry);
    }
}

std::string lineBytes(const XSpaceText::Line& line, Numbers& kinds, Numbers& stats,
                      std::map<std::string, std::string>& kindMore)
{
    std::string bytes;
    protozero::pbf_writer out(bytes);
    out.add_int64(1, line.id);
    out.add_string(2, line.name);
    out.add_int64(3, line.beginNs);
    for (const XSpaceText::Event& event : line.events) {
        std::string own;
        protozero::pbf_writer fields(own);
        fields.add_int64(1, kinds.of(event.name));
        fields.add_int64(2, event.offsetPs);
        fields.add_int64(3, event.durationPs);
        for (const auto& [name, number] : event.numbers)
            fields.add_message(4, statistic(stats.of(name), number));
        std::string more;
        protozero::pbf_writer kind(more);
        if (!event.displayName.empty())
            kind.add_string(4, event.displayName);
        for (const auto& [name, text] : event.texts) {
            std::string stat;
            protozero::pbf_writer value(stat);
            value.add_int64(1, stats.of(name));
            value.add_string(5, text);
            kind.add_message(5, stat);
        }
        kindMore[event.name] = more;
        out.add_message(4, own);
    }
    return bytes;
}

// --- a decoder of its own, for sound bytes ---

struct Field
{
    std::uint64_t number = 0, value = 0;
    std::string_view bytes;
};

std::uint64_t varint(std::string_view& rest)
{
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = static_cast<unsigned char>(rest.at(0));
        rest.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7fu} << shift;
        if (byte < 0x80)
            return value;
    }
}

std::vector<Field> fieldsOf(std::string_view message)
{
    std::vector<Field> fields;
    while (!message.empty()) {
        Field field;
        const std::uint64_t key = varint(message);
        field.number = key >> 3;
        std::size_t length = 0;
        switch (key & 7) {
        case 0:
            field.value = varint(message);
            break;
        case 1:
            length = 8;
            break;
        case 2:
            length = varint(message);
            break;
        default:
            length = 4;
        }
        field.bytes = message.substr(0, length);
        if ((key & 7) == 1)
            std::memcpy(&field.value, field.bytes.data(), 8);
        message.remove_prefix(length);
        fields.push_back(field);
    }
    return fields;
}

struct Meta
{
    std::string name, shown;
    std::vector<std::string_view> stats;
};

std::map<std::uint64_t, Meta> metas(const std::vector<Field>& plane, std::uint64_t number)
{
    std::map<std::uint64_t, Meta> all;
    for (const Field& entry : plane) {
        if (entry.number != number)
            continue;
        std::uint64_t id = 0;
        Meta meta;
        for (const Field& part : fieldsOf(entry.bytes)) {
            if (part.number == 1)
                id = part.value;
            for (const Field& own : part.number == 2 ? fieldsOf(part.bytes) : std::vector<Field>()) {
                if (own.number == 2)
                    meta.name = own.bytes;
                else if (own.number == 4)
                    meta.shown = own.bytes;
                else if (own.number == 5)
                    meta.stats.push_back(own.bytes);
            }
        }
        all[id] = meta;
    }
    return all;
}

std::string microseconds(std::int64_t ps)
{
    char text[40];
    std::snprintf(text, sizeof text, "%lld.%06lld", static_cast<long long>(ps / 1'000'000),
                  static_cast<long long>(ps % 1'000'000));
    return text;
}

void addArg(std::string_view stat, const std::map<std::uint64_t, Meta>& names, nlohmann::json& args)
{
    std::string name, value;
    for (const Field& field : fieldsOf(stat)) {
        const auto meta = names.find(field.value);
        if (field.number == 1 && meta != names.end())
            name = meta->second.name;
        else if (field.number == 2) {
            double number = 0;
            std::memcpy(&number, &field.value, sizeof number);
            value = std::to_string(number);
        } else if (field.number == 3)
            value = std::to_string(field.value);
        else if (field.number == 4)
            value = std::to_string(static_cast<std::int64_t>(field.value));
        else if (field.number == 5)
            value = field.bytes;
        else if (field.number == 7 && meta != names.end())
            value = meta->second.name;
    }
    args[name] = value;
}

std::string jsonText(std::string_view text)
{
    return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace

std::string xspaceBytes(const XSpaceText& text)
{
    std::string bytes;
    protozero::pbf_writer space(bytes);
    for (std::size_t p = 0; p < text.planes.size(); ++p) {
        const XSpaceText::Plane& plane = text.planes[p];
        std::string own;
        protozero::pbf_writer out(own);
        Numbers kinds, stats;
        std::map<std::string, std::string> kindMore;
        out.add_int64(1, static_cast<std::int64_t>(p));
        out.add_string(2, plane.name);
        for (const XSpaceText::Line& line : plane.lines)
            out.add_message(3, lineBytes(line, kinds, stats, kindMore));
        std::string planeStats;
        protozero::pbf_writer last(planeStats);
        for (const auto& [name, number] : plane.numbers)
            last.add_message(6, statistic(stats.of(name), number));
        addNames(out, 4, kinds, kindMore);
        addNames(out, 5, stats, {});
        own += planeStats;
        space.add_message(1, own);
    }
    for (const std::string& host : text.hosts)
        space.add_string(4, host);
    return bytes;
}

std::string traceViewerJson(std::string_view xspace, std::uint64_t& events)
{
    std::string json = R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[)";
    events = 0;
    int pid = 0;
    for (const Field& space : fieldsOf(xspace)) {
        if (space.number != 1)
            continue;
        const std::vector<Field> plane = fieldsOf(space.bytes);
        const auto kinds = metas(plane, 4);
        const auto names = metas(plane, 5);
        ++pid;
        for (const Field& part : plane) {
            const std::string place = "\"pid\":" + std::to_string(pid);
            if (part.number == 2)
                json += R"({"ph":"M",)" + place + R"(,"name":"process_name","args":{"name":)"
                    + jsonText(part.bytes) + "}},";
            if (part.number != 3)
                continue;
            std::int64_t beginNs = 0;
            std::string tid = "0", title;
            const std::vector<Field> line = fieldsOf(part.bytes);
            for (const Field& field : line) {
                if (field.number == 1)
                    tid = std::to_string(field.value);
                else if (field.number == 2 || field.number == 11)
                    title = field.bytes;
                else if (field.number == 3)
                    beginNs = static_cast<std::int64_t>(field.value);
            }
            json += R"({"ph":"M",)" + place + ",\"tid\":" + tid + R"(,"name":"thread_name","args":{"name":)"
                + jsonText(title) + "}},";
            for (const Field& field : line) {
                if (field.number != 4)
                    continue;
                ++events;
                std::int64_t offset = 0, duration = 0;
                Meta kind;
                nlohmann::json args = nlohmann::json::object();
                const std::vector<Field> event = fieldsOf(field.bytes);
                for (const Field& own : event) {
                    if (own.number == 1 && kinds.count(own.value) > 0)
                        kind = kinds.at(own.value);
                    else if (own.number == 2)
                        offset = static_cast<std::int64_t>(own.value);
                    else if (own.number == 3)
                        duration = static_cast<std::int64_t>(own.value);
                }
                for (const std::string_view stat : kind.stats)
                    addArg(stat, names, args);
                for (const Field& own : event) {
                    if (own.number == 4)
                        addArg(own.bytes, names, args);
                }
                const std::string name = args.contains("step_name") ? args["step_name"].get<std::string>()
                    : kind.shown.empty()                            ? kind.name
                                                                    : kind.shown;
                json += R"({"ph":"X",)" + place + ",\"tid\":" + tid
                    + ",\"ts\":" + microseconds(beginNs * 1000 + offset)
                    + ",\"dur\":" + microseconds(duration) + ",\"name\":" + jsonText(name) + ",\"args\":"
                    + args.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "},";
            }
        }
    }
    return json + "{}]}";
}

} // namespace collscope
