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
        const auto changed = [this, leader] {
            const bool isFirst = leader == m_first;
            follow(leader, isFirst ? m_second : m_first, isFirst ? m_offsetNs : -m_offsetNs);
        };
        connect(leader, &ViewState::visibleRangeChanged, this, changed);
        connect(leader, &ViewState::hoverTimeChanged, this, changed);
    };
    lead(first);
    lead(second);
}

void AxisLink::align(std::int64_t firstNs, std::int64_t secondNs)
{
    m_offsetNs = secondNs - firstNs;
    follow(m_first, m_second, m_offsetNs);
}

void AxisLink::follow(ViewState* leader, ViewState* follower, std::int64_t offsetNs)
{
    if (m_isFollowing || !leader->model() || !follower->model())
        return;
    const QScopedValueRollback guard(m_isFollowing, true);
    const TimeRange visible = leader->visibleRange();
    follower->setVisibleRange({visible.beginNs + offsetNs, visible.endNs + offsetNs});
    const auto hover = leader->hoverTime();
    follower->setHoverTime(hover ? std::optional(*hover + offsetNs) : std::nullopt);
}

} // namespace collscope
