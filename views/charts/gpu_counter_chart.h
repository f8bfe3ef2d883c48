// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What Nsight sampled of one GPU (GPU_METRICS) on the timeline's time axis: a counter, or a group of them.

#include "metrics/gpu_counters.h"
#include "views/charts/peak_chart.h"

class QComboBox;

namespace collscope {

/// Hidden while the run has no such counters. Those of NVLink have peaks.
class GpuCounterChart : public PeakChart
{
    Q_OBJECT

public:
    explicit GpuCounterChart(ViewState* state, QWidget* parent = nullptr);

    /// True for a run that has GPU counters: there is something to show, or will be.
    bool hasCounters() const { return m_hasCounters; }
    /// The counters of the model on show; until they come the chart says that they are being read.
    void setCounters(std::shared_ptr<const SampledGpus> gpus);
    bool isComputing() const { return m_hasCounters && !m_gpus; }
    /// What is on show; nullptr while there is nothing.
    const SampledGpu* gpu() const;
    const CounterGroup* group() const;

    ChartLegend legend() const override;
    QSize sizeHint() const override { return {900, 130}; }

protected:
    std::optional<Reading> readingAt(std::int64_t timeNs) const override;
    std::vector<QColor> curveColors() const override;
    ViewState::Peak peakAt(std::size_t index) const override;
    QString peakText(std::size_t index) const override;
    std::optional<std::int32_t> shownRank() const override;
    void showRank(std::int32_t rank) override;

private:
    void onModelChanged();
    void fillGpus();
    void showGpu();
    void showGroup();
    QString gpuName(const SampledGpu& gpu) const;

    QComboBox* m_gpuChooser;
    QComboBox* m_groupChooser;
    std::shared_ptr<const SampledGpus> m_gpus;
    bool m_hasCounters = false;
};

} // namespace collscope
