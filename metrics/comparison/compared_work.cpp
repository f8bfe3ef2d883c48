// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/compared_work.h"

#include "metrics/comparison/compared_text.h"
#include "metrics/comparison/steps_or_captures.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace collscope {

namespace {

constexpr double agreePercent = 5; ///< counts within this distance of the common factor agree with it
constexpr double leastSharePercent = 80; ///< least share of the compute time in common, agreeing kernels
constexpr double sameCallPercent = 5; ///< calls whose times are this close are assumed to do the same work
constexpr double samePercent = 1; ///< capture lengths this close are treated as equal

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

double meanLengthMs(const std::vector<RankStepParts>& captures)
{
    double sum = 0;
    for (const RankStepParts& capture : captures)
        sum += nsToMs(capture.range.lengthNs());
    return captures.empty() ? 0 : sum / static_cast<double>(captures.size());
}

std::set<std::int32_t> rankNumbers(const std::vector<RankStepParts>& captures)
{
    std::set<std::int32_t> ranks;
    for (const RankStepParts& capture : captures)
        ranks.insert(capture.rank);
    return ranks;
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

ComparedWork::Example exampleOf(const SharedKernel& kernel, const std::vector<SharedKernel>& all)
{
    const auto ofClass = std::count_if(all.begin(), all.end(), [&](const SharedKernel& other) {
        return other.base->kernelClass == kernel.base->kernelClass;
    });
    constexpr double usPerMs = 1000;
    return {ofClass == 1 ? kernel.base->kernelClass : plainName(kernel.base->name), kernel.base->calls,
            kernel.test->calls, kernel.base->ms * usPerMs / kernel.base->calls,
            kernel.test->ms * usPerMs / kernel.test->calls};
}

std::string countsText(double calls)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), calls == std::floor(calls) ? "%.0f" : "%.1f", calls);
    return text.data();
}

std::string signedPercentText(double percent)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%+.1f %%", percent);
    const std::string written = text.data();
    return written == "-0.0 %" || written == "+0.0 %" ? "0.0 %" : written;
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
                : "only " + percentText(percent) + " of the compute time of " + run->label
                    + " is in kernels that " + other->label + " also has";
    }
    return shared;
}

/// Fills in the amount of work that follows from the kernel counts.
void countWork(const std::vector<SharedKernel>& kernels, ComparedWork& work)
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

DeltaRule ComparedWork::rule(const CompareOptions& options, MetricDirection direction) const
{
    const bool isJudged = isOfCaptures ? isTold : steps.isJudged();
    return {options.thresholdPercent, isJudged ? direction : MetricDirection::Neutral, cutPercent};
}

Delta ComparedWork::perUnit(std::optional<double> base, std::optional<double> test,
                            const DeltaRule& rule) const
{
    return deltaOf(base ? std::optional(*base / baseUnits) : std::nullopt,
                   test ? std::optional(*test / testUnits) : std::nullopt, rule);
}

Delta ComparedWork::duration(const CompareOptions& options) const
{
    return isTold ? perUnit(baseMs, testMs, rule(options)) : deltaOf({}, {}, rule(options));
}

void countKernels(const RunSheets& base, const RunSheets& test, ComparedWork& work)
{
    const std::vector<SharedKernel> kernels = sharedKernels(base, test, work.whyNot);
    if (work.whyNot.empty())
        countWork(kernels, work);
}

namespace {

/// Why a call of one capture may do different work than a call of the other; empty without evidence of that.
std::string callDifference(const RunSheets& base, const RunSheets& test, const ComparedWork& work)
{
    if (const std::string kinds = collectiveDifference(base, test); !kinds.empty())
        return kinds;
    if (const std::string messages = messageDifference(base, test); !messages.empty())
        return messages;
    // More calls that take less time each may be the same work in different pieces.
    const ComparedWork::Example& call = work.example;
    const double countPercent = 100 * (work.testUnits / work.baseUnits - 1);
    if (std::abs(countPercent) <= agreePercent || std::abs(work.callPercent) <= sameCallPercent)
        return {};
    return call.name + " is called " + countsText(call.baseCalls) + " -> " + countsText(call.testCalls)
        + " times, and the time per call differs (" + timeText(call.baseUs / 1000) + " -> "
        + timeText(call.testUs / 1000) + "), so a call may do a different amount of work";
}

/// Counts of calls measure the amount of work only if the calls are comparable.
void requireEqualCalls(const RunSheets& base, const RunSheets& test, ComparedWork& work)
{
    if (!work.isTold)
        return;
    work.whyNot = callDifference(base, test, work);
    if (work.whyNot.empty())
        return;
    work.isTold = work.hasUnits = work.isSameWork = work.areCallsAlike = false;
    work.baseUnits = work.testUnits = 1;
    work.cutPercent = 0;
}

} // namespace

