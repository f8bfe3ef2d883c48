// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What collectives need to send over NVLink while each sample of the counters was taken.

#include "metrics/analysis/analysis.h"
#include "metrics/core/sampled_curve.h"

#include <memory>
#include <vector>

namespace collscope {

/// Decimal GB/s per direction, on the samples of the link of each GPU that has most, in the time of its
/// counters. A call needs S x bus factor (NeededBytes), spread evenly over its time. 0: no call of the trace
/// is in the sample. Not told (NaN, or no sample) if a call in it has a need that cannot be told, and outside
/// what the traces recorded from which the calls of the GPU's rank are taken.
struct NvlinkNeeds
{
    std::vector<SampledCurve> devices; ///< in the order of TraceModel::nvlink
    bool isOneNodeGuessed = false; ///< that the ranks of some call share a node
};

/// O(samples + calls x log samples). Of the whole run, whatever the window. nullptr if cancelled.
std::shared_ptr<const NvlinkNeeds> nvlinkNeeds(Analysis& analysis);

} // namespace collscope
