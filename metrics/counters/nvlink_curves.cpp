// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/nvlink_curves.h"

#include <algorithm>

namespace collscope {

namespace {

SampledCurve sumOf(const NvlinkDevice& device, LinkDirection direction)
{
    return SampledCurve(std::make_shared<const StepFunction>(aggregateThroughput(device, direction)));
}

DeviceCurves curvesOf(const TraceModelPtr& model, const NvlinkDevice& device)
{
    DeviceCurves curves{sumOf(device, LinkDirection::Tx), sumOf(device, LinkDirection::Rx), {}};
    for (const LinkSeries* series : selectSeries(device, std::nullopt, std::nullopt)) {
        auto at = std::find_if(curves.links.begin(), curves.links.end(),
                               [&](const LinkCurves& link) { return link.link == series->link; });
        if (at == curves.links.end())
            at = curves.links.insert(at, LinkCurves{series->link, {}, {}});
        SampledCurve& curve = series->direction == LinkDirection::Tx ? at->tx : at->rx;
        curve = SampledCurve(std::shared_ptr<const LinkSeries>(model, series));
    }
    std::sort(curves.links.begin(), curves.links.end(),
              [](const LinkCurves& a, const LinkCurves& b) { return a.link < b.link; });
    return curves;
}

} // namespace

std::shared_ptr<const NvlinkCurves> nvlinkCurves(const TraceModelPtr& model, int peaksPerGpu,
                                                 const std::function<bool()>& cancelled)
{
    auto curves = std::make_shared<NvlinkCurves>();
    for (const NvlinkDevice& device : model->nvlink) {
        if (cancelled())
            return nullptr;
        curves->devices.push_back(curvesOf(model, device));
    }
    if (cancelled())
        return nullptr;
    curves->peaks = findPeaks(*model, peaksPerGpu * static_cast<int>(model->nvlink.size()));
    return curves;
}

std::optional<LinkReading> readingAt(const DeviceCurves& device, std::span<const std::uint32_t> links,
                                     std::int64_t timeNs)
{
    LinkReading reading;
    const auto add = [&](const SampledCurve& curve, std::optional<double>& sum) {
        const auto sample = curve.sampleAt(timeNs);
        if (!sample)
            return;
        sum = sum.value_or(0) + curve.value(*sample);
        const TimeRange range = curve.range(*sample);
        if (range.lengthNs() > reading.range.lengthNs())
            reading.range = range;
    };
    for (const LinkCurves& link : device.links) {
        if (!links.empty() && std::find(links.begin(), links.end(), link.link) == links.end())
            continue;
        add(link.tx, reading.tx);
        add(link.rx, reading.rx);
    }
    return reading.tx || reading.rx ? std::optional(reading) : std::nullopt;
}

} // namespace collscope
