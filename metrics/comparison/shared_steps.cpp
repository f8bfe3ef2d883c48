// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/shared_steps.h"

#include "metrics/comparison/steps_or_captures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace collscope {

namespace {

/// Distinct values of a member: ranks, or step numbers.
template<typename Number>
std::set<Number> numbersOf(const std::vector<RankStepParts>& steps, Number RankStepParts::*member)
{
    std::set<Number> numbers;
    for (const RankStepParts& step : steps)
        numbers.insert(step.*member);
    return numbers;
}

/// "5 steps (2 to 6)"; without the numbers if some in between are missing.
std::string stepsText(const std::set<std::int64_t>& numbers)
{
    const std::int64_t first = *numbers.begin();
    const std::int64_t last = *numbers.rbegin();
    const auto count = static_cast<std::int64_t>(numbers.size());
    std::string text = countText(count, "step");
    // Unsigned: the numbers in a trace may be as far apart as they can be.
    if (static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) + 1
        == static_cast<std::uint64_t>(count))
        text += " (" + std::to_string(first) + (count > 1 ? " to " + std::to_string(last) : "") + ")";
    return text;
}

/// "rank 3", "ranks 4, 5, 6 and 13 more".
std::string someRanksText(const std::vector<std::int32_t>& ranks)
{
    constexpr std::size_t most = 4;
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    for (std::size_t i = 0; i < std::min(ranks.size(), most); ++i)
        text.append(i == 0 ? "" : ", ").append(std::to_string(ranks[i]));
    if (ranks.size() > most)
        text.append(" and ").append(std::to_string(ranks.size() - most)).append(" more");
    return text;
}

std::string lonelyRanks(const std::string& label, const std::set<std::int32_t>& own,
                        const std::set<std::int32_t>& other)
{
    std::vector<std::int32_t> ranks;
    std::set_difference(own.begin(), own.end(), other.begin(), other.end(), std::back_inserter(ranks));
    if (ranks.empty())
        return {};
    return "Only " + label + " has " + someRanksText(ranks)
        + ": steps are compared on the common ranks; means over all ranks (GPU times, kernels) cover "
          "different ranks in each run. ";
}

/// States which data runs without GPU work lack for a comparison; empty if both have GPU work. Reports of
/// older tools, which have GPU times but no steps, do not count as runs without GPU work.
std::string noGpuText(const RunSheets& base, const RunSheets& test)
{
    const auto lacksGpu
        = [](const RunSheets& run) { return !run.values.hasStepParts && run.values.means.empty(); };
    const bool lacksBase = lacksGpu(base), lacksTest = lacksGpu(test);
    if (!lacksBase && !lacksTest)
        return {};
    const std::string who = lacksBase && lacksTest
        ? "Neither run has GPU work"
        : (lacksBase ? base.label : test.label) + " has no GPU work";
    return who + ": steps are compared by their markers"
        + (lacksBase && lacksTest ? ", and CPU operators are compared as well" : "")
        + "; GPU times and kernels are not available for comparison.";
}

} // namespace

std::int64_t sumOf(const StepPartTimes& parts)
{
    std::int64_t sum = 0;
    for (const std::int64_t ns : parts)
        sum += ns;
    return sum;
}

std::vector<StepPair> pairedSteps(const std::vector<std::int64_t>& base,
                                  const std::vector<std::int64_t>& test)
{
    std::vector<StepPair> pairs;
    const auto has = [](const std::vector<std::int64_t>& steps, std::int64_t step) {
        return std::binary_search(steps.begin(), steps.end(), step);
    };
    const bool shared
        = std::any_of(base.begin(), base.end(), [&](std::int64_t step) { return has(test, step); });
    if (shared) {
        for (const std::int64_t step : base)
            pairs.push_back({step, has(test, step) ? std::optional(step) : std::nullopt});
        for (const std::int64_t step : test) {
            if (!has(base, step))
                pairs.push_back({std::nullopt, step});
        }
        return pairs;
    }
    const auto at = [](const std::vector<std::int64_t>& steps, std::size_t i) {
        return i < steps.size() ? std::optional(steps[i]) : std::nullopt;
    };
    for (std::size_t i = 0; i < std::max(base.size(), test.size()); ++i)
        pairs.push_back({at(base, i), at(test, i)});
    return pairs;
}

