// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/data_folders.h"

#include <QDirIterator>

namespace collscope {

namespace {

QString folder(const char* variable, const QString& beside)
{
    QString path = qEnvironmentVariable(variable);
    if (path.isEmpty())
        path = QDir(QStringLiteral(COLLSCOPE_SOURCE_FOLDER)).filePath(beside);
    return QDir(path).exists() ? QDir(path).canonicalPath() : QString();
}

} // namespace

QString tracesFolder()
{
    return folder("COLLSCOPE_TRACES", QStringLiteral("../shared/traces"));
}

QString oracleFolder()
{
    return folder("COLLSCOPE_ORACLE", QStringLiteral("../shared/oracle"));
}

QStringList realTraces(const QStringList& endings)
{
    QStringList paths;
    QStringList filters;
    for (const QString& ending : endings)
        filters << QStringLiteral("*.") + ending;
    QDirIterator files(tracesFolder(), filters, QDir::Files, QDirIterator::Subdirectories);
    while (!tracesFolder().isEmpty() && files.hasNext())
        paths << files.next();
    paths.sort();
    return paths;
}

} // namespace collscope
