// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// "The events of this class, with this name, in this group": a selection of events described in words, and
// their times, bytes and counts in the windows of a selection. User-defined metrics are built from them.

#include "metrics/core/rank_windows.h"

#include <regex>
#include <span>

namespace collscope {

/// A word for a class of events. Exactly one of the two sets is not empty.
struct EventClass
{
    std::string_view word;
    std::uint32_t kernelClasses = 0; ///< GPU work: one bit per KernelClass
    std::uint32_t categories = 0; ///< CPU events: one bit per SliceCategory
};
/// All words that a filter accepts: "communication", "gemm", "cpu_op", ...
std::span<const EventClass> eventClasses();

/// A selection of events. All given conditions must hold.
struct EventFilter
{
    std::vector<EventClass> classes; ///< any of these; at least one
    std::string name; ///< regular expression to search for in the name; empty = every name
    std::shared_ptr<const std::regex> nameRegex; ///< compiled `name`; nullptr = every name
    std::string group; ///< part of the process group's name or description, any case; empty = every event
    std::vector<std::int32_t> ranks; ///< empty = all
    std::vector<std::int32_t> streams; ///< GPU streams; empty = all

    bool countsRank(std::int32_t rank) const;
    /// Whether the regular expression, if there is one, is found in a name.
    bool countsName(std::string_view name) const;
    /// Whether an event may be an operator or a Python function; reduced runs do not contain all of these.
    bool readsOperators() const;
    /// Whether every event of the classes can have a message or copy size.
    bool canHaveBytes() const;
    /// "communication, name ~ /all.?reduce/, group mesh_tp, ranks 0 1"
    std::string text() const;
};

/// Sets name and nameRegex: ECMAScript grammar, case-insensitive, without back-references. Returns "" or the
/// error in the expression, as the end of a sentence. Only the first 1000 characters of an event's name are
/// examined.
std::string setNamePattern(EventFilter& filter, const std::string& pattern);

/// Figures of the events in one window.
struct EventSums
{
    std::int64_t unionNs = 0; ///< time during which at least one event ran, clipped to the window
    std::int64_t sumNs = 0; ///< sum of the durations clipped to the window
    std::int64_t bytes = 0; ///< message sizes S and copy sizes of the events that start in the window
    std::int64_t count = 0; ///< events that start in the window
    std::int64_t unsized = 0; ///< of these, events without a size
    std::int64_t overlapping = 0; ///< events that overlap the window or start in it
    EventSums& operator+=(const EventSums& other);
};

struct RankEvents
{
    std::int32_t rank = 0;
    std::vector<EventSums> steps; ///< the windows of the rank, in the order of the selection
    EventSums total; ///< sum over the windows
};

/// One entry per rank of the selection that the filter counts. O(events of the tracks in the windows), and
/// one match per distinct name. With --attribution launch GPU events count in full for the step that launched
/// them.
std::vector<RankEvents> measureEvents(const TraceModel& model, const Selection& selection,
                                      const EventFilter& filter, const MetricOptions& options,
                                      std::vector<SliceRef>* evidence);

} // namespace collscope
