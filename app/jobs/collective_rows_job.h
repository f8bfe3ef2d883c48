// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lists the matched collectives for the tables and maps of several ranks, off the GUI thread. A newer request
// discards older answers.

#include "app/jobs/latest_only_job.h"
#include "metrics/matching/lateness_grid.h"

#include <QObject>

namespace collscope {

class CollectiveRowsJob : public QObject
{
    Q_OBJECT

public:
    explicit CollectiveRowsJob(QObject* parent = nullptr)
        : QObject(parent)
    { }

    /// Answers with listed(). Grids of an older list are never delivered after it.
    void list(TraceModelPtr model, RunCollectivesPtr run, ClockChoice choice);
    /// Answers with laidOut().
    void layOut(CollectiveRowsPtr collectives, const LatenessRequest& request);
    void cancel();
    bool isPending() const { return m_rows.isPending() || m_grid.isPending(); }

signals:
    void listed(const collscope::CollectiveRowsPtr& collectives);
    void laidOut(const collscope::LatenessGridPtr& grid);

private:
    LatestOnlyJob<CollectiveRowsPtr> m_rows{[this](const CollectiveRowsPtr& rows) { emit listed(rows); }};
    LatestOnlyJob<LatenessGridPtr> m_grid{[this](const LatenessGridPtr& grid) { emit laidOut(grid); }};
};

} // namespace collscope
