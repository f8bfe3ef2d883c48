// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which maxima of a sampled curve are worth a marker.

#include "metrics/sampled_curve.h"

namespace collscope {

/// A local maximum that rises by at least a tenth of its function's highest value: less is the ripple of
/// sampling.
struct ProminentPeak
{
    std::size_t function = 0; ///< which of those that were given
    TimeRange range; ///< the plateau: the steps of at least 95 % of the maximum around it
    double value = 0;
};

/// The samples as a function; where nothing was sampled it is NaN.
StepFunction stepFunctionOf(const SampledCurve& curve);
/// Of all functions, the most prominent first, at most `count`; those of one function do not overlap.
std::vector<ProminentPeak> prominentPeaks(const std::vector<StepFunction>& functions, int count);

} // namespace collscope
