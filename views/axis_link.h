// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Two runs on one time axis: what is visible and pointed at in one is so in the other.

#include "views/view_state.h"

#include <QObject>

namespace collscope {

/// Lives as long as it is to hold; both states must outlive it. Each can be moved as far as either run goes,
/// so that both always have one scale.
class AxisLink : public QObject
{
    Q_OBJECT

public:
    /// Nothing moves until the first change, or align().
    AxisLink(ViewState* first, ViewState* second, QObject* parent = nullptr);
    ~AxisLink() override;

    /// A moment of the first run and the one of the second that lies below it, such as the begins of the same
    /// step. The second run moves.
    void align(std::int64_t firstNs, std::int64_t secondNs);
    /// What to add to a moment of the first run for that of the second, in ns.
    std::int64_t offsetNs() const { return m_offsetNs; }

private:
    void shareReach();
    ViewState* followerOf(const ViewState* leader) const; ///< nullptr: nobody follows now
    std::int64_t offsetFrom(const ViewState* leader) const;
    void followView(const ViewState* leader);
    void followHover(const ViewState* leader);

    ViewState* m_first;
    ViewState* m_second;
    std::int64_t m_offsetNs = 0;
    bool m_isFollowing = false; ///< what a follower makes of it must not come back
};

} // namespace collscope
