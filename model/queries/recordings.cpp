// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/recordings.h"

#include "model/queries/end_evidence.h"
#include "model/queries/job_evidence.h"
#include "model/queries/list_job_calls.h"
#include "model/queries/member_evidence.h"
#include "model/queries/rank_copies.h"
#include "model/text/rank_ranges.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace collscope {

namespace {

/// Timelines that are compared with each other: kind of source, profiler iteration.
using Set = std::pair<SourceKind, std::int64_t>;

std::map<Set, std::vector<std::size_t>> setsOf(const TraceModel& model)
{
    std::map<Set, std::vector<std::size_t>> sets;
    for (std::size_t i = 0; i < model.timelines.size(); ++i)
        sets[{model.timelines[i].kind, model.timelines[i].iteration}].push_back(i);
    return sets;
}

bool isTimed(const Timeline& timeline)
{
    return timeline.hasWallClock && !timeline.range.isEmpty();
}

/// Marks that distinguish the timelines of a set, the most certain first; see JobEvidence.
struct Marks
{
    std::int32_t size = 0, time = 0;
    bool isTooMany = false;
    std::int32_t members = 0, calls = 0, ends = 0, hostClock = 0, kernels = 0;
    friend auto operator<=>(const Marks&, const Marks&) = default; // NOLINT(modernize-use-nullptr): mistaken

