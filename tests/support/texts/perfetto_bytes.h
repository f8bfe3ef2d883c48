// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Packets of Perfetto traces, written as google/perfetto, protos/perfetto/trace describes them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

/// One packet of a trace.
struct PerfettoPacket
{
    enum class Type
    {
        None, ///< not an event
        Begin = 1,
        End = 2,
        Instant = 3,
        Counter = 4
    };
    Type type = Type::None;
    std::optional<std::uint64_t> time = {};
    std::optional<std::uint32_t> clock = {};
    std::uint64_t sequence = 1;
    std::uint64_t flags = 0; ///< 1 = begins anew, 2 = refers to names
    std::optional<std::uint64_t> track = {};
    std::string name = {}, category = {};
    std::optional<std::uint64_t> nameId = {}, categoryId = {};
    std::vector<std::pair<std::string, std::string>> texts = {}; ///< debug annotations
    std::vector<std::pair<std::string, std::uint64_t>> numbers = {};
    std::optional<std::int64_t> count = {}; ///< of a counter
    std::string more = {}; ///< further fields of the packet, encoded
};

std::string perfettoPacket(const PerfettoPacket& packet);

/// A packet that describes a track.
struct PerfettoTrackText
{
    std::uint64_t uuid = 0, parent = 0;
    std::string name = {};
    std::optional<std::int32_t> pid = {}, tid = {};
    std::string threadName = {};
    bool isCounter = false;
    bool countsBytes = false;
    bool isIncremental = false;
};
std::string perfettoTrack(const PerfettoTrackText& track);

/// Fields for PerfettoPacket::more: names by number (2 = events, 1 = categories, 24 = stages and queues of
/// GPUs), the clock and track that a sequence uses, clocks of a snapshot as {number, time, unit,
/// incremental}.
std::string perfettoNames(std::uint32_t list,
                          const std::vector<std::pair<std::uint64_t, std::string>>& names);
std::string perfettoDefaults(std::optional<std::uint32_t> clock, std::optional<std::uint64_t> track);
struct PerfettoClockText
{
    std::uint32_t id = 0;
    std::uint64_t time = 0, unit = 1;
    bool isIncremental = false;
};
std::string perfettoClocks(const std::vector<PerfettoClockText>& clocks);
/// A GPU's work: queue and stage by the numbers of their names.
std::string perfettoGpuWork(std::uint64_t durationNs, std::int32_t gpu, std::uint64_t queue,
                            std::uint64_t stage);

} // namespace collscope
