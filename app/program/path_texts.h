// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QStringList>

#include <string>
#include <vector>

namespace collscope {

/// Returns paths of the command line as Qt spells them.
inline QStringList pathTexts(const std::vector<std::string>& paths)
{
    QStringList texts;
    for (const std::string& path : paths)
        texts << QFile::decodeName(path.c_str());
    return texts;
}

} // namespace collscope
