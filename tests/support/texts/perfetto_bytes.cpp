// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/texts/perfetto_bytes.h"

#include <protozero/pbf_writer.hpp>

namespace collscope {

namespace {

template<typename Fill>
std::string message(Fill&& fill)
{
    std::string bytes;
    protozero::pbf_writer out(bytes);
    fill(out);
    return bytes;
}

std::string asPacket(const std::string& fields)
{
    return message([&](protozero::pbf_writer& trace) { trace.add_message(1, fields); });
}

} // namespace

std::string perfettoPacket(const PerfettoPacket& packet)
{
    const std::string event = message([&](protozero::pbf_writer& out) {
        out.add_enum(9, static_cast<int>(packet.type));
        if (packet.categoryId)
            out.add_uint64(3, *packet.categoryId);
        if (!packet.category.empty())
            out.add_string(22, packet.category);
        if (packet.nameId)
            out.add_uint64(10, *packet.nameId);
        if (!packet.name.empty())
            out.add_string(23, packet.name);
        if (packet.track)
            out.add_uint64(11, *packet.track);
        if (packet.count)
            out.add_int64(30, *packet.count);
        for (const auto& [name, text] : packet.texts)
            out.add_message(4, message([&, &key = name, &value = text](protozero::pbf_writer& own) {
                                own.add_string(10, key);
                                own.add_string(6, value);
                            }));
        for (const auto& [name, number] : packet.numbers)
            out.add_message(4, message([&, &key = name, value = number](protozero::pbf_writer& own) {
                                own.add_string(10, key);
                                own.add_uint64(3, value);
                            }));
    });
    return asPacket(message([&](protozero::pbf_writer& out) {
                        if (packet.time)
                            out.add_uint64(8, *packet.time);
                        out.add_uint32(10, static_cast<std::uint32_t>(packet.sequence));
                        if (packet.flags != 0)
                            out.add_uint32(13, static_cast<std::uint32_t>(packet.flags));
                        if (packet.clock)
                            out.add_uint32(58, *packet.clock);
                    })
                    + packet.more
                    + (packet.type == PerfettoPacket::Type::None
                           ? std::string()
                           : message([&](protozero::pbf_writer& out) { out.add_message(11, event); })));
}

std::string perfettoTrack(const PerfettoTrackText& track)
{
    const std::string descriptor = message([&](protozero::pbf_writer& out) {
        out.add_uint64(1, track.uuid);
        if (!track.name.empty())
            out.add_string(2, track.name);
        if (track.pid && !track.tid)
            out.add_message(3, message([&](protozero::pbf_writer& own) { own.add_int32(1, *track.pid); }));
        if (track.tid)
            out.add_message(4, message([&](protozero::pbf_writer& own) {
                                own.add_int32(1, track.pid.value_or(0));
                                own.add_int32(2, *track.tid);
                                own.add_string(5, track.threadName);
                            }));
        if (track.parent != 0)
            out.add_uint64(5, track.parent);
        if (track.isCounter)
            out.add_message(8, message([&](protozero::pbf_writer& own) {
                                own.add_enum(3, track.countsBytes ? 3 : 2);
                                own.add_bool(5, track.isIncremental);
                            }));
    });
    return asPacket(message([&](protozero::pbf_writer& out) {
        out.add_uint32(10, 1);
        out.add_message(60, descriptor);
    }));
}

std::string perfettoNames(std::uint32_t list, const std::vector<std::pair<std::uint64_t, std::string>>& names)
{
    const std::string data = message([&](protozero::pbf_writer& out) {
        for (const auto& [id, name] : names)
            out.add_message(list, message([&, number = id, &text = name](protozero::pbf_writer& own) {
                                own.add_uint64(1, number);
                                own.add_string(2, text);
                            }));
    });
    return message([&](protozero::pbf_writer& out) { out.add_message(12, data); });
}

std::string perfettoDefaults(std::optional<std::uint32_t> clock, std::optional<std::uint64_t> track)
{
    const std::string data = message([&](protozero::pbf_writer& out) {
        if (clock)
            out.add_uint32(58, *clock);
        if (track)
            out.add_message(11, message([&](protozero::pbf_writer& own) { own.add_uint64(11, *track); }));
    });
    return message([&](protozero::pbf_writer& out) { out.add_message(59, data); });
}

std::string perfettoClocks(const std::vector<PerfettoClockText>& clocks)
{
    const std::string data = message([&](protozero::pbf_writer& out) {
        for (const PerfettoClockText& clock : clocks)
            out.add_message(1, message([&](protozero::pbf_writer& own) {
                                own.add_uint32(1, clock.id);
                                own.add_uint64(2, clock.time);
                                own.add_bool(3, clock.isIncremental);
                                own.add_uint64(4, clock.unit);
                            }));
    });
    return message([&](protozero::pbf_writer& out) { out.add_message(6, data); });
}

std::string perfettoGpuWork(std::uint64_t durationNs, std::int32_t gpu, std::uint64_t queue,
                            std::uint64_t stage)
{
    const std::string data = message([&](protozero::pbf_writer& out) {
        out.add_uint64(2, durationNs);
        out.add_int32(11, gpu);
        out.add_uint64(13, queue);
        out.add_uint64(14, stage);
    });
    return message([&](protozero::pbf_writer& out) { out.add_message(53, data); });
}

} // namespace collscope
