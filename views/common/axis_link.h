// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Links the time axes of two runs: visible range and hover position follow each other.

#include "views/state/view_state.h"

#include <QObject>

namespace collscope {

/// The link exists as long as this object; both states must outlive it. Each run can be panned over the range
/// of both runs, so that the two always have the same scale.
class AxisLink : public QObject
{
    Q_OBJECT

public:
    /// Moves nothing until the first change, or align().
    AxisLink(ViewState* first, ViewState* second, QObject* parent = nullptr);
    ~AxisLink() override;

    /// Aligns a time of the first run with a time of the second, such as the starts of the same step. The
    /// second run moves.
    void align(std::int64_t firstNs, std::int64_t secondNs);
    /// Offset from a time of the first run to the aligned time of the second, in ns.
    std::int64_t offsetNs() const { return m_offsetNs; }

private:
    void shareReach();
    ViewState* followerOf(const ViewState* leader) const; ///< nullptr: neither run follows
    std::int64_t offsetFrom(const ViewState* leader) const;
    void followView(const ViewState* leader);
    void followHover(const ViewState* leader);

    ViewState* m_first;
    ViewState* m_second;
    std::int64_t m_offsetNs = 0;
    bool m_isFollowing = false; ///< prevents the follower's change from being passed back
};

} // namespace collscope
