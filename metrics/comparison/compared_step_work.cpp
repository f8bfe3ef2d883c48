// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/compared_step_work.h"

#include "metrics/comparison/compared_text.h"
#include "metrics/comparison/kernel_counts.h"
#include "metrics/comparison/steps_or_captures.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace collscope {

namespace {

constexpr double alikePercent = 5; ///< counts and sizes this close are treated as equal

bool areAlike(double base, double test)
{
    return std::abs(test - base) <= alikePercent / 100 * std::abs(base);
}

std::string fromTo(double base, double test)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.4g -> %.4g", base, test);
    return text.data();
}

std::string countsFromTo(std::int64_t base, std::int64_t test)
{
    return std::to_string(base) + " -> " + std::to_string(test);
}

/// Elements sent per call, as the mean over the calls of a kind. Grouped by kind because a run that sends
/// gradients in different pieces has different call counts, which the kernels reveal.
std::map<std::string, double> elementsOfCalls(const RunSheets& run)
{
    std::map<std::string, std::pair<double, double>> sums; // elements, calls
    for (const CallKindRow& row : run.values.calls ? run.values.calls->rows : std::vector<CallKindRow>()) {
        if (row.kind.name.empty() || !row.kind.inElements || !row.count || *row.count <= 0)
            continue;
        auto& own = sums[row.kind.name];
        own.first += static_cast<double>(*row.kind.inElements) * *row.count;
        own.second += *row.count;
    }
    std::map<std::string, double> means;
    for (const auto& [kind, own] : sums)
        means[kind] = own.first / own.second;
    return means;
}

/// Whether the counts agree. A difference of one call is allowed because a call may fall on the other side of
/// the window's border.
bool areAlike(const KindCalls& base, const KindCalls& test)
{
    const double apart = std::abs(test.perStep() - base.perStep());
    const double steps = std::max({1.0, base.steps, test.steps});
    return apart <= std::max(alikePercent / 100 * base.perStep(), 1 / steps);
}

bool areSaidEqual(const DescribedWork& base, const DescribedWork& test)
{
    const bool oneIsSilent = !base.seqLen || !test.seqLen;
    return base.batch && test.batch && *base.batch == *test.batch
        && (oneIsSilent || *base.seqLen == *test.seqLen);
}

/// Describes the difference between the kernels of a step. `isOtherAmount`: the common kernels take equally
/// long per call but are called more or less often, by one factor. Then either a part is missing, or the
/// batch is split into different pieces and a kernel takes equally long for a smaller piece.
std::string kernelDifference(const RunSheets& base, const RunSheets& test, bool& isOtherAmount)
{
    if (base.values.kernels.empty() || test.values.kernels.empty())
        return {};
    KernelCounts counted;
    countKernels(base, test, counted);
    if (!counted.isTold)
        return counted.whyNot;
    const double factor = counted.testUnits / counted.baseUnits;
    if (areAlike(1, factor))
        return {};
    isOtherAmount = std::abs(counted.callPercent) <= alikePercent;
    return counted.example.name + " is called " + fromTo(counted.example.baseCalls, counted.example.testCalls)
        + " times per step";
}

} // namespace

std::string messageDifference(const RunSheets& base, const RunSheets& test)
{
    const auto own = elementsOfCalls(base), other = elementsOfCalls(test);
    for (const auto& [kind, elements] : own) {
        const auto found = other.find(kind);
        if (found != other.end() && !areAlike(elements, found->second))
            return "a call of " + kind + " sends " + fromTo(elements, found->second) + " elements";
    }
    return {};
}

std::string collectiveDifference(const RunSheets& base, const RunSheets& test)
{
    const CollectiveKinds& first = base.values.collectiveKinds;
    const CollectiveKinds& second = test.values.collectiveKinds;
    const bool isOfSteps = countsPerStep(base) && countsPerStep(test);
    const KindCalls none;
    std::string text;
    const auto compare = [&](const std::string& kind, const KindCalls& a, const KindCalls& b) {
        const bool isInOne = (a.calls > 0) != (b.calls > 0);
        if (isOfSteps ? areAlike(a, b) : !isInOne)
            return;
        text += (text.empty() ? "" : ", ") + kind + (text.empty() ? " is called " : " ")
            + fromTo(isOfSteps ? a.perStep() : a.calls, isOfSteps ? b.perStep() : b.calls) + " times";
    };
    for (const auto& [kind, calls] : first)
        compare(kind, calls, second.contains(kind) ? second.at(kind) : none);
    for (const auto& [kind, calls] : second) {
        if (!first.contains(kind))
            compare(kind, none, calls);
    }
    return text.empty() ? text : text + (isOfSteps ? " per step" : " per capture");
}

