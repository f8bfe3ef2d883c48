// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/load_progress.h"

#include "views/common/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

struct LoadProgress
{
    Q_DECLARE_TR_FUNCTIONS(LoadProgress)
};

} // namespace

QString loadProgressText(const ByteProgress::State& state, std::size_t files, qint64 elapsedMs)
{
    constexpr qint64 earliestMs = 1000;
    constexpr double msPerSecond = 1000;
    constexpr int secondsPerMinute = 60;
    const auto done = static_cast<double>(state.done);
    QStringList parts;
    if (files > 1)
        parts += LoadProgress::tr("file %1 of %2").arg(state.file + 1).arg(files);
    parts
        += LoadProgress::tr("%1 of %2").arg(formatBytes(done), formatBytes(static_cast<double>(state.total)));
    if (elapsedMs < earliestMs || state.done == 0)
        return parts.join(QStringLiteral(", "));
    const double bytesPerSecond = done / static_cast<double>(elapsedMs) * msPerSecond;
    const auto leftSeconds = static_cast<qint64>(
        std::ceil(static_cast<double>(state.total - std::min(state.done, state.total)) / bytesPerSecond));
    parts += LoadProgress::tr("%1/s").arg(formatBytes(bytesPerSecond));
    parts += leftSeconds < 2 * secondsPerMinute
        ? LoadProgress::tr("%1 s left").arg(leftSeconds)
        : LoadProgress::tr("%1 min left").arg((leftSeconds + secondsPerMinute - 1) / secondsPerMinute);
    return parts.join(QStringLiteral(", "));
}

QString remoteProgressText(std::size_t arrived, std::size_t all)
{
    return all > 0 ? LoadProgress::tr("on the other machine: %1 of %2 parts").arg(arrived).arg(all)
                   : LoadProgress::tr("on the other machine");
}

} // namespace collscope
