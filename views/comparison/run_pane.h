// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One of the compared runs: its name above its timeline.

#include "metrics/comparison/compared_locations.h"
#include "views/state/view_state.h"

#include <QWidget>

class QLabel;

namespace collscope {

class TimelineView;

class RunPane : public QWidget
{
    Q_OBJECT

public:
    /// `role`: "Baseline", "Test".
    RunPane(const QString& role, QWidget* parent = nullptr);

    /// Shows the model while the rest is being computed. The visible range is kept if the model is already
    /// shown.
    void showModel(const TraceModelPtr& model, const RunCollectivesPtr& collectives, const QString& label);
    /// nullptr: nothing to compare yet; the current content is kept.
    void setRun(const ComparedRunPtr& run);
    const ComparedRunPtr& run() const { return m_run; }
    ViewState* state() { return &m_state; }
    TimelineView* timeline() const { return m_timeline; }
    /// Selects the slices of a location and scrolls to its row; keeps the visible range.
    void showLocation(const ComparedLocation& place);
    /// Scrolls to the rows of a rank.
    void showRank(std::int32_t rank);
    /// The collective that contains the selected slice.
    std::optional<std::uint32_t> selectedCollective() const { return m_state.selection().collective(); }
    /// Start on the last rank of a collective, on the axis, from which the collective transfers data.
    std::int64_t beginOfTransfer(std::uint32_t instance) const;

private:
    ComparedRunPtr m_run;
    ViewState m_state;
    QLabel* m_title;
    QLabel* m_facts;
    TimelineView* m_timeline;
    QString m_role;
};

} // namespace collscope
