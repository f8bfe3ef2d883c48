// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// NVLink throughput of one GPU on the timeline's time axis: TX and RX summed over all links or for individual
// links, with marked peaks.

#include "metrics/counters/nvlink_curves.h"
#include "views/charts/nvlink_heat.h"
#include "views/charts/peak_chart.h"
#include "views/common/palette.h"

class QComboBox;
class QMenu;
class QPushButton;

namespace collscope {

/// Hidden if the run does not have NVLink samples but has NVLink counters recorded by Nsight.
class NvlinkChart : public PeakChart
{
    Q_OBJECT

public:
    /// Each link has two lines, TX and RX. Limited by the number of hues, and because Qt Charts needs time
    /// for every line whenever the axis moves.
    static constexpr std::size_t mostLinks = linkColorCount;

    explicit NvlinkChart(ViewState* state, QWidget* parent = nullptr);

    /// Sets the curves of the current model. Until then, the chart shows that they are being computed.
    void setCurves(std::shared_ptr<const NvlinkCurves> curves);
    /// What collectives need, for the map; after setCurves().
    void setNeeds(std::shared_ptr<const NvlinkNeeds> needs);
    /// True from setting a model with counters until its curves arrive.
    bool isComputing() const;
    /// Peaks of the displayed GPU, on the axis, most prominent first; empty while computing. Peaks with a
    /// marker can be clicked.
    const std::vector<NvlinkPeak>& peaks() const { return m_peaks; }
    /// Index into TraceModel::nvlink of the displayed GPU; nullopt without counters.
    std::optional<std::size_t> device() const;
    /// Shows a GPU as if the user had chosen it.
    void setDevice(std::size_t device);
    /// Numbers of the displayed GPU's links that have separate lines; empty: all links summed.
    const std::vector<std::uint32_t>& links() const { return m_links; }
    /// Ignores links that the GPU does not have, and links beyond mostLinks.
    void setLinks(const std::vector<std::uint32_t>& links);

    /// Whether all GPUs are shown as a map of GPU by time, in place of the lines of one GPU.
    bool isHeatMap() const;
    void setHeatMap(bool shown);
    const NvlinkHeat& heatMap() const { return m_heat; }
    /// The row of a GPU on the map, in widget coordinates.
    QRectF rowOf(std::size_t device) const;

    ChartLegend legend() const override;
    bool hasLegend() const override { return isHeatMap() || !m_links.empty(); }
    QSize sizeHint() const override { return {900, 170}; }

protected:
    std::optional<Reading> readingAt(std::int64_t timeNs) const override;
    std::vector<QColor> curveColors() const override;
    ViewSelection::Peak peakAt(std::size_t index) const override;
    QString peakText(std::size_t index) const override;
    std::optional<std::int32_t> shownRank() const override;
    void showRank(std::int32_t rank) override;
    void paintHeader(QPainter& painter) override;
    bool isClickable(QPoint position) const override;
    void clickAt(QPoint position) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildControls();
    void onModelChanged();
    void showState();
    void showDevice();
    void showLinks();
    void fillLinksMenu();
    void updateTitle();
    /// Curves of the displayed GPU; nullptr while missing.
    const DeviceCurves* curves() const;
    /// How the rank of the displayed GPU is known, or why not.
    void explainRank();
    std::optional<Reading> readingOnMap(std::size_t mapped, std::int64_t timeNs) const;

    QComboBox* m_chooser;
    QPushButton* m_linksButton;
    QMenu* m_linksMenu;
    std::shared_ptr<const NvlinkCurves> m_curves;
    NvlinkHeat m_heat;
    std::optional<std::size_t> m_hoveredDevice; ///< on the map
    std::vector<NvlinkPeak> m_peaks;
    std::vector<std::uint32_t> m_links;
    bool m_isMap = false; ///< all GPUs as a map
    bool m_isElsewhere = false; ///< the chart of GPU counters shows NVLink counters
    bool m_deviceChosen = false; ///< by the user or a peak; the highest peak no longer decides
};

} // namespace collscope
