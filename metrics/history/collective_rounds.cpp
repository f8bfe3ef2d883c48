// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/collective_rounds.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace collscope {

namespace {

/// An operation of a member.
struct RoundEntry
{
    std::uint32_t number = 0;
    std::uint32_t member = 0; ///< of the communicator's
    std::uint32_t row = 0;
    friend bool operator<(const RoundEntry& a, const RoundEntry& b)
    {
        return std::tie(a.number, a.member, a.row) < std::tie(b.number, b.member, b.row);
    }
};

using RoundKind = std::pair<std::string, std::uint64_t>;

class RoundBuilder
{
public:
    RoundBuilder(const JobHistory& history, const std::vector<std::uint32_t>& members)
        : m_history(history)
        , m_members(members)
    { }

    /// Puts the entries together; they are of one kind.
    CollectiveRounds of(std::vector<RoundEntry>& entries, std::uint64_t& incomplete) const;

private:
    void addRound(const RoundEntry* entries, CollectiveRounds& rounds) const;

    const JobHistory& m_history;
    const std::vector<std::uint32_t>& m_members; ///< of the communicator
};

void RoundBuilder::addRound(const RoundEntry* entries, CollectiveRounds& rounds) const
{
    std::int64_t timeUs = 0;
    double sum = 0, shortest = 0, bandwidth = 0;
    std::uint32_t last = 0;
    bool startIsStated = false;
    for (std::uint32_t m = 0; m < rounds.members.size(); ++m) {
        const OperationColumns& rows = m_history.members[rounds.members[m]].operations;
        const std::uint32_t row = entries[m].row;
        const double duration = rows.durationUs[row];
        sum += duration;
        rounds.durationUs.push_back(rows.durationUs[row]);
        if (m == 0 || duration < shortest) {
            shortest = duration;
            last = m;
            bandwidth = rows.busGbPerSecond[row];
        }
        const bool isStart = m_history.classes[rows.operationClass[row]].startIsStated;
        // The latest start tells when it happened; of dumps, the earliest.
        if (isStart)
            timeUs = startIsStated ? std::max(timeUs, rows.timeUs[row]) : rows.timeUs[row];
        else if (!startIsStated && rows.timeUs[row] > 0)
            timeUs = timeUs == 0 ? rows.timeUs[row] : std::min(timeUs, rows.timeUs[row]);
        startIsStated = startIsStated || isStart;
    }
    rounds.timeNs.push_back(timeUs * 1000);
    rounds.shortestUs.push_back(shortest);
    rounds.meanUs.push_back(sum / static_cast<double>(rounds.members.size()));
    rounds.last.push_back(last);
    rounds.busGbPerSecond.push_back(bandwidth);
}

CollectiveRounds RoundBuilder::of(std::vector<RoundEntry>& entries, std::uint64_t& incomplete) const
{
    CollectiveRounds rounds;
    std::set<std::uint32_t> present;
    for (const RoundEntry& entry : entries)
        present.insert(entry.member);
    std::map<std::uint32_t, std::uint32_t> place;
    for (const std::uint32_t member : present) {
        place.emplace(member, static_cast<std::uint32_t>(rounds.members.size()));
        rounds.members.push_back(m_members[member]);
    }
    std::sort(entries.begin(), entries.end());
    std::vector<RoundEntry> round;
    for (std::size_t begin = 0; begin < entries.size();) {
        std::size_t end = begin;
        round.clear();
        for (; end < entries.size() && entries[end].number == entries[begin].number; ++end) {
            if (round.empty() || round.back().member != entries[end].member)
                round.push_back(entries[end]);
        }
        if (round.size() == rounds.members.size())
            addRound(round.data(), rounds);
        else
            ++incomplete;
        begin = end;
    }
    return rounds;
}

/// The members of a communicator, attempt by attempt: where several processes state the same rank, they are
/// of attempts of a job whose communicator has the same hash, in the order of their times.
std::vector<std::vector<std::uint32_t>> attemptsOfMembers(const JobHistory& history,
                                                          std::vector<std::uint32_t> members)
{
    const auto beginOf = [&history](std::uint32_t member) {
        const std::vector<std::int64_t>& times = history.members[member].operations.timeUs;
        return times.empty() ? 0 : times.front();
    };
    std::stable_sort(members.begin(), members.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return beginOf(a) < beginOf(b); });
    std::map<std::int32_t, std::size_t> attemptOf;
    std::vector<std::vector<std::uint32_t>> attempts(1);
    for (const std::uint32_t member : members) {
        const OperationColumns& rows = history.members[member].operations;
        const std::int32_t rank = history.members[member].rank;
        const std::size_t attempt = rank < 0 || rows.size() == 0 ? 0 : attemptOf[rank]++;
        if (attempt >= attempts.size())
            attempts.emplace_back();
        attempts[attempt].push_back(member);
    }
    for (std::vector<std::uint32_t>& attempt : attempts)
        std::sort(attempt.begin(), attempt.end());
    return attempts;
}

} // namespace

std::uint64_t forEachRounds(const JobHistory& history, std::size_t fewest,
                            const std::function<void(CollectiveRounds&&)>& use)
{
    std::uint64_t incomplete = 0;
    std::vector<std::vector<std::uint32_t>> ofCommunicator(history.communicators.size()), membersOf;
    for (std::uint32_t i = 0; i < history.members.size(); ++i)
        ofCommunicator[history.members[i].communicator].push_back(i);
    for (std::vector<std::uint32_t>& members : ofCommunicator) {
        for (std::vector<std::uint32_t>& attempt : attemptsOfMembers(history, std::move(members)))
            membersOf.push_back(std::move(attempt));
    }
    for (std::size_t c = 0; c < membersOf.size(); ++c) {
        if (membersOf[c].empty())
            continue;
        const std::uint32_t communicator = history.members[membersOf[c].front()].communicator;
        std::map<RoundKind, std::vector<RoundEntry>> kinds;
        std::unordered_map<std::uint32_t, std::vector<RoundEntry>*> byClass;
        for (std::uint32_t m = 0; m < membersOf[c].size(); ++m) {
            const OperationColumns& rows = history.members[membersOf[c][m]].operations;
            for (std::uint32_t row = 0; row < rows.size(); ++row) {
                const OperationClass& own = history.classes[rows.operationClass[row]];
                if (own.isPointToPoint)
                    continue;
                std::vector<RoundEntry>*& entries = byClass[rows.operationClass[row]];
                if (entries == nullptr)
                    entries = &kinds[{own.operation, own.bytes}];
                entries->push_back({rows.number[row], m, row});
            }
        }
        const RoundBuilder rounds(history, membersOf[c]);
        for (auto& [kind, entries] : kinds) {
            if (entries.size() < fewest)
                continue;
            CollectiveRounds own = rounds.of(entries, incomplete);
            own.communicator = communicator;
            own.operation = kind.first;
            own.bytes = kind.second;
            const std::int32_t ranks = history.communicators[communicator].ranks;
            own.isOfAll = ranks > 0 && own.members.size() == static_cast<std::size_t>(ranks);
            if (own.size() >= fewest)
                use(std::move(own));
        }
    }
    return incomplete;
}

} // namespace collscope
