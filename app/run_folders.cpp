// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/run_folders.h"

#include <QDir>
#include <QRegularExpression>

#include <algorithm>

namespace collscope {

namespace {

bool isPartOfRun(const QString& name)
{
    static const QRegularExpression part(
        QStringLiteral("^(profile_traces?|torch_traces|torch_profiler|torch_et|kineto|memory_snapshot|"
                       "iteration_\\d+(_exit)?|rank_?\\d+)$"),
        QRegularExpression::CaseInsensitiveOption);
    return part.match(name).hasMatch();
}

} // namespace

QStringList runFolders(const QString& folder)
{
    const QDir dir(folder);
    const QStringList inputs
        = dir.entryList({QStringLiteral("*.json"), QStringLiteral("*.json.gz"), QStringLiteral("*.sqlite"),
                         QStringLiteral("*.nsys-rep"), QStringLiteral("*.bin"), QStringLiteral("*.toml"),
                         QStringLiteral("*.yaml"), QStringLiteral("*.yml"), QStringLiteral("*.pickle")},
                        QDir::Files);
    const QStringList folders = dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    const bool isRun
        = !inputs.isEmpty() || folders.isEmpty() || std::any_of(folders.begin(), folders.end(), isPartOfRun);
    if (isRun)
        return {dir.absolutePath()};
    QStringList runs;
    for (const QString& name : folders)
        runs << dir.absoluteFilePath(name);
    return runs;
}

} // namespace collscope
