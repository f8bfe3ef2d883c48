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
constexpr double alikePercent = 0.5;

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

/// The step furthest from the typical one.
std::size_t furthestOf(const std::vector<double>& values, double typical)
{
    const auto furthest = std::max_element(values.begin(), values.end(), [&](double a, double b) {
        return std::abs(a - typical) < std::abs(b - typical);
    });
    return static_cast<std::size_t>(furthest - values.begin());
}

double meanWithout(const std::vector<double>& values, std::size_t index)
{
    std::vector<double> rest = values;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(index));
    return meanOf(rest);
}

/// "step 17 of the baseline, steps 4 and 9 of the test"; empty if all are alike.
std::string unusualText(const LimitValues& values)
{
    constexpr std::size_t most = 3;
    std::string text;
    const auto add = [&](const StepValues& run, const char* whose) {
        const std::vector<std::size_t> unusual = unusualSteps(run.values);
        if (unusual.empty())
            return;
        text += (text.empty() ? "" : ", ") + std::string(unusual.size() > 1 ? "steps " : "step ");
        for (std::size_t i = 0; i < std::min(unusual.size(), most); ++i)
            text += (i > 0 ? ", " : "") + std::to_string(run.steps[unusual[i]]);
        if (unusual.size() > most)
            text += " and " + std::to_string(unusual.size() - most) + " more";
        text += whose;
    };
    add(values.base, " of the baseline");
    add(values.test, " of the test");
    return text;
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
            return "Neighbouring steps resemble each other so much that "
                + stepCountText(std::min(m_verdict.baseSteps, m_verdict.testSteps)) + " tell as little as "
                + signlessText(m_verdict.steps->effectiveSteps) + " independent ones; at least "
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
        const double reach = (m_verdict.percent->high - m_verdict.percent->low) / 2;
        if (std::abs(ofMeans - *m_verdict.wholePercent) <= std::max(alikePercent, reach))
            return {};
        return "Over the window it changed by " + signedPercentText(*m_verdict.wholePercent)
            + ", but the mean of its values step by step by " + signedPercentText(ofMeans)
            + ": it is not a mean of the steps, so that they do not show its noise.";
    }

    double reach() const { return (m_verdict.percent->high - m_verdict.percent->low) / 2; }
    double worse() const { return m_verdict.limit.inItsDirection(m_verdict.percent->measured); }
    /// The ends of the interval, in the direction of the limit.
    double least() const { return worse() - reach(); }
    double most() const { return worse() + reach(); }
    double limit() const { return m_verdict.limit.percent; }

    void decide()
    {
        const PercentChange& change = *m_verdict.percent;
        const std::string measured = "The typical step changed by " + signedPercentText(change.measured)
            + " (" + intervalText(change) + ")";
        const double allowed = limit() + std::max(limit(), leastAllowance);
        if (worse() > limit() && least() > 0) {
            m_verdict.state = LimitState::Exceeded;
            m_verdict.reason = measured + ": beyond the limit, and by more than the steps scatter.";
            if (least() <= limit())
                m_verdict.reason += " The interval also contains changes within the limit.";
            noteHiddenChange();
        } else if (worse() > limit()) {
            m_verdict.reason = measured + ": beyond the limit, but steps of the same run differ as much."
                + adviceFor(worse());
        } else if (most() > allowed) {
            m_verdict.reason = measured
                + ": the steps scatter so much that a change far beyond the limit "
                  "would go unseen."
                + adviceFor(allowed - worse());
        } else {
            m_verdict.state = LimitState::Within;
            m_verdict.reason = measured + ": within the limit.";
            if (most() > limit())
                m_verdict.reason += " The interval also contains changes beyond the limit.";
            checkFewSteps();
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
        return "Over all steps, as --metric prints it, it changed by "
            + signedPercentText(*m_verdict.wholePercent);
    }

    bool isWholeBeyond() const { return m_verdict.limit.inItsDirection(*m_verdict.wholePercent) > limit(); }

    void noteHiddenChange()
    {
        if (isWholeBeyond())
            return;
        const std::string unusual = unusualText(m_values);
        m_verdict.notes.push_back(overallText() + ": a few steps that are far from the others hide the change"
                                  + (unusual.empty() ? "." : " (" + unusual + ")."));
    }

    /// A value within the limit step by step, and beyond it as a whole. One step says nothing about the
    /// others; several may be the regression.
    void checkFewSteps()
    {
        if (!isWholeBeyond())
            return;
        const NoisyChange& steps = *m_verdict.steps;
        const std::vector<double>&base = m_values.base.values, &test = m_values.test.values;
        const double ownRest = meanWithout(base, furthestOf(base, steps.base));
        const double rest = meanWithout(test, furthestOf(test, steps.test));
        const std::string unusual = unusualText(m_values);
        const std::string named = unusual.empty() ? std::string() : " (" + unusual + ")";
        if (m_verdict.limit.inItsDirection(percentOf(rest - ownRest, ownRest)) <= limit()) {
            m_verdict.notes.push_back(overallText() + ": beyond the limit, because of a single step" + named
                                      + ".");
            return;
        }
        m_verdict.state = LimitState::Unknown;
        m_verdict.reason = overallText() + ", beyond the limit, and its typical step by "
            + signedPercentText(m_verdict.percent->measured) + ", within it: a few steps make the difference"
            + named + ", too few to tell a regression from chance.";
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
