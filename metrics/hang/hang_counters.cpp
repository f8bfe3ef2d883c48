// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the counters of a dump (pg_status) say: to which group they belong, and what they count.

#include "metrics/hang/hang_job.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace collscope {

namespace {

std::optional<std::int64_t> numericName(std::string_view name)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

} // namespace

/// pg_status is keyed by numbers that only the calls of the same dump relate to groups. Where they do not,
/// the order of the groups does: they were created in the same order everywhere.
void HangJob::assignStatuses()
{
    for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
        const FlightRecord* const record = m_records[rank];
        if (!record)
            continue;
        std::vector<std::pair<std::int64_t, std::size_t>> names; // of the listed groups
        for (std::size_t local = 0; local < record->groups.size(); ++local) {
            const auto number = numericName(text(record->groups[local].name));
            if (record->groups[local].isConfigured && number)
                names.emplace_back(*number, local);
        }
        std::vector<FlightStatus> statuses = record->statuses;
        std::sort(statuses.begin(), statuses.end(),
                  [](const FlightStatus& a, const FlightStatus& b) { return a.pgId < b.pgId; });
        std::sort(names.begin(), names.end());
        bool areSame = names.size() == statuses.size();
        for (std::size_t i = 0; i < names.size() && areSame; ++i) {
            const std::int64_t said = record->pgIds[names[i].second];
            areSame = said < 0 || said == statuses[i].pgId;
        }
        std::unordered_map<std::int64_t, std::size_t> byPgId; // the first group with each
        for (std::size_t local = 0; local < record->pgIds.size(); ++local)
            byPgId.emplace(record->pgIds[local], local);
        for (std::size_t i = 0; i < statuses.size(); ++i) {
            const auto said = byPgId.find(statuses[i].pgId);
            const std::size_t local = said != byPgId.end() ? said->second
                : areSame                                  ? names[i].second
                                                           : record->groups.size();
            if (local < record->groups.size() && m_own[rank].groups[local] != noIndex)
                m_own[rank].progress[m_own[rank].groups[local]].status = statuses[i];
        }
    }
    const auto forEachDump = [&](void (HangJob::*act)(std::uint32_t)) {
        for (std::uint32_t rank = 0; rank < m_ranks.size(); ++rank) {
            if (m_records[rank])
                (this->*act)(rank);
        }
    };
    forEachDump(&HangJob::assignByOrder); // where only one is left
    forEachDump(&HangJob::readOrder);
    forEachDump(&HangJob::assignByOrder);
    forEachDump(&HangJob::judgeStatuses);
    forEachDump(&HangJob::findLeftOvers);
    forEachDump(&HangJob::judgeAge);
}

/// A group has one pair of counters for collectives, sends and receives: numbers that do not fit to its
/// collectives are those of a send or a receive.
void HangJob::judgeStatuses(std::uint32_t rank)
{
    const bool isWhole = !m_own[rank].isActiveOnly && !m_records[rank]->isCutOff;
    for (auto& [group, progress] : m_own[rank].progress) {
        const bool isBehind = isWhole && progress.newest >= 0 && progress.status
            && progress.status->enqueued > progress.newest;
        if (progress.status && (isBehind || progress.status->completed > progress.status->enqueued))
            m_groups[group].hasPointToPoint = true;
    }
}

/// Others have finished a call that needs everybody, and the dump does not have it: it is older than that.
void HangJob::judgeAge(std::uint32_t rank)
{
    const FlightRecord& record = *m_records[rank];
    const auto& progress = m_own[rank].progress;
    if (record.isCutOff || !record.hasCalls)
        return;
    for (const auto& [group, own] : progress) {
        const bool isKnown
            = (own.newest >= 0 && !m_own[rank].isActiveOnly) || collectiveStatusOf(rank, group);
        m_own[rank].isOutdated |= isKnown && m_groups[group].finishedByAll > newestOf(rank, group);
    }
}

