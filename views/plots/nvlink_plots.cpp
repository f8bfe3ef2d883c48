// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/nvlink_intervals.h"
#include "views/plots/metric_plots.h"
#include "views/plots/plot_canvas.h"

#include <algorithm>

namespace collscope {

namespace {

QString directionName(LinkDirection direction)
{
    return direction == LinkDirection::Tx ? QStringLiteral("tx") : QStringLiteral("rx");
}

std::int64_t middleOf(const LinkSeries& series, std::size_t i)
{
    return series.beginNs[i] + (series.endNs[i] - series.beginNs[i]) / 2;
}

/// Throughput in GB/s over seconds since zeroNs, with a point in the middle of each interval.
Plot directionPlot(const std::vector<const LinkSeries*>& links, LinkDirection direction, std::int64_t zeroNs,
                   bool linear)
{
    Plot plot;
    plot.title
        = direction == LinkDirection::Tx ? QStringLiteral("Sent (TX)") : QStringLiteral("Received (RX)");
    plot.xTitle = QStringLiteral("Time since the first sample (s)");
    plot.yTitle = QStringLiteral("Throughput (GB/s)");
    plot.logarithmic = !linear;
    for (const LinkSeries* series : links) {
        if (series->direction != direction)
            continue;
        PlotSeries line;
        line.name = QStringLiteral("Link %1").arg(series->link);
        line.color = seriesColor(series->link);
        line.pen = series->link % 20 < 10 ? Qt::SolidLine : Qt::DashLine;
        line.points.reserve(series->bytes.size());
        for (std::size_t i = 0; i < series->bytes.size(); ++i)
            line.points.emplace_back(
                nsToSeconds(middleOf(*series, i) - zeroNs),
                gigabytesPerSecond(series->bytes[i], series->endNs[i] - series->beginNs[i]));
        plot.series.push_back(std::move(line));
    }
    // The links of a balanced run have overlapping lines: make the lower ones wider, so that they show next
    // to the upper ones.
    const auto count = static_cast<double>(plot.series.size());
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        plot.series[i].width = 1.1 + 1.7 * (count - 1 - static_cast<double>(i)) / std::max(count, 4.0);
    return plot;
}

} // namespace

std::vector<NamedPlot> nvlinkPlots(const TraceModel& model, const MetricOptions& options,
                                   const PlotOptions& wanted)
{
    const NvlinkChoice choice = chooseNvlink(model, options.rank);
    if (!choice.device)
        return {};
    std::vector<const LinkSeries*> links = selectSeries(*choice.device, options.link, options.direction);
    std::erase_if(links, [](const LinkSeries* series) { return series->bytes.empty(); });
    if (links.empty())
        return {};
    std::stable_sort(links.begin(), links.end(),
                     [](const LinkSeries* a, const LinkSeries* b) { return a->link < b->link; });
    std::int64_t zeroNs = middleOf(*links.front(), 0);
    for (const LinkSeries* series : links)
        zeroNs = std::min(zeroNs, middleOf(*series, 0));

    const QString which
        = options.link ? QStringLiteral("link%1").arg(*options.link) : QStringLiteral("all_links");
    const QString ending = wanted.linear ? QStringLiteral(".png") : QStringLiteral("_log.png");
    PlotPage page;
    page.title = wanted.title.isEmpty() ? QStringLiteral("NVLink throughput") : wanted.title;
    page.subtitle = QString::fromStdString(model.title)
        + (choice.device->gpu ? QStringLiteral(" \u00b7 GPU %1").arg(*choice.device->gpu) : QString())
        + QStringLiteral(" \u00b7 whole file")
        + (options.link ? QStringLiteral(" \u00b7 link %1").arg(*options.link) : QString());
    page.widthInches = wanted.widthInches.value_or(14);
    page.heightInches = wanted.heightInches.value_or(wanted.combined ? 10 : 6);

    std::vector<Plot> plots;
    std::vector<LinkDirection> directions;
    for (const LinkDirection direction : {LinkDirection::Tx, LinkDirection::Rx}) {
        Plot plot = directionPlot(links, direction, zeroNs, wanted.linear);
        if (plot.series.empty())
            continue;
        plots.push_back(std::move(plot));
        directions.push_back(direction);
    }
    std::vector<NamedPlot> result;
    if (wanted.combined) {
        page.plots = std::move(plots);
        result.emplace_back(QStringLiteral("nvlink_throughput_combined_") + which + ending, std::move(page));
        return result;
    }
    for (std::size_t i = 0; i < plots.size(); ++i) {
        PlotPage one = page;
        one.plots.push_back(std::move(plots[i]));
        result.emplace_back(QStringLiteral("nvlink_throughput_%1_").arg(directionName(directions[i])) + which
                                + ending,
                            std::move(one));
    }
    return result;
}

} // namespace collscope
