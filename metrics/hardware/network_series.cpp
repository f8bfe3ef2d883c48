// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/network_series.h"

#include "metrics/core/duration_text.h"
#include "model/text/printable_text.h"

#include <algorithm>

namespace collscope {

namespace {

std::optional<NetworkCounter> counterOf(const TraceModel& model, const Timeline& timeline,
                                        const CounterSeries& series)
{
    return timeline.kind == SourceKind::Nsys && series.device < 0 ? networkCounterOf(model.text(series.name))
                                                                  : std::nullopt;
}

} // namespace

bool isNetworkSeries(const TraceModel& model, const Timeline& timeline, const CounterSeries& series)
{
    return counterOf(model, timeline, series).has_value();
}

std::vector<NetworkSeries> networkSeriesOf(const TraceModel& model)
{
    std::vector<NetworkSeries> found;
    for (std::size_t t = 0; t < model.timelines.size(); ++t) {
        for (const CounterSeries& series : model.timelines[t].counters) {
            if (auto counter = counterOf(model, model.timelines[t], series))
                found.push_back({t, &series, std::move(*counter)});
        }
    }
    return found;
}

std::string networkDeviceLabel(const NetworkCounter& counter)
{
    return (counter.kind == NetworkCounter::Kind::Card ? "Network card " : "Network switch ")
        + printableLine(shortened(counter.device));
}

bool hasNetworkSeries(const TraceModel& model)
{
    return std::any_of(model.timelines.begin(), model.timelines.end(), [&](const Timeline& timeline) {
        return std::any_of(
            timeline.counters.begin(), timeline.counters.end(),
            [&](const CounterSeries& series) { return isNetworkSeries(model, timeline, series); });
    });
}

} // namespace collscope
