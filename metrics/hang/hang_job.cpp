// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/hang_job.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

namespace collscope {

namespace {

/// What distinguishes groups. Without names (before version 2.0), groups of the same ranks are told apart by
/// their order.
using HangGroupKey = std::tuple<std::string_view, std::vector<std::int32_t>, std::size_t>;

/// The groups of a dump, those without a name in the order in which the process created them.
std::vector<std::size_t> byCreation(const FlightRecord& record)
{
    std::vector<std::size_t> order(record.groups.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return record.pgIds[a] < record.pgIds[b]; });
    return order;
}

/// The name of a group without one that other dumps state, if it can only be one.
StringId nameAmong(const std::map<std::vector<std::int32_t>, std::set<StringId>>& mixed,
                   const FlightRecord& record, const FlightGroup& group)
{
    const auto named = mixed.find(group.ranks);
    if (named == mixed.end() || named->second.size() != 1)
        return group.name;
    const auto alike = std::count_if(record.groups.begin(), record.groups.end(),
                                     [&](const FlightGroup& own) { return own.ranks == group.ranks; });
    return alike == 1 ? *named->second.begin() : group.name;
}

} // namespace

bool needsEverybody(std::string_view operation)
{
    // The names of PyTorch (torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp), without a leading underscore.
    if (operation.starts_with('_'))
        operation.remove_prefix(1);
    constexpr std::array<std::string_view, 5> kinds{"all_reduce", "all_gather", "reduce_scatter",
                                                    "all_to_all", "allreduce"};
    return std::any_of(kinds.begin(), kinds.end(),
                       [&](std::string_view kind) { return operation.starts_with(kind); })
        || operation == "barrier";
}

HangJob::HangJob(const HangEvidence& evidence, const StringTable& strings)
    : m_evidence(evidence)
    , m_strings(strings)
{
    findRanks();
    findGroups();
    for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        readCalls(rank);
    assignStatuses();
    readLogs();
}

std::uint32_t HangJob::indexOf(std::int32_t rank) const
{
    const auto found = std::lower_bound(m_ranks.begin(), m_ranks.end(), rank);
    return found != m_ranks.end() && *found == rank ? static_cast<std::uint32_t>(found - m_ranks.begin())
                                                    : noIndex;
}

std::vector<std::int32_t> HangJob::numbersOf(const std::vector<std::uint32_t>& ranks) const
{
    std::vector<std::int32_t> numbers;
    for (const std::uint32_t rank : ranks)
        numbers.push_back(m_ranks[rank]);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::string HangJob::nameOf(std::uint32_t group) const
{
    const HangGroup& own = m_groups[group];
    const std::string_view name = text(own.name);
    return name.empty() && own.number ? std::to_string(*own.number) : std::string(name);
}

void HangJob::findRanks()
{
    for (const FlightRecord& record : m_evidence.records) {
        if (record.rank)
            m_ranks.push_back(*record.rank);
        for (const FlightGroup& group : record.groups)
            m_ranks.insert(m_ranks.end(), group.ranks.begin(), group.ranks.end());
        constexpr std::size_t many = std::size_t{1} << 22;
        if (m_ranks.size() > many) {
            std::sort(m_ranks.begin(), m_ranks.end());
            m_ranks.erase(std::unique(m_ranks.begin(), m_ranks.end()), m_ranks.end());
        }
    }
    std::sort(m_ranks.begin(), m_ranks.end());
    m_ranks.erase(std::unique(m_ranks.begin(), m_ranks.end()), m_ranks.end());
    m_records.resize(m_ranks.size());
    m_own.resize(m_ranks.size());
    for (const FlightRecord& record : m_evidence.records) {
        if (record.rank)
            m_records[indexOf(*record.rank)] = &record;
    }
}

/// The names of the groups, by their ranks; empty unless some dumps have names and others have not.
std::map<std::vector<std::int32_t>, std::set<StringId>> HangJob::mixedNames() const
{
    bool areNamed = false, areUnnamed = false;
    const auto forEachGroup = [&](const auto& act) {
        for (const FlightRecord* const record : m_records) {
            for (const FlightGroup& group : record ? record->groups : std::vector<FlightGroup>()) {
                if (!group.ranks.empty())
                    act(group, !text(group.name).empty());
            }
        }
    };
    forEachGroup([&](const FlightGroup&, bool isNamed) { (isNamed ? areNamed : areUnnamed) = true; });
    std::map<std::vector<std::int32_t>, std::set<StringId>> names;
    if (areNamed && areUnnamed) {
        forEachGroup([&](const FlightGroup& group, bool isNamed) {
            if (isNamed)
                names[group.ranks].insert(group.name);
        });
    }
    return names;
}

void HangJob::findGroups()
{
    std::map<HangGroupKey, std::uint32_t> known;
    GroupsByName byName;
    const auto mixed = mixedNames();
    m_areNamesMixed = !mixed.empty();
    for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
        const FlightRecord* const record = m_records[rank];
        if (!record)
            continue;
        m_own[rank].groups.assign(record->groups.size(), noIndex);
        std::map<std::vector<std::int32_t>, std::size_t> alike; // groups without a name, by their ranks
        for (const std::size_t local : byCreation(*record)) {
            const FlightGroup& group = record->groups[local];
            if (group.ranks.empty())
                continue;
            const StringId id = m_areNamesMixed ? nameAmong(mixed, *record, group) : group.name;
            const std::string_view name = text(id);
            const std::size_t ordinal = name.empty() ? alike[group.ranks]++ : 0;
            const auto [found, isNew] = known.try_emplace({name, group.ranks, ordinal},
                                                          static_cast<std::uint32_t>(m_groups.size()));
            if (isNew) {
                HangGroup& created = m_groups.emplace_back();
                created.name = id;
                created.description = group.description;
                created.ranks = group.ranks;
                if (name.empty() && record->pgIds[local] >= 0)
                    created.number = record->pgIds[local];
                for (const std::int32_t member : group.ranks)
                    m_groups.back().members.push_back(indexOf(member));
                byName[name].push_back(found->second);
            }
            HangGroup& own = m_groups[found->second];
            if (own.number != record->pgIds[local])
                own.number.reset();
            if (text(own.description).empty())
                own.description = group.description;
            m_own[rank].groups[local] = found->second;
            Progress& progress = m_own[rank].progress[found->second];
            progress.local = static_cast<std::uint16_t>(local);
            progress.isListed = group.isConfigured;
        }
    }
    findGroupsOfCalls(byName);
}

