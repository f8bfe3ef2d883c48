// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/match_evidence.h"

#include "metrics/core/statistics.h"
#include "metrics/matching/call_alignment.h"
#include "metrics/matching/call_endings.h"
#include "metrics/matching/wait_rule.h"
#include "model/queries/end_evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace collscope {

namespace {

/// One rank's clock in a group.
struct LaneClock
{
    EndVerdict verdict = EndVerdict::Unclear;
    EndFit fit;
    std::int64_t barNs = closeEndsNs;
    bool isFitted = false;
};

class OrderJudge
{
public:
    OrderJudge(const TraceModel& model, const std::vector<RankCalls>& ranks, const ProcessGroup& group,
               const Slots& slots)
        : m_model(model)
        , m_ranks(ranks)
        , m_group(group)
        , m_place(ranks.size(), noPlace)
    {
        for (std::size_t l = 0; l < group.lanes.size(); ++l)
            m_place[group.lanes[l].rank] = l;
        for (std::size_t s = 0; s < slots.size(); ++s) {
            m_slots.emplace_back(group.lanes.size());
            for (const CallRef member : slots[s])
                m_slots.back()[m_place[member.rank]] = member;
        }
        m_hasLost.assign(m_slots.size(), false);
    }

    WeighedOrder run()
    {
        chooseReference();
        const bool isPeerToPeer
            = m_group.kind == ProcessGroup::Kind::Pair || m_group.kind == ProcessGroup::Kind::Unpaired;
        for (std::size_t lane = 0; lane < m_clocks.size(); ++lane) {
            LaneClock& clock = m_clocks[lane];
            if (clock.verdict != EndVerdict::Contradicted)
                continue;
            // A sender of little data ends before its receiver starts, which does not refute the order.
            if (isPeerToPeer)
                clock = LaneClock();
            else if (!m_group.isOneOfSeveral)
                findByEnds(lane);
        }
        if (m_sharesOnlySome && isGuess() && m_clocks.size() > 2)
            return nothing(UnmatchedReason::SmallerGroups);
        checkEnds();
        checkGaps();
        return result();
    }

private:
    static constexpr std::size_t noPlace = static_cast<std::size_t>(-1);
    using Slot = std::vector<std::optional<CallRef>>; ///< by lane

    const Call& callOf(CallRef ref) const { return m_ranks[ref.rank].calls[ref.call]; }
    bool confirms(CallRef ref) const { return confirmsByEnd(m_model, callOf(ref)); }

    /// Chooses the rank that the others are compared with: of the first three, the one that most ranks agree
    /// with.
    void chooseReference()
    {
        std::size_t best = 0;
        for (std::size_t candidate = 0; candidate < std::min<std::size_t>(3, m_group.lanes.size());
             ++candidate) {
            std::vector<LaneClock> clocks = clocksAgainst(candidate);
            const auto confirmed = static_cast<std::size_t>(
                std::count_if(clocks.begin(), clocks.end(),
                              [](const LaneClock& clock) { return clock.verdict == EndVerdict::Confirmed; }));
            if (candidate == 0 || confirmed > best) {
                best = confirmed;
                m_reference = candidate;
                m_clocks = std::move(clocks);
            }
            if (best == m_group.lanes.size())
                break;
        }
    }

    /// Largest offset between ranks of one host: profilers misplace events by less. It is larger for a known
    /// group than for a guess.
    std::int64_t farthestOnOneHost() const
    {
        constexpr std::int64_t farthestOfAGuessNs = 1'000'000;
        return isGuess() ? farthestOfAGuessNs : oneHostApartNs;
    }

    /// Whether only order and ends indicate that these ranks are in one group.
    bool isGuess() const { return m_group.kind == ProcessGroup::Kind::Stream; }

    std::vector<LaneClock> clocksAgainst(std::size_t reference) const
    {
        std::vector<LaneClock> clocks(m_group.lanes.size());
        clocks[reference] = {EndVerdict::Confirmed, {}, closeEndsNs, true};
        std::vector<EndingCall> first, second;
        const bool isOrdered = m_group.kind == ProcessGroup::Kind::Collective
            && std::all_of(m_slots.begin(), m_slots.end(),
                           [](const Slot& slot) { return membersIn(slot) == slot.size(); });
        for (std::size_t lane = 0; lane < clocks.size(); ++lane) {
            if (lane == reference)
                continue;
            first.clear();
            second.clear();
            const Call* ours = nullptr;
            const Call* theirs = nullptr;
            for (const Slot& slot : m_slots) {
                if (!slot[reference] || !slot[lane] || !confirms(*slot[lane]))
                    continue;
                theirs = &callOf(*slot[reference]);
                ours = &callOf(*slot[lane]);
                first.push_back(endingOf(*theirs, m_group));
                second.push_back(endingOf(*ours, m_group));
            }
            if (first.empty()) {
                clocks[lane] = clockOfRooted(reference, lane, isOrdered);
                continue;
            }
            EndAgreement agreement = judgePairs(first, second, isOrdered);
            if (areOfOneHost(*ours, *theirs)
                && std::abs(agreement.fit.offsetNs) > static_cast<double>(farthestOnOneHost()))
                agreement.verdict = EndVerdict::Contradicted;
            clocks[lane] = {agreement.verdict, agreement.fit, agreement.barNs, true};
        }
        return clocks;
    }

