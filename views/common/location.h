// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A location in a run as one line of text, for sharing: "run@rank:track:begin-end", or "run@begin-end" for a
// time range. Times of a slice are in ns on its own rank's clock, whichever clocks the view uses; time ranges
// are on the axis.

#include "model/result.h"
#include "views/common/view_state.h"

#include <QString>

namespace collscope {

struct Location
{
    QString run; ///< title, for display; the location is resolved by the other fields
    std::optional<std::int32_t> rank;
    QString track; ///< name of the stream or thread; empty without a rank
    TimeRange range; ///< on the clock of the rank, if there is one
    friend bool operator==(const Location&, const Location&) = default;
};

/// Parses a location; nullopt if the text is not one.
std::optional<Location> parseLocation(const QString& text);
QString locationText(const Location& location);
/// The location of the selected slice, else of the selected range, else of the visible range.
Location locationOf(const ViewState& state);
/// Shows the location and selects its slice or range. Error NotFound, with a message for the user, if the run
/// does not have it.
Status goTo(ViewState& state, const Location& location);

} // namespace collscope
