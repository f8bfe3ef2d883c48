// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What charts share whose curves have peaks that kernels made: markers above the plot.

#include "views/charts/timeline_chart.h"

class QBoxLayout;
class QSpinBox;

namespace collscope {

/// A click on a marker sets ViewState::peak. A chosen GPU slice marks the peak that it had a part in.
class PeakChart : public TimelineChart
{
    Q_OBJECT

public:
    /// Position of a peak's marker in widget coordinates; nullopt while it has none: out of sight, beside a
    /// more prominent one, or not among the peakCount() most prominent in sight.
    std::optional<QPoint> peakPosition(std::size_t index) const;
    /// How many peaks have a marker at most.
    int peakCount() const;
    void setPeakCount(int count);
    /// The highest peak that the selected slice overlaps, if that ran on the GPU on show.
    std::optional<std::size_t> peakOfSelection() const;

protected:
    /// A peak on the axis.
    struct Marker
    {
        TimeRange range;
        double height = 0;
    };

    PeakChart(ViewState* state, QWidget* parent);

    /// Of the curves on show, the most prominent first.
    void setMarkers(std::vector<Marker> markers);
    /// The same peak as others ask for it.
    virtual ViewState::Peak peakAt(std::size_t index) const = 0;
    /// Its height and direction, or name: it stands beside the marker, before the moment.
    virtual QString peakText(std::size_t index) const = 0;
    /// Of the GPU on show; nullopt if no rank is known to use it.
    virtual std::optional<std::int32_t> shownRank() const = 0;
    /// Shows the GPU of a rank, if it has one here.
    virtual void showRank(std::int32_t rank) = 0;
    /// For controls(): the switch to a logarithmic axis and the number of markers, beside each other unless
    /// the font is too large for that.
    QBoxLayout* lastControls() const { return m_lastControls; }
    QSpinBox* peakCountBox() const { return m_peakCount; }

    QRectF paintStrip(QPainter& painter) override;
    bool isClickable(QPoint position) const override { return peakNear(position).has_value(); }
    void clickAt(QPoint position) override;
    void changeEvent(QEvent* event) override;

private:
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
