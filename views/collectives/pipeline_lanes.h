// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lanes of the pipeline view: one lane per stage on the timeline's axis, with the numbers of each step
// below it.

#include "metrics/analysis/pipeline_bubbles.h"
#include "views/common/drag_gesture.h"
#include "views/common/hatch.h"
#include "views/common/time_axis.h"
#include "views/rows/draw_list.h"
#include "views/state/view_state.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>
#include <vector>

namespace collscope {

/// Activity of a GPU from the pipeline's point of view. Later enumerators are painted over earlier ones.
enum class StageWork
{
    Idle, ///< a bubble
    Waiting, ///< waiting for a neighbour in a send or receive; also a bubble
    Communication, ///< other than sends and receives
    Copy,
    Compute
};

/// One stage of the pipeline and the rank that represents it.
struct PipelineStage
{
    std::int32_t stage = 0;
    std::optional<std::int32_t> rank; ///< nullopt: its trace is not loaded
    std::vector<TimelineId> timelines; ///< timelines of the rank, one per profiler iteration
};

/// Paints waiting time: a hatch in the hue of sends and receives over a tint, or a stronger tint if too
/// narrow for a hatch.
void paintWaiting(Hatch& hatch, QPainter& painter, const QRect& box, const QPalette& palette);

class PipelineLanes : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit PipelineLanes(ViewState* state, QWidget* parent = nullptr);

    void setStages(std::vector<PipelineStage> stages);
    const std::vector<PipelineStage>& stages() const { return m_stages; }
    /// nullptr while they are being computed.
    void setBubbles(BubbleTablePtr bubbles);
    /// Bubbles of a stage's rank; nullptr while unknown.
    const RankBubble* bubblesOf(const PipelineStage& stage) const;

    /// The lane of a stage, in viewport coordinates.
    QRect laneRect(std::size_t stage) const;
    /// The activity drawn at a viewport position in a stage's lane, and its slice.
    std::pair<StageWork, SliceRef> workAt(QPoint position) const;
    QString toolTipAt(QPoint position) const;

    QSize sizeHint() const override { return {900, 160}; }

signals:
    void copyRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    int rowHeight() const;
    int lanesWidth() const;
    void updateScrollBar();
    TimeAxis axisOf(TimelineId timeline) const;
    std::optional<std::size_t> stageAt(int y) const;
    StageWork workOf(TrackId track, std::size_t row) const;
    /// The range of a rank's step on the axis.
    TimeRange rangeOf(const StepBubble& step) const;
    void paintStage(QPainter& painter, std::size_t index);
    void paintWork(QPainter& painter, const PipelineStage& stage, const QRect& lane);
    void paintHeader(QPainter& painter, const QRect& area, const QString& title, const QString& note,
                     const std::optional<Bubble>& sum) const;
    void paintTotals(QPainter& painter) const;
    /// `bubble`: the sum over `ranks` ranks.
    void paintNumbers(QPainter& painter, int top, TimeRange range, const Bubble& bubble,
                      std::int64_t ranks) const;
    void paintOverlays(QPainter& painter) const;
    void drag(DragKind kind, std::int64_t nowNs);

    ViewState* m_state;
    std::vector<PipelineStage> m_stages;
    BubbleTablePtr m_bubbles;
    Hatch m_hatch;
    DragGesture m_gesture;
    std::int64_t m_pressTime = 0;
    std::optional<TimeRange> m_zoomRange; ///< while dragging with the right button
};

/// Legend of the lanes' colours, in one line.
class PipelineLegend : public QWidget
{
    Q_OBJECT

public:
    explicit PipelineLegend(QWidget* parent = nullptr);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Hatch m_hatch;
};

} // namespace collscope
