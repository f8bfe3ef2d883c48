// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Findings about communication: who makes the others wait, and what is exposed while data moves.

#include "metrics/calls/alike_groups.h"
#include "metrics/causes/arrivals.h"
#include "metrics/core/duration_text.h"
#include "metrics/findings/exposed_groups.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

/// Divides the calls of a run into findings.
class CommunicationGroups
{
public:
    explicit CommunicationGroups(const FindingInput& input)
        : m_input(input)
        , m_model(input.analysis.model())
        , m_run(input.analysis.run())
        , m_groupNames(sharedNamesOf(m_run.matching.groups))
        , m_slow(slowCollectives(input.analysis))
        , m_blames(blamesOf(input.analysis, input.partition.calls))
    { }

    void add(std::size_t call);
    LateGroups finish();

private:
    /// Who was late, as the stragglers see it.
    struct Blame
    {
        std::int32_t last = CallTiming::nobody;
        std::int32_t origin = CallTiming::nobody; ///< the rank that the lateness originates from
        bool isOriginKnown = false;
        bool mayPassOn = false; ///< Arrival::mayPassOn
    };
    /// By call. The arrivals may be of other instances than those of the run, where ranks are left out.
    static std::vector<Blame> blamesOf(Analysis& analysis, const ExposedCalls& calls);
    std::int32_t blamedFor(std::size_t call) const;
    const Call& callOf(const CallTiming& timing) const { return m_run.callOf(timing.call); }
    std::string_view groupOf(const CallTiming& timing) const;
    void addWait(std::size_t index, const OwnedStretches& wait);
    void addMoving(const CallTiming& timing, const OwnedStretches& moving);
    void addTo(Finding& finding, const CallTiming& timing, const OwnedStretches& owned) const;
    FindingPlace placeOf(const CallTiming& timing, const OwnedStretches& owned) const;
    void take(Finding&& finding) { m_input.findings.all.push_back(std::move(finding)); }

    const FindingInput& m_input;
    const TraceModel& m_model;
    const RunCollectives& m_run;
    std::vector<std::string> m_groupNames; ///< groups that do the same for other ranks are one finding
    std::vector<std::uint8_t> m_slow; ///< by instance
    std::vector<Blame> m_blames;
    ExposedGroups m_exposed;
    LateGroups m_late;
    Finding m_bubble; ///< waits in sends and receives between stages
    Finding m_lastStage; ///< and in their collectives, where their order may be why
    bool m_namesStages = false; ///< a name, the mesh or an annotation shows that there is a pipeline
};

std::string_view CommunicationGroups::groupOf(const CallTiming& timing) const
{
    if (timing.instance == CallTiming::noInstance)
        return {};
    return m_groupNames[m_run.matching.instances[timing.instance].group];
}

void CommunicationGroups::addTo(Finding& finding, const CallTiming& timing, const OwnedStretches& owned) const
{
    const std::int32_t rank = m_run.ranks[timing.call.rank].rank;
    finding.pay(rank, owned.ns);
    ++finding.count;
    finding.places.add(placeOf(timing, owned));
}

FindingPlace CommunicationGroups::placeOf(const CallTiming& timing, const OwnedStretches& owned) const
{
    return {m_run.ranks[timing.call.rank].rank,
            m_input.analysis.clocks().toAxis(m_model.indexOf(*callOf(timing).timeline), owned.longest),
            timing.slice};
}

std::vector<CommunicationGroups::Blame> CommunicationGroups::blamesOf(Analysis& analysis,
                                                                      const ExposedCalls& calls)
{
    std::vector<Blame> blames(calls.times.size());
    const Arrivals& arrivals = measureArrivals(analysis);
    const std::vector<RankCalls>& ranks = analysis.calls();
    for (const Arrival& arrival : arrivals.matched) {
        const auto members = analysis.matching().membersOf(*arrival.instance);
        const Blame blame{ranks[members[arrival.times.awaited].rank].rank, ranks[arrival.origin].rank,
                          arrival.isOriginKnown, arrival.mayPassOn};
        for (const CallRef member : members) {
            const SliceRef slice = ranks[member.rank].calls[member.call].slice;
            const std::size_t call = calls.firstAt(slice);
            if (call < calls.times.size() && calls.times[call].slice == slice)
                blames[call] = blame;
        }
    }
    return blames;
}