    JobEvidence apartFrom(const Marks& other) const
    {
        return size != other.size          ? JobEvidence::WorldSize
            : time != other.time           ? JobEvidence::Time
            : isTooMany != other.isTooMany ? JobEvidence::TooMany
            : members != other.members     ? JobEvidence::Members
            : calls != other.calls         ? JobEvidence::Calls
            : ends != other.ends           ? JobEvidence::Ends
            : hostClock != other.hostClock ? JobEvidence::HostClock
            : kernels != other.kernels     ? JobEvidence::Kernels
                                           : JobEvidence::None;
    }
};

/// Counts the gaps that clocks cannot explain. `byTime`: sorted by time, timelines without a time last.
void markTimes(const TraceModel& model, const std::vector<std::size_t>& byTime, std::vector<Marks>& marks)
{
    std::int32_t times = 0;
    std::int64_t endNs = INT64_MIN;
    for (std::size_t k = 0; k < byTime.size(); ++k) {
        const Timeline& timeline = model.timelines[byTime[k]];
        if (!isTimed(timeline))
            continue; // same as the first timeline
        if (endNs != INT64_MIN && timeline.range.beginNs > endNs
            && timeline.range.beginNs - endNs > farApartNs)
            ++times;
        endNs = std::max(endNs, timeline.range.endNs);
        marks[k].time = times;
    }
}

/// Sets the world size that the files state. A timeline without one gets the smallest size stated at its
/// time.
void markSizes(const TraceModel& model, const std::vector<std::size_t>& byTime, std::vector<Marks>& marks)
{
    std::map<std::int32_t, std::set<std::int32_t>> sizesAt;
    for (std::size_t k = 0; k < byTime.size(); ++k) {
        if (const auto& size = model.timelines[byTime[k]].worldSize)
            sizesAt[marks[k].time].insert(*size);
    }
    for (std::size_t k = 0; k < byTime.size(); ++k) {
        const std::set<std::int32_t>& sizes = sizesAt[marks[k].time];
        marks[k].size = sizes.empty() ? 0 : model.timelines[byTime[k]].worldSize.value_or(*sizes.begin());
    }
}

/// The timelines of each recording found so far, by their positions in `marks`.
std::map<Marks, std::vector<std::size_t>> alike(const std::vector<Marks>& marks)
{
    std::map<Marks, std::vector<std::size_t>> groups;
    for (std::size_t k = 0; k < marks.size(); ++k)
        groups[marks[k]].push_back(k);
    return groups;
}

/// If there are more ranks than the files state, marks the ranks beyond that number whose files do not state
/// a size.
void markTooMany(const TraceModel& model, const std::vector<std::size_t>& byTime, std::vector<Marks>& marks)
{
    for (const auto& [known, places] : alike(marks)) {
        if (known.size <= 0 || places.size() <= static_cast<std::size_t>(known.size))
            continue;
        for (const std::size_t k : places) {
            const Timeline& timeline = model.timelines[byTime[k]];
            marks[k].isTooMany = !timeline.worldSize && timeline.rank >= known.size;
        }
    }
}

using PartsOf = std::vector<std::int32_t> (*)(const TraceModel&, const std::vector<JobCalls>&,
                                              const std::vector<std::size_t>&);

/// Evidence from calls or kernels, in the order in which it is asked.
constexpr std::pair<PartsOf, std::int32_t Marks::*> evidence[] = {{partsByMembers, &Marks::members},
                                                                  {partsByCalls, &Marks::calls},
                                                                  {partsByEnds, &Marks::ends},
                                                                  {partsByHostClock, &Marks::hostClock},
                                                                  {partsByKernels, &Marks::kernels}};

void markParts(const TraceModel& model, const std::vector<JobCalls>& calls,
               const std::vector<std::size_t>& byTime, PartsOf partsOf, std::int32_t Marks::*mark,
               std::vector<Marks>& marks)
{
    for (const auto& [known, places] : alike(marks)) {
        if (places.size() < 2)
            continue;
        std::vector<std::size_t> timelines;
        for (const std::size_t k : places)
            timelines.push_back(byTime[k]);
        const std::vector<std::int32_t> parts = partsOf(model, calls, timelines);
        for (std::size_t i = 0; i < places.size(); ++i)
            marks[places[i]].*mark = parts[i];
    }
}

/// Numbers the recordings among the timelines of one set, without copies.
void findAmong(TraceModel& model, const std::vector<JobCalls>& calls, std::vector<std::size_t> timelines)
{
    std::stable_sort(timelines.begin(), timelines.end(), [&](std::size_t a, std::size_t b) {
        const Timeline& x = model.timelines[a];
        const Timeline& y = model.timelines[b];
        return std::tuple(!isTimed(x), x.range.beginNs) < std::tuple(!isTimed(y), y.range.beginNs);
    });
    std::vector<Marks> marks(timelines.size());
    markTimes(model, timelines, marks);
    markSizes(model, timelines, marks);
    markTooMany(model, timelines, marks);
    for (const auto& [partsOf, mark] : evidence)
        markParts(model, calls, timelines, partsOf, mark, marks);
    std::map<Marks, std::int32_t> numbers;
    for (std::size_t k = 0; k < timelines.size(); ++k) {
        Timeline& timeline = model.timelines[timelines[k]];
        timeline.recording
            = numbers.try_emplace(marks[k], static_cast<std::int32_t>(numbers.size())).first->second;
        timeline.apart = marks[k].apartFrom(marks.front());
    }
}

std::vector<Recording> described(const TraceModel& model, const std::vector<std::size_t>& timelines)
{
    std::map<std::int32_t, Recording> found;
    for (const std::size_t i : timelines) {
        const Timeline& timeline = model.timelines[i];
        Recording& recording = found[timeline.recording];
        recording.ranks.push_back(timeline.rank);
        if (!timeline.range.isEmpty())
            recording.range
                = recording.range.isEmpty() ? timeline.range : recording.range.united(timeline.range);
        recording.hasWallClock |= isTimed(timeline);
        recording.worldSize = std::max(recording.worldSize, timeline.worldSize.value_or(0));
        recording.apart = timeline.apart;
    }
    std::vector<Recording> result;
    for (auto& [number, recording] : found) {
        std::sort(recording.ranks.begin(), recording.ranks.end());
        recording.ranks.erase(std::unique(recording.ranks.begin(), recording.ranks.end()),
                              recording.ranks.end());
        result.push_back(std::move(recording));
    }
    return result;
}

/// The texts before and after the list of recordings.
std::pair<std::string, std::string> reasonText(const std::vector<Recording>& recordings)
{
    JobEvidence surest = JobEvidence::None;
    std::int32_t size = 0;
    std::int64_t gapNs = 0;
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        if (recordings[i].apart != JobEvidence::None)
            surest
                = surest == JobEvidence::None ? recordings[i].apart : std::min(surest, recordings[i].apart);
        size = std::max(size, recordings[i].worldSize);
        if (i > 0 && recordings[i].hasWallClock && recordings[i - 1].hasWallClock)
            gapNs = std::max(gapNs, recordings[i].range.beginNs - recordings[i - 1].range.endNs);
    }
    switch (surest) {
    case JobEvidence::WorldSize:
        return {"These files belong to different jobs, because they state different numbers of ranks: ", "."};
    case JobEvidence::TooMany:
        return {"The files state a run of " + std::to_string(size)
                    + " ranks, but there are more, so not all of them can belong to it: ",
                ". The run that the last ranks belong to is unknown."};
    case JobEvidence::Members:
        return {"A process group is called by ranks that cannot all be its members. Either "
                "these files belong to different jobs, or the ranks are numbered differently than "
                "in its list of ranks: ",
                "."};
    case JobEvidence::Ends:
        return {"Calls with the same number on a process group did not end together, even allowing for clock "
                "offset and drift. Either these files belong to different jobs, or a clock or the call "
                "numbers are wrong: ",
                "."};
    case JobEvidence::HostClock:
        return {"These files name the same host, but calls with the same number on a process group ran at "
                "different times on its clock. Either the files belong to different jobs, or a clock or "
                "the call numbers are wrong: ",
                "."};
    case JobEvidence::Calls:
        return {"These files contain different collectives of the same process group, so they belong to "
                "different jobs, or to different parts of one job: ",
                "."};
    case JobEvidence::Kernels:
        return {"These files have hardly any kernels in common, and nothing else indicates that they belong "
                "to one job: ",
                "."};
    case JobEvidence::None:
    case JobEvidence::Time:
        break;
    }
    return {"The recordings do not overlap (" + aboutText(gapNs) + " apart): ",
            ". Either the clocks differ by this much, or these are different jobs."};
}

} // namespace

