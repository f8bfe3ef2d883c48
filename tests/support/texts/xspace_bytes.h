// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// XSpace protobufs of XLA's profiler, and what its trace viewer makes of them, both independent of the
// reader.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

/// A profile to be written.
struct XSpaceText
{
    struct Event
    {
        std::string name;
        std::int64_t offsetPs = 0, durationPs = 0;
        std::vector<std::pair<std::string, std::string>> texts; ///< statistics of the kind of event
        std::vector<std::pair<std::string, std::int64_t>> numbers; ///< statistics of the event
        std::string displayName = {};
    };
    struct Line
    {
        std::int64_t id = 0;
        std::string name;
        std::int64_t beginNs = 0;
        std::vector<Event> events;
    };
    struct Plane
    {
        std::string name;
        std::vector<Line> lines;
        std::vector<std::pair<std::string, std::int64_t>> numbers = {}; ///< statistics of the plane
    };
    std::vector<Plane> planes;
    std::vector<std::string> hosts = {};
};

/// In the order of fields in which profilers write.
std::string xspaceBytes(const XSpaceText& text);

/// The JSON that a trace viewer writes of an XSpace, without a limit of events; `events` is their number. The
/// bytes must be sound.
std::string traceViewerJson(std::string_view xspace, std::uint64_t& events);

} // namespace collscope
