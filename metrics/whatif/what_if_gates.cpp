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
    Gate gate{.id = "strict_error", .text = "error of the replay", .percent = 100 * input.strictError};
    gate.verdict = verdictOf(gate.percent, good, rough);
    if (100 * input.largestStrictError > roughStep)
        gate.verdict = GateVerdict::Refused;
    if (gate.verdict == GateVerdict::Refused)
        gate.reason = "The replay is off by " + percentText(gate.percent) + " on average, and by "
            + percentText(100 * input.largestStrictError)
            + " in one step: much of what the run waited for is not in the trace.";
    return gate;
}

Gate pathGate(const GateInput& input)
{
    constexpr double good = 5;
    constexpr double rough = 15;
    Gate gate{.id = "unexplained",
              .text = "unexplained on the longest chain",
              .percent = 100 * input.unexplainedShare};
    gate.verdict = verdictOf(gate.percent, good, rough);
    if (gate.verdict == GateVerdict::Refused)
        gate.reason = percentText(gate.percent)
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
    Gate gate{.id = "matched", .text = "communication time in matched collectives", .percent = matched};
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
    Gate gate{.id = "absent", .text = "waits for ranks without a trace", .percent = 100 * input.absentShare};
    gate.isAlone = input.isAlone;
    gate.verdict = input.lacksStages ? GateVerdict::Refused : verdictOf(gate.percent, good, rough);
    if (input.lacksStages)
        gate.reason
            = "Ranks of tensor- or pipeline-parallel groups have no trace. What they were waited for cannot "
              "be seen.";
    else if (gate.verdict == GateVerdict::Refused)
        gate.reason
            = "Another rank, without a trace, is waited for: " + percentText(gate.percent) + " of the step.";
    return gate;
}

Gate launchGate(const GateInput& input)
{
    constexpr double good = 10;
    constexpr double rough = 40;
    const double launched = percentOf(static_cast<double>(input.counts.launched),
                                      static_cast<double>(input.counts.activities), 100);
    Gate gate{.id = "launched", .text = "GPU work whose launch is in the trace", .percent = launched};
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
    Gate gate{.id = "idle_explained",
              .text = "idle time of the GPUs that is explained",
              .percent = 100 - unexplained};
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
    Gate gate{.id = "clocks",
              .text = "clocks of the ranks agree to",
              .percent = static_cast<double>(input.clockResidualNs) / nsPerUs};
    gate.verdict = verdictOf(gate.percent, good, rough);
    // Ranks meet in collectives: clocks only say how far apart they begin.
    if (gate.verdict == GateVerdict::Refused
        && static_cast<double>(input.clockResidualNs) <= largestShare * input.stepNs)
        gate.verdict = GateVerdict::Rough;
    if (gate.verdict == GateVerdict::Refused)
        gate.reason = "The clocks of the ranks agree only to " + timeText(input.clockResidualNs)
            + ", which is much of a step.";
    return gate;
}

} // namespace

std::string_view gateVerdictName(GateVerdict verdict)
{
    constexpr std::string_view names[] = {"good", "rough", "refused"};
    return names[static_cast<std::size_t>(verdict)];
}

std::vector<Gate> gatesOf(const GateInput& input)
{
    std::vector<Gate> gates{errorGate(input), pathGate(input), launchGate(input), idleGate(input),
                            absentGate(input)};
    if (input.ranks > 1) {
        gates.push_back(matchGate(input));
        gates.push_back(clockGate(input));
    }
    return gates;
}

} // namespace collscope
