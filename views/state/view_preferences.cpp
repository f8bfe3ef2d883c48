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
    m_rankFolds.clear();
    m_foldedRanks.clear();
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
    if (hidden || !isRankFolded(rank))
        return;
    RankFolds folds = m_rankFolds;
    for (auto& [shown, folded] : folds)
        folded.erase(rank);
    setRankFolds(std::move(folds));
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

std::size_t ViewPreferences::foldedInto(std::int32_t rank) const
{
    const auto fold = m_rankFolds.find(rank);
    return fold != m_rankFolds.end() ? fold->second.size() : 0;
}

void ViewPreferences::setRankFolds(RankFolds folds)
{
    if (folds == m_rankFolds)
        return;
    m_rankFolds = std::move(folds);
    m_foldedRanks.clear();
    for (const auto& [shown, folded] : m_rankFolds)
        m_foldedRanks.insert(folded.begin(), folded.end());
    emit rankFoldsChanged();
}

} // namespace collscope
