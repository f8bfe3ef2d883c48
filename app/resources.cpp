// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/resources.h"

#include <QDir>
#include <QFileInfo>

namespace collscope {

QString resourceFolder(const QString& name)
{
    const QStringList roots{qEnvironmentVariable("COLLSCOPE_RESOURCES"),
                            QFileInfo(QStringLiteral("/proc/self/exe")).canonicalPath()
                                + QStringLiteral("/../share/collscope"),
                            QStringLiteral(COLLSCOPE_SOURCE_RESOURCES)};
    for (const QString& root : roots) {
        const QDir folder(root + QLatin1Char('/') + name);
        if (!root.isEmpty() && folder.exists())
            return folder.canonicalPath();
    }
    return {};
}

} // namespace collscope