/// Which description comes before which in a process: groups are created in one order everywhere. Only
/// numbers of one process can be compared.
void HangJob::readOrder(std::uint32_t rank)
{
    const FlightRecord& record = *m_records[rank];
    std::map<std::int64_t, StringId> byNumber;
    for (const auto& [group, progress] : m_own[rank].progress) {
        const std::int64_t said = record.pgIds[progress.local];
        const std::int64_t number = progress.status ? progress.status->pgId : said;
        if (number >= 0)
            byNumber.emplace(number, m_groups[group].description);
    }
    std::vector<StringId> order;
    for (const auto& [number, description] : byNumber)
        order.push_back(description);
    if (order.size() > mostOrdered || !m_orders.insert(order).second)
        return; // most ranks tell the same order
    for (auto first = order.begin(); first != order.end(); ++first) {
        for (auto second = std::next(first); second != order.end(); ++second)
            m_order.insert({*first, *second});
    }
}

/// The counters and the groups that are still without each other, if they are as many, and if all ranks that
/// tell the order of these groups agree.
void HangJob::assignByOrder(std::uint32_t rank)
{
    std::set<std::int64_t> taken;
    std::vector<std::pair<StringId, Progress*>> left;
    for (auto& [group, progress] : m_own[rank].progress) {
        if (progress.status)
            taken.insert(progress.status->pgId);
        else if (progress.isListed)
            left.emplace_back(m_groups[group].description, &progress);
    }
    std::vector<FlightStatus> statuses;
    for (const FlightStatus& status : m_records[rank]->statuses) {
        if (!taken.contains(status.pgId))
            statuses.push_back(status);
    }
    if (left.size() != statuses.size() || left.size() > mostOrdered)
        return;
    // The place of each is how many come before it: one for each, unless nobody tells, or ranks disagree.
    std::vector<Progress*> ordered(left.size());
    for (const auto& [description, progress] : left) {
        const auto place = static_cast<std::size_t>(std::count_if(
            left.begin(), left.end(), [&, own = description](const std::pair<StringId, Progress*>& other) {
                return m_order.contains({other.first, own}) && !m_order.contains({own, other.first});
            }));
        if (ordered[place])
            return;
        ordered[place] = progress;
    }
    std::sort(statuses.begin(), statuses.end(),
              [](const FlightStatus& a, const FlightStatus& b) { return a.pgId < b.pgId; });
    for (std::size_t i = 0; i < ordered.size(); ++i)
        ordered[i]->status = statuses[i];
}

const FlightStatus* HangJob::statusOf(std::uint32_t rank, std::uint32_t group) const
{
    const Progress* const progress = progressOf(rank, group);
    return progress && progress->status ? &*progress->status : nullptr;
}

const FlightStatus* HangJob::collectiveStatusOf(std::uint32_t rank, std::uint32_t group) const
{
    return m_groups[group].hasPointToPoint ? nullptr : statusOf(rank, group);
}

const FlightStatus* HangJob::transferStatusOf(std::uint32_t rank, std::uint32_t group) const
{
    const HangGroup& own = m_groups[group];
    const FlightStatus* const status = statusOf(rank, group);
    if (!status || own.hasCollectives || !own.hasPointToPoint)
        return nullptr;
    // Lower numbers may be those of the collectives that came before.
    return own.collectivesBefore == 0 || status->completed > own.collectivesBefore ? status : nullptr;
}

bool HangJob::mayBeLeftOver(std::uint32_t rank, std::size_t call) const
{
    const FlightRecord& record = *m_records[rank];
    const FlightCalls& calls = record.calls;
    if (!m_own[rank].isActiveOnly || record.signatureOf(call).peer < 0
        || calls.state[call] != FlightState::Scheduled)
        return false;
    const std::uint32_t group = groupOf(rank, calls.group[call]);
    return group == noIndex || !transferStatusOf(rank, group) || calls.pointToPoint[call] < 0;
}

void HangJob::findLeftOvers(std::uint32_t rank)
{
    const std::size_t calls = m_own[rank].isActiveOnly ? m_records[rank]->calls.size() : 0;
    for (std::size_t call = 0; call < calls && !m_own[rank].hasLeftOvers; ++call)
        m_own[rank].hasLeftOvers = mayBeLeftOver(rank, call);
}

} // namespace collscope
