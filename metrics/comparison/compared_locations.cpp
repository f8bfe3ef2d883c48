// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/compared_locations.h"

#include "metrics/core/sweep.h"
#include "metrics/reports/collective_listing.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace collscope {

namespace {

/// Slices of each rank, in time order.
using RankSlices = std::map<std::int32_t, std::vector<SliceRef>>;

/// The kernels of the collectives that a row covers. For collectives in which all ranks wait for all, only
/// the kernel of the rank that arrived last, because it did not wait.
RankSlices callsOf(const ComparedRun& run, const ComparedSubject& subject)
{
    RankSlices found;
    Analysis analysis(*run.model, run.options);
    const CollectiveListing listing(analysis);
    if (subject.call->waitsForAll) {
        for (const ListedCollective& collective : listing.collectives()) {
            if (!collective.waitsForAll || !subject.call->contains(kindOf(listing, *collective.call)))
                continue;
            const auto members = listing.membersOf(collective);
            const auto last = std::min_element(members.begin(), members.end(), [&](CallRef a, CallRef b) {
                return listing.run().callOf(a).durationNs() < listing.run().callOf(b).durationNs();
            });
            found[0].push_back(listing.run().callOf(*last).slice);
        }
        return found;
    }
    for (const RankCalls& rank : listing.run().ranks) {
        if (subject.rank && *subject.rank != rank.rank)
            continue;
        for (const Call& call : rank.calls) {
            if (subject.call->contains(kindOf(listing, call)))
                found[rank.rank].push_back(call.slice);
        }
    }
    return found;
}

bool isMeant(const ComparedRun& run, const ComparedSubject& subject, const SliceColumns& slices,
             std::size_t row)
{
    const unsigned kind = activeKindOf(slices, row);
    if ((subject.kinds & kind) == 0)
        return false;
    if (subject.part && kind == ActiveCompute && computePart(slices.kernelClass[row]) != *subject.part)
        return false;
    const std::string_view name = run.model->text(slices.name[row]);
    if (!subject.kernel.empty() && subject.kernel != name)
        return false;
    return subject.kernelClass.empty() || subject.kernelClass == kernelClassName(slices.kernelClass[row]);
}

RankSlices slicesOf(const ComparedRun& run, const ComparedSubject& subject, std::optional<std::int64_t> step)
{
    RankSlices found;
    if (subject.kinds == 0 || !step)
        return found;
    for (const ComparedRun::Window& window : run.windows) {
        if (window.step != *step || (subject.rank && *subject.rank != window.rank))
            continue;
        std::vector<SliceRef>& own = found[window.rank];
        forEachGpuSlice(*run.model, run.model->timelines[window.timeline], window.range,
                        [&](TrackId track, const SliceColumns& slices, std::size_t row) {
                            // A kernel belongs to the step in which it starts.
                            if (slices.startNs[row] >= window.range.beginNs
                                && isMeant(run, subject, slices, row))
                                own.push_back({track, static_cast<std::uint32_t>(row)});
                            return true;
                        });
        std::stable_sort(own.begin(), own.end(), [&](SliceRef a, SliceRef b) {
            return run.model->rangeOf(a).beginNs < run.model->rangeOf(b).beginNs;
        });
    }
    return found;
}

/// Finds the longest time in the step without GPU work on a rank.
void findLongestGap(const ComparedRun& run, const ComparedSubject& subject, std::optional<std::int64_t> step,
                    ComparedLocation& place)
{
    for (const ComparedRun::Window& window : run.windows) {
        if (window.step != step || (subject.rank && *subject.rank != window.rank))
            continue;
        std::vector<TimeRange> busy;
        forEachGpuSlice(*run.model, run.model->timelines[window.timeline], window.range,
                        [&](TrackId, const SliceColumns& slices, std::size_t row) {
                            busy.push_back(slices.range(row));
                            return true;
                        });
        std::sort(busy.begin(), busy.end(),
                  [](const TimeRange& a, const TimeRange& b) { return a.beginNs < b.beginNs; });
        busy.push_back({window.range.endNs, window.range.endNs});
        std::int64_t idleFrom = window.range.beginNs;
        for (const TimeRange& slice : busy) {
            const TimeRange gap{idleFrom, std::min(slice.beginNs, window.range.endNs)};
            if (gap.lengthNs() > (place.gap ? place.gap->lengthNs() : 0)) {
                place.gap = run.clocks.toAxis(window.timeline, gap);
                place.gapRank = window.rank;
            }
            idleFrom = std::max(idleFrom, slice.endNs);
        }
    }
}

struct Position
{
    std::int32_t rank = 0;
    std::size_t at = 0;
};

std::optional<Position> longestOf(const ComparedRun& run, const RankSlices& slices)
{
    std::optional<Position> longest;
    std::int64_t longestNs = -1;
    for (const auto& [rank, own] : slices) {
        for (std::size_t i = 0; i < own.size(); ++i) {
            const std::int64_t ns = run.model->rangeOf(own[i]).lengthNs();
            if (ns > longestNs) {
                longestNs = ns;
                longest = Position{rank, i};
            }
        }
    }
    return longest;
}

/// The slice at a position, or the nearest one.
SliceRef sliceAt(const RankSlices& slices, Position position)
{
    auto rank = slices.find(position.rank);
    if (rank == slices.end() || rank->second.empty())
        rank
            = std::find_if(slices.begin(), slices.end(), [](const auto& own) { return !own.second.empty(); });
    return rank == slices.end() ? SliceRef() : rank->second[std::min(position.at, rank->second.size() - 1)];
}

void fill(const ComparedRun& run, const RankSlices& slices, SliceRef chosen, ComparedLocation& place)
{
    place.slice = chosen;
    for (const auto& [rank, own] : slices)
        place.slices.insert(place.slices.end(), own.begin(), own.end());
    std::sort(place.slices.begin(), place.slices.end());
    if (chosen && !place.range) {
        const std::size_t timeline = run.model->indexOf(run.model->timelineOf(chosen));
        place.range = run.clocks.toAxis(timeline, run.model->rangeOf(chosen));
    }
}

/// The call of the collective's lowest rank.
const Call& firstCall(const RunCollectives& collectives, const CollectiveInstance& instance)
{
    return collectives.callOf(collectives.matching.membersOf(instance).front());
}

/// Key shared by the collectives of one name in one process group, valid across runs.
using InstanceKey = std::array<std::string, 4>;

InstanceKey callKeyOf(const ComparedRun& run, const RunCollectives& collectives,
                      const CollectiveInstance& instance)
{
    const ProcessGroup& group = collectives.matching.groupOf(instance);
    std::string ranks;
    for (const std::int32_t rank : group.ranks)
        ranks.append(std::to_string(rank)).append(1, ' ');
    const Call& call = firstCall(collectives, instance);
    return {std::move(ranks), group.description.empty() ? group.name : group.description,
            std::string(callName(*run.model, call)), std::to_string(static_cast<int>(call.kind))};
}

/// Step of the run in which a call starts; nullopt outside the steps that count.
std::optional<std::int64_t> stepOfCall(const ComparedRun& run, const Call& call)
{
    const std::size_t timeline = run.model->indexOf(*call.timeline);
    for (const ComparedRun::Window& window : run.windows) {
        if (window.timeline == timeline && window.range.contains(call.range.beginNs))
            return window.step;
    }
    return std::nullopt;
}

/// The collectives with a key in a step (nullopt: in the run), in order.
std::vector<std::uint32_t> instancesOf(const ComparedRun& run, const InstanceKey& key,
                                       std::optional<std::int64_t> step)
{
    std::map<std::size_t, TimeRange> inStep; // by timeline
    for (const ComparedRun::Window& window : run.windows) {
        if (window.step == step)
            inStep.emplace(window.timeline, window.range);
    }
    const RunCollectives& collectives = *run.options.collectives;
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < collectives.matching.instances.size(); ++i) {
        const CollectiveInstance& instance = collectives.matching.instances[i];
        const Call& call = firstCall(collectives, instance);
        const auto window = step ? inStep.find(run.model->indexOf(*call.timeline)) : inStep.end();
        const bool isInStep
            = !step || (window != inStep.end() && window->second.contains(call.range.beginNs));
        if (isInStep && callKeyOf(run, collectives, instance) == key)
            found.push_back(i);
    }
    return found;
}

} // namespace

