// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/state/emphasis.h"

#include <algorithm>
#include <utility>

namespace collscope {

void Emphasis::reset()
{
    m_evidence.clear();
    m_evidenceRanges.clear();
    m_matches.reset();
}

bool Emphasis::isEvidence(SliceRef slice) const
{
    return std::binary_search(m_evidence.begin(), m_evidence.end(), slice);
}

void Emphasis::setEvidence(std::vector<SliceRef> slices, std::vector<TimeRange> ranges)
{
    if (slices == m_evidence && ranges == m_evidenceRanges)
        return;
    m_evidence = std::move(slices);
    m_evidenceRanges = std::move(ranges);
    emit evidenceChanged();
}

void Emphasis::setMatches(SliceMatchesPtr matches)
{
    if (matches == m_matches)
        return;
    m_matches = std::move(matches);
    emit matchesChanged();
    if (m_matches && m_matches->size() > 0)
        setEvidence({}, {});
}

} // namespace collscope
