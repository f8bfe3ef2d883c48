// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/range_summary.h"

#include "metrics/analysis/gpu_timeline.h"
#include "metrics/core/rank_windows.h"
#include "metrics/core/sweep.h"
#include "model/kernels/kernel_names.h"
#include "model/queries/slice_query.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace collscope {

namespace {

/// Rows looked up by a number.
class RowsByKey
{
public:
    explicit RowsByKey(std::vector<RangeRow>& rows)
        : m_rows(rows)
    { }

    /// Returns the row of a key; a new row starts as `fresh`.
    RangeRow& at(std::uint64_t key, const RangeRow& fresh)
    {
        // Slices of the same name often follow each other.
        if (m_rows.empty() || m_last == noRow || key != m_lastKey) {
            const auto [found, isNew] = m_places.try_emplace(key, m_rows.size());
            if (isNew)
                m_rows.push_back(fresh);
            m_last = found->second;
            m_lastKey = key;
        }
        return m_rows[m_last];
    }
    void clear()
    {
        m_places = {}; // frees the buckets too: one track may have many names, the next thousand only a few
        m_last = noRow;
    }

private:
    static constexpr std::size_t noRow = ~std::size_t{0};
    std::vector<RangeRow>& m_rows;
    std::unordered_map<std::uint64_t, std::size_t> m_places;
    std::uint64_t m_lastKey = 0;
    std::size_t m_last = noRow;
};

std::uint64_t keyOf(StringId name, KernelClass kernelClass)
{
    return std::uint64_t{name.value} << 8u | static_cast<std::uint64_t>(kernelClass);
}

/// Fills the rows of a summary, track by track.
class RangeCounter
{
public:
    RangeCounter(const TraceModel& model, RangeSummary& summary, const std::function<bool()>& cancelled)
        : m_model(model)
        , m_summary(summary)
        , m_cancelled(cancelled)
        , m_rows(summary.rows)
    { }

    /// `window`: the range in the track's own time.
    void add(TrackId id, TimeRange window)
    {
        const Track& track = m_model.track(id);
        const SliceColumns& slices = track.slices;
        m_rows.clear();
        forEachOverlapping(slices, window, [&](std::size_t row) {
            constexpr std::uint64_t askEvery = 1u << 16u;
            if (m_isStopped || (m_summary.slices % askEvery == 0 && isStopped()))
                return;
            ++m_summary.slices;
            const StringId name = slices.name[row];
            const KernelClass kernelClass = slices.kernelClass[row];
            RangeRow& line
                = m_rows.at(keyOf(name, kernelClass), {name, kernelClass, id, 0, 0, -1, SliceRef(), {}, {}});
            const std::int64_t ns = slices.range(row).intersected(window).lengthNs();
            ++line.count;
            line.totalNs += ns;
            if (ns > line.longestNs) {
                line.longestNs = ns;
                line.longest = {id, static_cast<std::uint32_t>(row)};
            }
        });
        const std::vector<std::int64_t>& instants = track.instants.timeNs;
        const auto first = std::lower_bound(instants.begin(), instants.end(), window.beginNs);
        m_summary.instants
            += static_cast<std::uint64_t>(std::lower_bound(first, instants.end(), window.endNs) - first);
    }
    bool isStopped()
    {
        m_isStopped = m_isStopped || m_cancelled();
        return m_isStopped;
    }

private:
    const TraceModel& m_model;
    RangeSummary& m_summary;
    const std::function<bool()>& m_cancelled;
    RowsByKey m_rows;
    bool m_isStopped = false;
};

BusyGpu busyGpu(const TraceModel& model, const RankWindows& rank, const std::function<bool()>& cancelled)
{
    BusyGpu gpu{rank.rank, 0, 0, rank.windowNs()};
    GpuTimelineMeter kinds(model); // as in the partition of a step: memsets count as compute
    const auto kindOf = [&](const Track& track, std::size_t row) { return kinds.kindOf(track.slices, row); };
    for (const RankWindows::Part& part : rank.parts) {
        for (const Step& window : part.steps) {
            const auto active = sweep(model, *part.timeline, window.range, kindOf, cancelled);
            gpu.busyNs += active.anyOf(ActiveAnything);
            gpu.computeNs += active.anyOf(ActiveCompute);
        }
    }
    return gpu;
}

/// Number of timelines of visible ranks in the range.
std::size_t timelinesIn(const TraceModel& model, const ClockMap& clocks, TimeRange range,
                        const std::set<std::int32_t>& hiddenRanks)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < model.timelines.size(); ++i) {
        const Timeline& timeline = model.timelines[i];
        count += !hiddenRanks.contains(timeline.rank) && timeline.range.overlaps(clocks.fromAxis(i, range));
    }
    return count;
}

bool counts(TrackKind kind, RangeWork work)
{
    return work == RangeWork::Everything
        || kind == (work == RangeWork::Gpu ? TrackKind::GpuStream : TrackKind::CpuThread);
}

/// Caches which names and classes are wanted.
class WantedRows
{
public:
    WantedRows(const TraceModel& model, const NameTest& isWanted)
        : m_names(model, isWanted)
    {
        for (std::size_t i = 0; i < m_classes.size(); ++i)
            m_classes[i] = !isWanted || isWanted(kernelClassName(static_cast<KernelClass>(i)));
    }

