// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stores sessions in the application's data, identified by the contents of the run; next to the run only if
// the user requests it.

#include "app/parts/session.h"
#include "model/trace_model.h"

#include <QStringList>

namespace collscope {

class SessionStore
{
public:
    /// Maximum number of sessions in `folder`; the oldest are removed.
    static constexpr int mostKept = 300;

    /// `folder` is created when the first session is saved.
    explicit SessionStore(QString folder);
    /// The default folder in QStandardPaths::AppDataLocation.
    static QString defaultFolder();

    /// Returns the session file of a run. Its name is derived from the time of the run and from names and
    /// sizes of its source files, not from their location: a run keeps its session when its folder is moved.
    QString fileOf(const TraceModel& model) const;
    /// Returns the session file next to the run; empty if the run was not opened from a single path
    /// of this machine.
    static QString fileBeside(const TraceModel& model);
    /// Returns `paths` with each session file replaced by the run next to it, because a session file can be
    /// opened from a desktop.
    static QStringList runsOf(const QStringList& paths);

    /// The session of a run, if it has one, and a warning if a session file could not be used.
    struct Kept
    {
        std::optional<Session> session;
        bool isBeside = false; ///< saved next to the run: to be seen as its author saw it
        Status status; ///< the error names the file; the other file may still have given a session
    };
    /// Loads the newer of the two session files that can be used.
    Kept load(const TraceModel& model) const;
    /// Saves a session atomically. `file`: as returned by fileOf().
    Status save(const QString& file, const Session& session);
    static Status saveTo(const QString& path, const Session& session);

private:
    void removeOldest();

    QString m_folder;
};

} // namespace collscope
