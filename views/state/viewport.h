// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The part of the time axis that the views show.

#include "views/state/run_context.h"

#include <QObject>

#include <optional>
#include <vector>

namespace collscope {

/// Setters clamp times to the run, ignore equal values, and then emit visibleRangeChanged. Times are axis ns.
class Viewport : public QObject
{
    Q_OBJECT

public:
    /// `run` must outlive the viewport.
    explicit Viewport(const RunContext& run)
        : m_run(run)
    { }

    TimeRange visibleRange() const { return m_visible; }
    void setVisibleRange(TimeRange range);
    /// Zooms by a factor (> 1 = closer) and keeps the given time in place.
    void zoomAround(std::int64_t centreNs, double factor);
    void panBy(std::int64_t deltaNs);
    /// Centres a range with a margin; keeps the zoom level if keepZoom.
    void showRange(TimeRange range, bool keepZoom = false);
    /// Makes a slice's range visible with its neighbours, and changes the zoom level only if it must.
    void showSlice(TimeRange range);
    /// Lets goBack() lead to `range`, too.
    void offerBack(TimeRange range);
    void goBack();
    void goForward();
    /// Extends the range that can be shown beyond the run, because a run in a linked view extends further.
    /// Reset by the next model.
    void setReach(std::optional<TimeRange> reach) { m_reach = reach; }

signals:
    void visibleRangeChanged(collscope::TimeRange range);

private:
    friend class ViewState;

    /// To the initial view of the run, without a signal.
    void reset();
    /// Whether the view has not moved since the run was opened.
    bool isInitial() const;
    void pushHistory();

    const RunContext& m_run;
    TimeRange m_visible{0, 1};
    std::optional<TimeRange> m_reach;
    std::vector<TimeRange> m_back, m_forward;
};

} // namespace collscope
