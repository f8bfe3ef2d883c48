// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/hardware_files.h"

#include "app/files/resources.h"
#include "model/readers/measurements/hardware_toml.h"

#include <QFileInfo>
#include <QStandardPaths>

namespace collscope {

Result<std::shared_ptr<const HardwareDatabase>> loadHardwareDatabase(const std::string& ownFile)
{
    const QString shipped = resourceFolder(QStringLiteral("knowledge"));
    const QString configured
        = QStandardPaths::locate(QStandardPaths::AppConfigLocation, QStringLiteral("devices.toml"));
    HardwareDatabase hardware;
    for (const QString& path :
         {shipped + QStringLiteral("/devices.toml"), shipped + QStringLiteral("/models.toml"), configured,
          QString::fromStdString(ownFile)}) {
        // The built-in tables may be missing next to an unpacked binary; the peaks are then unknown and
        // metrics report that. A file named by the user must exist.
        if (path.isEmpty() || (path.startsWith(shipped) && !QFileInfo::exists(path)))
            continue;
        auto more = readHardwareDatabase(path.toStdString(), std::move(hardware));
        if (!more)
            return more.error();
        hardware = std::move(*more);
    }
    return std::make_shared<const HardwareDatabase>(std::move(hardware));
}

} // namespace collscope
