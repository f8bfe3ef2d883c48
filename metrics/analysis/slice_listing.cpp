// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/slice_listing.h"

namespace collscope {

namespace {

std::vector<double> durationsOf(const TraceModel& model, const SliceMatches& matches)
{
    std::vector<double> durations;
    durations.reserve(matches.size());
    for (const SliceMatches::InTrack& found : matches.tracks) {
        const SliceColumns& slices = model.track(found.track).slices;
        for (const std::uint32_t row : found.rows)
            durations.push_back(static_cast<double>(slices.durationNs[row]));
    }
    return durations;
}

std::optional<KernelClass> commonClass(const TraceModel& model, const SliceMatches& matches)
{
    std::optional<KernelClass> common;
    for (const SliceMatches::InTrack& found : matches.tracks) {
        const SliceColumns& slices = model.track(found.track).slices;
        for (const std::uint32_t row : found.rows) {
            if (common && *common != slices.kernelClass[row])
                return std::nullopt;
            common = slices.kernelClass[row];
        }
    }
    return common;
}

} // namespace

SliceListingPtr listSlices(const TraceModel& model, SliceMatchesPtr all, DurationRange lasting,
                           const std::function<bool()>& cancelled)
{
    if (!all || cancelled())
        return nullptr;
    auto listing = std::make_shared<SliceListing>();
    const std::vector<double> durations = durationsOf(model, *all);
    listing->histogram = DurationHistogram(durations);
    listing->kernelClass = commonClass(model, *all);
    listing->all = listing->wanted = std::move(all);
    listing->figures = listing->figuresOfAll = durationFigures(durations);
    return lasting.isAll() && !cancelled() ? listing : narrowed(model, *listing, lasting, cancelled);
}

SliceListingPtr narrowed(const TraceModel& model, const SliceListing& listing, DurationRange lasting,
                         const std::function<bool()>& cancelled)
{
    auto other = std::make_shared<SliceListing>(listing);
    other->lasting = lasting;
    other->wanted = lasting.isAll() ? listing.all : slicesLasting(model, *listing.all, lasting, cancelled);
    if (!other->wanted || cancelled())
        return nullptr;
    other->figures
        = lasting.isAll() ? listing.figuresOfAll : durationFigures(durationsOf(model, *other->wanted));
    return cancelled() ? nullptr : other;
}

} // namespace collscope
