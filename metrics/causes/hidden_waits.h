// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Waits beside which a rank goes on computing: they do not make it late. See blame.md.

#include "metrics/calls/calls.h"

#include <map>

namespace collscope {

class HiddenWaits
{
public:
    /// The model must outlive this.
    explicit HiddenWaits(const TraceModel& model)
        : m_model(model)
    { }

    /// How much of a wait the rank feels: at most the time of the call in which its main stream does not
    /// compute, since what the wait makes longer is the end of the call. O(log n + kernels in that time).
    std::int64_t exposedNs(const Call& call, std::int64_t waitNs);
    /// Whether the rank does not go on because the call ends: its main stream computes at that moment, or its
    /// next compute kernel starts only after other work that still runs.
    bool isHiddenAtEnd(const Call& call);

private:
    TrackId mainStreamOf(const Timeline& timeline);

    const TraceModel& m_model;
    std::map<const Timeline*, TrackId> m_mainStreams; ///< that compute most; none: no stream computes
};

} // namespace collscope
