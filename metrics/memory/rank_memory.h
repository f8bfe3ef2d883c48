// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Peak and mean memory of each rank by its snapshot, under the keys of hardware_saturation_16.

#include "metrics/metric.h"

namespace collscope {

/// `peak_memory_gb` and `avg_memory_gb` by rank, and `memory_by_rank` as pairs of rank and peak; GB are 1e9
/// bytes that tensors held. Of several GPUs of a rank the one with the highest peak counts. The mean is over
/// the time of the recorded events; a rank without such times has none. Empty where there is no snapshot;
/// with or without a value of the metric.
Value::Object memoryOfRanks(Analysis& analysis, const MetricResult& result);

} // namespace collscope
