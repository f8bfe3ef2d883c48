// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/job_evidence.h"

#include "model/kernels/collective_traits.h"
#include "model/text/rank_lists.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace collscope {

namespace {

using CallKind = std::pair<KernelClass, StringId>;

/// A timeline's calls on one process group.
struct CallsOnGroup
{
    std::map<std::pair<CallKind, std::optional<std::int64_t>>, std::int64_t> bySize;
    std::map<CallKind, std::int64_t> byKind;
    std::int64_t count = 0;
    std::int64_t pairwise = 0; ///< sends and receives, which differ between ranks
    bool areSizesKnown = true;
    bool areRanksKnown = true; ///< false: the profiler abbreviated the list of ranks
    StringId description;
    TimeRange range; ///< from the first to the last call
};
using CallsByGroup = std::map<JobGroupKey, CallsOnGroup>;

CallsOnGroup callsOn(const JobGroupCalls& own)
{
    CallsOnGroup group;
    group.description = own.description;
    group.range = own.range;
    for (const JobCallKind& kind : own.kinds) {
        if (kind.kind == KernelClass::SendRecv) {
            group.pairwise += kind.count;
            continue;
        }
        group.areSizesKnown &= !passesOneSize(kind.kind) || kind.elements.has_value();
        group.bySize[{{kind.kind, kind.name}, kind.elements}] += kind.count;
        group.byKind[{kind.kind, kind.name}] += kind.count;
        group.count += kind.count;
    }
    return group;
}

/// The calls on groups whose list of ranks contains this rank. Calls on groups with an abbreviated list are
/// included, because membership is unknown.
CallsByGroup callsOf(const TraceModel& model, const JobCalls& calls, std::int32_t rank)
{
    CallsByGroup result;
    for (const JobGroupCalls& own : calls.groups) {
        const std::string_view text = model.text(own.ranks);
        const bool areRanksKnown = text.find("...") == std::string_view::npos;
        const std::vector<std::int32_t> ranks = parseRankList(text);
        if (areRanksKnown && std::find(ranks.begin(), ranks.end(), rank) == ranks.end())
            continue;
        CallsOnGroup group = callsOn(own);
        group.areRanksKnown = areRanksKnown;
        result.emplace(JobGroupKey(own.group, own.ranks), std::move(group));
    }
    return result;
}

template<typename Counts>
std::int64_t inCommon(const Counts& a, const Counts& b)
{
    std::int64_t common = 0;
    for (const auto& [key, count] : a) {
        const auto other = b.find(key);
        common += other == b.end() ? 0 : std::min(count, other->second);
    }
    return common;
}

enum class Agreement
{
    Unknown,
    Yes,
    No
};

/// Captures that overlap only in part start and end in different phases of a training and may contain
/// different collectives. False for captures that do not overlap: their calls cannot be compared, whichever
/// job they belong to.
bool overlapByAPart(const CallsOnGroup& a, const CallsOnGroup& b)
{
    const std::int64_t shorter = std::min(a.range.lengthNs(), b.range.lengthNs());
    const std::int64_t both = a.range.intersected(b.range).lengthNs();
    return both > 0 && both < shorter / 2;
}

Agreement agreement(const TraceModel& model, const CallsOnGroup& a, const CallsOnGroup& b)
{
    constexpr std::int64_t fewestCalls = 8;
    const std::int64_t fewer = std::min(a.count, b.count);
    const std::int64_t common
        = a.areSizesKnown && b.areSizesKnown ? inCommon(a.bySize, b.bySize) : inCommon(a.byKind, b.byKind);
    if (fewer > 0 ? common * 2 >= fewer : a.pairwise > 0 && b.pairwise > 0)
        return Agreement::Yes;
    if (!a.areRanksKnown || !b.areRanksKnown || overlapByAPart(a, b))
        return Agreement::Unknown;
    const bool areOfOnePurpose
        = !a.description || !b.description || model.text(a.description) == model.text(b.description);
    // A capture may lack some calls, but it does not have other calls in their place at the same time.
    return !areOfOnePurpose || (fewer >= fewestCalls && common * 10 < fewer) ? Agreement::No
                                                                             : Agreement::Unknown;
}

/// Timelines that agree: for each group, the calls of the first of them.
using Part = std::map<JobGroupKey, const CallsOnGroup*>;

Agreement agreementWith(const TraceModel& model, const Part& part, const CallsByGroup& calls)
{
    Agreement found = Agreement::Unknown;
    for (const auto& [key, own] : calls) {
        const auto other = part.find(key);
        const Agreement one
            = other == part.end() ? Agreement::Unknown : agreement(model, *other->second, own);
        if (one == Agreement::No)
            return one;
        found = one == Agreement::Yes ? one : found;
    }
    return found;
}

/// More parts than this are not distinguished: this many jobs in one folder are less likely than damaged
/// files.
constexpr std::size_t mostParts = 16;

/// The part for a timeline: the first part that it agrees with, else the first that it does not contradict.
std::size_t partFor(const TraceModel& model, const std::vector<Part>& parts, const CallsByGroup& calls)
{
    std::size_t possible = parts.size();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Agreement with = agreementWith(model, parts[i], calls);
        if (with == Agreement::Yes)
            return i;
        possible = with == Agreement::Unknown ? std::min(possible, i) : possible;
    }
    return possible;
}

