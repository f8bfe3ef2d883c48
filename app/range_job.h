// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What happens in the selected range, else in the visible one, worked out off the GUI thread.

#include "app/analysis_job.h"
#include "views/view_state.h"

#include <QTimer>

#include <optional>

namespace collscope {

/// Keeps ViewState::rangeSummary() up to date, whenever range, hidden ranks, clocks or run change. Lives in
/// the GUI thread.
class RangeJob : public QObject
{
    Q_OBJECT

public:
    explicit RangeJob(ViewState* state);

    /// True while the summary is still to come.
    bool isRunning() const { return m_isPending; }

signals:
    void finished();

private:
    void start();
    /// While somebody zooms or pans nobody reads numbers.
    void startSoon();
    void onSummarized(const RangeSummaryPtr& summary);
    TimeRange wantedRange() const;

    ViewState* m_state;
    QTimer m_settled;
    std::optional<TimeRange> m_asked; ///< of the last start
    bool m_isPending = false;
    AnalysisJob<RangeSummaryPtr> m_job{[this](const auto& summary) { onSummarized(summary); }};
};

} // namespace collscope
