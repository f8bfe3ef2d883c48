// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/nvlink_heat.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

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

/// "3"; "3?" if that is a guess, "?" if the rank is not known.
QString rankText(const GpuRank& place)
{
    const QString doubt = place.rank && !isGuess(place.evidence) ? QString() : QStringLiteral("?");
    return (place.rank ? QString::number(*place.rank) : QString()) + doubt;
}

/// A row without the line that parts it from the next one.
QRectF cellsOf(const QRectF& row)
{
    return row.adjusted(0, 0, 0, row.height() >= 4 ? -1 : 0);
}

/// The highest sample in a range of the counters' time; negative: none.
double highestIn(const std::array<const SampledCurve*, 2>& curves, TimeRange range)
{
    double highest = -1;
    for (const SampledCurve* curve : curves) {
        if (!curve)
            continue;
        const std::size_t first = curve->firstEndingAfter(range.beginNs);
        std::size_t last = curve->firstEndingAfter(range.endNs - 1);
        if (last < curve->size() && curve->range(last).beginNs < range.endNs)
            ++last;
        const auto extremes = curve->extremes(first, last);
        if (!extremes.isEmpty())
            highest = std::max(highest, extremes.high);
    }
    return highest;
}

} // namespace

void NvlinkHeat::setCurves(const RunContext& run, std::shared_ptr<const NvlinkCurves> curves)
{
    m_run = &run;
    m_curves = std::move(curves);
    m_needs.reset();
    m_rows = m_curves ? run.nvlinkRanks().byRank() : std::vector<std::size_t>();
    m_clocks.clear();
    m_highest = 0;
    for (std::size_t device = 0; device < m_rows.size(); ++device) {
        m_clocks.push_back(run.clockOf(device));
        const DeviceCurves& own = m_curves->devices[device];
        m_highest = std::max({m_highest, own.tx.highest(), own.rx.highest()});
    }
}

void NvlinkHeat::setNeeds(std::shared_ptr<const NvlinkNeeds> needs)
{
    m_needs = needs && needs->devices.size() == m_rows.size() ? std::move(needs) : nullptr;
}

std::optional<double> NvlinkHeat::needAt(std::size_t device, std::int64_t timeNs) const
{
    const auto sample = m_needs ? m_needs->devices[device].sampleAt(timeNs) : std::nullopt;
    return sample ? std::optional(m_needs->devices[device].value(*sample)) : std::nullopt;
}

QRectF NvlinkHeat::rectOf(const QRectF& plot, std::size_t row) const
{
    const double height = plot.height() / static_cast<double>(m_rows.size());
    return {plot.left(), plot.top() + height * static_cast<double>(row), plot.width(), height};
}

QRectF NvlinkHeat::needsPartOf(const QRectF& plot, std::size_t row) const
{
    constexpr double lowestRow = 8; // px: a lower one has no room for two parts
    const QRectF cells = cellsOf(rectOf(plot, row));
    if (!m_needs || cells.height() < lowestRow)
        return {};
    const double height = std::floor(cells.height() / 3);
    return {cells.left(), cells.bottom() - height, cells.width(), height};
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

/// A rectangle for each run of pixels with one value.
void NvlinkHeat::paintCells(QPainter& painter, const QRectF& row, const Curves& curves, std::size_t device,
                            const TimeAxis& axis, const QPalette& palette) const
{
    const auto& clock = m_clocks[device];
    const auto ownTime = [&](double x) {
        const std::int64_t time = axis.timeAt(x);
        return clock ? m_run->clocks().fromAxis(*clock, time) : time;
    };
    double value = -1;
    int begin = 0;
    const auto flush = [&](int end) {
        if (value >= 0 && end > begin)
            painter.fillRect(QRectF(row.left() + begin, row.top(), end - begin, row.height()),
                             heatColor(palette, m_highest > 0 ? value / m_highest : 0));
        begin = end;
    };
    const int columns = static_cast<int>(row.width());
    for (int column = 0; column < columns; ++column) {
        const std::int64_t from = ownTime(column);
        const double highest = highestIn(curves, {from, std::max(ownTime(column + 1), from + 1)});
        if (highest != value) {
            flush(column);
            value = highest;
        }
    }
    flush(columns);
}

void NvlinkHeat::paintRow(QPainter& painter, const QRectF& plot, std::size_t row, const TimeAxis& axis,
                          const QPalette& palette) const
{
    const std::size_t device = m_rows[row];
    const DeviceCurves& own = m_curves->devices[device];
    const QRectF needs = needsPartOf(plot, row);
    paintCells(painter, cellsOf(rectOf(plot, row)).adjusted(0, 0, 0, -needs.height()), {&own.tx, &own.rx},
               device, axis, palette);
    if (!needs.isEmpty())
        paintCells(painter, needs, {&m_needs->devices[device], nullptr}, device, axis, palette);
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
    // Where rows are lower than the text, some of them are named.
    const auto every
        = std::max<std::size_t>(1,
                                static_cast<std::size_t>(std::ceil(ascent * static_cast<double>(m_rows.size())
                                                                   / std::max(1.0, plot.height()))));
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
        const std::size_t device = m_rows[row];
        const QRectF rect = rectOf(plot, row);
        paintRow(painter, plot, row, axis, palette);
        if (row % every == 0) {
            painter.setPen(device == chosen ? colors.text : colors.dimText);
            painter.drawText(
                QRectF(plot.left() - namesWidth, rect.center().y() - ascent, namesWidth - 6, 2 * ascent),
                Qt::AlignRight | Qt::AlignVCenter, rankText(m_run->nvlinkRanks().of(device)));
        }
        if (device == chosen) {
            painter.setPen(colors.accent);
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(cellsOf(rect).adjusted(0, 0, -1, 0));
        }
    }
}

ChartLegend NvlinkHeat::legend(const QRectF& plot, const QPalette& palette) const
{
    const bool showsNeeds = !m_rows.empty() && !needsPartOf(plot, 0).isEmpty();
    ChartLegend legend;
    const auto add = [&](const QColor& color, const QString& name) {
        legend.entries.push_back({QString(), QString(), {{color, name}}});
    };
    for (const double share : {0.0, 0.5, 1.0})
        add(heatColor(palette, share), formatRate(share * m_highest));
    add(absentColor(palette), showsNeeds ? HeatText::tr("not known") : HeatText::tr("not sampled"));
    if (showsNeeds)
        legend.entries.push_back(
            {m_needs->isOneNodeGuessed ? HeatText::tr(
                 "above: counted \u00b7 below: what collectives need, if all ranks are on one node (a guess)")
                                       : HeatText::tr("above: counted \u00b7 below: what collectives need"),
             m_needs->isOneNodeGuessed ? HeatText::tr("below: needed (guess)")
                                       : HeatText::tr("below: needed"),
             {}});
    return legend;
}

} // namespace collscope
