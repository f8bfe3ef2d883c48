// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a person made of a run: marks, pins, what is hidden, collapsed, filtered, selected and looked at. A
// value and its JSON; where it is kept is the business of session_store.h.

#include "views/view_state.h"

#include <QByteArray>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace collscope {

struct Session
{
    /// A timeline by what stays the same when the run is loaded again.
    struct OfRank
    {
        std::int32_t rank = 0;
        bool isNsys = false;
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
    QString tab; ///< object name of the tab in front
    std::optional<std::int64_t> wallClockZeroNs; ///< of the axis that the times above belong to
    friend bool operator==(const Session&, const Session&) = default;
};

/// The same moments on an axis with another zero; as it is where either has no wall clock.
Session movedTo(std::optional<std::int64_t> wallClockZeroNs, Session session);

/// What was kept of a run, with what was made since it began to load: its marks, pins and view.
Session joined(Session kept, const Session& made);

/// UTF-8 JSON, indented: people put it under version control beside a run.
QByteArray sessionJson(const Session& session);
/// What cannot be understood is left out; `error` says why there is nothing at all (no JSON, or not of a
/// session).
std::optional<Session> readSession(const QByteArray& json, QString& error);

} // namespace collscope
