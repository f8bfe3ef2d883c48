// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Summarizes the selected range, or else the visible range, off the GUI thread.

#include "app/jobs/analysis_job.h"
#include "views/state/view_state.h"

#include <QTimer>

#include <optional>

namespace collscope {

/// Keeps ViewSelection::summary() up to date when range, hidden ranks, clocks or run change. Lives in the
/// GUI thread.
class RangeJob : public QObject
{
    Q_OBJECT

public:
    explicit RangeJob(ViewState* state);

    /// True while the summary is pending.
    bool isRunning() const { return m_settled.isActive() || m_job.isPending(); }

signals:
    void finished();

private:
    void start();
    /// Delays the start: numbers are not read while zooming or panning.
    void startSoon();
    void onSummarized(const RangeSummaryPtr& summary);
    TimeRange wantedRange() const;

    ViewState* m_state;
    QTimer m_settled;
    std::optional<TimeRange> m_asked; ///< of the last start
    AnalysisJob<RangeSummaryPtr> m_job{[this](const auto& summary) { onSummarized(summary); }};
};

} // namespace collscope
