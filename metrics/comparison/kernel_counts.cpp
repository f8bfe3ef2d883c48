// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/kernel_counts.h"

#include "metrics/comparison/compared_text.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace collscope {

namespace {

constexpr double leastSharePercent = 80; ///< least share of the compute time in common, agreeing kernels

/// A compute kernel of both runs.
struct SharedKernel
{
    const KernelRow* base = nullptr;
    const KernelRow* test = nullptr;
    double weight() const { return base->ms + test->ms; }
    double factor() const { return test->calls / base->calls; }
};

bool isComputing(const KernelRow& row)
{
    for (int i = 0; i < kernelClassCount; ++i) {
        if (kernelClassName(static_cast<KernelClass>(i)) == row.kernelClass)
            return isCompute(static_cast<KernelClass>(i));
    }
    return false;
}

/// The factor that splits the compute time in half: half of it is in kernels whose calls changed by at most
/// this factor.
double weightedMedianFactor(std::vector<SharedKernel> kernels)
{
    std::sort(kernels.begin(), kernels.end(),
              [](const SharedKernel& a, const SharedKernel& b) { return a.factor() < b.factor(); });
    double all = 0;
    for (const SharedKernel& kernel : kernels)
        all += kernel.weight();
    double sum = 0;
    for (const SharedKernel& kernel : kernels) {
        sum += kernel.weight();
        if (2 * sum >= all)
            return kernel.factor();
    }
    return 1;
}

/// Whether the test's call count is the baseline's times the factor, within one call or agreePercent.
bool agrees(const SharedKernel& kernel, double factor)
{
    const double expected = kernel.base->calls * factor;
    return std::abs(kernel.test->calls - expected) <= std::max(1.0, expected * agreePercent / 100);
}

std::optional<std::int64_t> wholeNumber(double calls)
{
    constexpr double most = 1e15; // beyond this, a double cannot represent every whole number
    return calls >= 1 && calls < most && calls == std::floor(calls)
        ? std::optional(static_cast<std::int64_t>(calls))
        : std::nullopt;
}

/// Number of repetitions, in both captures, of the pattern that accounts for most of the time. Kernels that
/// are called 2, 3 and 1 times per repetition have counts with one common divisor in each run, in one ratio.
std::optional<std::pair<std::int64_t, std::int64_t>> repetitions(const std::vector<SharedKernel>& kernels,
                                                                 double factor)
{
    struct Group
    {
        std::int64_t times = 0; ///< common divisor of the multiples of the reduced counts
        double weight = 0;
    };
    std::map<std::pair<std::int64_t, std::int64_t>, Group> groups; // by the reduced counts
    double all = 0;
    for (const SharedKernel& kernel : kernels) {
        all += kernel.weight();
        const auto base = wholeNumber(kernel.base->calls);
        const auto test = wholeNumber(kernel.test->calls);
        if (!base || !test || !agrees(kernel, factor))
            continue;
        const std::int64_t divisor = std::gcd(*base, *test);
        Group& group = groups[{*base / divisor, *test / divisor}];
        group.times = std::gcd(group.times, divisor);
        group.weight += kernel.weight();
    }
    const auto largest = std::max_element(groups.begin(), groups.end(), [](const auto& a, const auto& b) {
        return a.second.weight < b.second.weight;
    });
    if (largest == groups.end() || 2 * largest->second.weight < all)
        return std::nullopt;
    const auto& [counts, group] = *largest;
    return std::pair(counts.first * group.times, counts.second * group.times);
}

/// A name without types and arguments, short enough for a sentence.
std::string plainName(std::string_view name)
{
    constexpr std::size_t most = 40;
    if (name.starts_with("void "))
        name.remove_prefix(5);
    if (const std::size_t end = name.find_first_of("<("); end != std::string_view::npos && end > 0)
        name = name.substr(0, end);
    return name.size() > most ? std::string(name.substr(0, most)) + "..." : std::string(name);
}

KernelCounts::Example exampleOf(const SharedKernel& kernel, const std::vector<SharedKernel>& all)
{
    const auto ofClass = std::count_if(all.begin(), all.end(), [&](const SharedKernel& other) {
        return other.base->kernelClass == kernel.base->kernelClass;
    });
    constexpr double usPerMs = 1000;
    return {ofClass == 1 ? kernel.base->kernelClass : plainName(kernel.base->name), kernel.base->calls,
            kernel.test->calls, kernel.base->ms * usPerMs / kernel.base->calls,
            kernel.test->ms * usPerMs / kernel.test->calls};
}

/// The compute kernels common to both runs; sets whyNot if they cover too little of the compute time.
std::vector<SharedKernel> sharedKernels(const RunSheets& baseRun, const RunSheets& testRun,
                                        std::string& whyNot)
{
    std::vector<SharedKernel> shared;
    std::map<std::string_view, const KernelRow*> byName;
    double allBase = 0, allTest = 0, ownBase = 0, ownTest = 0;
    for (const KernelRow& row : testRun.values.kernels) {
        if (isComputing(row) && row.calls > 0) {
            byName.emplace(row.name, &row);
            allTest += row.ms;
        }
    }
    for (const KernelRow& row : baseRun.values.kernels) {
        if (!isComputing(row) || row.calls <= 0)
            continue;
        allBase += row.ms;
        if (const auto found = byName.find(row.name); found != byName.end()) {
            shared.push_back({&row, found->second});
            ownBase += row.ms;
            ownTest += found->second->ms;
        }
    }
    const auto share = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0; };
    for (const auto& [percent, run, other] : {std::tuple(share(ownBase, allBase), &baseRun, &testRun),
                                              std::tuple(share(ownTest, allTest), &testRun, &baseRun)}) {
        if (percent < leastSharePercent && whyNot.empty())
            whyNot = allBase <= 0 || allTest <= 0
                ? "at least one of the captures has no compute kernels"
                : "only " + shortPercentText(percent) + " of the compute time of " + run->label
                    + " is in kernels that " + other->label + " also has";
    }
    return shared;
}

