// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/gate_report.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/text_table.h"
#include "metrics/export/written_report.h"
#include "metrics/partition/part_times.h"
#include "model/text/printable_text.h"

#include <cmath>

namespace collscope {

namespace {

/// A number of the JSON; null where it is unknown or infinite.
Value numberOrNull(const std::optional<double>& number)
{
    return number && std::isfinite(*number) ? Value(*number) : Value();
}

Value nsOrNull(double ns)
{
    constexpr double most = 9e18; // of a 64-bit integer
    return std::abs(ns) < most ? Value(static_cast<std::int64_t>(std::llround(ns))) : Value();
}

/// Of the rounded numbers that stand beside it.
Value differenceOrNull(const Value& base, const Value& test)
{
    const auto *from = base.as<std::int64_t>(), *to = test.as<std::int64_t>();
    return from && to ? Value(*to - *from) : Value();
}

/// The word of the verdict on the run.
std::string_view gateVerdictWord(LimitState state)
{
    switch (state) {
    case LimitState::Within:
        return "passed";
    case LimitState::Exceeded:
        return "regression";
    case LimitState::Unknown:
        break;
    }
    return "undecided";
}

std::string headText(const RunGate& gate)
{
    std::string names;
    std::size_t count = 0;
    const LimitState state = gate.state();
    for (const LimitVerdict& verdict : gate.limits) {
        if (verdict.state == state) {
            const bool isTypical = state == LimitState::Within && !verdict.notes.empty();
            names += (names.empty() ? "" : ", ") + (isTypical ? "the typical step of " : std::string())
                + verdict.name();
            ++count;
        }
    }
    switch (state) {
    case LimitState::Within:
        return "Passed: " + names + (count == 1 ? " is within its limit." : " are within their limits.");
    case LimitState::Exceeded:
        return "Regression: " + names
            + (count == 1 ? " exceeds its limit beyond the noise."
                          : " exceed their limits beyond the noise.");
    case LimitState::Unknown:
        break;
    }
    return "Undecided: the steps do not tell whether " + names
        + (count == 1 ? " is within its limit." : " are within their limits.");
}

std::string valueText(const std::optional<double>& value)
{
    return value ? numberText(*value) : "-";
}

std::string limitsText(const RunGate& gate)
{
    TextTable table({false, false, true, true, true, false});
    table.add({"metric", "limit", "baseline", "test", "change", "verdict"});
    for (const LimitVerdict& verdict : gate.limits) {
        const std::string unit(verdict.limit.metric.unit);
        table.add({printableLine(verdict.name() + (unit.empty() ? "" : " (" + unit + ")")),
                   verdict.limit.text(), valueText(verdict.base), valueText(verdict.test),
                   verdict.wholePercent ? signedPercentText(*verdict.wholePercent) : "-",
                   std::string(limitStateName(verdict.state))});
    }
    std::string text = table.text();
    for (const LimitVerdict& verdict : gate.limits) {
        std::string sentences = verdict.name() + ": " + verdict.reason;
        for (const std::string& note : verdict.notes)
            sentences += " " + note;
        text += "\n" + printableLine(sentences) + "\n";
    }
    return text;
}

std::string signedTimeText(double ns)
{
    if (!std::isfinite(ns))
        return "unknown";
    return (ns > 0 ? "+" : "") + timeText(std::llround(ns));
}

std::string partText(const PartChange& change)
{
    return std::string(partName(change.part)) + ", " + signedTimeText(change.ns.difference())
        + " per step (interval " + signedTimeText(change.ns.low) + " to " + signedTimeText(change.ns.high)
        + ")";
}

/// Whether an exceeded limit is one of time, which the parts of a step make up.
bool isOfTime(const RunGate& gate)
{
    return std::any_of(gate.limits.begin(), gate.limits.end(), [](const LimitVerdict& verdict) {
        const std::string_view unit = verdict.limit.metric.unit;
        return verdict.state == LimitState::Exceeded && (unit == "s" || unit == "ms" || unit == "us");
    });
}

std::string blameText(const RunGate& gate)
{
    if (gate.parts.empty())
        return "To blame: unknown. " + printableLine(gate.whyNoParts) + "\n";
    const PartChange* const blamed = gate.blamed();
    if (!blamed)
        return "No part of the typical step grew by more than the steps scatter.\n";
    std::string text
        = (isOfTime(gate) ? "To blame: " : "Of the step, this grew most: ") + partText(*blamed) + ".";
    if (blamed->part == Part::Waiting)
        text += " The findings of the test may say for which rank.";
    text += "\n";
    for (const PartChange& change : gate.parts) {
        if (change.isGrowth() && &change != blamed)
            text += "Grew as well: " + partText(change) + ".\n";
    }
    return text;
}

Value limitValue(const LimitVerdict& verdict)
{
    Value steps;
    if (verdict.steps)
        steps = Value::Object{
            {"baseline_mean", verdict.steps->base},
            {"test_mean", verdict.steps->test},
            {"change_percent", verdict.percent ? numberOrNull(verdict.percent->measured) : Value()},
            {"low_percent", verdict.percent ? numberOrNull(verdict.percent->low) : Value()},
            {"high_percent", verdict.percent ? numberOrNull(verdict.percent->high) : Value()},
            {"effective", verdict.steps->effectiveSteps}};
    return Value::Object{
        {"metric", verdict.name()},
        {"unit", verdict.limit.metric.unit},
        {"limit_percent", verdict.limit.isOnGrowth ? verdict.limit.percent : -verdict.limit.percent},
        {"verdict", limitStateName(verdict.state)},
        {"reason", verdict.reason},
        {"baseline", numberOrNull(verdict.base)},
        {"test", numberOrNull(verdict.test)},
        {"change_percent", numberOrNull(verdict.wholePercent)},
        {"baseline_steps", static_cast<std::int64_t>(verdict.baseSteps)},
        {"test_steps", static_cast<std::int64_t>(verdict.testSteps)},
        {"typical_step", std::move(steps)},
        {"notes", textsValue(verdict.notes)}};
}

Value partValue(const PartChange& change)
{
    return Value::Object{{"part", partName(change.part)},
                         {"baseline_ns", nsOrNull(change.ns.base)},
                         {"test_ns", nsOrNull(change.ns.test)},
                         {"change_ns", differenceOrNull(nsOrNull(change.ns.base), nsOrNull(change.ns.test))},
                         {"low_ns", nsOrNull(change.ns.low)},
                         {"high_ns", nsOrNull(change.ns.high)},
                         {"grew_beyond_noise", change.isGrowth()}};
}

} // namespace

std::string gateText(const RunGate& gate)
{
    const LimitState state = gate.state();
    std::string text = headText(gate) + "\n\n" + limitsText(gate) + "\n";
    if (state == LimitState::Exceeded)
        text += blameText(gate);
    for (const std::string& note : gate.notes)
        text += "Note: " + printableLine(note) + "\n";
    return text
        + "Noise: of the steps of these two runs. What differs from one run to the next is not in it. The "
          "intervals of all limits hold together with 99 % confidence, and so do those of the parts.\n";
}

std::string unknownLimitsText(const RunGate& gate)
{
    std::string text;
    for (const LimitVerdict& verdict : gate.limits) {
        if (verdict.state == LimitState::Unknown)
            text += (text.empty() ? "" : " ") + verdict.name() + ": " + verdict.reason;
    }
    return text;
}

Value gateValue(const RunGate& gate, Value base, Value test)
{
    Value::Array limits, parts;
    for (const LimitVerdict& verdict : gate.limits)
        limits.push_back(limitValue(verdict));
    for (const PartChange& change : gate.parts)
        parts.push_back(partValue(change));
    const PartChange* const blamed = gate.state() == LimitState::Exceeded ? gate.blamed() : nullptr;
    return Value::Object{{"schema", "collscope.gate/1"},
                         {"verdict", gateVerdictWord(gate.state())},
                         {"baseline", std::move(base)},
                         {"test", std::move(test)},
                         {"confidence", gateConfidence},
                         {"limits", std::move(limits)},
                         {"blamed", blamed ? Value(partName(blamed->part)) : Value()},
                         {"parts", std::move(parts)},
                         {"why_no_parts", gate.parts.empty() ? Value(gate.whyNoParts) : Value()},
                         {"notes", textsValue(gate.notes)}};
}

} // namespace collscope
