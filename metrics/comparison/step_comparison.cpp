// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/step_comparison.h"

#include "metrics/comparison/compared_text.h"
#include "metrics/comparison/steps_or_captures.h"
#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace collscope {

namespace {

std::int64_t roundedQuotient(std::int64_t sum, std::int64_t count)
{
    return (2 * sum + count) / (2 * count); // sums of times are not negative
}

/// Means of the parts per unit of work. Running sums are divided, not the parts, so that the rounded parts
/// add up to the rounded step.
StepPartTimes meanParts(const std::vector<RankStepParts>& steps, std::optional<std::int32_t> rank,
                        double units, std::size_t& count)
{
    StepPartTimes sums{};
    count = 0;
    for (const RankStepParts& step : steps) {
        if (rank && *rank != step.rank)
            continue;
        for (std::size_t i = 0; i < stepPartCount; ++i)
            sums[i] += step.parts[i];
        ++count;
    }
    StepPartTimes means{};
    if (count == 0)
        return means;
    std::int64_t running = 0;
    std::int64_t given = 0;
    for (std::size_t i = 0; i < stepPartCount; ++i) {
        running += sums[i];
        means[i]
            = (units == 1 ? roundedQuotient(running, static_cast<std::int64_t>(count))
                          : std::llround(static_cast<double>(running) / static_cast<double>(count) / units))
            - given;
        given += means[i];
    }
    return means;
}

std::int64_t meanLength(const std::vector<RankStepParts>& steps, std::optional<std::int32_t> rank)
{
    std::int64_t sum = 0, count = 0;
    for (const RankStepParts& step : steps) {
        if (rank && *rank != step.rank)
            continue;
        sum += step.range.lengthNs();
        ++count;
    }
    return count > 0 ? roundedQuotient(sum, count) : 0;
}

using StepFigure = std::function<std::int64_t(const RankStepParts&)>;

/// Means in ms of the values with the same key.
template<typename Key>
std::vector<double> meansBy(const std::vector<RankStepParts>& steps, Key RankStepParts::*key, double units,
                            const StepFigure& figure)
{
    std::map<Key, std::vector<double>> samples;
    for (const RankStepParts& step : steps)
        samples[step.*key].push_back(nsToMs(figure(step)));
    std::vector<double> means;
    means.reserve(samples.size());
    for (const auto& [of, own] : samples)
        means.push_back(meanOf(own) / units);
    return means;
}

/// Compares means over shared steps. Noise is determined from the ranks, which are the same in both runs, or,
/// if there are few ranks, from the steps, which do not correspond one to one.
Delta compareMeans(std::int64_t baseNs, std::int64_t testNs, const SharedSteps& steps,
                   const CompareOptions& options, const StepFigure& figure)
{
    constexpr std::size_t fewestRanks = 3;
    const ComparedWork& work = steps.work;
    const DeltaRule rule = work.rule(options);
    const auto samples
        = [&](const auto& run, auto key, double units) { return meansBy(run, key, units, figure); };
    const std::vector<double> ranks = samples(steps.base, &RankStepParts::rank, work.baseUnits);
    const bool byRank = ranks.size() >= fewestRanks;
    Delta delta = byRank ? deltaOf(nsToMs(baseNs), nsToMs(testNs), rule, ranks,
                                   samples(steps.test, &RankStepParts::rank, work.testUnits), true)
                         : deltaOf(nsToMs(baseNs), nsToMs(testNs), rule,
                                   samples(steps.base, &RankStepParts::step, work.baseUnits),
                                   samples(steps.test, &RankStepParts::step, work.testUnits));
    if (delta.difference)
        delta.difference = nsToMs(testNs - baseNs); // exact, unlike the difference of two ms values
    return delta;
}

/// Steps of one rank, or of all ranks.
std::vector<RankStepParts> stepsOfRank(const std::vector<RankStepParts>& steps,
                                       std::optional<std::int32_t> rank)
{
    std::vector<RankStepParts> own;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(own),
                 [rank](const RankStepParts& step) { return !rank || step.rank == *rank; });
    return own;
}

} // namespace

StepWaterfall stepWaterfall(const SharedSteps& steps, std::optional<std::int32_t> rank)
{
    StepWaterfall waterfall;
    waterfall.base = meanParts(steps.base, rank, steps.work.baseUnits, waterfall.baseSteps);
    waterfall.test = meanParts(steps.test, rank, steps.work.testUnits, waterfall.testSteps);
    if (steps.haveParts) {
        waterfall.baseNs = sumOf(waterfall.base);
        waterfall.testNs = sumOf(waterfall.test);
    } else {
        waterfall.base = waterfall.test = {};
        waterfall.baseNs = meanLength(steps.base, rank);
        waterfall.testNs = meanLength(steps.test, rank);
    }
    return waterfall;
}

