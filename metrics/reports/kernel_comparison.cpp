// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Compares kernels, and operators of runs without GPU work, of two runs by name and by class.

#include "metrics/reports/keyed_rows.h"
#include "metrics/reports/shared_steps.h"
#include "metrics/reports/step_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

/// The rows of both runs that form one row of the comparison.
struct KernelPair
{
    std::vector<const KernelRow*> base, test;
};
using KernelPairs = std::map<std::pair<std::string, std::string>, KernelPair>; ///< by class and name

KernelPairs kernelPairs(const std::vector<KernelRow>& base, const std::vector<KernelRow>& test, bool byName)
{
    KernelPairs pairs;
    const auto pairOf = [&](const KernelRow& row) -> KernelPair& {
        return pairs[{row.kernelClass, byName ? row.name : std::string()}];
    };
    for (const KernelRow& row : base)
        pairOf(row).base.push_back(&row);
    for (const KernelRow& row : test)
        pairOf(row).test.push_back(&row);
    return pairs;
}

std::optional<double> sumOver(const std::vector<const KernelRow*>& rows, double KernelRow::*member)
{
    double sum = 0;
    for (const KernelRow* row : rows)
        sum += row->*member;
    return rows.empty() ? std::nullopt : std::optional(sum);
}

struct CallTimes
{
    std::optional<double> baseUs, testUs;
    MetricDirection direction = MetricDirection::LowerIsBetter;
};

/// Times per call of the kernels that both runs have, weighted with the call counts of the baseline: a class
/// whose kernels are called in different proportions has not become slower because of that.
CallTimes timesPerCall(const KernelPair& pair)
{
    constexpr double usPerMs = 1000;
    std::map<std::string_view, const KernelRow*> inTest;
    for (const KernelRow* row : pair.test) {
        if (row->calls > 0)
            inTest.emplace(row->name, row);
    }
    double calls = 0, baseMs = 0, testMs = 0;
    for (const KernelRow* row : pair.base) {
        const auto found = inTest.find(row->name);
        if (row->calls <= 0 || found == inTest.end())
            continue;
        calls += row->calls;
        baseMs += row->ms;
        testMs += row->calls * found->second->ms / found->second->calls;
    }
    if (calls > 0)
        return {usPerMs * baseMs / calls, usPerMs * testMs / calls, MetricDirection::LowerIsBetter};
    const auto mean = [](const std::vector<const KernelRow*>& rows) {
        const double count = sumOver(rows, &KernelRow::calls).value_or(0);
        return count > 0 ? std::optional(usPerMs * sumOver(rows, &KernelRow::ms).value_or(0) / count)
                         : std::nullopt;
    };
    // If the class has different kernels in each run, no call is faster or slower.
    return {mean(pair.base), mean(pair.test), MetricDirection::Neutral};
}

/// Rows with ms per step of both runs.
Sheet kernelsPerStep(std::string name, const KernelPairs& pairs, const RunSheets& base, const RunSheets& test,
                     const CompareOptions& options, bool byName)
{
    Sheet sheet{std::move(name), {"class"}, {}};
    if (byName)
        sheet.columns.emplace_back("name");
    for (const std::string& column :
         {base.label + "_ms_per_step", test.label + "_ms_per_step", std::string("diff_ms_per_step"),
          std::string("change_percent"), std::string("status"), base.label + "_calls_per_step",
          test.label + "_calls_per_step"})
        sheet.columns.push_back(column);
    const DeltaRule rule = comparedWork(base, test).rule(options);
    for (const auto& [key, pair] : pairs) {
        Value::Array row{key.first};
        if (byName)
            row.emplace_back(key.second);
        addDelta(deltaOf(sumOver(pair.base, &KernelRow::ms), sumOver(pair.test, &KernelRow::ms), rule), row);
        row.push_back(numberCell(sumOver(pair.base, &KernelRow::calls)));
        row.push_back(numberCell(sumOver(pair.test, &KernelRow::calls)));
        sheet.rows.push_back(std::move(row));
    }
    sortByChange(sheet, byName ? 2 : 1);
    return sheet;
}

