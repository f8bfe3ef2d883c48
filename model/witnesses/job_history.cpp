// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/witnesses/job_history.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace collscope {

namespace {

template<typename Column>
void appendColumn(Column& to, const Column& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

template<typename Column>
void arrangeColumn(Column& column, const std::vector<std::uint32_t>& order)
{
    Column arranged;
    arranged.reserve(order.size());
    for (const std::uint32_t row : order)
        arranged.push_back(column[row]);
    column = std::move(arranged);
}

auto historyCommunicatorKey(const HistoryCommunicator& own)
{
    return std::tuple(own.hash, own.name, own.ranks, own.nodes);
}

auto historyMemberKey(const HistoryMember& own)
{
    return std::tuple(own.communicator, own.rank, own.host, own.pid, own.gpu);
}

auto operationClassKey(const OperationClass& own)
{
    return std::tuple(own.operation, own.bytes, own.peer, own.timing, own.isPointToPoint, own.startIsStated);
}

/// The index of each of `theirs` in `ours`, to which new ones are added.
template<typename Entry, typename KeyOf, typename Add>
std::vector<std::uint32_t> entryPlaces(std::vector<Entry>& ours, std::vector<Entry>& theirs,
                                       const KeyOf& keyOf, const Add& add)
{
    std::map<decltype(keyOf(ours.front())), std::uint32_t> known;
    for (std::uint32_t i = 0; i < ours.size(); ++i)
        known.emplace(keyOf(ours[i]), i);
    std::vector<std::uint32_t> places;
    places.reserve(theirs.size());
    for (Entry& entry : theirs) {
        const auto [at, isNew] = known.emplace(keyOf(entry), static_cast<std::uint32_t>(ours.size()));
        places.push_back(at->second);
        add(at->second, isNew, entry);
    }
    return places;
}

/// Puts the rows into the order of time and number, and removes repetitions. Returns how many it removed.
std::size_t settleOperations(OperationColumns& rows)
{
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto keyOf = [&rows](std::uint32_t row) {
        return std::tuple(rows.timeUs[row], rows.number[row], rows.operationClass[row], rows.durationUs[row]);
    };
    const auto isBefore = [&](std::uint32_t a, std::uint32_t b) { return keyOf(a) < keyOf(b); };
    if (!std::is_sorted(order.begin(), order.end(), isBefore))
        std::stable_sort(order.begin(), order.end(), isBefore);
    const auto end = std::unique(order.begin(), order.end(),
                                 [&](std::uint32_t a, std::uint32_t b) { return keyOf(a) == keyOf(b); });
    const auto repeated = static_cast<std::size_t>(order.end() - end);
    order.erase(end, order.end());
    arrangeColumn(rows.timeUs, order);
    arrangeColumn(rows.operationClass, order);
    arrangeColumn(rows.number, order);
    arrangeColumn(rows.durationUs, order);
    arrangeColumn(rows.busGbPerSecond, order);
    return repeated;
}

} // namespace

std::string_view logDialectName(LogDialect dialect)
{
    static constexpr std::string_view names[]
        = {"TorchTitan", "Megatron-LM", "NeMo", "DeepSpeed", "Hugging Face Trainer", "verl"};
    return names[static_cast<std::size_t>(dialect)];
}

void OperationColumns::append(const OperationColumns& other)
{
    appendColumn(timeUs, other.timeUs);
    appendColumn(operationClass, other.operationClass);
    appendColumn(number, other.number);
    appendColumn(durationUs, other.durationUs);
    appendColumn(busGbPerSecond, other.busGbPerSecond);
}

void JobHistory::take(JobHistory&& other, SourceId source)
{
    for (LoggedTime& line : other.steps) {
        line.source = source;
        steps.push_back(line);
    }
    const auto communicatorAt = entryPlaces(communicators, other.communicators, historyCommunicatorKey,
                                            [this](std::uint32_t, bool isNew, HistoryCommunicator& theirs) {
                                                if (isNew)
                                                    communicators.push_back(std::move(theirs));
                                            });
    const auto classAt = entryPlaces(classes, other.classes, operationClassKey,
                                     [this](std::uint32_t, bool isNew, OperationClass& theirs) {
                                         if (isNew)
                                             classes.push_back(std::move(theirs));
                                     });
    for (HistoryMember& member : other.members) {
        member.communicator = communicatorAt[member.communicator];
        for (std::uint32_t& own : member.operations.operationClass)
            own = classAt[own];
    }
    const auto memberAt = entryPlaces(members, other.members, historyMemberKey,
                                      [this](std::uint32_t place, bool isNew, HistoryMember& theirs) {
                                          if (isNew) {
                                              members.push_back(std::move(theirs));
                                              return;
                                          }
                                          HistoryMember& own = members[place];
                                          own.operations.append(theirs.operations);
                                          if (theirs.dropped)
                                              own.dropped
                                                  = std::max(own.dropped.value_or(0), *theirs.dropped);
                                      });
    for (BandwidthSample& sample : other.samples) {
        sample.member = memberAt[sample.member];
        samples.push_back(std::move(sample));
    }
    other = JobHistory();
}

void JobHistory::settle(Diagnostics& problems)
{
    std::size_t repeated = 0;
    for (HistoryMember& member : members)
        repeated += settleOperations(member.operations);
    if (repeated > 0)
        problems.add(Severity::Notice, "repeated_operations", {}, 0,
                     std::to_string(repeated)
                         + " operations of the NCCL Inspector are in the files more than once, as if a file "
                           "had been copied; each is counted once.");
}

std::uint64_t JobHistory::operationCount() const
{
    std::uint64_t count = 0;
    for (const HistoryMember& member : members)
        count += member.operations.size();
    return count;
}

} // namespace collscope
