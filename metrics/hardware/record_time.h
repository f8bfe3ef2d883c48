// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the stamps of hardware records lie on the wall clock of the traces.

#include "model/trace_model.h"
#include "model/witnesses/hardware_record.h"

#include <optional>

namespace collscope {

/// What the stamps of a device or an error mean.
struct RecordTime
{
    enum class Kind : std::uint8_t
    {
        Stated, ///< UTC
        Guessed, ///< the only zone that puts the record beside the traces
        Unknown, ///< cannot be told, but the record may be of the time of the traces
        Elsewhere ///< of another time, in any zone
    };
    Kind kind = Kind::Unknown;
    std::int64_t toUtcNs = 0; ///< to add to a stamp; of Stated and Guessed
    std::string_view why; ///< of Unknown: "its times have no zone"

    bool isPlaced() const { return kind == Kind::Stated || kind == Kind::Guessed; }
};

/// When the traces were recorded, in ns since the epoch; nullopt if they have no wall clock.
std::optional<TimeRange> wallRangeOf(const TraceModel& model);
/// Only zones that are in use count (IANA time zone database). O(1) for sorted times.
RecordTime recordTimeOf(const std::optional<TimeRange>& traces, const HardwareDevice& device);
/// Of an error. `toUtcNs`: what the samples of the run were guessed to need. Within an hour of the traces
/// counts as theirs: an error often ends a job.
RecordTime recordTimeOf(const std::optional<TimeRange>& traces, const XidEvent& xid,
                        const std::optional<std::int64_t>& toUtcNs);
/// "UTC+01:00".
std::string zoneText(std::int64_t toUtcNs);
/// ", if the times of the record are UTC+01:00, the only zone ...": the condition under which a sentence
/// about a record holds; empty for a stated zone.
std::string guessText(const RecordTime& time);

} // namespace collscope
