// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The timeline, and the charts below it that share its pixel columns.

#include <QSplitter>

namespace collscope {

class GpuCounterChart;
class MemoryChart;
class NvlinkChart;
class TimelineView;
class ViewState;

class TimelineArea : public QSplitter
{
    Q_OBJECT

public:
    explicit TimelineArea(ViewState* state, QWidget* parent = nullptr);

    TimelineView* timeline() const { return m_timeline; }
    NvlinkChart* nvlink() const { return m_nvlink; }
    GpuCounterChart* gpuCounters() const { return m_gpuCounters; }
    MemoryChart* memory() const { return m_memory; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitCharts();

    TimelineView* m_timeline;
    NvlinkChart* m_nvlink;
    GpuCounterChart* m_gpuCounters;
    MemoryChart* m_memory;
    bool m_isSizedByUser = false; ///< the user moved a handle
};

} // namespace collscope
