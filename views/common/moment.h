// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Formats times on the axis in the chosen way: since the start, as time of day, or as nanoseconds.

#include "views/state/view_state.h"

#include <QString>

namespace collscope {

class MomentText
{
public:
    /// Runs without a wall clock have no time of day; their times are always relative.
    explicit MomentText(const ViewState& state);

    /// The time as text, with the precision required by a step of stepNs: "24.600 ms", "14:03:22.024600"
    /// (UTC), "24 600 000 ns".
    QString of(std::int64_t ns, std::int64_t stepNs) const;
    /// Offset to add to a time so that round numbers in its text are round numbers of ns.
    std::int64_t originNs() const { return m_originNs; }
    /// Minimum distance between two labels on a ruler, in px.
    double tickSpacing() const;

private:
    TimeFormat m_format = TimeFormat::Relative;
    std::int64_t m_originNs = 0;
};

/// Date and time of day with all digits: "2026-03-04 14:03:22.024600123 UTC"; `ns` is since the epoch.
QString wallClockLabel(std::int64_t ns);

} // namespace collscope