/// A call may name a group whose communicator its process does not have yet: others tell its ranks.
void HangJob::findGroupsOfCalls(const GroupsByName& byName)
{
    for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
        for (std::size_t local = 0; local < m_own[rank].groups.size(); ++local) {
            if (m_own[rank].groups[local] != noIndex)
                continue;
            const auto named = byName.find(text(m_records[rank]->groups[local].name));
            if (named == byName.end() || named->first.empty())
                continue;
            std::vector<std::uint32_t> candidates;
            for (const std::uint32_t group : named->second) {
                const auto& members = m_groups[group].members;
                if (std::find(members.begin(), members.end(), rank) != members.end())
                    candidates.push_back(group);
            }
            if (candidates.size() != 1)
                continue;
            m_own[rank].groups[local] = candidates.front();
            m_own[rank].progress[candidates.front()].local = static_cast<std::uint16_t>(local);
        }
    }
}

/// Newest numbers, and what kinds of calls the groups have.
void HangJob::readCalls(std::uint32_t rank)
{
    const FlightRecord* const record = m_records[rank];
    if (!record)
        return;
    Own& own = m_own[rank];
    const FlightCalls& calls = record->calls;
    std::vector<Progress*> progress(own.groups.size());
    for (std::size_t local = 0; local < own.groups.size(); ++local) {
        if (own.groups[local] != noIndex)
            progress[local] = &own.progress[own.groups[local]];
    }
    bool anyCompleted = false;
    for (std::size_t call = 0; call < calls.size(); ++call) {
        const bool isCompleted = record->isCompleted(call);
        anyCompleted = anyCompleted || isCompleted;
        const std::uint16_t local = calls.group[call];
        if (!progress[local])
            continue;
        HangGroup& group = m_groups[own.groups[local]];
        // Each call has both numbers of its group: one that is not 0 tells of calls that the dump lost.
        const bool isPointToPoint = record->signatureOf(call).isPointToPoint;
        group.hasPointToPoint |= isPointToPoint || calls.pointToPoint[call] > 0;
        if (isPointToPoint) {
            group.collectivesBefore = std::max(group.collectivesBefore, calls.collective[call]);
            continue;
        }
        group.hasCollectives = true;
        progress[local]->calls.push_back(static_cast<std::uint32_t>(call));
        progress[local]->newest = std::max(progress[local]->newest, calls.collective[call]);
        if (isCompleted && calls.collective[call] > group.finishedByAll
            && needsEverybody(operationOf(*record, call)))
            group.finishedByAll = calls.collective[call];
    }
    own.isActiveOnly = !anyCompleted;
    // A ring holds one call after the other; a dump of active calls has gaps.
    const bool isRing = calls.size() > 0 && calls.record.front() > 0
        && calls.record.back() - calls.record.front() == calls.size() - 1;
    own.mayHidePending = isRing && !anyCompleted && record->statuses.empty();
}

