// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One of the runs that are compared: its name over its timeline.

#include "metrics/reports/compared_locations.h"
#include "views/view_state.h"

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

    /// What is there to see while the rest is worked out. The view stays where the model is on show already.
    void showModel(const TraceModelPtr& model, const RunCollectivesPtr& collectives, const QString& label);
    /// nullptr: there is nothing to compare yet; what is on show stays.
    void setRun(const ComparedRunPtr& run);
    const ComparedRunPtr& run() const { return m_run; }
    ViewState* state() { return &m_state; }
    TimelineView* timeline() const { return m_timeline; }
    /// Selects what a place names and scrolls to its row; the visible range stays.
    void showLocation(const ComparedLocation& place);
    /// Scrolls to the rows of a rank.
    void showRank(std::int32_t rank);
    /// The collective that the selected slice is part of.
    std::optional<std::uint32_t> selectedCollective() const { return m_state.selectedInstance(); }
    /// When a collective's last rank begins, on the axis: from then on it moves data.
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
