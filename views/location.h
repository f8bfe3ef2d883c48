// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A place in a run as a line of text that people send each other: "run@rank:track:begin-end", or
// "run@begin-end" for a stretch of time. Times of a slice are ns by its own rank's clock, whichever clocks
// are on show; those of a stretch are on the axis.

#include "views/view_state.h"

#include <QString>

namespace collscope {

struct Location
{
    QString run; ///< title, for people; where it leads is decided by the rest
    std::optional<std::int32_t> rank;
    QString track; ///< name of the stream or thread; empty without a rank
    TimeRange range; ///< with a rank, by its clock
    friend bool operator==(const Location&, const Location&) = default;
};

/// nullopt if the text is none.
std::optional<Location> parseLocation(const QString& text);
QString locationText(const Location& location);
/// Of the selected slice, else of the selected range, else of what is visible.
Location locationOf(const ViewState& state);
/// Shows it, and selects its slice, or its range. Why it cannot, for people; empty if it could.
QString goTo(ViewState& state, const Location& location);

} // namespace collscope
