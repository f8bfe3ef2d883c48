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
    TimeRange range; ///< of one of them, on its timeline's clock
    const Timeline* timeline = nullptr;
};

bool isInSteps(const RunGraph& run, const LackingCall& call)
{
    for (const RankWork& work : run.works) {
        if (work.timeline != call.timeline)
            continue;
        return std::any_of(work.steps.begin(), work.steps.end(), [&](const Step& step) {
            return step.range.contains(work.onAxis(call.range).beginNs);
        });
    }
    return false;
}

} // namespace

AbsentRanks findAbsentRanks(const RunCollectives& collectives, const RunGraph& run, double stepNs)
{
    AbsentRanks absent;
    std::vector<LackingCall> lacking;
    std::map<Alike, std::int64_t> shortest;
    const Matching& matching = collectives.matching;
    for (const CollectiveInstance& instance : matching.instances) {
        const auto members = matching.membersOf(instance);
        const Call& first = collectives.callOf(members.front());
        const auto present = static_cast<std::int32_t>(members.size());
        const ProcessGroup::Kind kind = matching.groupOf(instance).kind;
        const bool isPair = kind == ProcessGroup::Kind::Pair || kind == ProcessGroup::Kind::Unpaired;
        const std::int32_t expected = isPair ? std::min(2, first.groupSize) : first.groupSize;
        LackingCall call{.alike = {matching.groupOf(instance).text, first.kind, first.bytes},
                         .shortestNs = first.durationNs(),
                         .members = instance.memberCount,
                         .range = first.range,
                         .timeline = first.timeline};
        for (const CallRef member : members)
            call.shortestNs = std::min(call.shortestNs, collectives.callOf(member).durationNs());
        const auto [known, isNew] = shortest.try_emplace(call.alike, call.shortestNs);
        known->second = std::min(known->second, call.shortestNs);
        if (expected <= present)
            continue;
        absent.areAny = true;
        absent.leaveOneAlone = absent.leaveOneAlone || present == 1;
        absent.ofStages = absent.ofStages || first.parallelismKind == ParallelismKind::TensorParallel
            || first.parallelismKind == ParallelismKind::PipelineParallel;
        lacking.push_back(std::move(call));
    }
    double excess = 0;
    for (const LackingCall& call : lacking) {
        if (isInSteps(run, call))
            excess += static_cast<double>(call.members)
                * static_cast<double>(call.shortestNs - shortest[call.alike]);
    }
    const std::size_t steps = run.ranks.empty() ? 0 : run.ranks.front().numbers.size();
    const double whole = stepNs * static_cast<double>(steps * run.ranks.size());
    absent.share = whole > 0 ? excess / whole : 0;
    return absent;
}

} // namespace collscope