    /// Ranks may end broadcasts and similar calls at different times, which does not refute their order. If
    /// all ended together, the order is confirmed.
    LaneClock clockOfRooted(std::size_t reference, std::size_t lane, bool isOrdered) const
    {
        std::vector<EndingCall> first, second;
        for (const Slot& slot : m_slots) {
            if (!slot[reference] || !slot[lane]
                || waitRuleOf(m_model, callOf(*slot[lane])) == WaitRule::Unknown
                || !haveOneClock(callOf(*slot[reference]), callOf(*slot[lane])))
                continue;
            first.push_back(endingOf(callOf(*slot[reference]), m_group));
            second.push_back(endingOf(callOf(*slot[lane]), m_group));
        }
        constexpr std::size_t fewest = 3; // one or two may end together by chance
        const EndAgreement agreement = judgePairs(first, second, isOrdered);
        if (agreement.verdict != EndVerdict::Confirmed || first.size() < fewest
            || std::abs(agreement.fit.offsetNs) > static_cast<double>(closeEndsNs))
            return {};
        return {EndVerdict::Confirmed, agreement.fit, agreement.barNs, false};
    }

    /// Moves the lane's calls from their collectives to those that ended at the same time.
    void findByEnds(std::size_t lane)
    {
        std::vector<std::pair<EndingCall, std::size_t>> ours, theirs; // with the slot
        std::optional<std::int64_t> farthestNs = farClocksNs;
        for (std::size_t s = 0; s < m_slots.size(); ++s) {
            if (m_slots[s][lane] && confirms(*m_slots[s][lane]))
                ours.emplace_back(endingOf(callOf(*m_slots[s][lane]), m_group), s);
            if (m_slots[s][m_reference] && confirms(*m_slots[s][m_reference]))
                theirs.emplace_back(endingOf(callOf(*m_slots[s][m_reference]), m_group), s);
        }
        if (!ours.empty() && !theirs.empty())
            farthestNs = farthestApart(callOf(*m_slots[ours.front().second][lane]),
                                       callOf(*m_slots[theirs.front().second][m_reference]));
        const auto byEnd = [](const auto& a, const auto& b) { return a.first.endNs < b.first.endNs; };
        std::sort(ours.begin(), ours.end(), byEnd);
        std::sort(theirs.begin(), theirs.end(), byEnd);
        std::vector<EndingCall> first, second;
        for (const auto& [call, slot] : theirs)
            first.push_back(call);
        for (const auto& [call, slot] : ours)
            second.push_back(call);
        const EndPairs pairs = pairByEnds(first, second, farthestNs);
        m_fitsNowhere |= pairs.count == 0;
        m_sharesOnlySome |= pairs.count > 0 && shareOnlySome(first, second, pairs.fit);
        std::vector<std::pair<std::size_t, CallRef>> moved;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const CallRef call = *m_slots[ours[i].second][lane];
            if (pairs.count > 0 && pairs.partner[i] != notAligned)
                moved.emplace_back(theirs[pairs.partner[i]].second, call);
            else
                refuse(call, ours[i].second);
        }
        for (Slot& slot : m_slots) { // calls without evidence by ends lose their match with the order
            if (slot[lane] && !confirms(*slot[lane]))
                m_refused.push_back({*slot[lane], UnmatchedReason::Ambiguous});
            slot[lane].reset();
        }
        for (const auto& [slot, call] : moved)
            m_slots[slot][lane] = call;
        m_clocks[lane] = {pairs.count > 0 ? EndVerdict::Confirmed : EndVerdict::Unclear, pairs.fit,
                          pairs.barNs, pairs.count > 0};
    }

    double endOf(CallRef ref) const
    {
        const std::int64_t endNs = callOf(ref).range.endNs;
        return static_cast<double>(endNs) - m_clocks[m_place[ref.rank]].fit.aheadNs(endNs);
    }

