// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// NVLink throughput of one GPU on the timeline's time axis: TX and RX summed over links, with the peaks
// marked.

#include "metrics/nvlink.h"
#include "views/time_axis.h"
#include "views/view_state.h"

#include <QChartView>
#include <QLineSeries>

#include <memory>
#include <optional>

class QComboBox;
class QLabel;

namespace collscope {

/// What the chart draws of a run: worked out from all samples once, off the GUI thread (app/nvlink_job.h).
struct NvlinkCurves
{
    struct Device
    {
        StepFunction tx, rx; ///< summed over the links
        double highest = 0; ///< GB/s of either
    };
    std::vector<Device> devices; ///< as TraceModel::nvlink
    std::vector<NvlinkPeak> peaks; ///< of all devices, the most prominent first
};

/// Shares the timeline's pixel columns (timelineHeaderWidth). A click on a marker sets ViewState::peak.
class NvlinkChart : public QChartView
{
    Q_OBJECT

public:
    explicit NvlinkChart(ViewState* state, QWidget* parent = nullptr);

    /// The curves of the model on show; until they come the chart says that they are being computed.
    void setCurves(std::shared_ptr<const NvlinkCurves> curves);
    /// True from a model with counters until its curves.
    bool isComputing() const;
    /// Peaks of the GPU on show, on the axis, the most prominent first; none while computing.
    const std::vector<NvlinkPeak>& peaks() const { return m_peaks; }
    /// Position of a peak's marker in widget coordinates, nullopt while it is out of sight.
    std::optional<QPoint> peakPosition(std::size_t index) const;
    /// Index into TraceModel::nvlink of the GPU on show, nullopt if there are no counters.
    std::optional<std::size_t> device() const;
    /// Shows a GPU, as if chosen by hand.
    void setDevice(std::size_t device);
    /// Pixels that the timeline keeps free on the right (its scroll bar), so that both end at one column.
    void setRightMargin(int pixels);

    QSize sizeHint() const override { return {900, 170}; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void onModelChanged();
    void showState();
    void showDevice();
    void updateTitle();
    void updateSeries();
    void updateColors();
    void layoutPlot();
    TimeAxis axis() const;
    QRectF plot() const;
    QList<QPointF> points(const StepFunction& throughput) const;
    std::optional<std::size_t> peakNear(QPoint position) const;
    QString deviceName(std::size_t device) const;

    ViewState* m_state;
    QLineSeries* m_tx;
    QLineSeries* m_rx;
    QLabel* m_title;
    QComboBox* m_chooser;
    QLabel* m_empty;
    std::shared_ptr<const NvlinkCurves> m_curves;
    std::vector<NvlinkPeak> m_peaks;
    std::optional<std::size_t> m_clock; ///< timeline on whose clock the GPU on show is sampled
    bool m_deviceChosen = false; ///< by a person or a peak: the highest peak no longer decides
    int m_rightMargin = 0;
    std::optional<std::int64_t> m_pressTime;
    bool m_dragging = false;
};

} // namespace collscope
