// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Peak and mean memory of each rank from its snapshot, under the keys of hardware_saturation_16.

#include "metrics/core/metric.h"

namespace collscope {

/// `peak_memory_gb` and `avg_memory_gb` by rank, and `memory_by_rank` as pairs of rank and peak; GB are 1e9
/// bytes held by tensors. If a rank has several GPUs, the one with the highest peak counts. The mean is over
/// the time of the recorded events; a rank without event times has none. Empty without a snapshot; does not
/// depend on whether the metric has a value.
Value::Object memoryOfRanks(Analysis& analysis, const MetricResult& result);

} // namespace collscope
