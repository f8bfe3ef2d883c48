// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/session_store.h"

#include "app/parts/save_file.h"
#include "app/remote/remote_address.h"
#include "model/readers/byte_source.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace collscope {

namespace {

constexpr std::size_t largestFile = 16 << 20; ///< bytes; thousands of marks take a few hundred kB
const QString suffix = QStringLiteral(".collscope-session");

Result<Session> readSessionFile(const QString& path)
{
    // The creator of the run's folder can have put anything under this name, including links.
    const auto content = readHead(QFile::encodeName(path).toStdString(), largestFile + 1);
    if (!content)
        return content.error();
    if (content->size() > largestFile)
        return Error{Error::Kind::TooLarge,
                     QCoreApplication::translate("Session", "it is too large").toStdString()};
    return readSession(QByteArray::fromStdString(*content));
}

} // namespace

SessionStore::SessionStore(QString folder)
    : m_folder(std::move(folder))
{ }

QString SessionStore::defaultFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/sessions");
}

QString SessionStore::fileOf(const TraceModel& model) const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    // Runs of one job can have equal sizes, but not equal times.
    hash.addData(QStringLiteral("%1 %2 %3\n")
                     .arg(model.axisZeroNs)
                     .arg(model.range.beginNs)
                     .arg(model.range.endNs)
                     .toUtf8());
    for (const SourceInfo& source : model.sources) {
        const QString name = QFileInfo(QFile::decodeName(source.path.c_str())).fileName();
        hash.addData(QStringLiteral("%1\n%2\n%3\n")
                         .arg(name, QString::number(source.bytes), QString::number(source.eventsInFile))
                         .toUtf8());
    }
    return QStringLiteral("%1/%2%3").arg(m_folder, QString::fromLatin1(hash.result().toHex().left(32)),
                                         suffix);
}

QString SessionStore::fileBeside(const TraceModel& model)
{
    if (model.paths.size() != 1 || isRemote(model.paths.front()))
        return {};
    const QFileInfo opened(QFile::decodeName(model.paths.front().c_str()));
    return opened.isDir() ? opened.absoluteFilePath() + QLatin1Char('/') + suffix.mid(1)
                          : opened.absoluteFilePath() + suffix;
}

QStringList SessionStore::runsOf(const QStringList& paths)
{
    QStringList runs;
    for (const QString& path : paths) {
        const QFileInfo file(path);
        const bool isOfFolder = file.fileName() == suffix.mid(1);
        const QString run
            = isOfFolder ? file.path() : path.chopped(path.endsWith(suffix) ? suffix.size() : 0);
        runs << (file.isFile() && QFileInfo::exists(run) ? run : path);
    }
    runs.removeDuplicates();
    return runs;
}

SessionStore::Kept SessionStore::load(const TraceModel& model) const
{
    const QString own = fileOf(model);
    QStringList files{own};
    if (const QString beside = fileBeside(model); !beside.isEmpty())
        files << beside;
    std::stable_sort(files.begin(), files.end(), [](const QString& a, const QString& b) {
        return QFileInfo(a).lastModified() > QFileInfo(b).lastModified();
    });
    Kept kept;
    for (const QString& path : std::as_const(files)) {
        if (!QFileInfo(path).isFile())
            continue;
        auto session = readSessionFile(path);
        if (session) {
            kept.session = std::move(*session);
            kept.isBeside = path != own;
            break;
        }
        Error error = session.error();
        error.message = QCoreApplication::translate("Session", "The session %1 was not restored: %2")
                            .arg(path, QString::fromStdString(error.message))
                            .toStdString();
        kept.status = std::move(error);
    }
    return kept;
}

Status SessionStore::save(const QString& file, const Session& session)
{
    if (!QDir().mkpath(m_folder))
        return Error{Error::Kind::Io,
                     QCoreApplication::translate("Session", "Cannot create the folder %1")
                         .arg(m_folder)
                         .toStdString()};
    removeOldest();
    return saveTo(file, session);
}

Status SessionStore::saveTo(const QString& path, const Session& session)
{
    return saveFile(path, sessionJson(session));
}

void SessionStore::removeOldest()
{
    const QFileInfoList files = QDir(m_folder).entryInfoList({QLatin1Char('*') + suffix}, QDir::Files,
                                                             QDir::Time); // newest first
    for (qsizetype i = mostKept - 1; i < files.size(); ++i)
        QFile::remove(files[i].absoluteFilePath());
}

} // namespace collscope
