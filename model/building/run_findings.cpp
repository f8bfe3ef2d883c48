// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/run_findings.h"

#include "model/queries/recordings.h"
#include "model/queries/step_numbers.h"
#include "model/queries/world_size.h"
#include "model/text/rank_ranges.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>
#include <array>
#include <set>

namespace collscope {

namespace {

constexpr std::array<std::string_view, 7> findingCodes{"ranks_missing", "ranks_copied", "ranks_in_excess",
                                                       "jobs_differ",   "clocks_apart", "steps_differ",
                                                       "steps_missing"};

/// The ranks of the run according to its traces.
struct KnownRanks
{
    std::int32_t worldSize = 0; ///< 0 = unknown
    std::set<std::int32_t> listed; ///< members of process groups
};

KnownRanks knownRanks(const TraceModel& model)
{
    KnownRanks known;
    for (const Timeline& timeline : model.timelines)
        known.worldSize = std::max(known.worldSize, timeline.worldSize.value_or(0));
    known.listed = listedRanks(model);
    return known;
}

/// The ranks from 0 on, and the listed ranks, that are not in `loaded` (ascending). The number of steps does
/// not depend on the number of ranks that a file claims.
std::vector<RankRange> missingRanks(const KnownRanks& known, const std::vector<std::int32_t>& loaded,
                                    const std::map<std::int32_t, std::string>& wrecks)
{
    std::vector<RankRange> missing;
    std::int32_t next = 0;
    for (const std::int32_t rank : loaded) {
        if (rank >= known.worldSize)
            break;
        if (rank > next)
            missing.push_back({next, rank - 1});
        next = rank + 1;
    }
    if (next < known.worldSize)
        missing.push_back({next, known.worldSize - 1});
    // If the files state the number of ranks, a list that names more ranks contradicts them.
    std::set<std::int32_t> others = known.worldSize > 0 ? std::set<std::int32_t>() : known.listed;
    for (const auto& [rank, why] : wrecks)
        others.insert(rank);
    std::vector<std::int32_t> more;
    for (const std::int32_t rank : others) {
        if (rank >= known.worldSize && !std::binary_search(loaded.begin(), loaded.end(), rank))
            more.push_back(rank);
    }
    for (const RankRange& range : rankRanges(more)) {
        if (!missing.empty() && std::int64_t{missing.back().last} + 1 == range.first)
            missing.back().last = range.last;
        else
            missing.push_back(range);
    }
    return missing;
}

std::int64_t countOf(const std::vector<RankRange>& ranges)
{
    std::int64_t count = 0;
    for (const RankRange& range : ranges)
        count += range.count();
    return count;
}

/// " Reason for rank 5: its file is empty.", for missing ranks whose files contain nothing.
std::string wreckText(const std::map<std::int32_t, std::string>& wrecks,
                      const std::vector<std::int32_t>& loaded)
{
    std::map<std::string, std::vector<std::int32_t>> byReason;
    for (const auto& [rank, why] : wrecks) {
        if (!std::binary_search(loaded.begin(), loaded.end(), rank))
            byReason[why].push_back(rank);
    }
    std::string text;
    for (const auto& [why, ranks] : byReason)
        text += " Reason for " + rankRangesText(ranks) + ": " + why + ".";
    return text;
}

bool holdsAnything(const Timeline& timeline)
{
    return (timeline.summary && !timeline.range.isEmpty()) || !timeline.tracks.empty()
        || !timeline.counters.empty() || !timeline.collectives.empty();
}

/// Ranks with their own timeline, ascending; without ranks whose files contain nothing.
std::vector<std::int32_t> originalRanks(const TraceModel& model)
{
    std::set<std::int32_t> ranks;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.copyOfRank < 0 && holdsAnything(timeline))
            ranks.insert(timeline.rank);
    }
    return {ranks.begin(), ranks.end()};
}

