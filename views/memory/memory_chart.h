// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Memory of one GPU on the timeline's time axis: reserved, active and allocated, out-of-memory events and the
// moment that is looked at. A click chooses the moment.

#include "metrics/memory/history.h"
#include "views/charts/timeline_chart.h"

namespace collscope {

/// Hidden while the run has no memory events that can be put beside its timelines.
class MemoryChart : public TimelineChart
{
    Q_OBJECT

public:
    explicit MemoryChart(ViewState* state, QWidget* parent = nullptr);

    bool hasEvents() const { return m_hasEvents; }
    /// Of the GPU that the state names; nullptr while it is worked out.
    void setHistory(MemoryHistoryPtr history);
    /// Where a place of the history is on the screen; nullopt if its time is out of sight.
    std::optional<QPoint> pointOf(std::size_t place) const;

    ChartLegend legend() const override;
    QSize sizeHint() const override { return {900, 120}; }

protected:
    std::optional<Reading> readingAt(std::int64_t timeNs) const override;
    std::vector<QColor> curveColors() const override;
    QRectF paintStrip(QPainter& painter) override;
    bool isClickable(QPoint position) const override;
    void clickAt(QPoint position) override;

private:
    void onModelChanged();
    void showHistory();
    const MemorySnapshot* snapshot() const;
    const MemoryDevice* device() const;
    std::int64_t toAxisTime(std::int64_t timeNs) const;

    MemoryHistoryPtr m_history;
    std::optional<std::size_t> m_timeline; ///< on whose clock the events are: that of the rank's kernels
    bool m_hasEvents = false;
};

} // namespace collscope
