// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Common base of charts whose curves have peaks caused by kernels: markers above the plot.

#include "views/charts/timeline_chart.h"

class QBoxLayout;
class QSpinBox;

namespace collscope {

/// A click on a marker sets ViewSelection::peak. A selected GPU slice marks the peak that it overlaps. The
/// chart shows the GPU of the selected slice, or of the evidence.
class PeakChart : public TimelineChart
{
    Q_OBJECT

public:
    /// Position of a peak's marker in widget coordinates; nullopt without a marker: the peak is not visible,
    /// too close to a more prominent peak, or not among the peakCount() most prominent visible peaks.
    std::optional<QPoint> peakPosition(std::size_t index) const;
    /// Maximum number of peaks with a marker.
    int peakCount() const;
    void setPeakCount(int count);
    /// The highest peak that the selected slice overlaps, if the slice ran on the displayed GPU.
    std::optional<std::size_t> peakOfSelection() const;

protected:
    /// A peak on the axis.
    struct Marker
    {
        TimeRange range;
        double height = 0;
    };

    PeakChart(ViewState* state, QWidget* parent);

    /// Sets the peaks of the displayed curves, most prominent first.
    void setMarkers(std::vector<Marker> markers);
    /// The peak as stored in ViewState.
    virtual ViewSelection::Peak peakAt(std::size_t index) const = 0;
    /// Height and direction, or name, of a peak. Shown next to the marker, before the time.
    virtual QString peakText(std::size_t index) const = 0;
    /// Rank of the displayed GPU; nullopt if unknown.
    virtual std::optional<std::int32_t> shownRank() const = 0;
    /// Shows the GPU of a rank, if this chart has it.
    virtual void showRank(std::int32_t rank) = 0;
    /// To be added to controls(): the switch to a logarithmic axis and the number of markers, side by side
    /// unless the font is too large.
    QBoxLayout* lastControls() const { return m_lastControls; }
    QSpinBox* peakCountBox() const { return m_peakCount; }

    QRectF paintStrip(QPainter& painter) override;
    bool isClickable(QPoint position) const override { return peakNear(position).has_value(); }
    void clickAt(QPoint position) override;
    void changeEvent(QEvent* event) override;

private:
    void followEvidence();
    void arrangeControls();
    std::vector<std::size_t> markedPeaks() const;
    std::optional<int> peakColumn(std::size_t index) const;
    std::optional<std::size_t> peakNear(QPoint position) const;
    QRectF paintPeakText(QPainter& painter, std::size_t index) const;

    QSpinBox* m_peakCount;
    QBoxLayout* m_lastControls;
    std::vector<Marker> m_markers;
};

} // namespace collscope
