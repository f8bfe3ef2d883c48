// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Slices that were asked for, ready to be looked at: how long they last, and those that last as long as
// wanted.

#include "metrics/duration_histogram.h"
#include "model/slice_filter.h"

#include <memory>
#include <optional>

namespace collscope {

struct SliceListing
{
    SliceMatchesPtr all; ///< never nullptr
    DurationHistogram histogram; ///< of all
    std::optional<KernelClass> kernelClass; ///< that all of them have
    DurationRange lasting;
    SliceMatchesPtr wanted; ///< of all, those that last so long; never nullptr
    DurationFigures figures; ///< of the wanted ones
    DurationFigures figuresOfAll;
};
using SliceListingPtr = std::shared_ptr<const SliceListing>;

/// nullptr if `all` is, or if cancelled. O(matches).
SliceListingPtr listSlices(
    const TraceModel& model, SliceMatchesPtr all, DurationRange lasting = {},
    const std::function<bool()>& cancelled = [] { return false; });

/// The same slices, with others of them wanted. nullptr if cancelled. O(matches).
SliceListingPtr narrowed(
    const TraceModel& model, const SliceListing& listing, DurationRange lasting,
    const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
