// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/version.h"

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
            ", " COLLSCOPE_PROCESSOR "\n";
    return text + "Qt: " COLLSCOPE_QT_VERSION "\nlicence: GPL-3.0-or-later";
}

} // namespace collscope
