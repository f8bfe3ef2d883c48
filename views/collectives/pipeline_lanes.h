// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lanes of the pipeline view: one per stage, on the timeline's axis, with the numbers of each step below.

#include "metrics/pipeline_bubbles.h"
#include "views/hatch.h"
#include "views/time_axis.h"
#include "views/timeline/draw_list.h"
#include "views/view_state.h"

#include <QAbstractScrollArea>

#include <memory>
#include <optional>
#include <vector>

namespace collscope {

/// What a GPU does at a time, as far as a pipeline is concerned; a later one covers an earlier one.
enum class StageWork
{
    Idle, ///< a bubble
    Waiting, ///< for a neighbour, in a send or receive: a bubble, too
    Communication, ///< that is no send or receive
    Copy,
    Compute
};

/// One stage of the pipeline and the rank that stands for it.
struct PipelineStage
{
    std::int32_t stage = 0;
    std::optional<std::int32_t> rank; ///< nullopt: its trace is not loaded
    std::vector<TimelineId> timelines; ///< of the rank, one per profiler iteration
};

/// Waiting: a hatch in the hue of sends and receives over a tint; too narrow for a hatch, a stronger tint.
void paintWaiting(Hatch& hatch, QPainter& painter, const QRect& box, const QPalette& palette);

class PipelineLanes : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit PipelineLanes(ViewState* state, QWidget* parent = nullptr);

    void setStages(std::vector<PipelineStage> stages);
    const std::vector<PipelineStage>& stages() const { return m_stages; }
    /// nullptr while they are computed.
    void setBubbles(BubbleTablePtr bubbles);
    /// Bubbles of a rank; nullptr while they are not known.
    const RankBubble* bubblesOf(const PipelineStage& stage) const;

    /// Where a stage's work is drawn, in viewport coordinates.
    QRect laneRect(std::size_t stage) const;
    /// What is drawn at a viewport position of a stage's lane, and the slice that is it.
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
    /// When a step of a rank is, on the axis.
    TimeRange rangeOf(const StepBubble& step) const;
    void paintStage(QPainter& painter, std::size_t index);
    void paintWork(QPainter& painter, const PipelineStage& stage, const QRect& lane);
    void paintHeader(QPainter& painter, const QRect& area, const QString& title, const QString& note,
                     const std::optional<Bubble>& sum) const;
    void paintTotals(QPainter& painter) const;
    /// `bubble`: the sum over so many ranks.
    void paintNumbers(QPainter& painter, int top, TimeRange range, const Bubble& bubble,
                      std::int64_t ranks) const;
    void paintOverlays(QPainter& painter) const;

    ViewState* m_state;
    std::vector<PipelineStage> m_stages;
    BubbleTablePtr m_bubbles;
    Hatch m_hatch;
};

/// What the colours of the lanes mean, in one line.
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
