// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Moments of the axis as text, the way that was chosen: since the start, time of day, or every nanosecond.

#include "views/view_state.h"

#include <QString>

namespace collscope {

class MomentText
{
public:
    /// Of a run without wall clock the time of day is unknown: then moments are relative.
    explicit MomentText(const ViewState& state);

    /// As precise as a step of stepNs needs: "24.600 ms", "14:03:22.024600" (UTC), "24 600 000 ns".
    QString of(std::int64_t ns, std::int64_t stepNs) const;
    /// What to add to a moment so that round numbers of its text are round numbers of ns.
    std::int64_t originNs() const { return m_originNs; }
    /// Room between two labels on a ruler, in px.
    double tickSpacing() const;

private:
    TimeFormat m_format = TimeFormat::Relative;
    std::int64_t m_originNs = 0;
};

/// Date and time of day with every digit: "2026-03-04 14:03:22.024600123 UTC"; `ns` since the epoch.
QString wallClockText(std::int64_t ns);

} // namespace collscope
