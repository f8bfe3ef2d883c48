// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/moment.h"

#include "views/common/format.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>
#include <cstdlib>

namespace collscope {

namespace {

constexpr std::int64_t nsPerSecond = 1'000'000'000;

/// Formats `ns` with a QDateTime pattern that ends with seconds, followed by `digits` decimals.
QString clockText(std::int64_t ns, const QString& pattern, int digits)
{
    const std::int64_t rest = (ns % nsPerSecond + nsPerSecond) % nsPerSecond;
    const QString fraction = QStringLiteral("%1").arg(rest, 9, 10, QLatin1Char('0')).left(digits);
    const QString second
        = QDateTime::fromSecsSinceEpoch((ns - rest) / nsPerSecond, Qt::UTC).toString(pattern);
    return digits > 0 ? second + QLatin1Char('.') + fraction : second;
}

} // namespace

MomentText::MomentText(const ViewState& state)
    : m_format(state.preferences().timeFormat())
{
    const bool hasWallClock = state.run().model() && state.run().model()->hasWallClock;
    if (m_format == TimeFormat::WallClock && hasWallClock)
        m_originNs = state.run().model()->axisZeroNs;
    else if (m_format == TimeFormat::WallClock)
        m_format = TimeFormat::Relative;
}

QString MomentText::of(std::int64_t ns, std::int64_t stepNs) const
{
    switch (m_format) {
    case TimeFormat::Relative:
        break;
    case TimeFormat::Nanoseconds: {
        const QString digits = formatCount(static_cast<std::uint64_t>(std::llabs(ns)));
        return QCoreApplication::translate("MomentText", "%1\u00a0ns")
            .arg(ns < 0 ? QStringLiteral("\u2212") + digits : digits);
    }
    case TimeFormat::WallClock: {
        int digits = 9;
        for (std::int64_t step = std::max<std::int64_t>(stepNs, 1); step >= 10 && digits > 0; step /= 10)
            --digits;
        return clockText(ns + m_originNs, QStringLiteral("HH:mm:ss"), digits);
    }
    }
    return formatTime(ns, stepNs);
}

double MomentText::tickSpacing() const
{
    constexpr double usual = 96;
    constexpr double manyDigits = 160;
    return m_format == TimeFormat::Relative ? usual : manyDigits;
}

QString wallClockLabel(std::int64_t ns)
{
    return clockText(ns, QStringLiteral("yyyy-MM-dd HH:mm:ss"), 9) + QStringLiteral(" UTC");
}

} // namespace collscope
