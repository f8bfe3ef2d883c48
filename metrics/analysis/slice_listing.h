// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Slices found by a search, prepared for display: their durations, and those with a wanted duration.

#include "metrics/analysis/duration_histogram.h"
#include "model/queries/slice_filter.h"

#include <memory>
#include <optional>

namespace collscope {

struct SliceListing
{
    SliceMatchesPtr all; ///< never nullptr
    DurationHistogram histogram; ///< of all slices
    std::optional<KernelClass> kernelClass; ///< set if all slices have it
    DurationRange lasting;
    SliceMatchesPtr wanted; ///< the slices with a duration in `lasting`; never nullptr
    DurationFigures figures; ///< of the wanted slices
    DurationFigures figuresOfAll;
};
using SliceListingPtr = std::shared_ptr<const SliceListing>;

/// nullptr if `all` is nullptr, or if cancelled. O(matches).
SliceListingPtr listSlices(
    const TraceModel& model, SliceMatchesPtr all, DurationRange lasting = {},
    const std::function<bool()>& cancelled = [] { return false; });

/// The same slices with another range of durations. nullptr if cancelled. O(matches).
SliceListingPtr narrowed(
    const TraceModel& model, const SliceListing& listing, DurationRange lasting,
    const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
