// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/version.h"

#include <QString>
#include <QSysInfo>
#include <QtGlobal>

#include <string_view>

namespace collscope {

std::string versionText()
{
    std::string text = "collscope " COLLSCOPE_VERSION "\n";
    text += "source: " COLLSCOPE_REVISION "\n";
    text += "built: " COLLSCOPE_BUILD_TYPE ", "
#if defined(__clang__)
            "Clang " __clang_version__
#elif defined(__GNUC__)
            "GCC " __VERSION__
#endif
            ", "
        + QSysInfo::buildAbi().toStdString() + "\n";
    text += "Qt: " + std::string(qVersion());
    if (std::string_view(qVersion()) != QT_VERSION_STR)
        text += " (built with " QT_VERSION_STR ")";
    return text + "\nlicence: GPL-3.0-or-later";
}

} // namespace collscope
