// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/latest_only_job.h"
#include "app/parts/controller.h"
#include "metrics/memory/history.h"

namespace collscope {

class MemoryChart;
class MemoryView;

/// Replays the memory of the chosen GPU for the tab "Memory" and the chart below the timeline.
class MemoryController : public Controller
{
    Q_OBJECT

public:
    MemoryController(WindowContext& context, MemoryChart& chart);

    MemoryView* view() const { return m_view; }
    bool isComputing() const override;

signals:
    void ready();

private:
    void replay();
    void showWhole(const MemoryHistory& history);
    void onReplayed(const MemoryHistoryPtr& history);

    MemoryChart& m_chart;
    MemoryView* m_view;
    LatestOnlyJob<MemoryHistoryPtr> m_job{[this](const auto& history) { onReplayed(history); }};
};

} // namespace collscope