void findRecordings(TraceModel& model)
{
    findRankCopies(model);
    std::vector<JobCalls> calls;
    for (Timeline& timeline : model.timelines)
        calls.push_back(timeline.summary ? std::move(timeline.summary->jobCalls)
                                         : listJobCalls(model, timeline));
    for (const auto& [set, timelines] : setsOf(model)) {
        std::vector<std::size_t> originals;
        std::int32_t next = 0;
        for (const std::size_t i : timelines) {
            if (model.timelines[i].copyOfRank < 0)
                originals.push_back(i);
        }
        findAmong(model, calls, originals);
        for (const std::size_t i : originals)
            next = std::max(next, model.timelines[i].recording + 1);
        for (const std::size_t i : timelines) {
            if (model.timelines[i].copyOfRank >= 0)
                model.timelines[i].recording = next++;
        }
    }
}

std::vector<std::int32_t> recordingsOf(const TraceModel& model)
{
    std::vector<std::int32_t> result;
    for (const Timeline& timeline : model.timelines)
        result.push_back(timeline.recording);
    return result;
}

std::vector<Recording> severalRecordings(const TraceModel& model)
{
    for (auto& [set, timelines] : setsOf(model)) {
        std::vector<std::size_t> originals = timelines;
        std::erase_if(originals, [&](std::size_t i) { return model.timelines[i].copyOfRank >= 0; });
        if (std::any_of(originals.begin(), originals.end(),
                        [&](std::size_t i) { return model.timelines[i].recording > 0; }))
            return described(model, originals);
    }
    return {};
}

std::string recordingsText(const TraceModel& model, const std::vector<Recording>& recordings)
{
    constexpr std::size_t most = 6;
    std::set<std::int32_t> sizes;
    for (const Recording& recording : recordings)
        sizes.insert(recording.worldSize);
    sizes.erase(0);
    const bool sizesDiffer = sizes.size() > 1;
    std::string text;
    for (std::size_t i = 0; i < std::min(recordings.size(), most); ++i) {
        const Recording& recording = recordings[i];
        text += (i == 0 ? "" : "; ") + rankRangesText(recording.ranks);
        if (recording.hasWallClock && model.hasWallClock)
            text += " at " + wallClockText(model.axisZeroNs + recording.range.beginNs);
        if (sizesDiffer && recording.worldSize > 0)
            text += " in a run of " + std::to_string(recording.worldSize)
                + (recording.worldSize == 1 ? " rank" : " ranks");
    }
    if (recordings.size() > most)
        text += "; and " + std::to_string(recordings.size() - most) + " more";
    const auto [before, after] = reasonText(recordings);
    return before + text + after;
}

} // namespace collscope
