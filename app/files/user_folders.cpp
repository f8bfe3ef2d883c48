// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/user_folders.h"

#include <QFile>
#include <QStandardPaths>

namespace collscope {

namespace {

// Organisation and application, as QSettings names them; whatever program asks, as the tests do.
const QString ownFolder = QStringLiteral("/collscope/collscope");

std::string folderIn(QStandardPaths::StandardLocation location)
{
    return QFile::encodeName(QStandardPaths::writableLocation(location) + ownFolder).toStdString();
}

} // namespace

std::string configuredFile(const std::string& name)
{
    const QString file = ownFolder.mid(1) + QLatin1Char('/') + QFile::decodeName(name.c_str());
    return QFile::encodeName(QStandardPaths::locate(QStandardPaths::GenericConfigLocation, file))
        .toStdString();
}

std::string userConfigFolder()
{
    return folderIn(QStandardPaths::GenericConfigLocation);
}

std::string userCacheFolder()
{
    return folderIn(QStandardPaths::GenericCacheLocation);
}

} // namespace collscope