    /// Distance between two ends, as recorded if the files share a clock.
    std::int64_t distanceOf(CallRef a, CallRef b) const
    {
        return haveOneClock(callOf(a), callOf(b)) ? std::abs(callOf(a).range.endNs - callOf(b).range.endNs)
                                                  : std::llround(std::abs(endOf(a) - endOf(b)));
    }

    /// Refuses a call in a slot, with a reason that depends on the other members there.
    void refuse(CallRef call, std::size_t slot)
    {
        const auto length = [&](CallRef ref) { return static_cast<double>(callOf(ref).durationNs()); };
        m_hasLost[slot] = true;
        bool isApart = false;
        bool isAlone = true;
        for (const auto& other : m_slots[slot]) {
            if (!other || *other == call)
                continue;
            isAlone = false;
            m_apartNs = std::max(m_apartNs, distanceOf(call, *other));
            isApart
                |= endOf(call) < endOf(*other) - length(*other) || endOf(*other) < endOf(call) - length(call);
        }
        m_refused.push_back({call,
                             isAlone       ? UnmatchedReason::NoSuchCall
                                 : isApart ? UnmatchedReason::EndedBefore
                                           : UnmatchedReason::EndsApart});
    }

    /// Refuses members whose ends differ from those of the others.
    void checkEnds()
    {
        std::vector<double> ends;
        for (std::size_t s = 0; s < m_slots.size(); ++s) {
            ends.clear();
            std::int64_t barNs = 0;
            std::int64_t shortestNs = std::numeric_limits<std::int64_t>::max();
            for (const auto& member : m_slots[s]) {
                if (!member || !isTimed(*member))
                    continue;
                ends.push_back(endOf(*member));
                barNs = std::max(barNs, m_clocks[m_place[member->rank]].barNs);
                shortestNs = std::min(shortestNs, callOf(*member).durationNs());
            }
            if (ends.size() < 2)
                continue;
            // If the order is right for the others, a rank may end a long call slightly later than the rest.
            barNs = std::max(barNs, std::min(shortestNs / 5, farthestEndsNs));
            const double middle = medianOf(ends);
            std::vector<std::size_t> out;
            for (std::size_t lane = 0; lane < m_slots[s].size(); ++lane) {
                const auto& member = m_slots[s][lane];
                if (member && isTimed(*member)
                    && 2 * std::abs(endOf(*member) - middle) > static_cast<double>(barNs))
                    out.push_back(lane);
            }
            for (const std::size_t lane : out)
                refuse(*m_slots[s][lane], s);
            for (const std::size_t lane : out)
                m_slots[s][lane].reset();
            m_barNs = std::max(m_barNs, barNs);
        }
    }

    bool isTimed(CallRef ref) const { return m_clocks[m_place[ref.rank]].isFitted && confirms(ref); }

    static std::size_t membersIn(const Slot& slot)
    {
        return static_cast<std::size_t>(
            std::count_if(slot.begin(), slot.end(), [](const auto& member) { return member.has_value(); }));
    }

    bool isConfirmed(const Slot& slot) const
    {
        for (std::size_t lane = 0; lane < slot.size(); ++lane) {
            if (slot[lane] && m_clocks[lane].verdict != EndVerdict::Confirmed)
                return false;
        }
        return true;
    }

    /// Between two collectives that times confirm on all ranks, calls without such evidence match only if
    /// every rank has equally many.
    void checkGaps()
    {
        std::vector<std::size_t> gap;
        for (std::size_t s = 0; s <= m_slots.size(); ++s) {
            const bool isAnchor = s < m_slots.size() && isTimedSlot(m_slots[s]) && isConfirmed(m_slots[s])
                && membersIn(m_slots[s]) == m_slots[s].size();
            if (s == m_slots.size() || isAnchor) {
                checkGap(gap);
                gap.clear();
            } else if (!(isTimedSlot(m_slots[s]) && isConfirmed(m_slots[s]))) {
                gap.push_back(s);
            }
        }
    }

    bool isTimedSlot(const Slot& slot) const
    {
        return std::all_of(slot.begin(), slot.end(),
                           [&](const auto& member) { return !member || isTimed(*member); });
    }

    void checkGap(const std::vector<std::size_t>& gap)
    {
        std::set<std::uint64_t> incomplete;
        std::map<std::uint64_t, std::size_t> count;
        const auto signature = [&](const Slot& slot) {
            const auto member
                = std::find_if(slot.begin(), slot.end(), [](const auto& m) { return m.has_value(); });
            return member == slot.end() ? std::uint64_t{0} : signatureOf(callOf(**member));
        };
        for (const std::size_t s : gap) {
            ++count[signature(m_slots[s])];
            if (membersIn(m_slots[s]) < m_slots[s].size())
                incomplete.insert(signature(m_slots[s]));
        }
        for (const std::size_t s : gap) {
            const std::uint64_t own = signature(m_slots[s]);
            if (membersIn(m_slots[s]) < 2 || !incomplete.contains(own) || count[own] < 2)
                continue; // a single call of its kind cannot be confused
            for (auto& member : m_slots[s]) {
                if (member)
                    m_refused.push_back({*member, UnmatchedReason::Ambiguous});
                member.reset();
            }
        }
    }