/// Rows with us per call, because totals of captures of any length are not comparable.
Sheet kernelsPerCall(std::string name, const KernelPairs& pairs, const RunSheets& base, const RunSheets& test,
                     const CompareOptions& options, bool byName)
{
    Sheet sheet{std::move(name), {"class"}, {}};
    if (byName)
        sheet.columns.emplace_back("name");
    const std::string ofBase = countsPerStep(base) ? "_per_step" : "_per_capture";
    const std::string ofTest = countsPerStep(test) ? "_per_step" : "_per_capture";
    for (const std::string& column :
         {base.label + "_us_per_call", test.label + "_us_per_call", std::string("diff_us_per_call"),
          std::string("change_percent"), std::string("status"), base.label + "_calls" + ofBase,
          test.label + "_calls" + ofTest, base.label + "_ms" + ofBase, test.label + "_ms" + ofTest})
        sheet.columns.push_back(column);
    const bool areAlike = comparedWork(base, test).areCallsAlike;
    std::vector<std::pair<double, Value::Array>> rows; // by their effect on the time
    for (const auto& [key, pair] : pairs) {
        Value::Array row{key.first};
        if (byName)
            row.emplace_back(key.second);
        const CallTimes call = timesPerCall(pair);
        const DeltaRule rule{options.thresholdPercent, areAlike ? call.direction : MetricDirection::Neutral};
        const Delta delta = deltaOf(call.baseUs, call.testUs, rule);
        addDelta(delta, row);
        const double baseCalls = sumOver(pair.base, &KernelRow::calls).value_or(0);
        for (const auto member : {&KernelRow::calls, &KernelRow::ms}) {
            row.push_back(numberCell(sumOver(pair.base, member)));
            row.push_back(numberCell(sumOver(pair.test, member)));
        }
        const double wholeMs
            = sumOver(pair.base, &KernelRow::ms).value_or(0) + sumOver(pair.test, &KernelRow::ms).value_or(0);
        constexpr double usPerMs = 1000;
        rows.emplace_back(delta.difference ? std::abs(*delta.difference) * baseCalls / usPerMs : wholeMs,
                          std::move(row));
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& [weight, row] : rows)
        sheet.rows.push_back(std::move(row));
    return sheet;
}

Sheet compareKernelRows(std::string name, const RunSheets& base, const RunSheets& test,
                        const CompareOptions& options, bool byName)
{
    const std::vector<KernelRow> own = kernelRowsOf(base), other = kernelRowsOf(test);
    const KernelPairs pairs = kernelPairs(own, other, byName);
    return countsPerStep(base) && countsPerStep(test)
        ? kernelsPerStep(std::move(name), pairs, base, test, options, byName)
        : kernelsPerCall(std::move(name), pairs, base, test, options, byName);
}

} // namespace

Sheet compareKernelClasses(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return compareKernelRows("Kernel_Class_Cmp", base, test, options, false);
}

Sheet compareKernels(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return compareKernelRows("Kernel_Cmp", base, test, options, true);
}

Sheet compareOperators(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    Sheet sheet{"Operator_Cmp",
                {"name", base.label + "_self_ms_per_step", test.label + "_self_ms_per_step",
                 "diff_self_ms_per_step", "change_percent", "status", base.label + "_calls_per_step",
                 test.label + "_calls_per_step"},
                {}};
    const Sheet* const own = base.gpuTimeline.sheet("Operators");
    const Sheet* const other = test.gpuTimeline.sheet("Operators");
    if (!own || !other || !own->column("name") || !other->column("name"))
        return sheet;
    // Means over steps that the other run does not have, including warm-up, are not judged.
    const std::size_t shared = sharedSteps(base, test).base.size();
    const bool areSame = shared == stepsOf(base).size() && shared == stepsOf(test).size()
        && comparedWork(base, test).steps.isJudged();
    const MetricDirection direction = areSame ? MetricDirection::LowerIsBetter : MetricDirection::Neutral;
    const KeyedRows rows({own, other}, {"name"});
    for (std::size_t r = 0; r < rows.size(); ++r) {
        Value::Array row = rows.keysOf(r);
        addDelta(deltaOf(rows.number(r, 0, "self ms per step"), rows.number(r, 1, "self ms per step"),
                         {options.thresholdPercent, direction}),
                 row);
        row.push_back(rows.cell(r, 0, "calls per step"));
        row.push_back(rows.cell(r, 1, "calls per step"));
        sheet.rows.push_back(std::move(row));
    }
    sortByChange(sheet, 1);
    return sheet;
}

} // namespace collscope
