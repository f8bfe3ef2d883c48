// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/partition/partition.h"

#include "metrics/core/step_summaries.h"
#include "metrics/idle/gap_domain.h"
#include "metrics/idle/gpu_gap.h"
#include "metrics/partition/known_gaps.h"
#include "metrics/partition/part_sweep.h"

#include <algorithm>
#include <numeric>

namespace collscope {

std::string_view partName(Part part)
{
    constexpr std::string_view names[partCount] = {"compute", "communication", "waiting", "copy", "idle"};
    return names[static_cast<std::size_t>(part)];
}

std::int64_t PartTimes::total() const
{
    return std::accumulate(ns.begin(), ns.end(), std::int64_t{0});
}

PartTimes& PartTimes::operator+=(const PartTimes& other)
{
    for (std::size_t part = 0; part < partCount; ++part)
        ns[part] += other.ns[part];
    return *this;
}

std::size_t RankShare::partOf(const Timeline& timeline) const
{
    const auto found = std::find(timelines.begin(), timelines.end(), &timeline);
    return static_cast<std::size_t>(found - timelines.begin());
}

const StepShare* RankShare::stepAt(const Timeline& timeline, std::int64_t ns) const
{
    const std::size_t wanted = partOf(timeline);
    // By part, then by time.
    const auto after = std::partition_point(steps.begin(), steps.end(), [&](const StepShare& step) {
        return step.part < wanted || (step.part == wanted && step.step.range.beginNs <= ns);
    });
    if (after == steps.begin())
        return nullptr;
    const StepShare& step = *std::prev(after);
    return step.part == wanted && step.step.range.contains(ns) ? &step : nullptr;
}

const RankShare* Partition::shareOf(std::int32_t rank) const
{
    const auto found
        = std::lower_bound(ranks.begin(), ranks.end(), rank,
                           [](const RankShare& share, std::int32_t r) { return share.rank < r; });
    return found != ranks.end() && found->rank == rank ? &*found : nullptr;
}

PartTimes Partition::perStep() const
{
    PartTimes mean;
    std::int64_t sumNs = 0;
    std::int64_t roundedNs = 0; // the rounded sum so far: the next part ends at the rounded next sum
    for (std::size_t part = 0; part < partCount && cells > 0; ++part) {
        sumNs += parts.ns[part];
        mean.ns[part] = sumNs / cells - roundedNs;
        roundedNs = sumNs / cells;
    }
    return mean;
}

namespace {

void addCopies(const std::vector<CopySummary>& copies, const Timeline& timeline, TimeRange window,
               RankShare& rank)
{
    for (const CopySummary& own : copies) {
        const auto known = std::find_if(rank.copies.begin(), rank.copies.end(), [&](const CopyShare& share) {
            return share.name == own.name && share.timeline == &timeline;
        });
        CopyShare& share = known != rank.copies.end()
            ? *known
            : rank.copies.emplace_back(
                CopyShare{.name = own.name, .timeline = &timeline, .track = {}, .places = {}});
        share.ns += own.ns;
        share.count += own.copies;
        share.places.add({rank.rank, own.longest.in(window), {}});
    }
}

/// The parts and causes of a timeline that is known by its sums.
void addSums(const RankWindows::Part& windows, std::uint32_t part, RankShare& rank)
{
    rank.gaps.emplace_back();
    rank.steps.reserve(rank.steps.size() + windows.steps.size());
    const StepSummaries summaries(*windows.timeline);
    std::optional<std::size_t> before;
    for (const Step& step : windows.steps) {
        const std::size_t place = summaries.placeOf(step);
        const PartitionSummary& own = summaries.at(place).partition;
        StepShare& share = rank.steps.emplace_back();
        share.step = step;
        share.part = part;
        share.isSummarized = true;
        share.parts.add(Part::Compute, own.computeNs);
        share.parts.add(Part::Communication, own.communicationNs);
        share.parts.add(Part::Copy, own.copyNs);
        share.parts.add(Part::Idle, step.range.lengthNs() - own.computeNs - own.communicationNs - own.copyNs);
        for (const IdleSummary& idle : own.idle)
            rank.idle[static_cast<std::size_t>(idle.cause)] += idle.ns;
        rank.overheadNs += own.overheadNs;
        addCopies(own.copies, *windows.timeline, step.range, rank);
        // A call that reaches into two windows is one call.
        share.followsLast = before && *before + 1 == place;
        const std::int64_t calls = own.calls - (share.followsLast ? own.continued : 0);
        rank.counted += calls;
        rank.unsplit += calls - own.alone + (share.followsLast ? own.continuedAlone : 0);
        before = place;
    }
}

TimelineGaps gapsOf(const TraceModel& model, const RankWindows::Part& windows, GapsByTimeline& known,
                    const std::function<bool()>& cancelled)
{
    const Timeline& timeline = *windows.timeline;
    const auto own = known.find(&timeline);
    return own != known.end() && own->second.domain == gapDomainOf(timeline, windows.steps)
        ? std::move(own->second.gaps)
        : findGaps(model, timeline, windows.steps, cancelled);
}

/// The parts and causes of one rank. Touches only its own calls and known gaps.
RankShare shareOf(const TraceModel& model, const RankWindows& windows, GapsByTimeline& known,
                  ExposedCalls& calls, const std::function<bool()>& cancelled)
{
    RankShare rank;
    rank.rank = windows.rank;
    for (std::uint32_t part = 0; part < windows.parts.size(); ++part) {
        const Timeline& timeline = *windows.parts[part].timeline;
        rank.timelines.push_back(&timeline);
        if (timeline.summary) {
            addSums(windows.parts[part], part, rank);
            continue;
        }
        rank.gaps.push_back(gapsOf(model, windows.parts[part], known, cancelled));
        PartSweep sweep(model, timeline, calls, rank.copies);
        for (const Step& step : windows.parts[part].steps) {
            StepShare& share = rank.steps.emplace_back();
            share.step = step;
            share.part = part;
            share.parts = sweep.run(step.range, cancelled);
            rank.gaps.back().forEachIn(step.range, [&](const GpuGap& gap, TimeRange inside) {
                rank.idle[static_cast<std::size_t>(gap.cause)] += inside.lengthNs();
            });
        }
    }
    return rank;
}

void addUp(Partition& partition)
{
    for (const RankShare& rank : partition.ranks) {
        partition.counted += rank.counted;
        partition.unsplit += rank.unsplit;
        for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
            partition.idle[cause] += rank.idle[cause];
        for (const StepShare& step : rank.steps) {
            partition.isSummarized |= step.isSummarized;
            partition.parts += step.parts;
            partition.windowNs += step.step.range.lengthNs();
            ++partition.cells;
        }
    }
    for (std::size_t call = 0; call < partition.calls.times.size(); ++call) {
        const bool isCounted = partition.calls.shares[call].isCounted;
        partition.counted += isCounted ? 1 : 0;
        partition.unsplit += isCounted && partition.calls.times[call].mayHideWaits() ? 1 : 0;
    }
}

Partition measurePartition(Analysis& analysis)
{
    Partition partition;
    const Selection& selection = analysis.selection();
    if (selection.failure)
        return partition;
    partition.calls = timeCalls(analysis);
    partition.ranks.resize(selection.ranks.size());
    GapsByTimeline& known = analysis.table<GapsByTimeline>([] { return GapsByTimeline(); });
    const MetricOptions& options = analysis.options();
    options.parallel.forEach(selection.ranks.size(), [&](std::size_t i) {
        partition.ranks[i]
            = shareOf(analysis.model(), selection.ranks[i], known, partition.calls, options.cancelled);
    });
    known.clear();
    addUp(partition);
    return partition;
}

Partition& tableOf(Analysis& analysis)
{
    return analysis.table<Partition>([&] { return measurePartition(analysis); });
}

} // namespace

CountedTime countedTimeOf(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    return {.cells = partitionOf(analysis).cells,
            .window = selection.window,
            .scope = selection.scope,
            .isPerStep = !hasNoSteps(selection) && !analysis.options().range};
}

const Partition& partitionOf(Analysis& analysis)
{
    return tableOf(analysis);
}

void passGapsOn(std::unique_ptr<Analysis> from, Analysis& to)
{
    GapsByTimeline& known = to.table<GapsByTimeline>([] { return GapsByTimeline(); });
    for (RankShare& rank : tableOf(*from).ranks) {
        for (std::size_t part = 0; part < rank.timelines.size(); ++part) {
            std::vector<Step> windows;
            for (const StepShare& share : rank.steps) {
                if (share.part == part)
                    windows.push_back(share.step);
            }
            const Timeline& timeline = *rank.timelines[part];
            known[&timeline] = {gapDomainOf(timeline, windows), std::move(rank.gaps[part])};
        }
    }
}

} // namespace collscope
