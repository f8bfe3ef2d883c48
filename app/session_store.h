// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where sessions are kept: in the application's data, found again by what the run consists of; beside the run
// only when a person asks for that.

#include "app/session.h"
#include "model/trace_model.h"

#include <QStringList>

namespace collscope {

class SessionStore
{
public:
    /// More sessions than this in `folder` are not kept: the oldest go.
    static constexpr int mostKept = 300;

    /// `folder` is made when the first session is saved.
    explicit SessionStore(QString folder);
    /// In QStandardPaths::AppDataLocation.
    static QString defaultFolder();

    /// The file for a run. Its name comes from when the run was and from names and sizes of what it was read
    /// from, not from where that lies: a run keeps its session when its folder is moved.
    QString fileOf(const TraceModel& model) const;
    /// The file for a session beside the run; empty if the run does not lie in one folder.
    static QString fileBeside(const TraceModel& model);
    /// `paths` with the runs instead of sessions that lie beside them: on a desktop, one can be opened
    /// itself.
    static QStringList runsOf(const QStringList& paths);

    /// The later one of both places. nullopt without any; `error` is then the reason if there is a file that
    /// cannot be used, with its path.
    std::optional<Session> load(const TraceModel& model, QString& error) const;
    /// `file`: what fileOf() says. Atomic. Empty, or why it could not be written.
    QString save(const QString& file, const Session& session) const;
    static QString saveTo(const QString& path, const Session& session);

private:
    void removeOldest() const;

    QString m_folder;
};

} // namespace collscope
