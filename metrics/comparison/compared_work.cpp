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

constexpr double sameCallPercent = 5; ///< calls whose times are this close are assumed to do the same work
constexpr double samePercent = 1; ///< capture lengths this close are treated as equal

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

std::string tenthsPercentText(double percent)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%+.1f %%", percent);
    const std::string written = text.data();
    return written == "-0.0 %" || written == "+0.0 %" ? "0.0 %" : written;
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
        + tenthsPercentText(change) + ")";
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
        text += "The test did " + shortPercentText(ratePercent) + (rate < 1 ? " less work " : " more work ")
            + (areEqual ? "in that time: " : "per second: ");
    text += exampleText(work) + ". ";
    const Delta delta = work.duration(options);
    const double change = delta.change.value_or(0);
    const std::string slower = shortPercentText(change) + (change > 0 ? " slower" : " faster");
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
            + tenthsPercentText(work.callPercent) + ".)";
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
    text += "; kernels with " + shortPercentText(work.agreeingPercent)
        + " of the compute time have counts in that ratio. Parts are times per unit of work and add up to "
          "the difference.";
    return text;
}

} // namespace collscope
