// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/axis_link.h"

#include <QScopedValueRollback>

namespace collscope {

AxisLink::AxisLink(ViewState* first, ViewState* second, QObject* parent)
    : QObject(parent)
    , m_first(first)
    , m_second(second)
{
    const auto lead = [this](ViewState* leader) {
        connect(&leader->viewport(), &Viewport::visibleRangeChanged, this,
                [this, leader] { followView(leader); });
        connect(&leader->selection(), &ViewSelection::hoverTimeChanged, this,
                [this, leader] { followHover(leader); });
        connect(&leader->run(), &RunContext::modelChanged, this, &AxisLink::shareReach);
        connect(&leader->run(), &RunContext::clocksChanged, this, &AxisLink::shareReach);
    };
    lead(first);
    lead(second);
    shareReach();
}

AxisLink::~AxisLink()
{
    m_first->viewport().setReach(std::nullopt);
    m_second->viewport().setReach(std::nullopt);
}

void AxisLink::align(std::int64_t firstNs, std::int64_t secondNs)
{
    m_offsetNs = secondNs - firstNs;
    shareReach();
    followView(m_first);
    followHover(m_first);
}

void AxisLink::shareReach()
{
    if (!m_first->run().model() || !m_second->run().model())
        return;
    const TimeRange first = m_first->run().range();
    const TimeRange second = m_second->run().range();
    m_first->viewport().setReach(TimeRange{second.beginNs - m_offsetNs, second.endNs - m_offsetNs});
    m_second->viewport().setReach(TimeRange{first.beginNs + m_offsetNs, first.endNs + m_offsetNs});
}

ViewState* AxisLink::followerOf(const ViewState* leader) const
{
    const bool canFollow = !m_isFollowing && m_first->run().model() && m_second->run().model();
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
    const TimeRange visible = leader->viewport().visibleRange();
    const std::int64_t offset = offsetFrom(leader);
    follower->viewport().setVisibleRange({visible.beginNs + offset, visible.endNs + offset});
}

void AxisLink::followHover(const ViewState* leader)
{
    ViewState* const follower = followerOf(leader);
    if (!follower)
        return;
    const QScopedValueRollback guard(m_isFollowing, true);
    const auto hover = leader->selection().hoverTime();
    follower->selection().setHoverTime(hover ? std::optional(*hover + offsetFrom(leader)) : std::nullopt);
}

} // namespace collscope
