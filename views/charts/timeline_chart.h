// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Common base of the charts below the timeline: sampled curves on the timeline's pixel columns, with the
// hover, selection and marks of all views on the time axis.

#include "metrics/core/sampled_curve.h"
#include "views/charts/chart_legend.h"
#include "views/common/drag_gesture.h"
#include "views/common/time_axis.h"
#include "views/state/view_state.h"

#include <QChartView>
#include <QLineSeries>

#include <optional>
#include <vector>

class QLabel;
class QLogValueAxis;
class QToolButton;
class QVBoxLayout;
class QValueAxis;

namespace collscope {

/// A chart has a column of width timelineHeaderWidth for names and controls, a strip for markers and text
/// above the plot, and a legend below it. Any number of charts can be used together, on one or several
/// ViewStates.
class TimelineChart : public QChartView
{
    Q_OBJECT

public:
    /// Sets the width in px that the timeline keeps free on the right (its scroll bar), so that both end at
    /// the same column.
    void setRightMargin(int pixels);
    /// Whether the value axis is logarithmic; zeros are drawn at its lower end. Kept for all runs in the
    /// window.
    bool isLogarithmic() const;
    void setLogarithmic(bool logarithmic);
    /// The sampling interval around the hover time, on the axis; nullopt without a sample.
    std::optional<TimeRange> hoveredSample() const;
    /// Text for the hovered sample in the top line; empty without hover time.
    QString hoverText() const;
    /// Legend below the plot; empty if the header names the lines.
    virtual ChartLegend legend() const { return {}; }
    /// Whether there is room for it below the plot, on whose size its text may depend.
    virtual bool hasLegend() const { return !legend().entries.empty(); }

protected:
    static constexpr int topMargin = 18; ///< px above the plot: markers and text

    TimelineChart(ViewState* state, QWidget* parent);

    /// The sample at a time, in the time of the curves.
    struct Reading
    {
        TimeRange range;
        QString text; ///< without the duration: "TX 12.3, RX 11.9 GB/s"
    };
    virtual std::optional<Reading> readingAt(std::int64_t timeNs) const = 0;
    /// A time to shade, or a moment to mark with a line, on the axis.
    struct Highlight
    {
        TimeRange range;
        bool isMoment = false;
    };
    virtual std::vector<Highlight> highlights() const { return {}; }
    /// Colours of the curves, in their order.
    virtual std::vector<QColor> curveColors() const = 0;
    /// Width of the line of a curve, in logical pixels. Later curves are painted over earlier ones.
    virtual double widthOfCurve(std::size_t) const { return usualCurveWidth; }
    static constexpr double usualCurveWidth = 1.4;
    /// Paints the strip above the plot. Returns the rectangle of its text, empty without text.
    virtual QRectF paintStrip(QPainter&) { return {}; }
    /// Paints additional content of the header.
    virtual void paintHeader(QPainter&) { }
    /// Whether a click at this position has an action, as indicated by the cursor; clickAt() performs it.
    virtual bool isClickable(QPoint) const { return false; }
    virtual void clickAt(QPoint) { }

    ViewState* state() const { return m_state; }
    /// The title is elided to the header's width.
    void setTitle(const QString& title, const QString& subtitle);
    /// Layout for the chart's controls, below the title. Visible while the chart is active.
    QVBoxLayout* controls() const { return m_controlsLayout; }
    /// To be added to controls().
    QToolButton* logButton() const { return m_log; }
    /// Sets whether the run has data for the chart. An inactive chart takes the height of one line of text.
    void setActive(bool active);
    /// Sets a message shown in place of the curves; empty: show the curves.
    void setMessage(const QString& message);
    /// Replaces the curves, drawn in this order. `timeline`: the timeline on whose clock they were sampled;
    /// nullopt: the axis.
    void showCurves(std::vector<SampledCurve> curves, std::optional<std::size_t> timeline);
    /// Width of the controls.
    int headerWidth() const;
    TimeAxis axis() const;
    QRectF plot() const;
    TimeRange toAxis(TimeRange range) const;
    void updateColors();

    void resizeEvent(QResizeEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    std::optional<Reading> hoverReading() const;
    void fitValueAxes();
    void updateSeries();
    void setPieces(std::size_t curve, const QList<QList<QPointF>>& pieces);
    QLineSeries* addPiece(std::size_t curve);
    void layoutPlot();
    void paintHighlights(QPainter& painter) const;
    void paintHoverText(QPainter& painter, const QRectF& taken) const;
    double columnOf(std::int64_t axisNs) const;
    void drag(DragKind kind, double x);
    void click(const QMouseEvent& event);
    int bottomMargin() const;

    ViewState* m_state;
    QValueAxis* m_time;
    QValueAxis* m_linear;
    QLogValueAxis* m_logarithmic;
    QWidget* m_header;
    QWidget* m_controls;
    QVBoxLayout* m_controlsLayout;
    QLabel* m_title;
    QToolButton* m_log;
    QLabel* m_message;
    std::vector<SampledCurve> m_curves;
    /// pieces of each curve; pieces without points are spare
    std::vector<std::vector<QLineSeries*>> m_pieces;
    std::optional<std::size_t> m_clock;
    double m_lowest = 0; ///< lower end of the logarithmic axis
    bool m_isActive = false;
    int m_rightMargin = 0;
    DragGesture m_gesture;
    std::int64_t m_pressTime = 0;
    std::optional<TimeRange> m_zoomRange; ///< while dragging with the right button
};

} // namespace collscope
