// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/common_steps.h"

#include "model/queries/recordings.h"
#include "model/queries/step_numbers.h"
#include "model/text/rank_ranges.h"

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

namespace {

using WindowPart = RankWindows::Part;

bool isMarked(const RankWindows& rank)
{
    return std::any_of(rank.parts.begin(), rank.parts.end(), [](const WindowPart& part) {
        return !part.steps.empty() && part.timeline->stepSource != StepSource::WholeTrace;
    });
}

void leaveUnmarkedOut(Selection& selection)
{
    const auto marked = std::count_if(selection.ranks.begin(), selection.ranks.end(), isMarked);
    if (marked == 0 || marked == static_cast<std::ptrdiff_t>(selection.ranks.size()))
        return;
    std::vector<std::int32_t> without;
    std::erase_if(selection.ranks, [&](const RankWindows& rank) {
        if (isMarked(rank))
            return false;
        without.push_back(rank.rank);
        return true;
    });
    selection.warnings.push_back("Excluded because they have no step markers, unlike the other ranks: "
                                 + rankRangesText(without) + ".");
    selection.scope = scopeOf(selection.ranks);
}

/// Excludes copies of ranks that are counted themselves.
void leaveCopiesOut(Selection& selection)
{
    std::set<std::int32_t> all;
    for (const RankWindows& rank : selection.ranks)
        all.insert(rank.rank);
    std::map<std::int32_t, std::vector<std::int32_t>> copiesOf;
    std::erase_if(selection.ranks, [&](const RankWindows& rank) {
        const std::int32_t original = rank.parts.front().timeline->copyOfRank;
        if (!all.contains(original))
            return false;
        copiesOf[original].push_back(rank.rank);
        return true;
    });
    for (const auto& [original, copies] : copiesOf)
        selection.warnings.push_back("Excluded because the events are the same as those of rank "
                                     + std::to_string(original) + ": " + rankRangesText(copies) + ".");
    selection.scope = scopeOf(selection.ranks);
}

bool areAllNumbered(const Selection& selection)
{
    return std::all_of(selection.ranks.begin(), selection.ranks.end(), [](const RankWindows& rank) {
        return std::all_of(rank.parts.begin(), rank.parts.end(), [](const WindowPart& part) {
            return part.steps.empty() || areNumbered(part.timeline->stepSource);
        });
    });
}

} // namespace

Selection keepOneJob(const TraceModel& model, Selection selection)
{
    if (selection.failure || selection.ranks.size() < 2)
        return selection;
    leaveCopiesOut(selection);
    const std::vector<std::int32_t> recordings = recordingsOf(model);
    std::map<std::pair<SourceKind, std::int64_t>, std::int32_t> seen;
    for (const RankWindows& rank : selection.ranks) {
        for (const WindowPart& part : rank.parts) {
            const std::int32_t own = recordings[model.indexOf(*part.timeline)];
            const auto [known, isNew]
                = seen.try_emplace({part.timeline->kind, part.timeline->iteration}, own);
            if (isNew || known->second == own)
                continue;
            selection.failure
                = MetricResult::notApplicable(recordingsText(model, severalRecordings(model))
                                              + " Metrics over all of these ranks have no meaning: select "
                                                "one rank, or open the files of one job.");
            selection.failure->source = selection.source;
            return selection;
        }
    }
    return selection;
}

Selection keepCommonSteps(Selection selection)
{
    if (selection.failure || selection.ranks.size() < 2)
        return selection;
    leaveUnmarkedOut(selection);
    if (selection.ranks.size() < 2 || !areAllNumbered(selection))
        return selection;
    std::vector<std::vector<StepKey>> lists;
    std::size_t most = 0;
    for (const RankWindows& rank : selection.ranks) {
        std::vector<StepKey>& keys = lists.emplace_back();
        for (const WindowPart& part : rank.parts) {
            for (const Step& step : part.steps)
                keys.emplace_back(part.timeline->iteration, step.number);
        }
        most = std::max(most, keys.size());
    }
    const std::vector<StepKey> common = commonKeys(std::move(lists));
    if (common.size() == most)
        return selection;
    if (common.empty()) {
        selection.failure = MetricResult::notApplicable(
            "No step in the window (" + selection.window
            + ") is common to all ranks: select one rank, or steps that all ranks have.");
        selection.failure->source = selection.source;
        return selection;
    }
    for (RankWindows& rank : selection.ranks) {
        for (WindowPart& part : rank.parts) {
            std::erase_if(part.steps, [&](const Step& step) {
                return !std::binary_search(common.begin(), common.end(),
                                           StepKey(part.timeline->iteration, step.number));
            });
        }
    }
    selection.window += " common to all ranks";
    return selection;
}

} // namespace collscope