bool ComparedRun::hasSteps() const
{
    return std::any_of(model->timelines.begin(), model->timelines.end(), [](const Timeline& timeline) {
        return timeline.stepSource != StepSource::WholeTrace;
    });
}

std::optional<TimeRange> ComparedRun::stepOnAxis(std::int64_t step) const
{
    std::optional<TimeRange> all;
    for (const Window& window : windows) {
        if (window.step != step)
            continue;
        const TimeRange own = clocks.toAxis(window.timeline, window.range);
        all = all ? TimeRange{std::min(all->beginNs, own.beginNs), std::max(all->endNs, own.endNs)} : own;
    }
    return all;
}

std::vector<std::int64_t> ComparedRun::steps() const
{
    std::vector<std::int64_t> numbers;
    for (const Window& window : windows)
        numbers.push_back(window.step);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

ComparedRunPtr prepareRun(TraceModelPtr model, MetricOptions options, std::string label,
                          const RunReportOptions& report)
{
    const std::function<bool()> cancelled = options.cancelled;
    auto run = std::make_shared<ComparedRun>();
    run->model = std::move(model);
    if (!options.collectives)
        options.collectives = matchRun(*run->model, options);
    if (!options.collectives)
        return nullptr;
    {
        Analysis analysis(*run->model, options);
        run->clocks = analysis.clocks();
        run->sheets = runSheets(analysis, std::move(label), report);
        // A run without GPU work still has steps if it has markers.
        const bool hasGpuWork = !analysis.selection().ranks.empty();
        for (const RankWindows& rank : (hasGpuWork ? analysis.selection() : analysis.allRanks()).ranks) {
            for (const RankWindows::Part& part : rank.parts) {
                for (const Step& step : part.steps)
                    run->windows.push_back(
                        {rank.rank, step.number, run->model->indexOf(*part.timeline), step.range});
            }
        }
    }
    if (cancelled())
        return nullptr;
    run->options = std::move(options);
    run->options.cancelled = [] { return false; }; // the cancellation of this work no longer exists then
    return run;
}

ComparedLocations findLocations(const ComparedRun& base, const ComparedRun& test,
                                const ComparedSubject& subject, const std::optional<StepPair>& steps)
{
    const StepPair pair = subject.steps.value_or(steps.value_or(StepPair()));
    ComparedLocations places;
    const bool isCall = subject.call.has_value();
    if (!isCall) {
        places.base.range = pair.base ? base.stepOnAxis(*pair.base) : std::nullopt;
        places.test.range = pair.test ? test.stepOnAxis(*pair.test) : std::nullopt;
    }
    if (subject.part == StepPart::Idle) {
        findLongestGap(base, subject, pair.base, places.base);
        findLongestGap(test, subject, pair.test, places.test);
        return places;
    }
    const RankSlices own = isCall ? callsOf(base, subject) : slicesOf(base, subject, pair.base);
    const RankSlices other = isCall ? callsOf(test, subject) : slicesOf(test, subject, pair.test);
    const auto inTest = longestOf(test, other);
    const auto position = inTest ? inTest : longestOf(base, own);
    if (!position)
        return places;
    fill(base, own, sliceAt(own, *position), places.base);
    fill(test, other, sliceAt(other, *position), places.test);
    return places;
}

std::optional<std::uint32_t> counterpartOf(const ComparedRun& from, std::uint32_t instance,
                                           const ComparedRun& to)
{
    const RunCollectives& collectives = *from.options.collectives;
    const CollectiveInstance& own = collectives.matching.instances[instance];
    const InstanceKey key = callKeyOf(from, collectives, own);
    const auto step = stepOfCall(from, firstCall(collectives, own));
    std::optional<std::int64_t> otherStep;
    if (step) {
        for (const StepPair& pair : pairedSteps(from.steps(), to.steps())) {
            if (pair.base == step)
                otherStep = pair.test;
        }
        if (!otherStep)
            return std::nullopt; // the other run does not have that step
    }
    const std::vector<std::uint32_t> line = instancesOf(from, key, step);
    const std::vector<std::uint32_t> others = instancesOf(to, key, otherStep);
    const auto at = static_cast<std::size_t>(std::find(line.begin(), line.end(), instance) - line.begin());
    return at < others.size() ? std::optional(others[at]) : std::nullopt;
}

} // namespace collscope
