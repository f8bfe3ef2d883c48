// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/order_in_steps.h"

#include "metrics/core/step_rows.h"
#include "metrics/matching/clock_alignment.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>

namespace collscope {

namespace {

using StepLane = std::vector<CallRef>; ///< the calls of one rank in one step, or those of equal signature
using StepLanes = std::vector<StepLane>;

constexpr std::int64_t outsideOfSteps = std::numeric_limits<std::int64_t>::min();

const Call& callAt(const std::vector<RankCalls>& ranks, CallRef ref)
{
    return ranks[ref.rank].calls[ref.call];
}

std::int64_t stepNumberOf(const Call& call)
{
    const Step* const step = stepAround(*call.timeline, call.range.beginNs);
    return step ? step->number : outsideOfSteps;
}

std::map<std::int64_t, StepLanes> lanesByStep(const std::vector<RankCalls>& ranks, const ProcessGroup& group)
{
    std::map<std::int64_t, StepLanes> steps;
    for (const auto& lane : group.lanes) {
        for (const std::uint32_t index : lane.calls) {
            const CallRef ref{lane.rank, index};
            const Call& call = callAt(ranks, ref);
            StepLanes& lanes = steps[stepNumberOf(call)];
            if (lanes.empty() || lanes.back().front().rank != ref.rank)
                lanes.emplace_back();
            lanes.back().push_back(ref);
        }
    }
    return steps;
}

/// Whether the k-th calls of all lanes agree, for all k.
bool areEqual(const std::vector<RankCalls>& ranks, const StepLanes& lanes)
{
    for (const StepLane& lane : lanes) {
        if (lane.size() != lanes.front().size())
            return false;
        for (std::size_t i = 0; i < lane.size(); ++i) {
            if (!agree(callAt(ranks, lanes.front()[i]), callAt(ranks, lane[i])))
                return false;
        }
    }
    return true;
}

void addInOrder(const StepLanes& lanes, Slots& slots)
{
    for (std::size_t i = 0; i < lanes.front().size(); ++i) {
        slots.begin();
        for (const StepLane& lane : lanes)
            slots.add(lane[i]);
    }
}

void addAmbiguous(const StepLanes& lanes, StepSlots& result)
{
    for (const StepLane& lane : lanes)
        result.ambiguous.insert(result.ambiguous.end(), lane.begin(), lane.end());
}

void addByContent(const std::vector<RankCalls>& ranks, const StepLanes& lanes, StepSlots& result)
{
    std::map<std::uint64_t, StepLanes> contents;
    for (const StepLane& lane : lanes) {
        for (const CallRef ref : lane) {
            StepLanes& same = contents[signatureOf(callAt(ranks, ref))];
            if (same.empty() || same.back().front().rank != ref.rank)
                same.emplace_back();
            same.back().push_back(ref);
        }
    }
    for (const auto& [signature, same] : contents) {
        if (areEqual(ranks, same))
            addInOrder(same, result.slots);
        else
            addAmbiguous(same, result);
    }
}

} // namespace

StepSlots slotsOfEqualSteps(const std::vector<RankCalls>& ranks, const ProcessGroup& group)
{
    StepSlots result;
    for (const auto& [number, lanes] : lanesByStep(ranks, group)) {
        if (number != outsideOfSteps && areEqual(ranks, lanes))
            addInOrder(lanes, result.slots);
        else
            addAmbiguous(lanes, result);
    }
    return result;
}

StepSlots slotsOfStepContent(const std::vector<RankCalls>& ranks, const ProcessGroup& group)
{
    StepSlots result;
    for (const auto& [number, lanes] : lanesByStep(ranks, group)) {
        const bool areAllThere = lanes.size() == group.lanes.size();
        const bool areOfAStep = number != outsideOfSteps;
        if (areEqual(ranks, lanes) && (areAllThere || areOfAStep))
            addInOrder(lanes, result.slots);
        else if (areOfAStep && areAllThere)
            addByContent(ranks, lanes, result);
        else
            addAmbiguous(lanes, result);
    }
    if (areMostlyApart(ranks, result.slots)) {
        result = {{}, {}, true};
        for (const auto& lane : group.lanes) {
            for (const std::uint32_t index : lane.calls)
                result.ambiguous.push_back({lane.rank, index});
        }
    }
    return result;
}

bool areMostlyApart(const std::vector<RankCalls>& ranks, const Slots& slots)
{
    std::ptrdiff_t together = 0, apart = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::span<const CallRef> slot = slots[i];
        if (slot.size() < 2 || !synchronises(callAt(ranks, slot.front()).kind))
            continue;
        std::int64_t lastBeginNs = std::numeric_limits<std::int64_t>::min();
        std::int64_t firstEndNs = std::numeric_limits<std::int64_t>::max();
        for (const CallRef member : slot) {
            lastBeginNs = std::max(lastBeginNs, callAt(ranks, member).range.beginNs);
            firstEndNs = std::min(firstEndNs, callAt(ranks, member).range.endNs);
        }
        ++(lastBeginNs <= firstEndNs ? together : apart);
    }
    return apart > together;
}

bool areInOtherSteps(const std::vector<RankCalls>& ranks, const Slots& slots)
{
    std::size_t other = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const std::span<const CallRef> slot = slots[i];
        const std::int64_t number = stepNumberOf(callAt(ranks, slot.front()));
        if (std::any_of(slot.begin(), slot.end(),
                        [&](CallRef member) { return stepNumberOf(callAt(ranks, member)) != number; }))
            ++other;
    }
    return other * 2 > slots.size();
}

} // namespace collscope