/// Ranks whose files contain nothing, and why.
std::map<std::int32_t, std::string> wrecksOf(const TraceModel& model, const AssembleOptions& options)
{
    std::map<std::int32_t, std::string> wrecks = options.wrecks;
    for (const Timeline& timeline : model.timelines) {
        if (!holdsAnything(timeline))
            wrecks.try_emplace(timeline.rank, "its file contains no events");
    }
    return wrecks;
}

void noteMissingRanks(TraceModel& model, const AssembleOptions& options)
{
    const std::vector<std::int32_t> loaded = originalRanks(model);
    if (loaded.empty() || options.isLimited)
        return;
    const KnownRanks known = knownRanks(model);
    const std::map<std::int32_t, std::string> wrecks = wrecksOf(model, options);
    const std::vector<RankRange> missing = missingRanks(known, loaded, wrecks);
    if (missing.empty())
        return;
    const auto& problems = model.problems.entries();
    const bool areGuessed = std::any_of(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == "rank_guessed";
    });
    const std::int64_t all = static_cast<std::int64_t>(loaded.size()) + countOf(missing);
    std::string text = std::to_string(loaded.size()) + " of "
        + (known.worldSize > 0 ? "the run's " : "at least ") + std::to_string(all)
        + (loaded.size() == 1 ? " ranks is loaded" : " ranks are loaded");
    text += known.worldSize > 0 ? " (the traces state the number of ranks)"
        : known.listed.empty()  ? " (according to the file names)"
                                : " (according to its process groups)";
    // The missing ranks cannot be identified if some files do not state their rank.
    text += areGuessed ? "." : ". No data for " + rankRangesText(missing) + ".";
    if (!areGuessed)
        text += wreckText(wrecks, loaded);
    const bool isLoss = !wrecks.empty() || (options.isFolder && loaded.size() > 1);
    model.problems.add(isLoss                 ? Severity::DataLoss
                           : options.isFolder ? Severity::Notice
                                              : Severity::Info,
                       "ranks_missing", "", 0, text);
}

/// Reports clocks that differ by less than the recordings of different jobs would.
void noteClocks(TraceModel& model)
{
    std::vector<const Timeline*> timed;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.kind == SourceKind::Kineto && timeline.hasWallClock && !timeline.range.isEmpty()
            && timeline.iteration == model.timelines.front().iteration)
            timed.push_back(&timeline);
    }
    std::sort(timed.begin(), timed.end(),
              [](const Timeline* a, const Timeline* b) { return a->range.beginNs < b->range.beginNs; });
    constexpr std::int64_t worthTellingNs = 1'000'000'000;
    std::int64_t endNs = timed.empty() ? 0 : timed.front()->range.endNs;
    std::vector<std::int32_t> before;
    for (const Timeline* timeline : timed) {
        const std::int64_t gapNs = timeline->range.beginNs > endNs ? timeline->range.beginNs - endNs : 0;
        if (gapNs > worthTellingNs && gapNs <= farApartNs) {
            std::vector<std::int32_t> after;
            for (const Timeline* other : timed) {
                if (other->range.beginNs >= timeline->range.beginNs)
                    after.push_back(other->rank);
            }
            std::sort(before.begin(), before.end());
            std::sort(after.begin(), after.end());
            model.problems.add(
                Severity::Notice, "clocks_apart", "", 0,
                "The recordings of " + rankRangesText(before) + " and " + rankRangesText(after)
                    + " do not overlap; the gap between them is " + aboutText(gapNs)
                    + ". They are treated as one job whose clocks differ. If they are two jobs, open the "
                      "files of one job.");
            return;
        }
        before.push_back(timeline->rank);
        endNs = std::max(endNs, timeline->range.endNs);
    }
}

void noteRecordings(TraceModel& model)
{
    const std::vector<Recording> several = severalRecordings(model);
    if (several.empty())
        return noteClocks(model);
    model.problems.add(
        Severity::DataLoss, "jobs_differ", "", 0,
        recordingsText(model, several)
            + " Calls of different recordings are not matched with each other, and metrics over all of "
              "these ranks are unavailable. Choose a rank, or open the files of one job.");
}

