// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// NVLink throughput of one GPU on the timeline's time axis: TX and RX summed over links, or of some links,
// with the peaks marked.

#include "metrics/nvlink_curves.h"
#include "views/charts/timeline_chart.h"
#include "views/palette.h"

class QBoxLayout;
class QComboBox;
class QMenu;
class QPushButton;
class QSpinBox;

namespace collscope {

/// A click on a marker sets ViewState::peak.
class NvlinkChart : public TimelineChart
{
    Q_OBJECT

public:
    /// Two lines each: more are no picture, and slow (ui.md 5a).
    static constexpr std::size_t mostLinks = linkColorCount;

    explicit NvlinkChart(ViewState* state, QWidget* parent = nullptr);

    /// The curves of the model on show; until they come the chart says that they are being computed.
    void setCurves(std::shared_ptr<const NvlinkCurves> curves);
    /// True from a model with counters until its curves.
    bool isComputing() const;
    /// Peaks of the GPU on show, on the axis, the most prominent first; none while computing. Those with a
    /// marker can be clicked.
    const std::vector<NvlinkPeak>& peaks() const { return m_peaks; }
    /// Position of a peak's marker in widget coordinates; nullopt while it has none: out of sight, beside a
    /// more prominent one, or not among the peakCount() most prominent in sight.
    std::optional<QPoint> peakPosition(std::size_t index) const;
    /// How many peaks have a marker at most.
    int peakCount() const;
    void setPeakCount(int count);
    /// Index into TraceModel::nvlink of the GPU on show, nullopt if there are no counters.
    std::optional<std::size_t> device() const;
    /// Shows a GPU, as if chosen by hand.
    void setDevice(std::size_t device);
    /// Links of the GPU on show that have lines of their own, by number; empty: all links, summed.
    const std::vector<std::uint32_t>& links() const { return m_links; }
    /// Those that the GPU does not have, and more than mostLinks, are left out.
    void setLinks(const std::vector<std::uint32_t>& links);

    ChartLegend legend() const override;
    QSize sizeHint() const override { return {900, 170}; }

protected:
    std::optional<Reading> readingAt(std::int64_t timeNs) const override;
    std::vector<QColor> curveColors() const override;
    QRectF paintStrip(QPainter& painter) override;
    void paintHeader(QPainter& painter) override;
    bool isClickable(QPoint position) const override { return peakNear(position).has_value(); }
    void clickAt(QPoint position) override;
    void changeEvent(QEvent* event) override;

private:
    void buildControls();
    void arrangeControls();
    void onModelChanged();
    void showState();
    void showDevice();
    void showLinks();
    void fillLinksMenu();
    void updateTitle();
    /// Of the GPU on show; nullptr while there are none.
    const DeviceCurves* curves() const;
    std::vector<std::size_t> markedPeaks() const;
    std::optional<int> peakColumn(std::size_t index) const;
    std::optional<std::size_t> peakNear(QPoint position) const;
    QRectF paintPeakText(QPainter& painter, std::size_t index) const;
    QString deviceName(std::size_t device) const;

    QComboBox* m_chooser;
    QPushButton* m_linksButton;
    QMenu* m_linksMenu;
    QSpinBox* m_peakCount;
    QBoxLayout* m_lastControls;
    std::shared_ptr<const NvlinkCurves> m_curves;
    std::vector<NvlinkPeak> m_peaks;
    std::vector<std::uint32_t> m_links;
    bool m_deviceChosen = false; ///< by a person or a peak: the highest peak no longer decides
};

} // namespace collscope
