// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/gate/run_gate.h"

#include "metrics/comparison/compared_step_work.h"
#include "metrics/reports/described_work.h"
#include "model/text/rank_ranges.h"

#include <algorithm>

namespace collscope {

namespace {

/// The interval of one of several, so that all of them hold with the confidence of the gate.
double confidenceOfEach(std::size_t count)
{
    return 1 - (1 - gateConfidence) / static_cast<double>(std::max<std::size_t>(count, 1));
}

/// Why values of the two runs are values of different things; empty if nothing shows that.
std::string whyNotComparable(const GatedRun& base, const GatedRun& test)
{
    if (!base.ranks.empty() && !test.ranks.empty() && base.ranks != test.ranks)
        return "The runs have different ranks (" + rankRangesText(base.ranks) + " and "
            + rankRangesText(test.ranks) + "): select one that both have, or record the same ranks.";
    const std::string described = describedDifference(base.work.values.described, test.work.values.described);
    return described.empty()
        ? described
        : "The descriptions of the runs state different work per step: " + described + ".";
}

/// "40 steps (11 to 50)".
std::string stepsText(const std::vector<std::int64_t>& steps)
{
    std::string text = countText(static_cast<std::int64_t>(steps.size()), "step");
    if (!steps.empty())
        text += " (" + std::to_string(*std::min_element(steps.begin(), steps.end())) + " to "
            + std::to_string(*std::max_element(steps.begin(), steps.end())) + ")";
    return text;
}

void noteDifferences(const GatedRun& base, const GatedRun& test, std::vector<std::string>& notes)
{
    if (base.steps != test.steps)
        notes.push_back("The baseline has " + stepsText(base.steps) + " in its window, the test "
                        + stepsText(test.steps) + ".");
    if (!base.device.empty() && !test.device.empty() && base.device != test.device)
        notes.push_back("The GPUs differ: " + base.device + " and " + test.device + ".");
    if (!base.knowsWork || !test.knowsWork) {
        notes.emplace_back("Whether both runs run the same kernels and calls per step is not compared: that "
                           "needs GPU events and "
                           "marked steps of both.");
        return;
    }
    const ComparedStepWork work = comparedStepWork(base.work, test.work);
    switch (work.verdict) {
    case ComparedStepWork::Verdict::Unequal: // the reason of every verdict
        break;
    case ComparedStepWork::Verdict::Unknown:
        notes.push_back("The runs may do different work per step, because " + work.difference
                        + ". A verdict assumes that they do the same.");
        break;
    case ComparedStepWork::Verdict::Described:
        if (!work.difference.empty())
            notes.push_back("The descriptions of both runs state the same batch, but " + work.difference
                            + ".");
        break;
    case ComparedStepWork::Verdict::Counted:
        notes.emplace_back("It is not recorded whether the batch is the same; a verdict assumes that it is.");
        break;
    }
}

void noteWarnings(const GatedRun& base, const GatedRun& test, std::vector<std::string>& notes)
{
    for (const std::string& warning : base.warnings) {
        const bool isOfBoth
            = std::find(test.warnings.begin(), test.warnings.end(), warning) != test.warnings.end();
        notes.push_back((isOfBoth ? "Both runs: " : "The baseline: ") + warning);
    }
    for (const std::string& warning : test.warnings) {
        if (std::find(base.warnings.begin(), base.warnings.end(), warning) == base.warnings.end())
            notes.push_back("The test: " + warning);
    }
}

/// Waits that only one run knows would look like a change.
StepPartValues withoutWaits(StepPartValues values)
{
    std::vector<double>& waiting = values.ns[static_cast<std::size_t>(Part::Waiting)];
    std::vector<double>& communication = values.ns[static_cast<std::size_t>(Part::Communication)];
    for (std::size_t i = 0; i < waiting.size(); ++i)
        communication[i] += waiting[i];
    waiting.clear();
    values.areWaitsKnown = false;
    return values;
}

void compareParts(const GatedRun& base, const GatedRun& test, RunGate& gate)
{
    for (const GatedRun* run : {&base, &test}) {
        if (run->parts.stepCount() < fewestGateSteps) {
            gate.whyNoParts = "The run " + run->label + " has "
                + countText(static_cast<std::int64_t>(run->parts.stepCount()), "step")
                + " that all ranks mark and do GPU work in: at least " + std::to_string(fewestGateSteps)
                + " are needed to say which part of a step changed.";
            return;
        }
    }
    const bool areWaitsKnown = base.parts.areWaitsKnown && test.parts.areWaitsKnown;
    const StepPartValues own = areWaitsKnown ? base.parts : withoutWaits(base.parts);
    const StepPartValues other = areWaitsKnown ? test.parts : withoutWaits(test.parts);
    for (std::size_t i = 0; i < partCount; ++i) {
        if (areWaitsKnown || static_cast<Part>(i) != Part::Waiting)
            gate.parts.push_back(
                {static_cast<Part>(i), noisyChange(own.ns[i], other.ns[i], confidenceOfEach(partCount))});
    }
    if (!areWaitsKnown)
        gate.notes.emplace_back("Waits are part of the communication: at least one run does not show them.");
}

} // namespace

GatedRun gatedRun(Analysis& analysis, std::string label, const std::vector<ChangeLimit>& limits)
{
    GatedRun run;
    run.label = run.work.label = std::move(label);
    run.steps = markedStepsOf(analysis);
    const Selection& selection = analysis.allRanks();
    for (const RankWindows& rank : selection.ranks)
        run.ranks.push_back(rank.rank);
    run.warnings = selection.warnings;
    run.device = analysis.workload().deviceName;
    for (const ChangeLimit& limit : limits)
        run.metrics.push_back(stepValues(analysis, limit.metric, run.steps));
    run.parts = stepPartValues(analysis);
    RunValues& work = run.work.values;
    work.described = describedWork(analysis.workload());
    if (!analysis.model().isSummarized() && !analysis.selection().failure) {
        run.knowsWork = !run.steps.empty();
        work.kernels = kernelRows(analysis);
        work.collectiveKinds = collectiveKinds(analysis);
    }
    return run;
}

LimitState RunGate::state() const
{
    LimitState worst = LimitState::Within;
    for (const LimitVerdict& verdict : limits) {
        if (verdict.state == LimitState::Exceeded)
            return LimitState::Exceeded;
        worst = verdict.state == LimitState::Unknown ? LimitState::Unknown : worst;
    }
    return worst;
}

const PartChange* RunGate::blamed() const
{
    const PartChange* most = nullptr;
    for (const PartChange& own : parts) {
        if (own.isGrowth() && (!most || own.ns.difference() > most->ns.difference()))
            most = &own;
    }
    return most;
}

RunGate judgeRuns(const std::vector<ChangeLimit>& limits, const GatedRun& base, const GatedRun& test)
{
    RunGate gate;
    const std::string different = whyNotComparable(base, test);
    for (std::size_t i = 0; i < limits.size(); ++i) {
        LimitVerdict verdict
            = judgeLimit(limits[i], {base.label, base.metrics[i], test.label, test.metrics[i]},
                         confidenceOfEach(limits.size()));
        if (!different.empty()) {
            verdict.state = LimitState::Unknown;
            verdict.reason = different;
        }
        gate.limits.push_back(std::move(verdict));
    }
    noteDifferences(base, test, gate.notes);
    noteWarnings(base, test, gate.notes);
    compareParts(base, test, gate);
    return gate;
}

} // namespace collscope
