// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/step_comparison.h"

#include "metrics/reports/keyed_rows.h"
#include "metrics/statistics.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

std::int64_t roundedQuotient(std::int64_t sum, std::int64_t count)
{
    return (2 * sum + count) / (2 * count); // sums of times are not negative
}

/// Means of the parts. Running sums are divided, not the parts: so the rounded parts add up to the rounded
/// step.
StepPartTimes meanParts(const std::vector<RankStepParts>& steps, std::optional<std::int32_t> rank,
                        std::size_t& count)
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
        means[i] = roundedQuotient(running, static_cast<std::int64_t>(count)) - given;
        given += means[i];
    }
    return means;
}

void addDelta(const Delta& delta, Value::Array& row)
{
    for (const std::optional<double>& number : {delta.base, delta.test, delta.difference, delta.percent})
        row.push_back(numberCell(number));
    row.emplace_back(deltaStatusName(delta.status));
}

using Figure = std::function<std::int64_t(const RankStepParts&)>;

/// Means in ms of what has the same key.
template<typename Key>
std::vector<double> meansBy(const std::vector<RankStepParts>& steps, Key RankStepParts::*key,
                            const Figure& figure)
{
    std::map<Key, std::vector<double>> samples;
    for (const RankStepParts& step : steps)
        samples[step.*key].push_back(nsToMs(figure(step)));
    std::vector<double> means;
    means.reserve(samples.size());
    for (const auto& [of, own] : samples)
        means.push_back(meanOf(own));
    return means;
}

/// Compares means over shared steps. What is noise is told by the ranks, which are the same in both runs, or,
/// where there are few, by the steps, of which one is not that of the other run again (A4.17).
Delta compareMeans(std::int64_t baseNs, std::int64_t testNs, const std::vector<RankStepParts>& base,
                   const std::vector<RankStepParts>& test, const CompareOptions& options,
                   const Figure& figure)
{
    constexpr std::size_t fewestRanks = 3;
    const DeltaRule rule{options.thresholdPercent, MetricDirection::LowerIsBetter};
    const std::vector<double> ranks = meansBy(base, &RankStepParts::rank, figure);
    const bool byRank = ranks.size() >= fewestRanks;
    Delta delta = byRank
        ? deltaOf(nsToMs(baseNs), nsToMs(testNs), rule, ranks, meansBy(test, &RankStepParts::rank, figure),
                  true)
        : deltaOf(nsToMs(baseNs), nsToMs(testNs), rule, meansBy(base, &RankStepParts::step, figure),
                  meansBy(test, &RankStepParts::step, figure));
    if (delta.difference)
        delta.difference = nsToMs(testNs - baseNs); // exact, where the difference of two ms is not
    return delta;
}

/// Steps of one rank, or all.
std::vector<RankStepParts> stepsOfRank(const std::vector<RankStepParts>& steps,
                                       std::optional<std::int32_t> rank)
{
    std::vector<RankStepParts> own;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(own),
                 [rank](const RankStepParts& step) { return !rank || step.rank == *rank; });
    return own;
}

/// Kernels sheets of both runs with a row per class, or per class and name.
Sheet compareKernelRows(std::string name, const RunSheets& base, const RunSheets& test,
                        const CompareOptions& options, bool byName)
{
    struct Sums
    {
        double ms = 0, calls = 0;
    };
    using Key = std::pair<std::string, std::string>;
    const auto sumsOf = [byName](const RunSheets& run) {
        std::map<Key, Sums> sums;
        const Sheet* const sheet = run.gpuTimeline.sheet("Kernels");
        const auto ms = sheet ? sheet->column("ms per step") : std::nullopt;
        const auto calls = sheet ? sheet->column("calls per step") : std::nullopt;
        for (std::size_t i = 0; ms && calls && i < sheet->rows.size(); ++i) {
            const Value::Array& row = sheet->rows[i];
            Sums& own = sums[{keyText(row[0]), byName ? keyText(row[1]) : std::string()}];
            own.ms += numberOf(row[*ms]).value_or(0);
            own.calls += numberOf(row[*calls]).value_or(0);
        }
        return sums;
    };
    const std::map<Key, Sums> ownBase = sumsOf(base);
    const std::map<Key, Sums> ownTest = sumsOf(test);
    std::map<Key, std::pair<const Sums*, const Sums*>> rows;
    for (const auto& [key, sums] : ownBase)
        rows[key].first = &sums;
    for (const auto& [key, sums] : ownTest)
        rows[key].second = &sums;

    Sheet sheet{std::move(name), {"class"}, {}};
    if (byName)
        sheet.columns.emplace_back("name");
    for (const std::string& column :
         {base.label + "_ms_per_step", test.label + "_ms_per_step", std::string("diff_ms_per_step"),
          std::string("percent_change"), std::string("status"), base.label + "_calls_per_step",
          test.label + "_calls_per_step"})
        sheet.columns.push_back(column);
    const auto figure = [](const Sums* sums, double Sums::*member) {
        return sums ? std::optional(sums->*member) : std::nullopt;
    };
    for (const auto& [key, pair] : rows) {
        Value::Array row{key.first};
        if (byName)
            row.emplace_back(key.second);
        addDelta(deltaOf(figure(pair.first, &Sums::ms), figure(pair.second, &Sums::ms),
                         {options.thresholdPercent, MetricDirection::LowerIsBetter}),
                 row);
        row.push_back(numberCell(figure(pair.first, &Sums::calls)));
        row.push_back(numberCell(figure(pair.second, &Sums::calls)));
        sheet.rows.push_back(std::move(row));
    }
    sortByChange(sheet, byName ? 2 : 1);
    return sheet;
}

} // namespace

