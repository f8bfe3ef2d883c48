// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The parts that the time of a step is divided into.

#include "metrics/partition/worst_places.h"

#include <array>
#include <string_view>

namespace collscope {

struct Timeline;

/// The parts of a step, in the order in which one hides the next.
enum class Part : std::uint8_t
{
    Compute, ///< kernels that compute, and memsets
    Communication, ///< exposed, while data moved
    Waiting, ///< exposed, until the last rank arrived
    Copy, ///< exposed
    Idle
};
constexpr std::size_t partCount = static_cast<std::size_t>(Part::Idle) + 1;
/// "compute", "communication", "waiting", "copy", "idle": the words of the JSON.
std::string_view partName(Part part);

/// Times of the parts in ns. They add up to the window.
struct PartTimes
{
    std::array<std::int64_t, partCount> ns{};

    std::int64_t of(Part part) const { return ns[static_cast<std::size_t>(part)]; }
    void add(Part part, std::int64_t more) { ns[static_cast<std::size_t>(part)] += more; }
    std::int64_t total() const;
    PartTimes& operator+=(const PartTimes& other);
};

/// Exposed copies of one name on one stream.
struct CopyShare
{
    StringId name;
    const Timeline* timeline = nullptr;
    TrackId track; ///< none: of a summary
    std::int64_t ns = 0;
    std::int64_t count = 0; ///< copies with an exposed part
    WorstPlaces places; ///< their longest exposed stretches, in the timeline's own time
};

} // namespace collscope
