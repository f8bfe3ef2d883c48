// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/resources.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace collscope {

QString resourceFolder(const QString& name)
{
    // In a build folder, this path is a link to the sources.
    const QStringList roots{qEnvironmentVariable("COLLSCOPE_RESOURCES"),
                            QFileInfo(QStringLiteral("/proc/self/exe")).canonicalPath()
                                + QStringLiteral("/../share/collscope")};
    for (const QString& root : roots) {
        const QDir folder(root + QLatin1Char('/') + name);
        if (!root.isEmpty() && folder.exists())
            return folder.canonicalPath();
    }
    return {};
}

QString programFile()
{
    const QString started = qEnvironmentVariable("COLLSCOPE_PROGRAM");
    return started.isEmpty() ? QCoreApplication::applicationFilePath() : started;
}

} // namespace collscope
