// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Nsight's samples of one GPU (GPU_METRICS) on the timeline's time axis: one counter or a group of counters.

#include "metrics/counters/gpu_counters.h"
#include "views/charts/peak_chart.h"

class QComboBox;

namespace collscope {

/// Hidden if the run does not have GPU counters. NVLink counters have peaks.
class GpuCounterChart : public PeakChart
{
    Q_OBJECT

public:
    explicit GpuCounterChart(ViewState* state, QWidget* parent = nullptr);

    /// True for a run with GPU counters, including while they are still being read.
    bool hasCounters() const { return m_hasCounters; }
    /// Sets the counters of the current model. Until then, the chart shows that they are being read.
    void setCounters(std::shared_ptr<const SampledGpus> gpus);
    bool isComputing() const { return m_hasCounters && !m_gpus; }
    /// The displayed GPU; nullptr without one.
    const SampledGpu* gpu() const;
    const CounterGroup* group() const;

    ChartLegend legend() const override;
    QSize sizeHint() const override { return {900, 130}; }

protected:
    std::optional<Reading> readingAt(std::int64_t timeNs) const override;
    std::vector<Highlight> highlights() const override;
    std::vector<QColor> curveColors() const override;
    ViewSelection::Peak peakAt(std::size_t index) const override;
    QString peakText(std::size_t index) const override;
    std::optional<std::int32_t> shownRank() const override;
    void showRank(std::int32_t rank) override;

private:
    void onModelChanged();
    void fillGpus();
    void showGpu();
    void showGroup();
    QString gpuName(const SampledGpu& gpu) const;
    QString remarksIn(TimeRange range) const;

    QComboBox* m_gpuChooser;
    QComboBox* m_groupChooser;
    std::shared_ptr<const SampledGpus> m_gpus;
    bool m_hasCounters = false;
};

} // namespace collscope
