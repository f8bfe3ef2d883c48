// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/communication_changes.h"

#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace collscope {

namespace {

constexpr std::size_t mostSideRounds = 200; ///< on each side of a change, at most

/// What the members do on one side of a change.
struct RoundSide
{
    double shortestUs = 0, meanUs = 0; ///< medians
    std::vector<double> memberUs; ///< medians
    std::vector<double> lastShare; ///< how often each member came last
};

RoundSide roundSideOf(const CollectiveRounds& rounds, std::size_t begin, std::size_t end)
{
    RoundSide side;
    const auto of = [&](const std::vector<double>& values) {
        return medianOf({values.begin() + static_cast<std::ptrdiff_t>(begin),
                         values.begin() + static_cast<std::ptrdiff_t>(end)});
    };
    side.shortestUs = of(rounds.shortestUs);
    side.meanUs = of(rounds.meanUs);
    side.lastShare.assign(rounds.members.size(), 0);
    for (std::size_t i = begin; i < end; ++i)
        side.lastShare[rounds.last[i]] += 1.0 / static_cast<double>(end - begin);
    for (std::size_t m = 0; m < rounds.members.size(); ++m) {
        std::vector<double> own;
        for (std::size_t i = begin; i < end; ++i)
            own.push_back(rounds.duration(i, m));
        side.memberUs.push_back(medianOf(std::move(own)));
    }
    return side;
}

class RoundChanges
{
public:
    RoundChanges(const CollectiveRounds& rounds, CommunicationHistory& all)
        : m_rounds(rounds)
        , m_all(all)
    { }

    /// True: the transfer has a change.
    bool find(const ChangeRules& rules, BandwidthRow& row);

private:
    void add(const ChangePoint& change, std::size_t previous, std::size_t next,
             CommunicationChange::Kind kind);
    void setTimes(CommunicationChange& change, const ChangePoint& point) const;

    const CollectiveRounds& m_rounds;
    CommunicationHistory& m_all;
};

void RoundChanges::setTimes(CommunicationChange& change, const ChangePoint& point) const
{
    const auto timeAt
        = [this](std::size_t round) { return m_rounds.timeNs[std::min(round, m_rounds.size() - 1)]; };
    change.earliestNs = timeAt(point.earliest == 0 ? 0 : point.earliest - 1);
    change.latestNs = timeAt(point.latest);
    if (change.earliestNs == 0 || change.latestNs < change.earliestNs)
        change.earliestNs = change.latestNs = 0;
}

void RoundChanges::add(const ChangePoint& point, std::size_t previous, std::size_t next,
                       CommunicationChange::Kind kind)
{
    const std::size_t begin = std::max(previous, point.index - std::min(point.index, mostSideRounds));
    const std::size_t end = std::min(next, point.index + mostSideRounds);
    const RoundSide before = roundSideOf(m_rounds, begin, point.index);
    const RoundSide after = roundSideOf(m_rounds, point.index, end);
    const double transfer = after.shortestUs - before.shortestUs;
    const double waiting = (after.meanUs - after.shortestUs) - (before.meanUs - before.shortestUs);
    // A change of the mean time counts as waiting only if the waiting is what changed.
    if (kind == CommunicationChange::Kind::Waiting
        && (std::abs(waiting) < 2 * std::abs(transfer) || m_rounds.members.size() < 2))
        return;
    CommunicationChange change;
    change.communicator = m_rounds.communicator;
    change.operation = m_rounds.operation;
    change.bytes = m_rounds.bytes;
    change.kind = kind;
    change.beforeUs = point.before;
    change.afterUs = point.after;
    change.round = point.index;
    change.rounds = m_rounds.size();
    change.members = m_rounds.members;
    change.isOfAll = m_rounds.isOfAll;
    for (std::size_t m = 0; m < m_rounds.members.size(); ++m)
        change.riseUs.push_back(after.memberUs[m] - before.memberUs[m]);
    setTimes(change, point);
    const auto most = std::max_element(after.lastShare.begin(), after.lastShare.end());
    const auto place = static_cast<std::size_t>(most - after.lastShare.begin());
    change.lastShareAfter = *most;
    change.lastShareBefore = before.lastShare[place];
    constexpr double often = 0.6, more = 0.25;
    const bool isClear = *most - before.lastShare[place] >= more || before.lastShare[place] >= often;
    if (*most >= often && isClear && m_rounds.members.size() > 1)
        change.lastMember = m_rounds.members[place];
    m_all.changes.push_back(std::move(change));
}

bool RoundChanges::find(const ChangeRules& rules, BandwidthRow& row)
{
    const SeriesShape transfer = shapeOf(m_rounds.shortestUs, rules);
    const SeriesShape total = shapeOf(m_rounds.meanUs, rules);
    const auto addAll = [this](const SeriesShape& shape, CommunicationChange::Kind kind) {
        for (std::size_t i = 0; i < shape.changes.size(); ++i)
            add(shape.changes[i], i == 0 ? 0 : shape.changes[i - 1].index,
                i + 1 < shape.changes.size() ? shape.changes[i + 1].index : m_rounds.size(), kind);
    };
    addAll(transfer, CommunicationChange::Kind::Transfer);
    addAll(total, CommunicationChange::Kind::Waiting);
    if (!transfer.gradual.empty())
        row.gradual = transfer.gradual.front();
    row.slowEnd = transfer.slowEnd;
    return !transfer.changes.empty();
}

BandwidthRow bandwidthRowOf(const JobHistory& history, const CollectiveRounds& rounds)
{
    BandwidthRow row;
    row.communicator = rounds.communicator;
    row.operation = rounds.operation;
    row.bytes = rounds.bytes;
    row.rounds = rounds.size();
    row.members = rounds.members.size();
    row.isOfAll = rounds.isOfAll;
    std::set<std::string> hosts;
    for (const std::uint32_t member : rounds.members)
        hosts.insert(history.members[member].host);
    row.hosts.assign(hosts.begin(), hosts.end());
    for (const std::int64_t time : rounds.timeNs) {
        if (time == 0)
            continue;
        row.firstNs = row.firstNs == 0 ? time : std::min(row.firstNs, time);
        row.lastNs = std::max(row.lastNs, time);
    }
    row.medianUs = medianOf(rounds.shortestUs);
    row.slowestTenthUs = percentileOf(rounds.shortestUs, 0.9);
    std::vector<double> stated;
    for (const double value : rounds.busGbPerSecond) {
        if (std::isfinite(value))
            stated.push_back(value);
    }
    row.busIsStated = !stated.empty();
    const auto factor = busFactor(rounds.operation, history.communicators[rounds.communicator].ranks);
    if (row.busIsStated)
        row.busGbPerSecond = medianOf(std::move(stated));
    else if (factor && row.medianUs > 0)
        row.busGbPerSecond = static_cast<double>(rounds.bytes) / row.medianUs / 1000 * *factor;
    return row;
}

/// Adds the first and last time of all operations.
void setTimeSpan(const JobHistory& history, CommunicationHistory& all)
{
    for (const HistoryMember& member : history.members) {
        for (const std::int64_t time : member.operations.timeUs) {
            if (time == 0)
                continue;
            const std::int64_t ns = time * 1000;
            all.firstNs = all.firstNs == 0 ? ns : std::min(all.firstNs, ns);
            all.lastNs = std::max(all.lastNs, ns);
        }
    }
}

/// Compares communicators of the same name, size and hosts that follow each other in time.
void compareAttempts(const JobHistory& history, CommunicationHistory& all)
{
    using Key = std::tuple<std::string, std::int32_t, std::string, std::uint64_t, std::vector<std::string>>;
    std::map<Key, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        const BandwidthRow& row = all.rows[i];
        const HistoryCommunicator& own = history.communicators[row.communicator];
        if (row.rounds >= fewestLevelValues && row.firstNs > 0)
            alike[{own.name.empty() ? own.hash : own.name, own.ranks, row.operation, row.bytes, row.hosts}]
                .push_back(i);
    }
    for (auto& own : alike) {
        std::vector<std::size_t>& places = own.second;
        std::sort(places.begin(), places.end(),
                  [&all](std::size_t a, std::size_t b) { return all.rows[a].firstNs < all.rows[b].firstNs; });
        for (std::size_t i = 1; i < places.size(); ++i) {
            const BandwidthRow &before = all.rows[places[i - 1]], &after = all.rows[places[i]];
            const double smaller = std::min(before.medianUs, after.medianUs);
            if (before.lastNs < after.firstNs && smaller > 0
                && std::abs(after.medianUs - before.medianUs) >= ChangeRules().least * smaller)
                all.attempts.push_back({places[i - 1], places[i]});
        }
    }
}

} // namespace

