// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What charts below the timeline share: sampled curves on its pixel columns, and hover, selection and marks
// as every view on the time axis has them.

#include "metrics/sampled_curve.h"
#include "views/charts/chart_legend.h"
#include "views/time_axis.h"
#include "views/view_state.h"

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

/// A chart has a column of names and controls of timelineHeaderWidth, a strip for markers and text above the
/// plot, and a legend below it. Any number of them work side by side, on one ViewState or on several.
class TimelineChart : public QChartView
{
    Q_OBJECT

public:
    /// Pixels that the timeline keeps free on the right (its scroll bar), so that both end at one column.
    void setRightMargin(int pixels);
    /// Powers of ten at equal distances; what is 0 lies on the lowest. Stays for all runs of the window.
    bool isLogarithmic() const;
    void setLogarithmic(bool logarithmic);
    /// The sampling interval around the hover time, on the axis; nullopt where nothing was sampled.
    std::optional<TimeRange> hoveredSample() const;
    /// What the top line says about it; empty without hover time.
    QString hoverText() const;
    /// What lies below the plot; empty where the header says what the lines are.
    virtual ChartLegend legend() const { return {}; }

protected:
    static constexpr int topMargin = 18; ///< px above the plot: markers and text

    TimelineChart(ViewState* state, QWidget* parent);

    /// What was sampled around a moment, both in the time of the curves.
    struct Reading
    {
        TimeRange range;
        QString text; ///< without its length: "TX 12.3, RX 11.9 GB/s"
    };
    virtual std::optional<Reading> readingAt(std::int64_t timeNs) const = 0;
    /// Of the curves, in their order.
    virtual std::vector<QColor> curveColors() const = 0;
    /// Whatever stands in the strip above the plot; returns the place of its text, an empty one if there is
    /// none.
    virtual QRectF paintStrip(QPainter&) { return {}; }
    /// Whatever else belongs into the header.
    virtual void paintHeader(QPainter&) { }
    /// A click into the chart leads somewhere there: the cursor says so, and the click has to go there.
    virtual bool isClickable(QPoint) const { return false; }
    virtual void clickAt(QPoint) { }

    ViewState* state() const { return m_state; }
    /// The title is elided to the header's width.
    void setTitle(const QString& title, const QString& subtitle);
    /// Where a chart adds its controls, below the title. They are there while the chart is active.
    QVBoxLayout* controls() const { return m_controlsLayout; }
    /// For controls().
    QToolButton* logButton() const { return m_log; }
    /// The run has something to show: the chart takes a chart's room, else that of one line of text.
    void setActive(bool active);
    /// Stands where the curves would; empty = the curves.
    void setMessage(const QString& message);
    /// Replaces the curves. Drawn in this order; `timeline`: on whose clock they were sampled, nullopt: on
    /// the axis.
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
    enum class Drag
    {
        None,
        Pending, ///< pressed, and not moved far enough to mean more than a click
        SelectRange,
        Pan,
        ZoomRange
    };

    std::optional<Reading> hoverReading() const;
    void fitValueAxes();
    void updateSeries();
    void setPieces(std::size_t curve, const QList<QList<QPointF>>& pieces);
    QLineSeries* addPiece(std::size_t curve);
    void layoutPlot();
    void paintHoverText(QPainter& painter, const QRectF& taken) const;
    double columnOf(std::int64_t axisNs) const;
    void drag(double x);
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
    std::vector<std::vector<QLineSeries*>> m_pieces; ///< of each curve; those without points wait for use
    std::optional<std::size_t> m_clock;
    double m_lowest = 0; ///< of the logarithmic axis
    bool m_isActive = false;
    int m_rightMargin = 0;
    Drag m_drag = Drag::None;
    Qt::MouseButton m_dragButton = Qt::NoButton;
    double m_pressX = 0, m_lastX = 0; ///< px of the plot
    std::int64_t m_pressTime = 0;
    std::optional<TimeRange> m_zoomRange; ///< while dragging with the right button
};

} // namespace collscope
