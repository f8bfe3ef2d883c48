// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/knowledge.h"

#include "app/resources.h"
#include "model/readers/knowledge_toml.h"

#include <QFileInfo>
#include <QStandardPaths>

namespace collscope {

Result<std::shared_ptr<const Knowledge>> loadKnowledge(const std::string& ownFile)
{
    const QString shipped = resourceFolder(QStringLiteral("knowledge"));
    const QString configured
        = QStandardPaths::locate(QStandardPaths::AppConfigLocation, QStringLiteral("devices.toml"));
    Knowledge knowledge;
    for (const QString& path :
         {shipped + QStringLiteral("/devices.toml"), shipped + QStringLiteral("/models.toml"), configured,
          QString::fromStdString(ownFile)}) {
        // The program's own tables may be missing from an unpacked binary: then peaks are unknown, and
        // metrics say so. A file that the user names must be there.
        if (path.isEmpty() || (path.startsWith(shipped) && !QFileInfo::exists(path)))
            continue;
        auto more = readKnowledge(path.toStdString(), std::move(knowledge));
        if (!more)
            return more.error();
        knowledge = std::move(*more);
    }
    return std::make_shared<const Knowledge>(std::move(knowledge));
}

} // namespace collscope
