// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The slices that views draw emphasised: what a metric counted, or what a search found.

#include "model/queries/slice_search.h"

#include <QObject>

#include <cassert>
#include <vector>

namespace collscope {

/// Setters ignore equal values, and then emit one signal.
class Emphasis : public QObject
{
    Q_OBJECT

public:
    /// Slices and ranges that a metric counted. Slices are sorted.
    const std::vector<SliceRef>& evidence() const { return m_evidence; }
    const std::vector<TimeRange>& evidenceRanges() const { return m_evidenceRanges; }
    bool isEvidence(SliceRef slice) const;
    void setEvidence(std::vector<SliceRef> slices, std::vector<TimeRange> ranges);

    /// The slices that a search found; nullptr without a search. New matches replace the evidence.
    const SliceMatchesPtr& matches() const { return m_matches; }
    void setMatches(SliceMatchesPtr matches);

    /// Whether some slices are emphasised: the evidence, else the search matches.
    bool isActive() const { return !m_evidence.empty() || (m_matches && m_matches->size() > 0); }
    /// Precondition: isActive(). O(log emphasised slices).
    bool contains(SliceRef slice) const
    {
        assert(isActive());
        return m_evidence.empty() ? m_matches->contains(slice) : isEvidence(slice);
    }

signals:
    void evidenceChanged();
    void matchesChanged();

private:
    friend class ViewState;

    /// To nothing, without a signal.
    void reset();

    std::vector<SliceRef> m_evidence;
    std::vector<TimeRange> m_evidenceRanges;
    SliceMatchesPtr m_matches;
};

} // namespace collscope
