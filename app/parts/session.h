// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the user made of a run: marks, pins, hidden, collapsed, filtered and selected items, and the visible
// range. A value and its JSON; session_store.h stores it.

#include "model/result.h"
#include "views/state/view_state.h"

#include <QByteArray>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace collscope {

struct Session
{
    /// Identifies a timeline by properties that stay the same when the run is reloaded.
    struct OfRank
    {
        std::int32_t rank = 0;
        bool isNsys = false;
        // NOLINTNEXTLINE(modernize-use-nullptr): mistaken
        friend auto operator<=>(const OfRank&, const OfRank&) = default;
    };

    Annotations annotations;
    std::set<std::int32_t> hiddenRanks, collapsedRanks;
    std::set<OfRank> openThreads;
    std::optional<bool> openGroups;
    double rowScale = 1;
    QString rowFilter;
    std::optional<TimeRange> visible, selected; ///< axis ns
    TimeFormat timeFormat = TimeFormat::Relative;
    ClockChoice clocks = ClockChoice::Auto;
    std::map<std::string, std::int32_t> ranks; ///< LoadOptions::ranks that the run is loaded with
    QString tab; ///< object name of the current tab
    std::optional<std::int64_t> wallClockZeroNs; ///< zero of the axis of the times above
    friend bool operator==(const Session&, const Session&) = default;
};

/// Moves the times to an axis with another zero; unchanged if either axis has no wall clock.
Session movedTo(std::optional<std::int64_t> wallClockZeroNs, Session session);

/// Combines the saved session of a run with the marks, pins and view made since the run started to load.
Session joined(Session kept, const Session& made);

/// Returns indented UTF-8 JSON, suitable for version control next to a run.
QByteArray sessionJson(const Session& session);
/// Reads a session and skips what cannot be interpreted. Error Format if it is not JSON, or not a session.
Result<Session> readSession(const QByteArray& json);

} // namespace collscope
