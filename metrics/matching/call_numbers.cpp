// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/call_numbers.h"

#include <algorithm>
#include <tuple>

namespace collscope {

namespace {

using NumberedLane = ProcessGroup::Lane;

struct Numbered
{
    std::int64_t communicator, sequence;
    std::uint32_t repeat; ///< coalesced calls share a number: the k-th call with it is the same on every rank
    std::uint32_t lane;
    std::uint32_t call;
    auto key() const { return std::tuple(communicator, sequence, repeat); }
};

/// Collects the calls with equal numbers into collectives.
Slots slotsOf(const ProcessGroup& group, std::vector<Numbered>& calls)
{
    std::sort(calls.begin(), calls.end(), [](const Numbered& a, const Numbered& b) {
        return std::tie(a.communicator, a.sequence, a.lane, a.call)
            < std::tie(b.communicator, b.sequence, b.lane, b.call);
    });
    bool repeats = false;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const bool again = i > 0 && calls[i].lane == calls[i - 1].lane
            && calls[i].sequence == calls[i - 1].sequence
            && calls[i].communicator == calls[i - 1].communicator;
        calls[i].repeat = again ? calls[i - 1].repeat + 1 : 0;
        repeats |= again;
    }
    if (repeats)
        std::stable_sort(calls.begin(), calls.end(),
                         [](const Numbered& a, const Numbered& b) { return a.key() < b.key(); });
    Slots slots;
    slots.reserve(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (i == 0 || calls[i].key() != calls[i - 1].key())
            slots.begin();
        slots.add({group.lanes[calls[i].lane].rank, calls[i].call});
    }
    return slots;
}

/// Whether at least 95 % of the collectives with several members agree, and, in groups of several ranks, at
/// least one has several members.
bool holdsUp(const std::vector<RankCalls>& ranks, const ProcessGroup& group, const Slots& slots)
{
    std::size_t several = 0, differ = 0;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        if (slots[i].size() > 1)
            ++several;
        if (!allAgree(ranks, slots[i]))
            ++differ;
    }
    return group.lanes.size() < 2 || (several > 0 && differ * 20 <= several);
}

} // namespace

bool allAgree(const std::vector<RankCalls>& ranks, std::span<const CallRef> slot)
{
    const auto callOf = [&](CallRef ref) -> const Call& { return ranks[ref.rank].calls[ref.call]; };
    return std::all_of(slot.begin(), slot.end(),
                       [&](CallRef member) { return agree(callOf(slot.front()), callOf(member)); });
}

Numbers matchByNumbers(const std::vector<RankCalls>& ranks, const ProcessGroup& group)
{
    bool hasCommunicator = true;
    std::vector<Numbered> calls;
    for (std::uint32_t l = 0; l < group.lanes.size(); ++l) {
        const NumberedLane& lane = group.lanes[l];
        for (const std::uint32_t call : lane.calls) {
            const CollectiveCall* meta = ranks[lane.rank].calls[call].meta;
            if (!meta || !meta->sequence)
                return {};
            hasCommunicator &= meta->commsId.has_value();
            calls.push_back({meta->commsId.value_or(0), *meta->sequence, 0, l, call});
        }
    }
    if (hasCommunicator) {
        Numbers numbers{slotsOf(group, calls), MatchRule::CommunicatorSequence, true};
        if (holdsUp(ranks, group, numbers.slots))
            return numbers;
    }
    for (Numbered& call : calls)
        call.communicator = 0;
    Numbers numbers{slotsOf(group, calls), MatchRule::GroupSequence, false};
    numbers.holdUp = holdsUp(ranks, group, numbers.slots);
    return numbers;
}

} // namespace collscope