ComparedWork comparedWork(const RunSheets& base, const RunSheets& test)
{
    ComparedWork work;
    const std::vector<RankStepParts>&own = base.values.steps, &other = test.values.steps;
    work.isOfCaptures = hasWholeTraces(own) && hasWholeTraces(other);
    if (!work.isOfCaptures) {
        if (hasWholeTraces(own) == hasWholeTraces(other))
            work.steps = comparedStepWork(base, test);
        return work;
    }
    work.baseMs = meanLengthMs(own);
    work.testMs = meanLengthMs(other);
    work.ranks = own.size();
    if (rankNumbers(own) != rankNumbers(other)) {
        work.whyNot = "the runs do not have the same ranks";
        return work;
    }
    if (const std::string differs = describedDifference(base.values.described, test.values.described);
        !differs.empty())
        work.whyNot = "the descriptions of the runs differ: " + differs;
    else if (!(work.baseMs > 0 && work.testMs > 0))
        work.whyNot = "a capture has no length";
    else
        countKernels(base, test, work);
    requireEqualCalls(base, test, work);
    return work;
}

namespace {

std::string lengthsText(const ComparedWork& work, bool areEqual)
{
    const std::string own = timeText(work.baseMs), other = timeText(work.testMs);
    if (!areEqual)
        return "The captures last " + own + " and " + other + ". ";
    return own == other ? "Both captures last " + own + ". "
                        : "Both captures last about " + timeText((work.baseMs + work.testMs) / 2) + ". ";
}

std::string exampleText(const ComparedWork& work)
{
    const ComparedWork::Example& call = work.example;
    const std::string own = timeText(call.baseUs / 1000), other = timeText(call.testUs / 1000);
    const double change = 100 * (call.testUs / call.baseUs - 1);
    return call.name + " " + countsText(call.baseCalls) + " -> " + countsText(call.testCalls) + " calls"
        + (work.ranks > 1 ? " on each rank" : "") + ", at "
        + (own == other ? own + " per call in both" : own + " and " + other + " per call") + " ("
        + signedPercentText(change) + ")";
}

} // namespace

std::string workSentence(const ComparedWork& work, const CompareOptions& options)
{
    const bool areEqual = std::abs(work.testMs / work.baseMs - 1) * 100 <= samePercent;
    std::string text = lengthsText(work, areEqual);
    if (!work.isTold)
        return text + "The amount of work in each capture cannot be determined: " + work.whyNot
            + (work.areCallsAlike ? ". Times per call are compared instead, and totals have no verdict."
                                  : ". Times therefore have no verdict.");
    const double done = work.testUnits / work.baseUnits;
    const double rate = areEqual ? done : done * work.baseMs / work.testMs;
    const double ratePercent = 100 * (rate - 1);
    if (work.isSameWork)
        text += "Both contain the same work: ";
    else if (std::abs(ratePercent) < 0.05)
        text += areEqual ? "The test did the same amount of work in that time: "
                         : "Both did the same amount of work per second: ";
    else
        text += "The test did " + percentText(ratePercent) + (rate < 1 ? " less work " : " more work ")
            + (areEqual ? "in that time: " : "per second: ");
    text += exampleText(work) + ". ";
    const Delta delta = work.duration(options);
    const double change = delta.change.value_or(0);
    const std::string slower = percentText(change) + (change > 0 ? " slower" : " faster");
    if (delta.status == DeltaStatus::Similar)
        text += "It is equally fast per unit of work, within " + numberText(options.thresholdPercent) + " %.";
    else if (delta.status == DeltaStatus::SimilarNoise)
        text += "It appears " + slower + " per unit of work, but the change is at most one unit of "
            + countsText(std::round(100 / work.cutPercent)) + ", which the ends of a capture can cut off.";
    else
        text += "It is " + slower + " per unit of work.";
    if (std::abs(work.callPercent) > options.thresholdPercent && !work.isSameWork)
        text += " (This assumes that a call does the same amount of work in both runs: the time per call "
                "changed by "
            + signedPercentText(work.callPercent) + ".)";
    return text;
}

std::string workBasis(const ComparedWork& work)
{
    if (!work.isTold)
        return "The parts are totals of each capture.";
    std::string text = work.hasUnits
        ? "A unit of work is the pattern of kernels that repeats " + countsText(work.baseUnits)
            + " times in the baseline and " + countsText(work.testUnits) + " times in the test"
        : "A unit of work is the work in the capture of the baseline";
    text += "; kernels with " + percentText(work.agreeingPercent)
        + " of the compute time have counts in that ratio. Parts are times per unit of work and add up to "
          "the difference.";
    return text;
}

} // namespace collscope