/// The last rank, or the one that made it late: a rank that is late only because it waited for another one
/// passes the blame on, as in blame.md. So do several that arrive together.
std::int32_t CommunicationGroups::blamedFor(std::size_t call) const
{
    const CallTiming& timing = m_input.partition.calls.times[call];
    const Blame& blame = m_blames[call];
    const bool isSameLast
        = timing.awaited != CallTiming::nobody ? blame.last == timing.awaited : blame.isOriginKnown;
    return isSameLast && blame.origin != m_run.ranks[timing.call.rank].rank ? blame.origin : timing.awaited;
}

void CommunicationGroups::addWait(std::size_t index, const OwnedStretches& wait)
{
    if (wait.ns == 0)
        return;
    const CallTiming& timing = m_input.partition.calls.times[index];
    const Call& call = callOf(timing);
    if (timing.isStaged) {
        m_namesStages |= call.parallelismKind == ParallelismKind::PipelineParallel
            && call.rule != ParallelismRule::CollectiveType;
        return addTo(isPointToPoint(m_model, call) ? m_bubble : m_lastStage, timing, wait);
    }
    // An all-to-all alone does not show experts: sequence parallelism and embeddings use it, too.
    const bool isOfExperts = call.parallelismKind == ParallelismKind::ExpertParallel
        && call.rule != ParallelismRule::CollectiveType;
    const std::int32_t blamed = blamedFor(index);
    LateGroup& late = (isOfExperts ? m_late.experts : m_late.others)[blamed];
    late.isWhole &= timing.isWhole;
    late.unclearNs += m_blames[index].mayPassOn ? wait.ns : 0;
    if (blamed != timing.awaited) {
        late.passedOnNs += wait.ns;
    } else {
        late.directWaits.push_back(index);
        late.directPlaces.add(placeOf(timing, wait));
    }
    const RankShare* const rank = m_input.partition.shareOf(m_run.ranks[timing.call.rank].rank);
    if (const StepShare* const step = rank ? rank->stepAt(*call.timeline, wait.longest.beginNs) : nullptr)
        late.nsByStep[step->step.number] += wait.ns;
    addTo(late.finding, timing, wait);
}

void CommunicationGroups::addMoving(const CallTiming& timing, const OwnedStretches& moving)
{
    if (moving.ns == 0)
        return;
    const std::uint8_t percent = timing.instance != CallTiming::noInstance ? m_slow[timing.instance] : 0;
    ExposedGroups::Exposed& exposed
        = m_exposed[{percent != 0, groupOf(timing), callName(m_model, callOf(timing))}];
    addTo(exposed.finding, timing, moving);
    if (timing.mayHideWaits())
        exposed.doubtfulNs += moving.ns;
    if (percent == 0)
        return;
    exposed.percentSum += percent;
    for (const CallRef member : m_run.matching.membersOf(m_run.matching.instances[timing.instance]))
        exposed.members.insert(m_run.ranks[member.rank].rank);
}

void CommunicationGroups::add(std::size_t call)
{
    const CallShare& share = m_input.partition.calls.shares[call];
    if (!share.isCounted)
        return;
    addWait(call, share.waiting);
    addMoving(m_input.partition.calls.times[call], share.moving);
}

LateGroups CommunicationGroups::finish()
{
    m_exposed.finish(m_input);
    const auto takeStaged = [&](Finding& finding, const std::string& what) {
        if (finding.ns == 0)
            return;
        finding.ranks = finding.payers();
        finding.kind = FindingKind::PipelineBubble;
        finding.title
            = what + ": " + costText(m_input.findings, finding) + payersText(m_input, finding) + ".";
        take(std::move(finding));
    };
    takeStaged(m_bubble,
               m_namesStages ? "Pipeline bubble: stages wait in sends and receives for other stages"
                             : "Ranks wait in sends and receives, which is a pipeline bubble if "
                               "these are the stages of one");
    takeStaged(
        m_lastStage,
        std::string(m_namesStages ? "Stages" : "Ranks that hand work on")
            + " wait in collectives for the one that arrives last, because its turn is the last one, or "
              "because it is late");
    for (std::map<std::int32_t, LateGroup>* groups : {&m_late.experts, &m_late.others}) {
        for (auto& [rank, late] : *groups) {
            late.finding.ranks = late.finding.payers();
            // From durations where the clocks fit poorly.
            late.finding.isEstimated = m_run.clocks.fitsPoorly(m_input.analysis.options().clocks);
        }
    }
    return std::move(m_late);
}

} // namespace

LateGroups addCommunication(const FindingInput& input)
{
    if (input.partition.calls.times.empty())
        return {};
    CommunicationGroups groups(input);
    for (std::size_t call = 0; call < input.partition.calls.times.size(); ++call)
        groups.add(call);
    return groups.finish();
}

} // namespace collscope
