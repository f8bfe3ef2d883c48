// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The counters of network cards and switches that Nsight Systems sampled, among those of the timelines.

#include "model/trace_model.h"
#include "model/witnesses/network_counters.h"

#include <string>
#include <vector>

namespace collscope {

/// One counter of a card or switch, as one file recorded it.
struct NetworkSeries
{
    std::size_t timeline = 0; ///< whose clock the samples use
    const CounterSeries* samples = nullptr;
    NetworkCounter counter;
};
/// By timeline and in the order of the file. O(counters).
std::vector<NetworkSeries> networkSeriesOf(const TraceModel& model);
/// Whether a series of a timeline is one of them.
bool isNetworkSeries(const TraceModel& model, const Timeline& timeline, const CounterSeries& series);
/// Whether a run has any. O(counters).
bool hasNetworkSeries(const TraceModel& model);

/// "Network card mlx5_0 port 1", "Network switch 0xb83fd203002a1234".
std::string networkDeviceLabel(const NetworkCounter& counter);

} // namespace collscope