void HangJob::readLogs()
{
    std::map<std::string_view, std::vector<std::uint32_t>> byName;
    for (std::uint32_t group = 0; group < m_groups.size(); ++group)
        byName[text(m_groups[group].name)].push_back(group);
    for (const WatchdogLine& line : m_evidence.watchdogLines) {
        const std::uint32_t rank = line.rank ? indexOf(*line.rank) : noIndex;
        if (rank == noIndex || line.kind == WatchdogLine::Kind::Exit)
            continue;
        m_own[rank].isAlive = true;
        const bool isCall = line.kind == WatchdogLine::Kind::Timeout && line.number;
        if (line.groupName.empty() || !(isCall || (line.enqueued && line.completed)))
            continue;
        for (const std::uint32_t group : byName[line.groupName]) {
            const auto& members = m_groups[group].members;
            if (std::find(members.begin(), members.end(), rank) == members.end())
                continue;
            LogStatus& status = m_logStatus[{rank, group}];
            status.enqueued
                = std::max({status.enqueued, line.enqueued.value_or(-1), isCall ? *line.number : -1});
            status.completed = std::max(status.completed, line.completed.value_or(-1));
        }
    }
}

const HangJob::Progress* HangJob::progressOf(std::uint32_t rank, std::uint32_t group) const
{
    const auto found = m_own[rank].progress.find(group);
    return found == m_own[rank].progress.end() ? nullptr : &found->second;
}

std::int64_t HangJob::newestOf(std::uint32_t rank, std::uint32_t group) const
{
    const Progress* const progress = progressOf(rank, group);
    const FlightStatus* const status = collectiveStatusOf(rank, group);
    return std::max(progress ? progress->newest : -1, status ? status->enqueued : -1);
}

std::optional<std::size_t> HangJob::callOf(std::uint32_t rank, std::uint32_t group, std::int64_t number) const
{
    const Progress* const progress = progressOf(rank, group);
    if (!progress || !m_records[rank] || number > progress->newest)
        return std::nullopt;
    const std::vector<std::uint32_t>& own = progress->calls;
    const auto newest
        = std::find_if(own.rbegin(), own.rend(), [&](std::uint32_t call) { // those asked for are new
              return m_records[rank]->calls.collective[call] == number;
          });
    return newest == own.rend() ? std::nullopt : std::optional<std::size_t>(*newest);
}

CallStage HangJob::stageOf(std::uint32_t rank, std::uint32_t group, std::int64_t number) const
{
    if (!m_records[rank])
        return stageByLog(rank, group, number);
    const CallStage stage = stageInDump(rank, group, number);
    return m_own[rank].isOutdated && stage != CallStage::Completed ? CallStage::Unknown : stage;
}

CallStage HangJob::stageInDump(std::uint32_t rank, std::uint32_t group, std::int64_t number) const
{
    const auto call = callOf(rank, group, number);
    if (!call)
        return stageWithoutCall(rank, group, number);
    const FlightStatus* const status = collectiveStatusOf(rank, group);
    if (m_records[rank]->isCompleted(*call) || (status && status->completed >= number))
        return CallStage::Completed;
    return status && number > status->enqueued ? CallStage::Inside : CallStage::Pending;
}

CallStage HangJob::stageWithoutCall(std::uint32_t rank, std::uint32_t group, std::int64_t number) const
{
    const FlightRecord& record = *m_records[rank];
    const Progress* const progress = progressOf(rank, group);
    const FlightStatus* const status = collectiveStatusOf(rank, group);
    if (status) {
        if (number <= status->completed)
            return CallStage::Completed;
        if (number <= status->enqueued)
            return CallStage::Pending; // the ring lost it
        return CallStage::NotCalled;
    }
    if (record.isCutOff || !record.hasCalls)
        return CallStage::Unknown;
    if (m_areNamesMixed && !progress)
        return CallStage::Unknown; // its dump may have the group without a name
    const bool isListed = progress && progress->isListed;
    if (record.hasGroups && !isListed && (!progress || progress->newest < number))
        return CallStage::NotCalled; // a rank without a communicator has never called
    if (progress && progress->newest >= 0)
        return number > progress->newest ? CallStage::NotCalled : CallStage::Unknown;
    const bool hasLost = record.calls.size() > 0 && record.calls.record.front() > 0;
    if (!record.statuses.empty() && !statusOf(rank, group))
        return CallStage::Unknown; // there are counters, but which are this group's is not known
    if (m_own[rank].isActiveOnly && !hasLost)
        return CallStage::NotCalled; // nothing of this group is outstanding
    return hasLost ? CallStage::Unknown : CallStage::NotCalled;
}

CallStage HangJob::stageByLog(std::uint32_t rank, std::uint32_t group, std::int64_t number) const
{
    const auto found = m_logStatus.find({rank, group});
    if (found == m_logStatus.end() || m_groups[group].hasPointToPoint)
        return CallStage::Unknown;
    if (number <= found->second.completed)
        return CallStage::Completed;
    return number <= found->second.enqueued ? CallStage::Pending : CallStage::NotCalled;
}

} // namespace collscope
