// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// NVLink throughput of one GPU on the timeline's time axis: TX and RX summed over links, or of some links,
// with the peaks marked.

#include "metrics/nvlink_curves.h"
#include "views/charts/peak_chart.h"
#include "views/palette.h"

class QComboBox;
class QMenu;
class QPushButton;

namespace collscope {

/// Not there where the run has no such file, but counters of NVLink that Nsight sampled.
class NvlinkChart : public PeakChart
{
    Q_OBJECT

public:
    /// Each link has two lines, TX and RX. There are hues for no more links, and Qt Charts takes time for
    /// every line whenever the axis moves.
    static constexpr std::size_t mostLinks = linkColorCount;

    explicit NvlinkChart(ViewState* state, QWidget* parent = nullptr);

    /// The curves of the model on show; until they come the chart says that they are being computed.
    void setCurves(std::shared_ptr<const NvlinkCurves> curves);
    /// True from a model with counters until its curves.
    bool isComputing() const;
    /// Peaks of the GPU on show, on the axis, the most prominent first; none while computing. Those with a
    /// marker can be clicked.
    const std::vector<NvlinkPeak>& peaks() const { return m_peaks; }
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
    ViewState::Peak peakAt(std::size_t index) const override;
    QString peakText(std::size_t index) const override;
    std::optional<std::int32_t> shownRank() const override;
    void showRank(std::int32_t rank) override;
    void paintHeader(QPainter& painter) override;
    void changeEvent(QEvent* event) override;

private:
    void buildControls();
    void onModelChanged();
    void showState();
    void showDevice();
    void showLinks();
    void fillLinksMenu();
    void updateTitle();
    /// Of the GPU on show; nullptr while there are none.
    const DeviceCurves* curves() const;
    QString deviceName(std::size_t device) const;

    QComboBox* m_chooser;
    QPushButton* m_linksButton;
    QMenu* m_linksMenu;
    std::shared_ptr<const NvlinkCurves> m_curves;
    std::vector<NvlinkPeak> m_peaks;
    std::vector<std::uint32_t> m_links;
    bool m_isElsewhere = false; ///< the chart of what Nsight sampled has the counters of NVLink
    bool m_deviceChosen = false; ///< by a person or a peak: the highest peak no longer decides
};

} // namespace collscope