/// Kernel time of a timeline by name.
struct Kernels
{
    std::map<std::uint32_t, std::int64_t> timeOf;
    std::int64_t time = 0;
    std::size_t count = 0;

    /// The share of the time in kernels that `names` counts at least `least` times.
    double shareIn(const std::map<std::uint32_t, std::size_t>& names, std::size_t least) const
    {
        std::int64_t shared = 0;
        for (const auto& [name, ns] : timeOf) {
            const auto found = names.find(name);
            shared += found != names.end() && found->second >= least ? ns : 0;
        }
        return time > 0 ? static_cast<double>(shared) / static_cast<double>(time) : 0.0;
    }
};

Kernels kernelsOf(const TraceModel& model, const Timeline& timeline)
{
    Kernels kernels;
    std::unordered_map<std::uint32_t, std::int64_t> timeOf;
    if (timeline.summary) {
        for (const NameBreakdown& own : timeline.summary->whole.kernels.names) {
            if (!isCompute(own.kernelClass))
                continue;
            timeOf[own.name.value] += own.ns;
            kernels.count += static_cast<std::size_t>(own.calls);
        }
    }
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        const SliceColumns& slices = track.slices;
        for (std::size_t row = 0; track.kind == TrackKind::GpuStream && row < slices.size(); ++row) {
            if (slices.category[row] != SliceCategory::Kernel || !isCompute(slices.kernelClass[row]))
                continue;
            timeOf[slices.name[row].value] += slices.durationNs[row];
            ++kernels.count;
        }
    }
    kernels.timeOf.insert(timeOf.begin(), timeOf.end());
    for (const auto& [name, time] : kernels.timeOf)
        kernels.time += time;
    return kernels;
}

/// Timelines with kernels in common.
struct KernelPart
{
    std::vector<std::size_t> members;
    std::map<std::uint32_t, std::size_t> names; ///< number of members with the kernel
    Part calls;
};

constexpr double nextToNothing = 0.1;

void merge(KernelPart& into, KernelPart& from)
{
    into.members.insert(into.members.end(), from.members.begin(), from.members.end());
    for (const auto& [name, count] : from.names)
        into.names[name] += count;
    into.calls.merge(from.calls);
}

/// Whether a timeline and a part have some work in common.
bool isAlike(const TraceModel& model, const Kernels& kernels, const CallsByGroup& calls,
             const KernelPart& part, const std::vector<Kernels>& all)
{
    if (kernels.shareIn(part.names, 1) >= nextToNothing
        || agreementWith(model, part.calls, calls) == Agreement::Yes)
        return true;
    std::map<std::uint32_t, std::size_t> own;
    for (const auto& [name, time] : kernels.timeOf)
        own.emplace(name, 1);
    return all[part.members.front()].shareIn(own, 1) >= nextToNothing;
}