StepWaterfall stepWaterfall(const std::vector<RankStepParts>& base, const std::vector<RankStepParts>& test,
                            std::optional<std::int32_t> rank)
{
    StepWaterfall waterfall;
    waterfall.base = meanParts(base, rank, waterfall.baseSteps);
    waterfall.test = meanParts(test, rank, waterfall.testSteps);
    waterfall.baseNs = sumOf(waterfall.base);
    waterfall.testNs = sumOf(waterfall.test);
    return waterfall;
}

StepVerdicts stepVerdicts(const SharedSteps& steps, const CompareOptions& options,
                          std::optional<std::int32_t> rank)
{
    StepVerdicts verdicts;
    const std::vector<RankStepParts> base = stepsOfRank(steps.base, rank);
    const std::vector<RankStepParts> test = stepsOfRank(steps.test, rank);
    const StepWaterfall waterfall = stepWaterfall(base, test);
    if (base.empty())
        return verdicts;
    for (std::size_t i = 0; i < stepPartCount; ++i)
        verdicts.parts[i] = compareMeans(waterfall.base[i], waterfall.test[i], base, test, options,
                                         [i](const RankStepParts& step) { return step.parts[i]; });
    verdicts.step = compareMeans(waterfall.baseNs, waterfall.testNs, base, test, options,
                                 [](const RankStepParts& step) { return step.range.lengthNs(); });
    return verdicts;
}

Sheet waterfallSheet(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    Sheet sheet{"Step_Waterfall",
                {"part", base.label + "_ms", test.label + "_ms", "diff_ms", "percent_change", "status",
                 "percent of the difference"},
                {}};
    const SharedSteps shared = sharedSteps(base, test);
    if (shared.base.empty())
        return sheet;
    const StepWaterfall waterfall = stepWaterfall(shared.base, shared.test);
    const StepVerdicts verdicts = stepVerdicts(shared, options);
    const std::int64_t whole = waterfall.testNs - waterfall.baseNs;
    for (std::size_t i = 0; i < stepPartCount; ++i) {
        Value::Array row{stepPartName(static_cast<StepPart>(i))};
        addDelta(verdicts.parts[i], row);
        row.push_back(numberCell(ratio(static_cast<double>(waterfall.change(static_cast<StepPart>(i))),
                                       static_cast<double>(whole), 100.0)));
        sheet.rows.push_back(std::move(row));
    }
    sortByChange(sheet, 1);
    Value::Array row{"step"};
    addDelta(verdicts.step, row);
    row.push_back(whole != 0 ? Value(100.0) : Value());
    sheet.rows.push_back(std::move(row));
    return sheet;
}

Sheet compareSteps(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    Sheet sheet{"Step_Cmp",
                {base.label + "_step", test.label + "_step", base.label + "_ms", test.label + "_ms",
                 "diff_ms", "percent_change", "status"},
                {}};
    if (!areComparable(base, test))
        return sheet;
    using Lengths = std::map<std::int64_t, RankFigures>; // by step
    const auto lengthsOf = [](const std::vector<RankStepParts>& steps) {
        Lengths lengths;
        for (const RankStepParts& step : steps)
            lengths[step.step][std::to_string(step.rank)] = nsToMs(step.range.lengthNs());
        return lengths;
    };
    const SharedSteps shared = sharedSteps(base, test);
    const Lengths sharedBase = lengthsOf(shared.base), sharedTest = lengthsOf(shared.test);
    const Lengths allBase = lengthsOf(stepsOf(base)), allTest = lengthsOf(stepsOf(test));
    const auto numbersOf = [](const Lengths& steps) {
        std::vector<std::int64_t> numbers;
        for (const auto& [step, lengths] : steps)
            numbers.push_back(step);
        return numbers;
    };
    // Where both have the step, of the ranks that both have.
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
    for (const auto& [baseStep, testStep] : pairedSteps(numbersOf(allBase), numbersOf(allTest))) {
        const RankFigures own = figuresOf(baseStep, sharedBase, allBase);
        const RankFigures other = figuresOf(testStep, sharedTest, allTest);
        Value::Array row{countCell(baseStep), countCell(testStep)};
        addDelta(deltaOfRanks(mean(own), mean(other),
                              {options.thresholdPercent, MetricDirection::LowerIsBetter}, own, other),
                 row);
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

Sheet compareKernelClasses(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return compareKernelRows("Kernel_Class_Cmp", base, test, options, false);
}

Sheet compareKernels(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return compareKernelRows("Kernel_Cmp", base, test, options, true);
}

} // namespace collscope