namespace {

/// Share of the communication of some steps that is not split into waiting and moving.
double unsplitShare(const std::vector<RankStepParts>& steps)
{
    std::int64_t unsplit = 0, all = 0;
    for (const RankStepParts& step : steps) {
        for (const StepPart part : {StepPart::Waiting, StepPart::Moving, StepPart::Unsplit})
            all += step.parts[static_cast<std::size_t>(part)];
        unsplit += step.parts[static_cast<std::size_t>(StepPart::Unsplit)];
    }
    return all == 0 ? 0 : static_cast<double>(unsplit) / static_cast<double>(all);
}

/// If the shares of unsplit communication differ, as when one run lacks ranks, the part that only one run has
/// split would look like a change. Then neither run is split.
void splitAlike(SharedSteps& shared)
{
    constexpr double alike = 0.1;
    if (std::abs(unsplitShare(shared.base) - unsplitShare(shared.test)) <= alike)
        return;
    for (std::vector<RankStepParts>* const steps : {&shared.base, &shared.test}) {
        for (RankStepParts& step : *steps) {
            std::int64_t& unsplit = step.parts[static_cast<std::size_t>(StepPart::Unsplit)];
            for (const StepPart part : {StepPart::Waiting, StepPart::Moving})
                unsplit += std::exchange(step.parts[static_cast<std::size_t>(part)], 0);
        }
    }
}

} // namespace

SharedSteps sharedSteps(const RunSheets& base, const RunSheets& test)
{
    SharedSteps shared;
    const std::vector<RankStepParts>& own = base.values.steps;
    const std::vector<RankStepParts>& other = test.values.steps;
    if (hasWholeTraces(own) != hasWholeTraces(other))
        return shared;
    shared.haveParts = base.values.hasStepParts && test.values.hasStepParts;
    shared.work = comparedWork(base, test);
    const auto stepNumbers = [](const std::vector<RankStepParts>& steps) {
        const auto numbers = numbersOf(steps, &RankStepParts::step);
        return std::vector<std::int64_t>(numbers.begin(), numbers.end());
    };
    std::map<std::int64_t, std::int64_t> testStep; // by the step of the baseline
    for (const StepPair& pair : pairedSteps(stepNumbers(own), stepNumbers(other))) {
        if (pair.base && pair.test)
            testStep[*pair.base] = *pair.test;
    }
    // A rank may have a step several times, once in each profiler iteration.
    std::map<std::pair<std::int32_t, std::int64_t>, std::vector<const RankStepParts*>> waiting;
    for (const RankStepParts& step : other)
        waiting[{step.rank, step.step}].push_back(&step);
    for (auto& [key, steps] : waiting)
        std::reverse(steps.begin(), steps.end());
    for (const RankStepParts& step : own) {
        const auto pair = testStep.find(step.step);
        const auto found = pair == testStep.end() ? waiting.end() : waiting.find({step.rank, pair->second});
        if (found == waiting.end() || found->second.empty())
            continue;
        shared.base.push_back(step);
        shared.test.push_back(*found->second.back());
        found->second.pop_back();
    }
    splitAlike(shared);
    return shared;
}

std::optional<std::string> stepsNote(const RunSheets& base, const RunSheets& test)
{
    const std::vector<RankStepParts>& own = base.values.steps;
    const std::vector<RankStepParts>& other = test.values.steps;
    if (own.empty() || other.empty())
        return std::nullopt;
    const std::string noGpu = noGpuText(base, test);
    if (!areComparable(base, test)) {
        const bool baseHas = !hasWholeTraces(own);
        return (baseHas ? base.label : test.label) + " has step markers and "
            + (baseHas ? test.label : base.label)
            + " has none: a step cannot be compared with a whole trace, so the waterfall is omitted; GPU "
              "times and collectives of the whole files are compared, and kernels per call.";
    }
    const ComparedWork work = comparedWork(base, test);
    if (work.isOfCaptures)
        return std::nullopt; // its own sentences state what is compared
    const auto ownRanks = numbersOf(own, &RankStepParts::rank);
    const auto otherRanks = numbersOf(other, &RankStepParts::rank);
    std::string note = (noGpu.empty() ? "" : noGpu + " ") + lonelyRanks(base.label, ownRanks, otherRanks)
        + lonelyRanks(test.label, otherRanks, ownRanks);
    const auto ownSteps = numbersOf(own, &RankStepParts::step);
    const auto otherSteps = numbersOf(other, &RankStepParts::step);
    if (ownSteps != otherSteps)
        note += base.label + " has " + stepsText(ownSteps) + " in its window, " + test.label + " has "
            + stepsText(otherSteps) + ": "
            + (ownSteps.size() == otherSteps.size()
                   ? "the same number of steps, but different steps. "
                   : "only common steps are compared; times and counts of the whole run (totals of the GPU "
                     "and NCCL sheets) cover unequal work. ");
    else if (note.size() <= noGpu.size() + 1
             && sharedSteps(base, test).base.size() < std::max(own.size(), other.size()))
        note += "Some ranks lack some of the steps: " + std::to_string(sharedSteps(base, test).base.size())
            + " steps of individual ranks exist in both runs and are compared. ";
    if (const std::string unequal = comparedStepWorkNote(work.steps); !unequal.empty())
        note += unequal + ' ';
    if (note.empty())
        return std::nullopt;
    note.pop_back();
    return note;
}

} // namespace collscope
