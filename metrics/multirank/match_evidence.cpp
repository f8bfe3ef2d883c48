// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/multirank/match_evidence.h"

#include "metrics/multirank/call_alignment.h"
#include "metrics/multirank/end_agreement.h"
#include "metrics/multirank/wait_rule.h"
#include "metrics/statistics.h"
#include "metrics/step_rows.h"
#include "model/end_evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace collscope {

namespace {

/// Ends of two ranks say the same without any offset: wall clocks, or the clock of one file.
bool haveOneClock(const Call& a, const Call& b)
{
    return a.timeline->source == b.timeline->source || (a.timeline->hasWallClock && b.timeline->hasWallClock);
}

/// How far apart the clocks of two ranks are looked for; nullopt: anywhere. Processes of one computer share
/// one.
std::optional<std::int64_t> farthestApart(const Call& a, const Call& b)
{
    if (!haveOneClock(a, b))
        return std::nullopt;
    const bool isOneHost = a.timeline->host && a.timeline->host == b.timeline->host;
    return isOneHost ? 0 : farClocksNs;
}

bool isOfOneHost(const Call& a, const Call& b)
{
    return farthestApart(a, b) == 0;
}

EndingCall endingOf(const Call& call)
{
    const Step* const step = call.timeline->stepSource == StepSource::WholeTrace
        ? nullptr
        : stepAround(*call.timeline, call.range.beginNs);
    return {signatureOf(call), call.range.endNs, step ? std::optional(step->number) : std::nullopt};
}

/// What is known of one rank's clock in a group.
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
            // A sender of little data leaves before its receiver comes: that refutes nothing.
            if (isPeerToPeer)
                clock = LaneClock();
            else if (!m_group.isOneOfSeveral)
                findByEnds(lane);
        }
        checkEnds();
        checkGaps();
        return result();
    }

private:
    static constexpr std::size_t noPlace = static_cast<std::size_t>(-1);
    using Slot = std::vector<std::optional<CallRef>>; ///< by lane

    const Call& callOf(CallRef ref) const { return m_ranks[ref.rank].calls[ref.call]; }
    bool confirms(CallRef ref) const { return confirmsByEnd(m_model, callOf(ref)); }

    /// The rank that the others are compared with: of the first three the one that most agree with.
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
                first.push_back(endingOf(*theirs));
                second.push_back(endingOf(*ours));
            }
            if (first.empty()) {
                clocks[lane] = clockOfRooted(reference, lane, isOrdered);
                continue;
            }
            EndAgreement agreement = judgePairs(first, second, isOrdered);
            if (isOfOneHost(*ours, *theirs)
                && std::abs(agreement.fit.offsetNs) > static_cast<double>(oneHostApartNs))
                agreement.verdict = EndVerdict::Contradicted;
            clocks[lane] = {agreement.verdict, agreement.fit, agreement.barNs, true};
        }
        return clocks;
    }

    /// Ranks may leave broadcasts and the like at other times, which refutes nothing. But where they all
    /// ended together, that confirms their order.
    LaneClock clockOfRooted(std::size_t reference, std::size_t lane, bool isOrdered) const
    {
        std::vector<EndingCall> first, second;
        for (const Slot& slot : m_slots) {
            if (!slot[reference] || !slot[lane]
                || waitRuleOf(m_model, callOf(*slot[lane])) == WaitRule::Unknown
                || !haveOneClock(callOf(*slot[reference]), callOf(*slot[lane])))
                continue;
            first.push_back(endingOf(callOf(*slot[reference])));
            second.push_back(endingOf(callOf(*slot[lane])));
        }
        constexpr std::size_t fewest = 3; // one or two may end together by chance
        const EndAgreement agreement = judgePairs(first, second, isOrdered);
        if (agreement.verdict != EndVerdict::Confirmed || first.size() < fewest
            || std::abs(agreement.fit.offsetNs) > static_cast<double>(closeEndsNs))
            return {};
        return {EndVerdict::Confirmed, agreement.fit, agreement.barNs, false};
    }

    /// The lane's calls leave their collectives and join those that ended with them.
    void findByEnds(std::size_t lane)
    {
        std::vector<std::pair<EndingCall, std::size_t>> ours, theirs; // and the slot
        std::optional<std::int64_t> farthestNs = farClocksNs;
        for (std::size_t s = 0; s < m_slots.size(); ++s) {
            if (m_slots[s][lane] && confirms(*m_slots[s][lane]))
                ours.emplace_back(endingOf(callOf(*m_slots[s][lane])), s);
            if (m_slots[s][m_reference] && confirms(*m_slots[s][m_reference]))
                theirs.emplace_back(endingOf(callOf(*m_slots[s][m_reference])), s);
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
        std::vector<std::pair<std::size_t, CallRef>> moved;
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const CallRef call = *m_slots[ours[i].second][lane];
            if (pairs.count > 0 && pairs.partner[i] != notAligned)
                moved.emplace_back(theirs[pairs.partner[i]].second, call);
            else
                refuse(call, ours[i].second);
        }
        for (Slot& slot : m_slots) { // kinds that do not tell by their ends have lost their order with them
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

    /// Of two ends, as the files say where they have one clock.
    std::int64_t distanceOf(CallRef a, CallRef b) const
    {
        return haveOneClock(callOf(a), callOf(b)) ? std::abs(callOf(a).range.endNs - callOf(b).range.endNs)
                                                  : std::llround(std::abs(endOf(a) - endOf(b)));
    }

    /// Out of the collective of a slot, with the reason that its neighbours there give.
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

    /// Members whose ends are not where those of the others are.
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
            // Where order holds for the others, a rank may leave a long one a little later than the rest.
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

    /// Between two collectives that times confirm on all ranks, calls that times cannot tell apart are the
    /// same ones only if every rank has as many.
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
                continue; // the only one of its kind there is no other one
            for (auto& member : m_slots[s]) {
                if (member)
                    m_refused.push_back({*member, UnmatchedReason::Ambiguous});
                member.reset();
            }
        }
    }

    WeighedOrder result()
    {
        WeighedOrder weighed;
        weighed.isConfirmed = std::all_of(m_clocks.begin(), m_clocks.end(), [](const LaneClock& clock) {
            return clock.verdict == EndVerdict::Confirmed;
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
            if (isConfirmed(slot))
                collective.confidence = MatchConfidence::Confirmed;
            weighed.collectives.push_back(std::move(collective));
        }
        weighed.refused = std::move(m_refused);
        return weighed;
    }

    const TraceModel& m_model;
    const std::vector<RankCalls>& m_ranks;
    const ProcessGroup& m_group;
    std::vector<std::size_t> m_place; ///< by rank: its lane
    std::vector<Slot> m_slots;
    std::vector<LaneClock> m_clocks; ///< by lane
    std::size_t m_reference = 0; ///< lane
    std::int64_t m_barNs = 0;
    std::int64_t m_apartNs = 0;
    std::vector<Unmatched> m_refused;
    std::vector<bool> m_hasLost; ///< by slot: a member was refused, as it ended at another time
};

} // namespace

