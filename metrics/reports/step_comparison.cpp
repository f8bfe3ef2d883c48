// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/step_comparison.h"

#include "metrics/reports/keyed_rows.h"
#include "metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace collscope {

namespace {

constexpr double nsPerMs = 1e6;

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

std::int64_t sumOf(const StepPartTimes& parts)
{
    std::int64_t sum = 0;
    for (const std::int64_t ns : parts)
        sum += ns;
    return sum;
}

void addDelta(const Delta& delta, Value::Array& row)
{
    for (const std::optional<double>& number : {delta.base, delta.test, delta.difference, delta.percent})
        row.push_back(numberCell(number));
    row.emplace_back(deltaStatusName(delta.status));
}

std::vector<RankStepParts> stepsOf(const RunSheets& run)
{
    const Sheet* const sheet = run.gpuTimeline.sheet("Step_Parts");
    return sheet ? stepPartsOf(*sheet) : std::vector<RankStepParts>();
}

std::set<std::int64_t> stepNumbersOf(const RunSheets& run)
{
    std::set<std::int64_t> numbers;
    for (const RankStepParts& step : stepsOf(run))
        numbers.insert(step.step);
    return numbers;
}

/// "5 steps (2 to 6)"; without the numbers if some between them are missing.
std::string stepsText(const std::set<std::int64_t>& numbers)
{
    const std::int64_t first = *numbers.begin();
    const std::int64_t last = *numbers.rbegin();
    const auto count = static_cast<std::int64_t>(numbers.size());
    std::string text = countText(count, "step");
    if (last - first + 1 == count)
        text += " (" + std::to_string(first) + (count > 1 ? " to " + std::to_string(last) : "") + ")";
    return text;
}

/// A figure in ms of each rank, mean of its steps, by rank.
RankFigures rankMeans(const std::vector<RankStepParts>& steps,
                      const std::function<std::int64_t(const RankStepParts&)>& figure)
{
    std::map<std::string, std::vector<double>> samples;
    for (const RankStepParts& step : steps)
        samples[std::to_string(step.rank)].push_back(nsToMs(figure(step)));
    RankFigures means;
    for (const auto& [rank, own] : samples)
        means[rank] = meanOf(own);
    return means;
}

/// Compares means over ranks and steps; the ranks tell what is noise.
Delta compareMeans(std::int64_t baseNs, std::int64_t testNs, const std::vector<RankStepParts>& base,
                   const std::vector<RankStepParts>& test, const CompareOptions& options,
                   const std::function<std::int64_t(const RankStepParts&)>& figure)
{
    Delta delta = deltaOfRanks(nsToMs(baseNs), nsToMs(testNs),
                               {options.thresholdPercent, MetricDirection::LowerIsBetter},
                               rankMeans(base, figure), rankMeans(test, figure));
    if (delta.difference)
        delta.difference = nsToMs(testNs - baseNs); // exact, where the difference of two ms is not
    return delta;
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

std::vector<RankStepParts> stepPartsOf(const Sheet& sheet)
{
    constexpr std::size_t firstPart = 3; // rank, step, step ms
    std::vector<RankStepParts> steps;
    if (sheet.columns.size() < firstPart + stepPartCount)
        return steps;
    // Somebody else's sheet may hold any numbers: beyond these it is none, and sums would overflow.
    constexpr double mostSteps = 1e9;
    constexpr double mostMs = 1e12;
    double allMs = 0;
    for (const Value::Array& row : sheet.rows) {
        const double rank = numberOf(row[0]).value_or(-1);
        const double number = numberOf(row[1]).value_or(-1);
        if (std::abs(rank) > mostSteps || std::abs(number) > mostSteps)
            return {};
        RankStepParts step;
        step.rank = static_cast<std::int32_t>(rank);
        step.step = static_cast<std::int64_t>(number);
        for (std::size_t i = 0; i < stepPartCount; ++i) {
            const double ms = numberOf(row[firstPart + i]).value_or(0);
            allMs += std::abs(ms);
            if (!(allMs <= mostMs))
                return {};
            step.parts[i] = std::llround(ms * nsPerMs);
        }
        step.range = {0, sumOf(step.parts)};
        steps.push_back(step);
    }
    return steps;
}

std::optional<std::string> stepsNote(const RunSheets& base, const RunSheets& test)
{
    const std::set<std::int64_t> own = stepNumbersOf(base);
    const std::set<std::int64_t> other = stepNumbersOf(test);
    if (own.empty() || other.empty() || own == other)
        return std::nullopt;
    const std::string steps = base.label + " has " + stepsText(own) + " and " + test.label + " "
        + stepsText(other) + " in its window: ";
    return steps
        + (own.size() == other.size() ? "as many, but not the same ones."
                                      : "means per step and per call can be compared; times and counts of "
                                        "the whole run (the GPU and "
                                        "NCCL sheets' totals) are of unequal work.");
}

Sheet waterfallSheet(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    Sheet sheet{"Step_Waterfall",
                {"part", base.label + "_ms", test.label + "_ms", "diff_ms", "percent_change", "status",
                 "percent of the difference"},
                {}};
    const std::vector<RankStepParts> baseSteps = stepsOf(base);
    const std::vector<RankStepParts> testSteps = stepsOf(test);
    if (baseSteps.empty() || testSteps.empty())
        return sheet;
    const StepWaterfall waterfall = stepWaterfall(baseSteps, testSteps);
    const std::int64_t whole = waterfall.testNs - waterfall.baseNs;
    for (std::size_t i = 0; i < stepPartCount; ++i) {
        Value::Array row{stepPartName(static_cast<StepPart>(i))};
        addDelta(compareMeans(waterfall.base[i], waterfall.test[i], baseSteps, testSteps, options,
                              [i](const RankStepParts& step) { return step.parts[i]; }),
                 row);
        row.push_back(numberCell(ratio(static_cast<double>(waterfall.change(static_cast<StepPart>(i))),
                                       static_cast<double>(whole), 100.0)));
        sheet.rows.push_back(std::move(row));
    }
    sortByChange(sheet, 1);
    Value::Array row{"step"};
    addDelta(compareMeans(waterfall.baseNs, waterfall.testNs, baseSteps, testSteps, options,
                          [](const RankStepParts& step) { return step.range.lengthNs(); }),
             row);
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
    const auto samplesOf = [](const RunSheets& run) {
        std::map<std::int64_t, std::vector<double>> steps;
        for (const RankStepParts& step : stepsOf(run))
            steps[step.step].push_back(nsToMs(step.range.lengthNs()));
        return steps;
    };
    const auto ownBase = samplesOf(base);
    const auto ownTest = samplesOf(test);
    const auto numbersOf = [](const std::map<std::int64_t, std::vector<double>>& steps) {
        std::vector<std::int64_t> numbers;
        for (const auto& [step, samples] : steps)
            numbers.push_back(step);
        return numbers;
    };
    for (const auto& [baseStep, testStep] : pairedSteps(numbersOf(ownBase), numbersOf(ownTest))) {
        static const std::vector<double> none;
        const std::vector<double>& baseSamples = baseStep ? ownBase.at(*baseStep) : none;
        const std::vector<double>& testSamples = testStep ? ownTest.at(*testStep) : none;
        const auto mean = [](const std::vector<double>& samples) {
            return samples.empty() ? std::nullopt : std::optional(meanOf(samples));
        };
        Value::Array row{countCell(baseStep), countCell(testStep)};
        addDelta(deltaOf(mean(baseSamples), mean(testSamples),
                         {options.thresholdPercent, MetricDirection::LowerIsBetter}, baseSamples, testSamples,
                         baseSamples.size() == testSamples.size()),
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
