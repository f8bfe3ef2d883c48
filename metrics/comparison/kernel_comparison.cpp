// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Compares kernels, and operators of runs without GPU work, of two runs by name and by class.

#include "metrics/comparison/shared_steps.h"
#include "metrics/comparison/step_comparison.h"
#include "metrics/comparison/steps_or_captures.h"
#include "metrics/core/sweep.h"

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

/// A row of the comparison.
struct ComparedKernel
{
    std::string kernelClass, name;
    Delta delta;
    std::optional<double> baseCalls, testCalls, baseMs, testMs;
};
using Table = ComparedTable<ComparedKernel>;

ComparedKernel comparedKernel(const KernelPairs::value_type& entry, const Delta& delta)
{
    const auto& [key, pair] = entry;
    return {key.first,
            key.second,
            delta,
            sumOver(pair.base, &KernelRow::calls),
            sumOver(pair.test, &KernelRow::calls),
            sumOver(pair.base, &KernelRow::ms),
            sumOver(pair.test, &KernelRow::ms)};
}

const Delta& deltaOfRow(const ComparedKernel& row)
{
    return row.delta;
}

/// Rows with ms per step of both runs.
std::vector<ComparedKernel> kernelsPerStep(const KernelPairs& pairs, const DeltaRule& rule)
{
    std::vector<ComparedKernel> rows;
    for (const auto& entry : pairs)
        rows.push_back(comparedKernel(entry,
                                      deltaOf(sumOver(entry.second.base, &KernelRow::ms),
                                              sumOver(entry.second.test, &KernelRow::ms), rule)));
    sortByChange<ComparedKernel>(rows, deltaOfRow);
    return rows;
}

/// Rows with us per call, because totals of captures of any length are not comparable. Sorted by their effect
/// on the time.
std::vector<ComparedKernel> kernelsPerCall(const KernelPairs& pairs, double thresholdPercent, bool areAlike)
{
    std::vector<ComparedKernel> rows;
    for (const auto& entry : pairs) {
        const CallTimes call = timesPerCall(entry.second);
        const DeltaRule rule{thresholdPercent, areAlike ? call.direction : MetricDirection::Neutral};
        rows.push_back(comparedKernel(entry, deltaOf(call.baseUs, call.testUs, rule)));
    }
    const auto effect = [](const ComparedKernel& row) {
        constexpr double usPerMs = 1000;
        return row.delta.difference ? std::abs(*row.delta.difference) * row.baseCalls.value_or(0) / usPerMs
                                    : row.baseMs.value_or(0) + row.testMs.value_or(0);
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const ComparedKernel& a, const ComparedKernel& b) { return effect(a) > effect(b); });
    return rows;
}

ComparedSheet compareKernelRows(ComparisonKind kind, std::string name, const RunSheets& base,
                                const RunSheets& test, const CompareOptions& options)
{
    using Row = ComparedKernel;
    const bool byName = kind == ComparisonKind::Kernels;
    const KernelPairs pairs = kernelPairs(base.values.kernels, test.values.kernels, byName);
    const ComparedWork work = comparedWork(base, test);
    Table table(base, test);
    table.add(ColumnRole::Class, "class", [](const Row& row) { return Value(row.kernelClass); });
    if (byName)
        table.add(ColumnRole::Name, "name", [](const Row& row) { return Value(row.name); });
    const auto baseCalls = [](const Row& row) { return numberCell(row.baseCalls); };
    const auto testCalls = [](const Row& row) { return numberCell(row.testCalls); };
    const bool isPerStep = countsPerStep(base) && countsPerStep(test);
    if (isPerStep) {
        table.addDelta("ms_per_step", TimeUnit::MsPerStep, deltaOfRow);
        table.addBoth("calls_per_step", baseCalls, testCalls);
    } else {
        table.addDelta("us_per_call", TimeUnit::UsPerCall, deltaOfRow);
        const auto add
            = [&](const std::string& figure, const Table::Cell& ofBase, const Table::Cell& ofTest) {
                  const auto per = [](const RunSheets& run) {
                      return countsPerStep(run) ? "_per_step" : "_per_capture";
                  };
                  table.addColumn({ColumnRole::Figure, figure + per(base), TimeUnit::Ms, false, 0}, ofBase);
                  table.addColumn({ColumnRole::Figure, figure + per(test), TimeUnit::Ms, false, 1}, ofTest);
              };
        add("calls", baseCalls, testCalls);
        add(
            "ms", [](const Row& row) { return numberCell(row.baseMs); },
            [](const Row& row) { return numberCell(row.testMs); });
    }
    const auto subject = [](const Row& row) {
        ComparedSubject own;
        own.kernelClass = row.kernelClass;
        own.kernel = row.name;
        own.kinds = ActiveKernel;
        return own;
    };
    return table.sheet(kind, std::move(name),
                       isPerStep ? kernelsPerStep(pairs, work.rule(options))
                                 : kernelsPerCall(pairs, options.thresholdPercent, work.areCallsAlike),
                       subject);
}

} // namespace

ComparedSheet compareKernelClasses(const RunSheets& base, const RunSheets& test,
                                   const CompareOptions& options)
{
    return compareKernelRows(ComparisonKind::KernelClasses, "Kernel_Class_Cmp", base, test, options);
}

ComparedSheet compareKernels(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return compareKernelRows(ComparisonKind::Kernels, "Kernel_Cmp", base, test, options);
}

ComparedSheet compareOperators(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    struct Row
    {
        std::string name;
        Delta delta;
        std::optional<double> baseCalls, testCalls;
    };
    std::vector<Row> rows;
    const auto& own = base.values.operators;
    const auto& other = test.values.operators;
    if (own && other) {
        // Means over steps that the other run does not have, including warm-up, are not judged.
        const std::size_t shared = sharedSteps(base, test).base.size();
        const bool areSame = shared == base.values.steps.size() && shared == test.values.steps.size()
            && comparedWork(base, test).steps.isJudged();
        const DeltaRule rule{options.thresholdPercent,
                             areSame ? MetricDirection::LowerIsBetter : MetricDirection::Neutral};
        const auto figureOf
            = [](const OperatorRow* row, auto member) { return row ? row->*member : std::nullopt; };
        for (const auto& pair :
             joinedRows<OperatorRow>({&*own, &*other}, [](const OperatorRow& row) { return row.name; }))
            rows.push_back({anyOf(pair).name,
                            deltaOf(figureOf(pair[0], &OperatorRow::selfMs),
                                    figureOf(pair[1], &OperatorRow::selfMs), rule),
                            figureOf(pair[0], &OperatorRow::calls), figureOf(pair[1], &OperatorRow::calls)});
        sortByChange<Row>(rows, [](const Row& row) -> const Delta& { return row.delta; });
    }
    ComparedTable<Row> table(base, test);
    table.add(ColumnRole::Name, "name", [](const Row& row) { return textCell(row.name); });
    table.addDelta("self_ms_per_step", TimeUnit::MsPerStep,
                   [](const Row& row) -> const Delta& { return row.delta; });
    table.addBoth(
        "calls_per_step", [](const Row& row) { return numberCell(row.baseCalls); },
        [](const Row& row) { return numberCell(row.testCalls); });
    return table.sheet(ComparisonKind::Operators, "Operator_Cmp", rows,
                       [](const Row&) { return ComparedSubject(); });
}

} // namespace collscope
