// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/nvlink_heat.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace collscope {

namespace {

class HeatText
{
    Q_DECLARE_TR_FUNCTIONS(HeatText)
};

constexpr double namesWidth = 36; ///< px left of the plot, where the scale of the lines is

/// From near the background to the colour of the lines.
QColor heatColor(const QPalette& palette, double share)
{
    const QColor from = surfaces(palette).base, to = txColor(palette);
    const auto weight = static_cast<float>(0.08 + 0.92 * std::clamp(share, 0.0, 1.0));
    const auto mixed = [&](float a, float b) { return a + weight * (b - a); };
    return QColor::fromRgbF(mixed(from.redF(), to.redF()), mixed(from.greenF(), to.greenF()),
                            mixed(from.blueF(), to.blueF()));
}

} // namespace

void NvlinkHeat::setCurves(const RunContext& run, std::shared_ptr<const NvlinkCurves> curves)
{
    m_run = &run;
    m_curves = std::move(curves);
    m_rows.assign(m_curves ? m_curves->devices.size() : 0, 0);
    m_clocks.clear();
    m_highest = 0;
    std::iota(m_rows.begin(), m_rows.end(), std::size_t{0});
    std::stable_sort(m_rows.begin(), m_rows.end(), [&](std::size_t a, std::size_t b) {
        constexpr std::int32_t last = std::numeric_limits<std::int32_t>::max();
        return run.nvlinkRanks().of(a).rank.value_or(last) < run.nvlinkRanks().of(b).rank.value_or(last);
    });
    for (std::size_t device = 0; device < m_rows.size(); ++device) {
        m_clocks.push_back(run.clockOf(device));
        const DeviceCurves& own = m_curves->devices[device];
        m_highest = std::max({m_highest, own.tx.highest(), own.rx.highest()});
    }
}

QRectF NvlinkHeat::rectOf(const QRectF& plot, std::size_t row) const
{
    const double height = plot.height() / static_cast<double>(m_rows.size());
    return {plot.left(), plot.top() + height * static_cast<double>(row), plot.width(), height};
}

std::optional<std::size_t> NvlinkHeat::rowAt(const QRectF& plot, double y) const
{
    if (m_rows.empty() || y < plot.top() || y >= plot.bottom())
        return std::nullopt;
    const double share = (y - plot.top()) / plot.height();
    return std::min(static_cast<std::size_t>(share * static_cast<double>(m_rows.size())), m_rows.size() - 1);
}

std::optional<NvlinkHeat::Cell> NvlinkHeat::cellOf(std::size_t device, TimeRange onAxis) const
{
    const auto& clock = m_clocks[device];
    const TimeRange range = clock ? m_run->clocks().fromAxis(*clock, onAxis) : onAxis;
    std::optional<Cell> best;
    const DeviceCurves& own = m_curves->devices[device];
    for (const LinkDirection direction : {LinkDirection::Tx, LinkDirection::Rx}) {
        const SampledCurve& curve = direction == LinkDirection::Tx ? own.tx : own.rx;
        for (std::size_t i = curve.firstEndingAfter(range.beginNs);
             i < curve.size() && curve.range(i).beginNs < range.endNs; ++i) {
            const double value = curve.value(i);
            if (std::isnan(value) || (best && value <= best->gigabytesPerSecond))
                continue;
            best = Cell{curve.range(i), value, direction};
        }
    }
    if (best && clock)
        best->range = m_run->clocks().toAxis(*clock, best->range);
    return best;
}

void NvlinkHeat::paint(QPainter& painter, const QRectF& plot, const TimeAxis& axis,
                       std::optional<std::size_t> chosen, const QPalette& palette) const
{
    const Surfaces colors = surfaces(palette);
    painter.setRenderHint(QPainter::Antialiasing, false);
    // Scale and lines of the one GPU lie below.
    painter.fillRect(plot.adjusted(-namesWidth, -6, 0, 8), colors.base);
    painter.fillRect(plot, absentColor(palette));
    const double ascent = painter.fontMetrics().ascent();
    const auto namedStep = static_cast<std::size_t>(
        std::ceil(ascent * static_cast<double>(m_rows.size()) / std::max(1.0, plot.height())));
    const int columns = static_cast<int>(plot.width());
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const std::size_t device = m_rows[row];
        const DeviceCurves& own = m_curves->devices[device];
        const auto& clock = m_clocks[device];
        const QRectF rect = rectOf(plot, row);
        const double gap = rect.height() >= 4 ? 1 : 0;
        const auto ownTime = [&](double x) {
            const std::int64_t time = axis.timeAt(x);
            return clock ? m_run->clocks().fromAxis(*clock, time) : time;
        };
        double value = -1;
        int begin = 0;
        const auto flush = [&](int end) {
            if (value >= 0 && end > begin)
                painter.fillRect(QRectF(plot.left() + begin, rect.top(), end - begin, rect.height() - gap),
                                 heatColor(palette, m_highest > 0 ? value / m_highest : 0));
            begin = end;
        };
        for (int column = 0; column < columns; ++column) {
            const std::int64_t from = ownTime(column), to = std::max(ownTime(column + 1), from + 1);
            double highest = -1;
            for (const SampledCurve* curve : {&own.tx, &own.rx}) {
                const std::size_t first = curve->firstEndingAfter(from);
                std::size_t last = curve->firstEndingAfter(to - 1);
                if (last < curve->size() && curve->range(last).beginNs < to)
                    ++last;
                const auto extremes = curve->extremes(first, last);
                if (!extremes.isEmpty())
                    highest = std::max(highest, extremes.high);
            }
            if (highest != value) {
                flush(column);
                value = highest;
            }
        }
        flush(columns);
        painter.setPen(device == chosen ? colors.text : colors.dimText);
        const auto& rank = m_run->nvlinkRanks().of(device).rank;
        const QString name = rank ? QString::number(*rank) : QStringLiteral("?");
        if (row % std::max<std::size_t>(namedStep, 1) == 0)
            painter.drawText(
                QRectF(plot.left() - namesWidth, rect.center().y() - ascent, namesWidth - 6, 2 * ascent),
                Qt::AlignRight | Qt::AlignVCenter, name);
        if (device == chosen) {
            painter.setPen(colors.accent);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0, 0, -1, -gap));
        }
    }
}

ChartLegend NvlinkHeat::legend(const QPalette& palette) const
{
    ChartLegend legend;
    const auto add = [&](const QColor& color, const QString& name) {
        legend.entries.push_back({QString(), QString(), {{color, name}}});
    };
    for (const double share : {0.0, 0.5, 1.0})
        add(heatColor(palette, share), formatRate(share * m_highest));
    add(absentColor(palette), HeatText::tr("not sampled"));
    return legend;
}

} // namespace collscope