/// Fills in the amount of work that follows from the kernel counts.
void countWork(const std::vector<SharedKernel>& kernels, KernelCounts& work)
{
    const double factor = weightedMedianFactor(kernels);
    double all = 0, agreeing = 0, before = 0, after = 0;
    const SharedKernel* largest = nullptr;
    const SharedKernel* odd = nullptr; ///< the largest kernel that does not agree
    for (const SharedKernel& kernel : kernels) {
        all += kernel.weight();
        if (!agrees(kernel, factor)) {
            odd = odd && odd->weight() >= kernel.weight() ? odd : &kernel;
            continue;
        }
        agreeing += kernel.weight();
        before += kernel.base->ms;
        after += kernel.base->calls * kernel.test->ms / kernel.test->calls;
        largest = largest && largest->weight() >= kernel.weight() ? largest : &kernel;
    }
    work.agreeingPercent = all > 0 ? 100 * agreeing / all : 0;
    if (!largest || work.agreeingPercent < leastSharePercent) {
        work.whyNot = "the call counts of the common kernels do not change by one factor";
        if (largest && odd)
            for (const auto& [kernel, join] : {std::pair(largest, " ("), std::pair(odd, ", ")})
                work.whyNot += join + plainName(kernel->base->name) + " " + countsText(kernel->base->calls)
                    + " -> " + countsText(kernel->test->calls) + " calls";
        work.whyNot += largest && odd ? ")" : "";
        return;
    }
    work.isTold = true;
    work.example = exampleOf(*largest, kernels);
    work.callPercent = before > 0 ? 100 * (after / before - 1) : 0;
    work.testUnits = factor;
    double fewest = std::min(work.example.baseCalls, work.example.testCalls);
    if (const auto units = repetitions(kernels, factor)) {
        work.hasUnits = true;
        work.baseUnits = static_cast<double>(units->first);
        work.testUnits = static_cast<double>(units->second);
        fewest = std::min(work.baseUnits, work.testUnits);
    }
    work.isSameWork = std::all_of(kernels.begin(), kernels.end(), [](const SharedKernel& kernel) {
        return kernel.base->calls == kernel.test->calls;
    });
    // Captures with exactly the same calls were not cut inside a unit.
    constexpr double rounding = 1.001; // times per unit are whole nanoseconds
    work.cutPercent = work.isSameWork ? 0 : rounding * 100 / std::max(1.0, fewest);
}

} // namespace

void countKernels(const RunSheets& base, const RunSheets& test, KernelCounts& work)
{
    const std::vector<SharedKernel> kernels = sharedKernels(base, test, work.whyNot);
    if (work.whyNot.empty())
        countWork(kernels, work);
}

} // namespace collscope