StepVerdicts stepVerdicts(const SharedSteps& steps, const CompareOptions& options,
                          std::optional<std::int32_t> rank)
{
    StepVerdicts verdicts;
    const SharedSteps own{stepsOfRank(steps.base, rank), stepsOfRank(steps.test, rank), steps.haveParts,
                          steps.work};
    const StepWaterfall waterfall = stepWaterfall(own);
    if (own.base.empty())
        return verdicts;
    for (std::size_t i = 0; i < stepPartCount && steps.haveParts; ++i)
        verdicts.parts[i] = compareMeans(waterfall.base[i], waterfall.test[i], own, options,
                                         [i](const RankStepParts& step) { return step.parts[i]; });
    verdicts.step = compareMeans(waterfall.baseNs, waterfall.testNs, own, options,
                                 [](const RankStepParts& step) { return step.range.lengthNs(); });
    return verdicts;
}

namespace {

/// A part of the step, or the step itself.
struct ComparedPart
{
    std::optional<StepPart> part;
    Delta delta;
    std::optional<double> ofDifference; ///< percent
};

std::vector<ComparedPart> comparedParts(const SharedSteps& shared, const CompareOptions& options)
{
    std::vector<ComparedPart> rows;
    if (shared.base.empty() || !shared.haveParts)
        return rows;
    const StepWaterfall waterfall = stepWaterfall(shared);
    const StepVerdicts verdicts = stepVerdicts(shared, options);
    const std::int64_t whole = waterfall.testNs - waterfall.baseNs;
    for (std::size_t i = 0; i < stepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        rows.push_back(
            {part, verdicts.parts[i],
             ratio(static_cast<double>(waterfall.change(part)), static_cast<double>(whole), 100.0)});
    }
    sortByChange<ComparedPart>(rows, [](const ComparedPart& row) -> const Delta& { return row.delta; });
    rows.push_back({std::nullopt, verdicts.step, whole != 0 ? std::optional(100.0) : std::nullopt});
    return rows;
}

} // namespace

ComparedSheet waterfallSheet(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    using Row = ComparedPart;
    const SharedSteps shared = sharedSteps(base, test);
    const ComparedWork& work = shared.work;
    const std::string whole = !work.isOfCaptures ? "step" : work.isTold ? "unit of work" : "capture";
    ComparedTable<Row> table(base, test);
    table.add(ColumnRole::Word, "part",
              [&](const Row& row) { return row.part ? Value(stepPartName(*row.part)) : Value(whole); });
    table.addDelta(work.isOfCaptures ? std::string("ms_per_") + work.per() : "ms",
                   !work.isOfCaptures ? TimeUnit::Ms
                       : work.isTold  ? TimeUnit::MsPerUnit
                                      : TimeUnit::MsPerCapture,
                   [](const Row& row) -> const Delta& { return row.delta; });
    table.add(ColumnRole::Share, "percent of the difference",
              [](const Row& row) { return numberCell(row.ofDifference); });
    return table.sheet(ComparisonKind::Waterfall, "Step_Waterfall", comparedParts(shared, options),
                       [](const Row& row) {
                           ComparedSubject subject;
                           subject.part = row.part;
                           subject.kinds = row.part ? kindsOf(*row.part) : 0;
                           return subject;
                       });
}