std::string describedDifference(const DescribedWork& base, const DescribedWork& test)
{
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (base.batch && test.batch && *base.batch != *test.batch)
        add("batch " + countsFromTo(*base.batch, *test.batch));
    if (base.seqLen && test.seqLen && *base.seqLen != *test.seqLen)
        add("sequence length " + countsFromTo(*base.seqLen, *test.seqLen));
    return text;
}

namespace {

std::string joined(const std::string& a, const std::string& b)
{
    return a + (a.empty() || b.empty() ? "" : ", and ") + b;
}

/// Names that differ only in case and punctuation are equal; other names may still denote the same model.
std::string modelDifference(const DescribedWork& base, const DescribedWork& test)
{
    const auto plain = [](const std::string& name) {
        std::string letters;
        for (const char c : lowered(name)) {
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
                letters += c;
        }
        return letters;
    };
    const bool areSame = base.model.empty() || test.model.empty() || plain(base.model) == plain(test.model);
    return areSame ? std::string()
                   : "their descriptions name the models " + base.model + " and " + test.model;
}

} // namespace

ComparedStepWork comparedStepWork(const RunSheets& base, const RunSheets& test)
{
    ComparedStepWork work;
    const DescribedWork &own = base.values.described, &other = test.values.described;
    work.isVouchedFor = areSaidEqual(own, other);
    work.difference = describedDifference(own, other);
    if (!work.difference.empty()) {
        work.verdict = ComparedStepWork::Verdict::Unequal;
        const bool hasTokens = own.seqLen && other.seqLen;
        if (own.doesAllTokens && other.doesAllTokens && modelDifference(own, other).empty() && own.batch
            && other.batch && (hasTokens || !own.seqLen)) {
            const auto size = [hasTokens](const DescribedWork& described) {
                return static_cast<double>(*described.batch)
                    * (hasTokens ? static_cast<double>(*described.seqLen) : 1.0);
            };
            work.unit = hasTokens ? "token" : "sample";
            work.ratio
                = size(own) > 0 && size(other) > 0 ? std::optional(size(other) / size(own)) : std::nullopt;
        }
        return work;
    }
    bool isOtherAmount = false;
    const std::string model = modelDifference(own, other);
    work.difference = joined(model, kernelDifference(base, test, isOtherAmount));
    work.difference = joined(work.difference, collectiveDifference(base, test));
    work.difference = joined(work.difference, messageDifference(base, test));
    if (work.difference.empty() || (work.isVouchedFor && !isOtherAmount && model.empty()))
        work.verdict
            = work.isVouchedFor ? ComparedStepWork::Verdict::Described : ComparedStepWork::Verdict::Counted;
    else
        work.verdict = ComparedStepWork::Verdict::Unknown;
    return work;
}

std::string comparedStepWorkNote(const ComparedStepWork& work)
{
    switch (work.verdict) {
    case ComparedStepWork::Verdict::Unequal:
        return "The runs do different work per step: " + work.difference
            + ". Times therefore have no verdict.";
    case ComparedStepWork::Verdict::Unknown:
        return "Whether the runs do the same work per step cannot be determined, because " + work.difference
            + (work.isVouchedFor ? ", although their descriptions state the same batch"
                                 : ", and it is not recorded whether the batch is the same")
            + ". Times therefore have no verdict.";
    case ComparedStepWork::Verdict::Described:
        return work.difference.empty()
            ? std::string()
            : "The descriptions of both runs state the same batch, but " + work.difference + ".";
    case ComparedStepWork::Verdict::Counted:
        return "It is not recorded whether the batch is the same; the verdicts assume that it is.";
    }
    return {};
}

std::string perTokenSentence(const ComparedStepWork& work, double baseMs, double testMs)
{
    if (!work.ratio || !(baseMs > 0))
        return {};
    const double change = 100 * (testMs / *work.ratio / baseMs - 1);
    std::array<char, 32> times{};
    std::snprintf(times.data(), times.size(), "%.4g", *work.ratio);
    const std::string unit = work.unit;
    const std::string changed = shortPercentText(change);
    return "The test has " + std::string(times.data()) + " times the " + unit + "s per step: a " + unit
        + (changed == shortPercentText(0) ? " takes the same time."
                                          : " takes " + changed + (change > 0 ? " longer." : " less time."));
}

} // namespace collscope
