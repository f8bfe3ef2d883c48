// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"
#include "app/parts/session_store.h"
#include "model/readers/run/trace_directory.h"

#include <QTimer>

namespace collscope {

class TimelineView;

/// Saves the state of the run (marks, rows, range, ranks assigned by hand) and restores it.
class SessionController : public Controller
{
    Q_OBJECT

public:
    SessionController(WindowContext& context, TimelineView& timeline);

    Session session() const; ///< precondition: a run is open
    void restore(const Session& kept);
    /// Saves the session if it has changed, before another run replaces the current one.
    void keep();
    /// Restores the saved session of a run that has been opened and returns it, if there is one.
    std::optional<Session> bringBack();
    /// The files of the run have been read again.
    void followReload();
    /// Sets the collectives, and restores the view on the clocks that they give: the axis may change although
    /// the user has not done anything.
    void setCollectives(const RunCollectivesPtr& collectives, const LaidOutGroupsPtr& groups);
    /// Shows which parts of the saved session could not be restored, or what the user has to decide.
    void showNotices();
    /// The ranks assigned by hand; the run is, or is about to be, loaded with them.
    const LoadOptions::Ranks& ranks() const { return m_ranks; }

signals:
    void ranksAssigned(); ///< the run is to be loaded with other ranks()

private:
    void connectChanges();
    void restoreViewOnClocks();
    void leavePlace(Session& own);
    void chooseRanks();
    void assignRanks(const LoadOptions::Ranks& ranks);
    void saveBeside();
    void startOver();
    bool isUsed() const;

    TimelineView& m_timeline;
    SessionStore m_store{SessionStore::defaultFolder()};
    Session m_kept; ///< as it is in the store, or as the run was opened
    QTimer m_keepTimer;
    QString m_file; ///< of the current run, before ranks were assigned by hand
    LoadOptions::Ranks m_ranks;
    Status m_status; ///< an error: why the saved session of the current run could not be read
    std::optional<TimeRange> m_wantedView; ///< from a session, pending until the clocks are known
    TimeRange m_viewRestored;
};

} // namespace collscope
