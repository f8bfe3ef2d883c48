// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Memory of one GPU on the timeline's time axis: reserved, active and allocated memory, out-of-memory events
// and the selected moment. A click selects the moment.

#include "metrics/memory/history.h"
#include "views/charts/timeline_chart.h"

namespace collscope {

/// Hidden unless the run has memory events that can be aligned with its timelines.
class MemoryChart : public TimelineChart
{
    Q_OBJECT

public:
    explicit MemoryChart(ViewState* state, QWidget* parent = nullptr);

    bool hasEvents() const { return m_hasEvents; }
    /// Sets the history of the GPU selected in the state; nullptr while it is being computed.
    void setHistory(MemoryHistoryPtr history);
    /// Position of a place of the history in the widget; nullopt if its time is not visible.
    std::optional<QPoint> pointOf(std::size_t place) const;

    ChartLegend legend() const override;
    QSize sizeHint() const override { return {900, 120}; }

protected:
    std::optional<Reading> readingAt(std::int64_t timeNs) const override;
    std::vector<QColor> curveColors() const override;
    double widthOfCurve(std::size_t curve) const override;
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
    /// timeline whose clock the events use: that of the rank's kernels
    std::optional<std::size_t> m_timeline;
    bool m_hasEvents = false;
};

} // namespace collscope
