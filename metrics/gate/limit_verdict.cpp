// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/gate/limit_verdict.h"

#include "metrics/core/statistics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace collscope {

namespace {

/// A run passes only where the steps would have shown a change that is larger than the limit by this many
/// percent, or by the limit once more.
constexpr double leastAllowance = 3;
/// The value of a window and the mean of its steps may change differently by this much, in percent.
constexpr double mostApartPercent = 0.5;

double percentOf(double difference, double base)
{
    return difference == 0 ? 0 : 100 * difference / base;
}

std::string intervalText(const PercentChange& change)
{
    return "interval " + signedPercentText(change.low) + " to " + signedPercentText(change.high);
}

std::string stepCountText(std::size_t count)
{
    return countText(static_cast<std::int64_t>(count), "step");
}

/// The mean of the other steps. `indices`: ascending, not all of them.
double meanWithout(const std::vector<double>& values, const std::vector<std::size_t>& indices)
{
    std::vector<double> rest;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::binary_search(indices.begin(), indices.end(), i))
            rest.push_back(values[i]);
    }
    return meanOf(rest);
}

/// "step 17 of the test"; empty without any.
std::string stepsNamed(const StepValues& run, const std::vector<std::size_t>& indices, const char* whose)
{
    constexpr std::size_t most = 3;
    if (indices.empty())
        return {};
    std::string text = indices.size() > 1 ? "steps " : "step ";
    for (std::size_t i = 0; i < std::min(indices.size(), most); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(run.steps[indices[i]]);
    if (indices.size() > most)
        text += " and " + std::to_string(indices.size() - most) + " more";
    return text + " of the " + whose;
}

class LimitJudge
{
public:
    LimitJudge(const ChangeLimit& limit, const LimitValues& values, double confidence)
        : m_values(values)
        , m_confidence(confidence)
    {
        m_verdict.limit = limit;
    }

    LimitVerdict judge()
    {
        m_verdict.base = m_values.base.whole.value;
        m_verdict.test = m_values.test.whole.value;
        m_verdict.baseSteps = m_values.base.values.size();
        m_verdict.testSteps = m_values.test.values.size();
        m_verdict.reason = whyNoSteps();
        if (m_verdict.reason.empty()) {
            m_verdict.steps = noisyChange(m_values.base.values, m_values.test.values, m_confidence);
            m_verdict.reason = whyNoPercent();
        }
        if (m_verdict.reason.empty()) {
            measurePercent();
            m_verdict.reason = whyNotOfSteps();
        }
        if (m_verdict.reason.empty())
            decide();
        return std::move(m_verdict);
    }

private:
    /// The reason why there are not enough values of steps; empty if there are.
    std::string whyNoSteps() const
    {
        for (const auto& [label, run] : {std::pair(&m_values.baseLabel, &m_values.base),
                                         std::pair(&m_values.testLabel, &m_values.test)}) {
            const MetricResult& whole = run->whole;
            if (!whole.value)
                return "It has no value in the run " + *label + ": "
                    + (whole.state == MetricState::Value ? "its result is not a single number."
                                                         : whole.reason);
            if (!run->isOfSteps)
                return "It is measured over another window than steps (" + whole.window
                    + "), so that steps do not show its noise.";
            if (run->stepCount >= fewestGateSteps && run->values.size() < fewestGateSteps)
                return "Of the " + stepCountText(run->stepCount) + " of the run " + *label + ", only "
                    + std::to_string(run->values.size()) + " have a value: at least "
                    + std::to_string(fewestGateSteps) + " are needed to tell a change from noise.";
            if (run->stepCount < fewestGateSteps)
                return "The run " + *label + " has " + stepCountText(run->stepCount) + " in its window ("
                    + whole.window + "): at least " + std::to_string(fewestGateSteps)
                    + " are needed to tell a change from noise.";
        }
        return {};
    }

    /// The reason why the change cannot be given in percent; empty if it can.
    std::string whyNoPercent() const
    {
        if (m_verdict.steps->effectiveSteps < fewestEffectiveSteps)
            return "Neighbouring steps resemble each other, or are too few to show that they do not: "
                + stepCountText(std::min(m_verdict.baseSteps, m_verdict.testSteps)) + " count as "
                + signlessText(m_verdict.steps->effectiveSteps) + " independent ones, and at least "
                + signlessText(fewestEffectiveSteps) + " are needed.";
        const bool areZero = isZero(m_values.base) && isZero(m_values.test);
        if (!areZero && (!(*m_verdict.base > 0) || !(m_verdict.steps->base > 0)))
            return "The baseline is not above 0, so that a change in percent of it does not exist.";
        return {};
    }

    static bool isZero(const StepValues& run)
    {
        return *run.whole.value == 0
            && std::all_of(run.values.begin(), run.values.end(), [](double value) { return value == 0; });
    }

    static std::string signlessText(double number) { return numberText(std::round(number * 10) / 10); }

    void measurePercent()
    {
        const NoisyChange& steps = *m_verdict.steps;
        m_verdict.percent
            = PercentChange{percentOf(steps.difference(), steps.base), percentOf(steps.low, steps.base),
                            percentOf(steps.high, steps.base)};
        m_verdict.wholePercent = percentOf(*m_verdict.test - *m_verdict.base, *m_verdict.base);
    }

    /// The reason why steps do not show the noise of the value of the window; empty if they do.
    std::string whyNotOfSteps() const
    {
        const double base = meanOf(m_values.base.values), test = meanOf(m_values.test.values);
        const double ofMeans = percentOf(test - base, base);
        if (std::abs(ofMeans - *m_verdict.wholePercent) <= std::max(mostApartPercent, reach()))
            return {};
        return "Over the window it changed by " + signedPercentText(*m_verdict.wholePercent)
            + ", but the mean of its values step by step by " + signedPercentText(ofMeans)
            + ": it does not follow the steps, so that they do not show its noise.";
    }

    double reach() const { return (m_verdict.percent->high - m_verdict.percent->low) / 2; }
    double worse() const { return m_verdict.limit.inItsDirection(m_verdict.percent->measured); }
    /// The ends of the interval, in the direction of the limit.
    double least() const { return worse() - reach(); }
    double most() const { return worse() + reach(); }
    double limit() const { return m_verdict.limit.percent; }
    /// The largest change that may go unseen where the verdict is Within.
    double allowed() const { return limit() + std::max(limit(), leastAllowance); }

    void decide()
    {
        const PercentChange& change = *m_verdict.percent;
        const std::string measured = "The typical step changed by " + signedPercentText(change.measured)
            + " (" + intervalText(change) + ")";
        if (worse() > limit() && least() > 0) {
            m_verdict.state = LimitState::Exceeded;
            m_verdict.reason = measured + ": beyond the limit, and by more than the steps scatter.";
            if (least() <= limit())
                m_verdict.reason += " The interval also contains changes within the limit.";
            noteHiddenChange();
        } else if (worse() > limit()) {
            m_verdict.reason = measured + ": beyond the limit, but steps of the same run differ as much."
                + adviceFor(worse());
        } else if (most() > allowed()) {
            m_verdict.reason = measured
                + ": the steps scatter so much that a change far beyond the limit "
                  "would go unseen."
                + adviceFor(allowed() - worse());
        } else {
            m_verdict.state = LimitState::Within;
            m_verdict.reason = measured + ": within the limit.";
            if (most() > limit())
                m_verdict.reason += " The interval also contains changes beyond the limit.";
            checkSlowSteps();
        }
    }

    /// How many steps would give an interval of this reach.
    std::string adviceFor(double wanted) const
    {
        constexpr double rounded = 10, atMost = 1e4;
        const auto steps = static_cast<double>(std::min(m_verdict.baseSteps, m_verdict.testSteps));
        const double needed = std::ceil(steps * std::pow(reach() / wanted, 2) / rounded) * rounded;
        return std::isfinite(needed) && needed <= atMost
            ? " About " + numberText(needed) + " steps in each run would tell."
            : std::string();
    }

    std::string overallText() const
    {
        return "Over the window, as --metric prints it, it changed by "
            + signedPercentText(*m_verdict.wholePercent);
    }

    bool isWholeBeyond() const { return m_verdict.limit.inItsDirection(*m_verdict.wholePercent) > limit(); }

    /// The steps of a run that are far beyond the others in the direction of the limit.
    std::vector<std::size_t> slowSteps(const StepValues& run) const
    {
        return unusualSteps(run.values, m_verdict.limit.isOnGrowth);
    }

    void noteHiddenChange()
    {
        if (isWholeBeyond())
            return;
        const std::string slow = stepsNamed(m_values.base, slowSteps(m_values.base), "baseline");
        m_verdict.notes.push_back(overallText()
                                  + ": steps that are far from the others hide the change of the others"
                                  + (slow.empty() ? "." : " (" + slow + ")."));
    }

    /// The typical step is within the limit, the value over all steps is not. A few slow steps come by
    /// chance; many do not.
    void checkSlowSteps()
    {
        if (!isWholeBeyond())
            return;
        constexpr double mayBeChance = 0.2;
        const StepValues &base = m_values.base, &test = m_values.test;
        const std::vector<std::size_t> own = slowSteps(base), other = slowSteps(test);
        const double chance
            = chanceOfAsMany({episodesOf(own), base.values.size()}, {episodesOf(other), test.values.size()});
        std::string slow = stepsNamed(test, other, "test");
        slow += (slow.empty() || own.empty() ? "" : "; ") + stepsNamed(base, own, "baseline");
        const std::string steps = "steps that are far from the others (" + slow + ")";
        if (!isBecauseOf(own, other)) {
            m_verdict.state = LimitState::Unknown;
            m_verdict.reason = overallText() + ", beyond the limit, and its typical step by "
                + signedPercentText(m_verdict.percent->measured)
                + ", within it: no single steps explain that.";
        } else if (chance < (1 - m_confidence) / 2) {
            m_verdict.state = LimitState::Exceeded;
            m_verdict.reason = overallText() + ", beyond the limit, because of " + steps
                + ". Chance alone rarely gives so many more than in the baseline.";
        } else if (chance < mayBeChance
                   || m_verdict.limit.inItsDirection(*m_verdict.wholePercent) > allowed()) {
            m_verdict.state = LimitState::Unknown;
            m_verdict.reason = overallText() + ", beyond the limit, because of " + steps
                + (chance < mayBeChance
                       ? ": too many to call them chance, too few to call them a regression."
                       : ". Chance alone often gives as many, but these cost too much to pass.");
        } else {
            m_verdict.notes.push_back(overallText() + ": beyond the limit, because of " + steps
                                      + ". Chance alone often gives as many.");
        }
    }

    /// Whether the mean of the steps is beyond the limit, and within it without those that are far away.
    bool isBecauseOf(const std::vector<std::size_t>& own, const std::vector<std::size_t>& other) const
    {
        const auto isBeyond = [&](double base, double test) {
            return m_verdict.limit.inItsDirection(percentOf(test - base, base)) > limit();
        };
        const std::vector<double>&base = m_values.base.values, &test = m_values.test.values;
        return !other.empty() && isBeyond(meanOf(base), meanOf(test))
            && !isBeyond(meanWithout(base, own), meanWithout(test, other));
    }

    const LimitValues m_values;
    const double m_confidence;
    LimitVerdict m_verdict;
};

} // namespace

std::string_view limitStateName(LimitState state)
{
    constexpr std::string_view names[] = {"within", "exceeded", "unknown"};
    return names[static_cast<std::size_t>(state)];
}

std::string signedPercentText(double percent)
{
    constexpr double hundredths = 100;
    if (std::round(percent * hundredths) == 0)
        return "0 %";
    std::array<char, 400> buffer{};
    const auto [end, error]
        = std::to_chars(buffer.data(), buffer.data() + buffer.size(), percent, std::chars_format::fixed, 2);
    return (percent > 0 ? "+" : "") + std::string(buffer.data(), error == std::errc() ? end : buffer.data())
        + " %";
}

LimitVerdict judgeLimit(const ChangeLimit& limit, const LimitValues& values, double confidence)
{
    return LimitJudge(limit, values, confidence).judge();
}

} // namespace collscope
