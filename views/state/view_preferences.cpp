// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/state/view_preferences.h"

#include <utility>

namespace collscope {

void ViewPreferences::reset()
{
    m_rowFilter.clear();
    m_hiddenRanks.clear();
    m_firstRanks.clear();
}

void ViewPreferences::setTimeFormat(TimeFormat format)
{
    if (format == m_timeFormat)
        return;
    m_timeFormat = format;
    emit timeFormatChanged();
}

void ViewPreferences::setRowFilter(const QString& filter)
{
    if (filter == m_rowFilter)
        return;
    m_rowFilter = filter;
    emit rowFilterChanged();
}

void ViewPreferences::setRankHidden(std::int32_t rank, bool hidden)
{
    const bool changed = hidden ? m_hiddenRanks.insert(rank).second : m_hiddenRanks.erase(rank) > 0;
    if (changed)
        emit hiddenRanksChanged();
}

void ViewPreferences::setHiddenRanks(std::set<std::int32_t> ranks)
{
    if (ranks == m_hiddenRanks)
        return;
    m_hiddenRanks = std::move(ranks);
    emit hiddenRanksChanged();
}

void ViewPreferences::setFirstRanks(std::vector<std::int32_t> ranks)
{
    if (ranks == m_firstRanks)
        return;
    m_firstRanks = std::move(ranks);
    emit firstRanksChanged();
}

} // namespace collscope