    bool contains(const RangeRow& row)
    {
        return m_classes[static_cast<std::size_t>(row.kernelClass)] || m_names.isWanted(row.name);
    }

private:
    NameVerdicts m_names;
    std::array<bool, kernelClassCount> m_classes{};
};

std::uint64_t groupOf(const TraceModel& model, const RangeRow& row, RangeGrouping grouping)
{
    const Track& track = model.track(row.track);
    switch (grouping) {
    case RangeGrouping::Class:
        // Slices without a class are grouped by the kind of their track.
        return keyOf(
            StringId{row.kernelClass == KernelClass::None ? static_cast<std::uint32_t>(track.kind) : 0u},
            row.kernelClass);
    case RangeGrouping::Name:
        return keyOf(row.name, row.kernelClass);
    case RangeGrouping::Rank:
        return static_cast<std::uint32_t>(model.timeline(track.timeline).rank);
    case RangeGrouping::Track:
        break;
    }
    return row.track.value;
}

template<typename Figure>
std::optional<double> meanOfGpus(const std::vector<BusyGpu>& gpus, const Figure& figureOf)
{
    if (gpus.empty())
        return std::nullopt;
    double sum = 0;
    for (const BusyGpu& gpu : gpus)
        sum += figureOf(gpu);
    return sum / static_cast<double>(gpus.size());
}

void addKnown(const std::optional<std::int64_t>& part, std::optional<std::int64_t>& sum)
{
    if (part)
        sum = sum.value_or(0) + *part;
}

} // namespace

std::optional<double> RangeSummary::busyShare() const
{
    return meanOfGpus(gpus, [](const BusyGpu& gpu) { return gpu.share(); });
}

std::optional<double> RangeSummary::computeShare() const
{
    return meanOfGpus(gpus, [](const BusyGpu& gpu) { return gpu.computeShare(); });
}

std::optional<std::int64_t> RangeSummary::exposedNs() const
{
    const auto mean
        = meanOfGpus(gpus, [](const BusyGpu& gpu) { return static_cast<double>(gpu.exposedNs()); });
    return mean ? std::optional(static_cast<std::int64_t>(std::llround(*mean))) : std::nullopt;
}

std::shared_ptr<RangeSummary> summarizeRange(const TraceModel& model, const ClockMap& clocks,
                                             TimeRange axisRange, const std::set<std::int32_t>& hiddenRanks,
                                             const std::function<bool()>& cancelled)
{
    auto summary = std::make_shared<RangeSummary>();
    summary->range = axisRange;
    if (axisRange.isEmpty())
        return summary;
    MetricOptions options;
    options.range = axisRange;
    const Selection selection = selectRanks(model, options, clocks);
    RangeCounter counter(model, *summary, cancelled);
    std::size_t counted = 0;
    for (const RankWindows& rank : selection.ranks) {
        if (hiddenRanks.contains(rank.rank))
            continue;
        for (const RankWindows::Part& part : rank.parts) {
            counted += part.steps.size();
            for (const Step& window : part.steps) {
                for (const TrackId track : part.timeline->tracks)
                    counter.add(track, window.range);
            }
        }
        if (counter.isStopped())
            return nullptr;
        if (rank.windowNs() > 0 && hasGpuWork(model, rank))
            summary->gpus.push_back(busyGpu(model, rank, cancelled));
    }
    summary->timelinesLeftOut = timelinesIn(model, clocks, axisRange, hiddenRanks) - counted;
    return counter.isStopped() ? nullptr : summary;
}

RangePivot pivotOf(const TraceModel& model, const RangeSummary& summary, RangeGrouping grouping,
                   RangeWork work, const NameTest& isWanted)
{
    RangePivot pivot;
    RowsByKey groups(pivot.rows);
    std::set<std::ptrdiff_t> hidden; ///< rows of the pivot with waits that are not known
    WantedRows wanted(model, isWanted);
    for (const RangeRow& row : summary.rows) {
        if (!counts(model.track(row.track).kind, work))
            continue;
        pivot.totalNs += row.totalNs;
        if (!wanted.contains(row))
            continue;
        RangeRow fresh = row;
        fresh.count = 0;
        fresh.totalNs = 0;
        fresh.exposedNs.reset();
        fresh.waitingNs.reset();
        RangeRow& group = groups.at(groupOf(model, row, grouping), fresh);
        group.count += row.count;
        group.totalNs += row.totalNs;
        addKnown(row.exposedNs, group.exposedNs);
        addKnown(row.waitingNs, group.waitingNs);
        if (row.hidesWaits())
            hidden.insert(&group - pivot.rows.data());
        if (row.longestNs > group.longestNs) {
            group.longestNs = row.longestNs;
            group.longest = row.longest;
            group.name = row.name;
            group.kernelClass = row.kernelClass;
            group.track = row.track;
        }
    }
    for (const std::ptrdiff_t group : hidden)
        pivot.rows[static_cast<std::size_t>(group)].waitingNs.reset();
    return pivot;
}

} // namespace collscope
