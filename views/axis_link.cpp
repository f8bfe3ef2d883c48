// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/axis_link.h"

#include <QScopedValueRollback>

namespace collscope {

AxisLink::AxisLink(ViewState* first, ViewState* second, QObject* parent)
    : QObject(parent)
    , m_first(first)
    , m_second(second)
{
    const auto lead = [this](ViewState* leader) {
        connect(leader, &ViewState::visibleRangeChanged, this, [this, leader] { followView(leader); });
        connect(leader, &ViewState::hoverTimeChanged, this, [this, leader] { followHover(leader); });
    };
    lead(first);
    lead(second);
}

void AxisLink::align(std::int64_t firstNs, std::int64_t secondNs)
{
    m_offsetNs = secondNs - firstNs;
    followView(m_first);
    followHover(m_first);
}

ViewState* AxisLink::followerOf(const ViewState* leader) const
{
    const bool canFollow = !m_isFollowing && m_first->model() && m_second->model();
    return !canFollow ? nullptr : leader == m_first ? m_second : m_first;
}

std::int64_t AxisLink::offsetFrom(const ViewState* leader) const
{
    return leader == m_first ? m_offsetNs : -m_offsetNs;
}

void AxisLink::followView(const ViewState* leader)
{
    ViewState* const follower = followerOf(leader);
    if (!follower)
        return;
    const QScopedValueRollback guard(m_isFollowing, true);
    const TimeRange visible = leader->visibleRange();
    const std::int64_t offset = offsetFrom(leader);
    follower->setVisibleRange({visible.beginNs + offset, visible.endNs + offset});
}

void AxisLink::followHover(const ViewState* leader)
{
    ViewState* const follower = followerOf(leader);
    if (!follower)
        return;
    const QScopedValueRollback guard(m_isFollowing, true);
    const auto hover = leader->hoverTime();
    follower->setHoverTime(hover ? std::optional(*hover + offsetFrom(leader)) : std::nullopt);
}

} // namespace collscope
