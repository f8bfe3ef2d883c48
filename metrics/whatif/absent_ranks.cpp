// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/absent_ranks.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace collscope {

namespace {

/// Collectives that take equally long if nobody waits: group, kind, bytes.
using Alike = std::tuple<std::string, KernelClass, std::optional<std::uint64_t>>;

struct LackingCall
{
    Alike alike;
    std::int64_t shortestNs = 0; ///< of the present members
    std::uint32_t members = 0;
    SliceRef slice; ///< of one of them
    const Timeline* timeline = nullptr;
};

/// The shortest of those that take equally long, and how many there are.
struct Shortest
{
    std::int64_t ns = std::numeric_limits<std::int64_t>::max();
    std::size_t calls = 0;
};

/// How many ranks take part in a collective. A kernel that communicates does so with another rank, whether
/// the trace tells the size of the group or not.
std::int32_t ranksIn(const ProcessGroup& group, const Call& call)
{
    const bool isPair = group.kind == ProcessGroup::Kind::Pair || group.kind == ProcessGroup::Kind::Unpaired;
    return call.groupSize == 0 ? 2 : isPair ? std::min(2, call.groupSize) : call.groupSize;
}

/// Like all work, a call belongs to the step in which it was launched.
bool isInSteps(const TraceModel& model, const RankWork& work, SliceRef call)
{
    const std::uint32_t correlation = model.track(call.track).slices.correlation[call.row];
    const SliceRef launch = correlation != 0 ? work.timeline->launchOf(correlation) : SliceRef();
    const std::int64_t ns = work.onAxis(model.rangeOf(launch ? launch : call)).beginNs;
    return std::any_of(work.steps.begin(), work.steps.end(),
                       [&](const Step& step) { return step.range.contains(ns); });
}

} // namespace

AbsentRanks findAbsentRanks(const TraceModel& model, const RunCollectives& collectives, const RunGraph& run,
                            double stepNs)
{
    AbsentRanks absent;
    std::vector<LackingCall> lacking;
    std::map<Alike, Shortest> shortest;
    std::map<const Timeline*, const RankWork*> works;
    for (const RankWork& work : run.works)
        works[work.timeline] = &work;
    const Matching& matching = collectives.matching;
    for (const CollectiveInstance& instance : matching.instances) {
        // A rank that is loaded but not replayed, such as one without steps, is as absent as any.
        std::vector<const Call*> members;
        for (const CallRef member : matching.membersOf(instance)) {
            if (works.contains(collectives.callOf(member).timeline))
                members.push_back(&collectives.callOf(member));
        }
        if (members.empty())
            continue;
        const Call& first = *members.front();
        const auto present = static_cast<std::int32_t>(members.size());
        const ProcessGroup& group = matching.groupOf(instance);
        LackingCall call{.alike = {group.text, first.kind, first.bytes},
                         .shortestNs = first.durationNs(),
                         .members = static_cast<std::uint32_t>(members.size()),
                         .slice = first.slice,
                         .timeline = first.timeline};
        for (const Call* const member : members)
            call.shortestNs = std::min(call.shortestNs, member->durationNs());
        Shortest& known = shortest[call.alike];
        known = {std::min(known.ns, call.shortestNs), known.calls + 1};
        const auto all
            = std::max(ranksIn(group, first), static_cast<std::int32_t>(matching.membersOf(instance).size()));
        if (all <= present)
            continue;
        absent.areAny = true;
        absent.leaveOneAlone = absent.leaveOneAlone || present == 1;
        absent.ofStages = absent.ofStages || first.parallelismKind == ParallelismKind::TensorParallel
            || first.parallelismKind == ParallelismKind::PipelineParallel;
        lacking.push_back(std::move(call));
    }
    double excess = 0;
    for (const LackingCall& call : lacking) {
        const Shortest& known = shortest[call.alike];
        if (isInSteps(model, *works[call.timeline], call.slice))
            excess += static_cast<double>(call.members)
                * static_cast<double>(known.calls > 1 ? call.shortestNs - known.ns : call.shortestNs);
    }
    const std::size_t steps = run.ranks.empty() ? 0 : run.ranks.front().numbers.size();
    const double whole = stepNs * static_cast<double>(steps * run.ranks.size());
    absent.share = whole > 0 ? excess / whole : 0;
    return absent;
}

} // namespace collscope
