// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finds the maxima of a sampled curve that deserve a marker.

#include "metrics/core/sampled_curve.h"

namespace collscope {

/// A local maximum that rises by at least a tenth of its function's highest value: smaller ones are sampling
/// ripple.
struct ProminentPeak
{
    std::size_t function = 0; ///< index into the given functions
    TimeRange range; ///< the plateau: the adjacent steps of at least 95 % of the maximum
    double value = 0;
};

/// The samples as a function; NaN where nothing was sampled.
StepFunction stepFunctionOf(const SampledCurve& curve);
/// Peaks of all functions, most prominent first, at most `count`; peaks of the same function do not overlap.
std::vector<ProminentPeak> prominentPeaks(const std::vector<StepFunction>& functions, int count);

} // namespace collscope