    WeighedOrder nothing(UnmatchedReason reason) const
    {
        WeighedOrder weighed;
        for (const ProcessGroup::Lane& lane : m_group.lanes) {
            for (const std::uint32_t call : lane.calls)
                weighed.refused.push_back({{lane.rank, call}, reason});
        }
        return weighed;
    }

    WeighedOrder result()
    {
        WeighedOrder weighed;
        // If one rank does not fit at all, the guess that these ranks form one group is doubtful.
        const bool isDoubtful = m_fitsNowhere && isGuess() && m_clocks.size() > 2;
        weighed.isConfirmed = std::all_of(m_clocks.begin(), m_clocks.end(), [](const LaneClock& clock) {
            return clock.verdict == EndVerdict::Confirmed;
        });
        weighed.isContradicted = std::any_of(m_clocks.begin(), m_clocks.end(), [](const LaneClock& clock) {
            return clock.verdict == EndVerdict::Contradicted;
        });
        weighed.barNs = m_barNs;
        weighed.apartNs = m_apartNs;
        for (std::size_t s = 0; s < m_slots.size(); ++s) {
            const Slot& slot = m_slots[s];
            WeighedOrder::Collective collective;
            collective.gap = m_hasLost[s] ? Gap::EndsApart : Gap::None;
            for (const auto& member : slot) {
                if (member)
                    collective.members.push_back(*member);
            }
            if (collective.members.empty())
                continue;
            if (isConfirmed(slot) && !isDoubtful)
                collective.confidence = MatchConfidence::Confirmed;
            weighed.collectives.push_back(std::move(collective));
        }
        weighed.refused = std::move(m_refused);
        for (std::size_t lane = 0; lane < m_clocks.size(); ++lane) {
            if (m_clocks[lane].isFitted)
                weighed.clocks.emplace(m_group.lanes[lane].rank, m_clocks[lane].fit);
        }
        return weighed;
    }

    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    const ProcessGroup& m_group;
    std::vector<std::size_t> m_place; ///< lane by rank
    std::vector<Slot> m_slots;
    std::vector<LaneClock> m_clocks; ///< by lane
    std::size_t m_reference = 0; ///< lane
    std::int64_t m_barNs = 0;
    std::int64_t m_apartNs = 0;
    std::vector<Unmatched> m_refused;
    bool m_sharesOnlySome = false; ///< a rank ended only some calls together with the reference
    bool m_fitsNowhere = false; ///< a rank's calls do not match the reference with any clock offset
    std::vector<bool> m_hasLost; ///< by slot: a member was refused
};

} // namespace

WeighedOrder weighOrder(const TraceModel& model, const std::vector<RankCalls>& ranks,
                        const ProcessGroup& group, const Slots& slots)
{
    return OrderJudge(model, ranks, group, slots).run();
}

bool streamsAgree(const std::vector<const WeighedOrder*>& streams)
{
    if (std::any_of(streams.begin(), streams.end(),
                    [](const WeighedOrder* stream) { return stream->isContradicted; }))
        return false;
    constexpr double noiseNs = 20'000;
    const auto agree = [](const WeighedOrder& a, const WeighedOrder& b) {
        std::optional<double> apartNs; // offset between the two references
        double spreadNs = 0;
        for (const auto& [rank, own] : a.clocks) {
            const auto found = b.clocks.find(rank);
            if (found == b.clocks.end())
                continue;
            const EndFit& other = found->second;
            const auto middleNs = static_cast<std::int64_t>(std::max(own.pivotNs, other.pivotNs));
            const double differNs = own.aheadNs(middleNs) - other.aheadNs(middleNs);
            spreadNs = std::max(spreadNs, own.spreadNs + other.spreadNs);
            if (std::abs(differNs - apartNs.value_or(differNs)) > noiseNs + 4 * spreadNs)
                return false;
            apartNs = apartNs.value_or(differNs);
        }
        return true;
    };
    for (std::size_t i = 0; i < streams.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (streams[i]->isConfirmed && streams[j]->isConfirmed && !agree(*streams[i], *streams[j]))
                return false;
        }
    }
    return true;
}

} // namespace collscope