ComparedSheet compareSteps(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    struct Row
    {
        StepPair steps;
        Delta delta;
    };
    std::vector<Row> rows;
    ComparedTable<Row> table(base, test);
    table.addColumn({ColumnRole::Word, "step", TimeUnit::Ms, false, 0},
                    [](const Row& row) { return countCell(row.steps.base); });
    table.addColumn({ColumnRole::Word, "step", TimeUnit::Ms, false, 1},
                    [](const Row& row) { return countCell(row.steps.test); });
    table.addDelta("ms", TimeUnit::Ms, [](const Row& row) -> const Delta& { return row.delta; });
    const auto sheet = [&] {
        return table.sheet(ComparisonKind::Steps, "Step_Cmp", rows, [](const Row& row) {
            ComparedSubject subject;
            subject.steps = row.steps;
            return subject;
        });
    };
    const SharedSteps shared = sharedSteps(base, test);
    if (!areComparable(base, test) || shared.work.isOfCaptures)
        return sheet();
    using Lengths = std::map<std::int64_t, RankFigures>; // by step
    const auto lengthsOf = [](const std::vector<RankStepParts>& steps) {
        Lengths lengths;
        for (const RankStepParts& step : steps)
            lengths[step.step][std::to_string(step.rank)] = nsToMs(step.range.lengthNs());
        return lengths;
    };
    const Lengths sharedBase = lengthsOf(shared.base), sharedTest = lengthsOf(shared.test);
    const Lengths allBase = lengthsOf(base.values.steps), allTest = lengthsOf(test.values.steps);
    const auto numbersOf = [](const Lengths& steps) {
        std::vector<std::int64_t> numbers;
        for (const auto& [step, lengths] : steps)
            numbers.push_back(step);
        return numbers;
    };
    // For ranks that have the step in both runs.
    const auto figuresOf
        = [](const std::optional<std::int64_t>& step, const Lengths& common, const Lengths& all) {
              if (!step)
                  return RankFigures();
              const auto found = common.find(*step);
              return found == common.end() ? all.at(*step) : found->second;
          };
    const auto mean = [](const RankFigures& figures) -> std::optional<double> {
        double sum = 0;
        for (const auto& [rank, figure] : figures)
            sum += figure;
        return ratio(sum, static_cast<double>(figures.size()));
    };
    for (const StepPair& pair : pairedSteps(numbersOf(allBase), numbersOf(allTest))) {
        const RankFigures own = figuresOf(pair.base, sharedBase, allBase);
        const RankFigures other = figuresOf(pair.test, sharedTest, allTest);
        rows.push_back({pair, deltaOfRanks(mean(own), mean(other), shared.work.rule(options), own, other)});
    }
    return sheet();
}

ComparedSheet compareStepsByRank(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    struct Row
    {
        std::int32_t rank;
        Delta delta;
        std::size_t baseSteps, testSteps;
    };
    std::vector<Row> rows;
    const SharedSteps shared = sharedSteps(base, test);
    std::set<std::int32_t> ranks;
    for (const RankStepParts& step : shared.base)
        ranks.insert(step.rank);
    if (shared.work.isOfCaptures)
        ranks.clear();
    for (const std::int32_t rank : ranks) {
        const StepWaterfall steps = stepWaterfall(shared, rank);
        rows.push_back({rank, stepVerdicts(shared, options, rank).step, steps.baseSteps, steps.testSteps});
    }
    ComparedTable<Row> table(base, test);
    table.add(ColumnRole::Rank, "rank", [](const Row& row) { return Value(row.rank); });
    table.addDelta("ms_per_step", TimeUnit::MsPerStep,
                   [](const Row& row) -> const Delta& { return row.delta; });
    table.addBoth(
        "steps", [](const Row& row) { return Value(static_cast<std::int64_t>(row.baseSteps)); },
        [](const Row& row) { return Value(static_cast<std::int64_t>(row.testSteps)); });
    return table.sheet(ComparisonKind::RankSteps, "Step_ByRank_Cmp", rows,
                       [](const Row& row) { return ComparedSubject{row.rank}; });
}

std::string comparisonHeadline(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    const SharedSteps shared = sharedSteps(base, test);
    if (shared.work.isOfCaptures)
        return workSentence(shared.work, options);
    if (const auto why = whyNoSteps(base, test))
        return *why;
    if (!areComparable(base, test))
        return stepsNote(base, test).value_or(std::string());
    if (shared.base.empty())
        return "The runs have no common steps on any rank.";
    const Delta step = stepVerdicts(shared, options).step;
    const double difference = step.difference.value_or(0);
    std::string text = "Mean step " + timeText(*step.base) + " -> " + timeText(*step.test) + ": ";
    if (difference == 0)
        text += "no difference";
    else
        text += (difference > 0 ? "+" : "-") + timeText(std::abs(difference)) + ", "
            + shortPercentText(step.change.value_or(0))
            + (shared.work.steps.isJudged() ? difference > 0 ? " slower" : " faster"
                   : difference > 0         ? " longer"
                                            : " shorter");
    if (shared.work.steps.isJudged())
        return text + " (" + std::string(deltaStatusName(step.status)) + ").";
    const std::string perToken = perTokenSentence(shared.work.steps, *step.base, *step.test);
    return text + " (no verdict)." + (perToken.empty() ? "" : " " + perToken);
}

} // namespace collscope
