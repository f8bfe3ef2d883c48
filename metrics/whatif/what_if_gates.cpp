// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// When a replay answers. A small error of the replay proves nothing by itself: a graph that takes every wait
// for work replays exactly, and predicts nonsense. So what counts is also how much is explained.

#include "metrics/core/duration_text.h"
#include "metrics/whatif/what_if_replay.h"

namespace collscope {

namespace {

/// Lower is better.
GateVerdict verdictOf(double value, double good, double rough)
{
    return value <= good ? GateVerdict::Good : value <= rough ? GateVerdict::Rough : GateVerdict::Refused;
}

double percentOf(double part, double whole, double ofNothing)
{
    return whole > 0 ? 100 * part / whole : ofNothing;
}

Gate errorGate(const GateInput& input)
{
    constexpr double good = 3.3;
    constexpr double rough = 5;
    constexpr double roughStep = 15;
    Gate gate{.id = GateId::StrictError, .text = "error of the replay", .value = 100 * input.strictError};
    gate.verdict = verdictOf(gate.value, good, rough);
    if (100 * input.largestStrictError > roughStep)
        gate.verdict = GateVerdict::Refused;
    if (gate.verdict == GateVerdict::Refused)
        gate.reason = "The replay is off by " + percentText(gate.value) + " on average, and by "
            + percentText(100 * input.largestStrictError)
            + " in one step: much of what the run waited for is not in the trace.";
    return gate;
}

Gate pathGate(const GateInput& input)
{
    constexpr double good = 5;
    constexpr double rough = 15;
    Gate gate{.id = GateId::Unexplained,
              .text = "unexplained on the longest chain",
              .value = 100 * input.unexplainedShare};
    gate.verdict = verdictOf(gate.value, good, rough);
    if (gate.verdict == GateVerdict::Refused)
        gate.reason = percentText(gate.value)
            + " of the longest chain are waits that the trace does not explain, or work inside CUDA graphs "
              "that it "
              "does not show.";
    return gate;
}

Gate matchGate(const GateInput& input)
{
    constexpr double good = 2;
    constexpr double rough = 10;
    const double matched = percentOf(static_cast<double>(input.counts.matchedNs),
                                     static_cast<double>(input.counts.communicationNs), 100);
    Gate gate{.id = GateId::Matched, .text = "communication time in matched collectives", .value = matched};
    gate.verdict = verdictOf(100 - matched, good, rough);
    if (gate.verdict == GateVerdict::Refused)
        gate.reason = "Only " + percentText(matched)
            + " of the communication time is in collectives that could be matched over the ranks, so that it "
              "is "
              "not known who waited for whom.";
    return gate;
}

Gate absentGate(const GateInput& input)
{
    constexpr double good = 0.5;
    constexpr double rough = 2;
    Gate gate{.id = GateId::Absent,
              .text = "varying waits for calls that the traces lack",
              .value = 100 * input.absentShare};
    gate.verdict = input.lacksStages ? GateVerdict::Refused : verdictOf(gate.value, good, rough);
    if (input.lacksStages)
        gate.reason
            = "Calls of ranks in tensor- or pipeline-parallel groups are not in the traces, or could not be "
              "matched. What these ranks were waited for cannot be seen.";
    else if (gate.verdict == GateVerdict::Refused)
        gate.reason = "Ranks wait for calls that are not in the traces, or could not be matched: "
            + percentText(gate.value) + " of the step.";
    return gate;
}

Gate launchGate(const GateInput& input)
{
    constexpr double good = 10;
    constexpr double rough = 40;
    const double launched = percentOf(static_cast<double>(input.counts.launched),
                                      static_cast<double>(input.counts.activities), 100);
    Gate gate{.id = GateId::Launched, .text = "GPU work whose launch is in the trace", .value = launched};
    gate.verdict = verdictOf(100 - launched, good, rough);
    if (gate.verdict == GateVerdict::Refused)
        gate.reason = "The trace contains the launches of only " + percentText(launched)
            + " of the GPU work, so that what the CPU changes is not known.";
    return gate;
}

Gate idleGate(const GateInput& input)
{
    constexpr double good = 10;
    constexpr double rough = 40;
    const double unexplained = percentOf(static_cast<double>(input.counts.unexplainedIdleNs),
                                         static_cast<double>(input.counts.idleNs), 0);
    Gate gate{.id = GateId::IdleExplained,
              .text = "idle time of the GPUs that is explained",
              .value = 100 - unexplained};
    gate.verdict = verdictOf(unexplained, good, rough);
    // Where the GPUs are hardly idle, it does not matter why.
    constexpr double little = 0.05;
    const bool isLittle = static_cast<double>(input.counts.unexplainedIdleNs)
        <= little * static_cast<double>(input.counts.spanNs);
    if (isLittle)
        gate.verdict = std::min(gate.verdict, GateVerdict::Rough);
    if (gate.verdict == GateVerdict::Refused)
        gate.reason = "Only " + percentText(100 - unexplained)
            + " of the idle time of the GPUs is explained by what the trace shows.";
    return gate;
}

Gate clockGate(const GateInput& input)
{
    constexpr double good = 20;
    constexpr double rough = 100;
    constexpr double nsPerUs = 1000;
    constexpr double largestShare = 0.05;
    Gate gate{.id = GateId::Clocks,
              .text = "clocks of the ranks agree to",
              .value = static_cast<double>(*input.clockResidualNs) / nsPerUs};
    gate.verdict = verdictOf(gate.value, good, rough);
    // Ranks meet in collectives: clocks only say how far apart they begin.
    if (gate.verdict == GateVerdict::Refused
        && static_cast<double>(*input.clockResidualNs) <= largestShare * input.stepNs)
        gate.verdict = GateVerdict::Rough;
    if (gate.verdict == GateVerdict::Refused)
        gate.reason = "The clocks of the ranks agree only to " + timeText(*input.clockResidualNs)
            + ", which is much of a step.";
    return gate;
}

} // namespace

std::string_view gateVerdictName(GateVerdict verdict)
{
    constexpr std::string_view names[] = {"good", "rough", "refused"};
    return names[static_cast<std::size_t>(verdict)];
}

std::string_view gateName(GateId id)
{
    constexpr std::string_view names[]
        = {"strict_error", "unexplained", "launched", "idle_explained", "absent", "matched", "clocks"};
    return names[static_cast<std::size_t>(id)];
}

/// Without measures of what does not occur: all of nothing is not good.
std::vector<Gate> gatesOf(const GateInput& input)
{
    std::vector<Gate> gates{errorGate(input), pathGate(input), launchGate(input)};
    if (input.counts.idleNs > 0)
        gates.push_back(idleGate(input));
    if (input.counts.communicationNs > 0)
        gates.push_back(absentGate(input));
    if (input.counts.communicationNs > 0 && input.ranks > 1)
        gates.push_back(matchGate(input));
    if (input.clockResidualNs && input.ranks > 1)
        gates.push_back(clockGate(input));
    return gates;
}

} // namespace collscope