std::optional<double> busFactor(std::string_view operation, std::int32_t ranks)
{
    if (ranks < 2)
        return std::nullopt;
    const double n = ranks;
    if (operation == "AllReduce")
        return 2 * (n - 1) / n;
    if (operation == "AllGather" || operation == "ReduceScatter")
        return n - 1; // the size is that of one rank's part
    if (operation == "Broadcast" || operation == "Reduce")
        return 1;
    return std::nullopt;
}

bool leavesTogether(std::string_view operation)
{
    constexpr std::string_view all[] = {"AllReduce", "AllGather", "ReduceScatter", "AllToAll"};
    return std::find(std::begin(all), std::end(all), operation) != std::end(all);
}

ChangeRules collectiveRules()
{
    ChangeRules rules;
    constexpr double assumedSeries = 100;
    rules.significance /= assumedSeries;
    return rules;
}

CommunicationHistory communicationHistory(const JobHistory& history)
{
    CommunicationHistory all;
    setTimeSpan(history, all);
    constexpr std::size_t fewestShown = 1;
    const ChangeRules rules = collectiveRules();
    const std::size_t fewest = fewestToldValues(rules);
    all.incomplete = forEachRounds(history, fewestShown, [&](CollectiveRounds&& rounds) {
        BandwidthRow row = bandwidthRowOf(history, rounds);
        const bool isJudged = leavesTogether(rounds.operation);
        row.isTested = isJudged && rounds.size() >= fewest;
        if (row.isTested) {
            row.transferChanged = RoundChanges(rounds, all).find(rules, row);
        } else {
            (isJudged ? all.untested : all.notJudged) += rounds.size();
        }
        all.rows.push_back(std::move(row));
    });
    std::stable_sort(all.rows.begin(), all.rows.end(), [](const BandwidthRow& a, const BandwidthRow& b) {
        return std::tuple(a.communicator, b.rounds) < std::tuple(b.communicator, a.rounds);
    });
    compareAttempts(history, all);
    return all;
}

} // namespace collscope
