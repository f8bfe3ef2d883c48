// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Stores sessions in the application's data, identified by the contents of the run; next to the run only if
// the user requests it.

#include "app/session.h"
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
    /// Returns the session file next to the run; empty if the run was not opened from a single path.
    static QString fileBeside(const TraceModel& model);
    /// Returns `paths` with each session file replaced by the run next to it, because a session file can be
    /// opened from a desktop.
    static QStringList runsOf(const QStringList& paths);

    /// Loads the newer of the two session files. nullopt if neither can be used; `error` is then the reason,
    /// with the path, if a file exists.
    std::optional<Session> load(const TraceModel& model, QString& error) const;
    /// Saves a session atomically. `file`: as returned by fileOf(). Returns the reason for a failure; empty:
    /// saved.
    QString save(const QString& file, const Session& session) const;
    static QString saveTo(const QString& path, const Session& session);

private:
    void removeOldest() const;

    QString m_folder;
};

} // namespace collscope