WeighedOrder weighOrder(const TraceModel& model, const std::vector<RankCalls>& ranks,
                        const ProcessGroup& group, const Slots& slots)
{
    return OrderJudge(model, ranks, group, slots).run();
}

WeighedOrder matchByEnds(const TraceModel& model, const std::vector<RankCalls>& ranks,
                         const ProcessGroup& group)
{
    WeighedOrder result;
    struct Timed
    {
        std::vector<EndingCall> ends;
        std::vector<CallRef> calls;
    };
    std::vector<Timed> lanes;
    std::size_t reference = 0;
    for (const ProcessGroup::Lane& lane : group.lanes) {
        std::vector<std::pair<std::int64_t, CallRef>> order;
        for (const std::uint32_t index : lane.calls) {
            const Call& call = ranks[lane.rank].calls[index];
            if (confirmsByEnd(model, call))
                order.emplace_back(call.range.endNs, CallRef{lane.rank, index});
            else
                result.refused.push_back({{lane.rank, index}, UnmatchedReason::NoGroup});
        }
        std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        Timed& timed = lanes.emplace_back();
        for (const auto& [endNs, ref] : order) {
            timed.ends.push_back(endingOf(ranks[ref.rank].calls[ref.call]));
            timed.calls.push_back(ref);
        }
        if (timed.calls.size() > lanes[reference].calls.size())
            reference = lanes.size() - 1;
    }
    std::vector<std::vector<CallRef>> found(lanes[reference].calls.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i].push_back(lanes[reference].calls[i]);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        const Timed& other = lanes[lane];
        if (lane == reference)
            continue;
        EndPairs pairs;
        if (!other.calls.empty() && !found.empty()) {
            const CallRef a = other.calls.front();
            const CallRef b = found.front().front();
            pairs = pairByEnds(lanes[reference].ends, other.ends,
                               farthestApart(ranks[a.rank].calls[a.call], ranks[b.rank].calls[b.call]));
        }
        result.barNs = std::max(result.barNs, 2 * pairs.barNs); // two of them may lie on either side
        for (std::size_t i = 0; i < other.calls.size(); ++i) {
            if (pairs.count > 0 && pairs.partner[i] != notAligned)
                found[pairs.partner[i]].push_back(other.calls[i]);
            else
                result.refused.push_back({other.calls[i], UnmatchedReason::NobodyInTime});
        }
    }
    for (std::vector<CallRef>& members : found) {
        if (members.size() < 2) {
            result.refused.push_back({members.front(), UnmatchedReason::NobodyInTime});
            continue;
        }
        std::sort(members.begin(), members.end(), [](CallRef a, CallRef b) { return a.rank < b.rank; });
        result.collectives.push_back({std::move(members), MatchConfidence::Confirmed});
    }
    result.isConfirmed = true;
    return result;
}

} // namespace collscope