/// A file under two names is one rank that would be counted twice.
void noteCopies(TraceModel& model)
{
    std::map<std::int32_t, std::set<std::int32_t>> copiesOf;
    for (const Timeline& timeline : model.timelines) {
        if (timeline.copyOfRank >= 0)
            copiesOf[timeline.copyOfRank].insert(timeline.rank);
    }
    for (const auto& [rank, copies] : copiesOf) {
        const std::vector<std::int32_t> numbers(copies.begin(), copies.end());
        model.problems.add(
            Severity::DataLoss, "ranks_copied", "", 0,
            "All events are identical to those of rank " + std::to_string(rank)
                + ", to the nanosecond: " + rankRangesText(numbers)
                + ". Several ranks seem to have been given the same trace. Metrics over ranks count it once. "
                  "The rank that it belongs to cannot be determined.");
    }
}

/// A card or configuration may belong to another run. noteRecordings() handles the sizes that the trace files
/// state.
void noteExcess(TraceModel& model)
{
    const std::optional<StatedWorldSize> stated = statedWorldSize(model);
    const std::vector<std::int32_t> ranks = originalRanks(model);
    if (stated && !stated->isByTraces && static_cast<std::int64_t>(ranks.size()) > stated->size)
        model.problems.add(Severity::Notice, "ranks_in_excess", "", 0,
                           std::to_string(ranks.size()) + " ranks are loaded, but the run has "
                               + std::to_string(stated->size) + " (" + stated->source
                               + "). Either this number or some of the files belong to another run.");
}

std::string countsText(std::size_t count)
{
    return std::to_string(count) + (count == 1 ? " step" : " steps");
}

void noteSteps(TraceModel& model)
{
    StepNumbers steps = stepNumbers(model);
    const std::vector<std::int32_t> loaded = originalRanks(model);
    std::erase_if(steps.unmarked, [&](std::int32_t rank) { // ranks without data lack more than markers
        return !std::binary_search(loaded.begin(), loaded.end(), rank);
    });
    if (!steps.unmarked.empty() && !steps.marked.empty())
        model.problems.add(Severity::DataLoss, "steps_missing", "", 0,
                           "Without step markers: " + rankRangesText(steps.unmarked) + ". With step markers: "
                               + rankRangesText(steps.marked) + ". Values per step cover only the latter.");
    if (!steps.differ)
        return;
    std::string text = steps.fewest.count == steps.most.count
        ? "The ranks have " + countsText(steps.most.count) + " each, but with different step numbers. "
        : "The number of steps differs between the ranks, from " + countsText(steps.fewest.count) + " on "
            + rankRangesText(steps.fewest.ranks) + " to " + countsText(steps.most.count) + " on "
            + rankRangesText(steps.most.ranks) + ". ";
    text += steps.common == 0
        ? "No step is common to all ranks, so values per step over all ranks are unavailable."
        : "Metrics over ranks use the " + countsText(steps.common) + " that all ranks have in common.";
    // Captures often start or end a step later than the others.
    const bool isUsual = steps.common + 2 >= steps.most.count && steps.common > 0;
    model.problems.add(isUsual ? Severity::Notice : Severity::DataLoss, "steps_differ", "", 0, text);
}

} // namespace

void noteRunFindings(TraceModel& model, const AssembleOptions& options)
{
    if (!options.isWhole || model.timelines.empty())
        return;
    noteCopies(model);
    noteExcess(model);
    noteRecordings(model);
    // If the files may belong to several runs, the missing ranks and steps cannot be determined.
    if (severalRecordings(model).empty()) {
        noteMissingRanks(model, options);
        noteSteps(model);
    }
}

bool isRunFinding(std::string_view code)
{
    return std::find(findingCodes.begin(), findingCodes.end(), code) != findingCodes.end();
}

} // namespace collscope
