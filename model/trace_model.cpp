// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/trace_model.h"

#include <algorithm>
#include <set>

namespace collscope {

void SliceColumns::append(const SliceRow& row)
{
    startNs.push_back(row.startNs);
    durationNs.push_back(row.durationNs);
    name.push_back(row.name);
    category.push_back(row.category);
    kernelClass.push_back(row.kernelClass);
    depth.push_back(0);
    correlation.push_back(row.correlation);
    externalId.push_back(row.externalId);
    detail.push_back(row.detail);
    collective.push_back(row.collective);
    fileOffset.push_back(row.fileOffset);
    longestNs = std::max(longestNs, row.durationNs);
}

void SliceColumns::takeFrom(SliceColumns& part, const std::vector<std::uint32_t>& detailThere,
                            std::uint32_t callBase)
{
    const std::size_t first = size();
    startNs.insert(startNs.end(), part.startNs.begin(), part.startNs.end());
    durationNs.append(part.durationNs);
    name.insert(name.end(), part.name.begin(), part.name.end());
    category.insert(category.end(), part.category.begin(), part.category.end());
    kernelClass.append(part.kernelClass);
    depth.resize(startNs.size());
    correlation.append(part.correlation);
    externalId.append(part.externalId);
    detail.append(part.detail);
    collective.append(part.collective);
    fileOffset.append(part.fileOffset);
    for (std::size_t row = 0; row < part.size(); ++row) {
        if (part.detail[row] != noRow)
            detail.set(first + row, detailThere[part.detail[row]]);
        if (part.collective[row] != noRow)
            collective.set(first + row, callBase + part.collective[row]);
    }
    longestNs = std::max(longestNs, part.longestNs);
    part.forEachColumn([](auto& column) { column.clear(); });
    part.longestNs = 0;
}

SliceRow SliceColumns::at(std::size_t row) const
{
    return {startNs[row],     durationNs[row], name[row],   category[row],   kernelClass[row],
            correlation[row], externalId[row], detail[row], collective[row], fileOffset[row]};
}

std::string_view stepSourceName(StepSource source)
{
    switch (source) {
    case StepSource::ProfilerStep:
        return "ProfilerStep annotations";
    case StepSource::ExecuteContext:
        return "execute_* annotations";
    case StepSource::ServerStep:
        return "step[...] annotations";
    case StepSource::RunBatch:
        return "run_batch calls";
    case StepSource::XlaStep:
        return "XLA step markers";
    case StepSource::NvtxStep:
        return "NVTX step ranges";
    case StepSource::OptimizerMarker:
        return "optimizer step markers, start to start";
    case StepSource::ArgsStep:
        return "step numbers in the args of events";
    case StepSource::WholeTrace:
        return "no step markers: the whole trace is one step";
    case StepSource::Detected:
        return "the repeating sequence of kernels, without step markers";
    }
    return "";
}

namespace {

SliceRef sliceOf(const std::vector<LaunchLink>& links, std::uint32_t correlation)
{
    const auto found
        = std::lower_bound(links.begin(), links.end(), correlation,
                           [](const LaunchLink& link, std::uint32_t id) { return link.correlation < id; });
    return found != links.end() && found->correlation == correlation ? found->slice : SliceRef();
}

} // namespace

SliceRef Timeline::launchOf(std::uint32_t correlation) const
{
    return sliceOf(launches, correlation);
}

SliceRef Timeline::gpuSliceOf(std::uint32_t correlation) const
{
    return sliceOf(gpuSlices, correlation);
}

TimeRange NvlinkDevice::range() const
{
    TimeRange all;
    bool first = true;
    for (const LinkSeries& s : series) {
        if (s.beginNs.empty())
            continue;
        const TimeRange own{s.beginNs.front(), s.endNs.back()};
        all = first ? own : all.united(own);
        first = false;
    }
    return all;
}

const KernelDetail* TraceModel::detailOf(SliceRef slice) const
{
    const std::uint32_t row = track(slice.track).slices.detail[slice.row];
    const Timeline& timeline = timelineOf(slice);
    return row < timeline.kernelDetails.size() ? &timeline.kernelDetails[row] : nullptr;
}

const CollectiveCall* TraceModel::collectiveOf(SliceRef slice) const
{
    const std::uint32_t row = track(slice.track).slices.collective[slice.row];
    const Timeline& timeline = timelineOf(slice);
    return row < timeline.collectives.size() ? &timeline.collectives[row] : nullptr;
}

std::vector<std::int32_t> TraceModel::ranks() const
{
    std::set<std::int32_t> distinct;
    for (const Timeline& timeline : timelines)
        distinct.insert(timeline.rank);
    return {distinct.begin(), distinct.end()};
}

bool TraceModel::isSummarized() const
{
    return std::any_of(timelines.begin(), timelines.end(),
                       [](const Timeline& timeline) { return timeline.summary.has_value(); });
}

bool TraceModel::isReduced() const
{
    return std::any_of(sources.begin(), sources.end(),
                       [](const SourceInfo& source) { return source.isReduced; });
}

std::uint64_t TraceModel::eventCount() const
{
    std::uint64_t sum = 0;
    for (const SourceInfo& source : sources)
        sum += source.eventsInFile;
    return sum;
}

std::uint64_t TraceModel::sliceCount() const
{
    std::uint64_t sum = 0;
    for (const Track& track : tracks)
        sum += track.slices.size();
    return sum;
}

} // namespace collscope