/// Whether most of each member's kernel time is in kernels that another member also has.
bool isOfOneKind(const KernelPart& part, const std::vector<Kernels>& all)
{
    return part.members.size() > 1
        && std::all_of(part.members.begin(), part.members.end(),
                       [&](std::size_t i) { return all[i].shareIn(part.names, 2) >= 0.5; });
}

} // namespace

std::vector<std::int32_t> partsByCalls(const TraceModel& model, const std::vector<JobCalls>& listed,
                                       const std::vector<std::size_t>& timelines)
{
    std::vector<std::int32_t> result(timelines.size(), 0);
    std::vector<CallsByGroup> calls;
    calls.reserve(timelines.size());
    for (const std::size_t i : timelines)
        calls.push_back(callsOf(model, listed[i], model.timelines[i].rank));
    std::vector<Part> parts(timelines.empty() ? 0 : 1);
    for (std::size_t k = 0; k < timelines.size(); ++k) {
        const std::size_t part = partFor(model, parts, calls[k]);
        if (part == mostParts) {
            result.assign(timelines.size(), 0);
            return result;
        }
        if (part == parts.size())
            parts.emplace_back();
        for (const auto& [key, own] : calls[k])
            parts[part].try_emplace(key, &own);
        result[k] = static_cast<std::int32_t>(part);
    }
    return result;
}

namespace {

/// Whether all files list the same number of process groups, or a call does not state its group. Different
/// kernels are then not evidence of different jobs.
bool mayShareGroups(const TraceModel& model, const std::vector<JobCalls>& calls,
                    const std::vector<std::size_t>& timelines)
{
    bool areListsEqual = true;
    for (const std::size_t i : timelines) {
        const Timeline& timeline = model.timelines[i];
        areListsEqual &= timeline.processGroups > 0 && timeline.worldSize.value_or(0) > 0
            && timeline.processGroups == model.timelines[timelines.front()].processGroups;
        if (calls[i].hasUnlistedRanks)
            return true;
    }
    return areListsEqual;
}

} // namespace

std::vector<std::int32_t> partsByKernels(const TraceModel& model, const std::vector<JobCalls>& listed,
                                         const std::vector<std::size_t>& timelines)
{
    constexpr std::size_t fewestKernels = 16;
    std::vector<std::int32_t> result(timelines.size(), 0);
    if (timelines.empty() || mayShareGroups(model, listed, timelines))
        return result;
    std::vector<Kernels> kernels;
    std::vector<CallsByGroup> calls;
    std::set<std::uint32_t> gpus;
    for (const std::size_t i : timelines) {
        const Timeline& timeline = model.timelines[i];
        kernels.push_back(kernelsOf(model, timeline));
        calls.push_back(callsOf(model, listed[i], timeline.rank));
        gpus.insert(timeline.deviceName.value);
        if (gpus.size() > 1 || kernels.back().count < fewestKernels)
            return result;
    }
    std::vector<KernelPart> parts;
    for (std::size_t k = 0; k < timelines.size(); ++k) {
        KernelPart own;
        own.members = {k};
        for (const auto& [name, time] : kernels[k].timeOf)
            own.names.emplace(name, 1);
        for (const auto& [key, group] : calls[k])
            own.calls.try_emplace(key, &group);
        // A timeline that is similar to several parts joins them.
        for (std::size_t p = parts.size(); p-- > 0;) {
            if (!isAlike(model, kernels[k], calls[k], parts[p], kernels))
                continue;
            merge(parts[p], own);
            own = std::move(parts[p]);
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(p));
        }
        parts.push_back(std::move(own));
        if (parts.size() > mostParts)
            return result;
    }
    const bool saysSomething = std::any_of(
        parts.begin(), parts.end(), [&](const KernelPart& part) { return isOfOneKind(part, kernels); });
    for (std::size_t p = 0; saysSomething && p < parts.size(); ++p) {
        for (const std::size_t member : parts[p].members)
            result[member] = static_cast<std::int32_t>(p);
    }
    return result;
}

} // namespace collscope
