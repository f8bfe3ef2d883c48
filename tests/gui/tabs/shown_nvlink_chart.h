// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// An NVLink chart on its own, and counters whose values are known.

#include "views/charts/nvlink_chart.h"

#include <QCoreApplication>
#include <QLineSeries>

#include <cmath>

namespace collscope {

constexpr std::int64_t ms = 1'000'000;

/// Two GPUs of 8 links, sampled each ms of [1, 5) and [7, 11) of 12 ms. Link l of GPU 0 sends (l + 1) times,
/// in GB/s: 1, 10, 2, 0 and then 0, 6, 0.5, 3 and receives a tenth of it; GPU 1 moves a thousandth of all
/// that.
inline TraceModelPtr eightLinks()
{
    auto model = std::make_shared<TraceModel>();
    model->range = {0, 12 * ms};
    const std::vector<double> rates{1, 10, 2, 0, 0, 6, 0.5, 3};
    for (int gpu = 0; gpu < 2; ++gpu) {
        NvlinkDevice& device = model->nvlink.emplace_back();
        device.gpu = gpu;
        for (std::uint32_t link = 0; link < 8; ++link) {
            for (const LinkDirection direction : {LinkDirection::Tx, LinkDirection::Rx}) {
                LinkSeries& series = device.series.emplace_back();
                series.link = link;
                series.direction = direction;
                const double factor
                    = (link + 1) * (direction == LinkDirection::Tx ? 1 : 0.1) * (gpu == 0 ? 1 : 0.001);
                for (std::size_t i = 0; i < rates.size(); ++i) {
                    const auto at = static_cast<std::int64_t>(i);
                    series.beginNs.push_back((at + (i < 4 ? 1 : 3)) * ms);
                    series.endNs.push_back(series.beginNs.back() + ms);
                    series.bytes.push_back(static_cast<std::uint64_t>(std::lround(rates[i] * factor * ms)));
                    series.gap.push_back(false);
                }
            }
        }
    }
    return model;
}

/// A chart on its own, as a window has it.
class ShownChart
{
public:
    explicit ShownChart(ViewState* state)
        : m_chart(state)
    {
        m_chart.resize(1000, 170);
        m_chart.show();
    }
    NvlinkChart* operator->() { return &m_chart; }
    NvlinkChart& operator*() { return m_chart; }
    void giveCurves(const TraceModelPtr& model)
    {
        m_chart.setCurves(nvlinkCurves(model, 64, [] { return false; }));
        QCoreApplication::processEvents();
    }
    /// The lines of one colour that are shown.
    QList<QLineSeries*> lines(const QColor& color) const
    {
        QList<QLineSeries*> found;
        for (QAbstractSeries* series : m_chart.chart()->series()) {
            auto* line = qobject_cast<QLineSeries*>(series);
            if (line && line->count() > 0 && line->pen().color() == color)
                found << line;
        }
        return found;
    }
    int lineCount() const
    {
        const auto all = m_chart.chart()->series();
        return static_cast<int>(std::count_if(all.begin(), all.end(), [](QAbstractSeries* series) {
            return qobject_cast<QLineSeries*>(series)->count() > 0;
        }));
    }
    int columnOf(std::int64_t axisNs, const ViewState& state) const
    {
        const TimeAxis axis(state.viewport().visibleRange(), m_chart.width() - timelineHeaderWidth);
        return timelineHeaderWidth + static_cast<int>(axis.xOf(axisNs));
    }
    QImage image() { return m_chart.grab().toImage(); }

private:
    NvlinkChart m_chart;
};

} // namespace collscope
