// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/what_if_text.h"

#include "metrics/core/duration_text.h"

#include <cmath>

namespace collscope {

namespace {

std::int64_t whole(double ns)
{
    return std::llround(ns);
}

std::string ranksText(std::size_t ranks)
{
    return countText(static_cast<std::int64_t>(ranks), "rank");
}

} // namespace

std::string changeText(double gainNs, double ofNs)
{
    const double percent = ofNs > 0 ? -100 * gainNs / ofNs : 0;
    const std::string text = percentText(percent);
    const bool isZero = text == "0.0 %" || text == "-0.0 %";
    return isZero ? "0.0 %" : percent > 0 ? "+" + text : text;
}

std::string basisText(const TraceModel& model, const ScenarioAnswer& answer)
{
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    const bool isOne = answer.basis.peers.size() == 1;
    const std::string peers
        = isOne ? "rank " + std::to_string(answer.basis.peers.front()) : ranksText(answer.basis.peers.size());
    const std::string doText = isOne ? " does" : " do";
    if (answer.basis.comparison == PeerBasis::Peers)
        add(peers + doText + " the same work");
    else if (answer.basis.comparison == PeerBasis::GpuOnly)
        add("the GPU of " + peers + doText + " the same work; the CPU's work is not compared");
    else if (answer.basis.comparison == PeerBasis::Segments)
        add("by segments: " + peers + doText + " other work between the same collectives");
    if (answer.basis.isBound)
        add("at most");
    const bool comparesRanks = answer.basis.comparison != PeerBasis::None;
    if (answer.basis.leavesOutRanks)
        add(comparesRanks ? "ranks whose calls are not in the traces are not compared"
                          : "if ranks whose calls are not in the traces gained as much");
    constexpr double leastShare = 0.01; // shorter ones do not change the answer
    if (answer.basis.uncomparedTransfersNs >= leastShare * answer.stepNs)
        add("transfers (" + timeText(whole(answer.basis.uncomparedTransfersNs))
            + ") are not compared: every rank that could show how long they take is in the same "
              "group");
    if (!answer.evidence.empty() && answer.gainNs > 0) {
        const ScenarioEvidence& first = answer.evidence.front();
        add("most: " + quotedName(model.nameOf(first.slice)) + " on rank " + std::to_string(first.rank));
    }
    return text;
}

std::string replayText(const WhatIfReplay& replay)
{
    const double unexplained
        = replay.path().share(PathPart::Unexplained) + replay.path().share(PathPart::HiddenInGraphs);
    return "Replay of " + replay.window() + ", " + ranksText(replay.run().ranks.size()) + ": "
        + timeText(whole(replay.replayedNs())) + ", measured " + timeText(whole(replay.measuredNs()))
        + " (strict error " + percentText(100 * replay.strictError()) + ", at most "
        + percentText(100 * replay.largestStrictError()) + "); " + percentText(100 * (1 - unexplained))
        + " of the longest chain explained.";
}

std::string gateValueText(const Gate& gate)
{
    constexpr double nsPerUs = 1000;
    return gate.id == GateId::Clocks ? timeText(whole(gate.value * nsPerUs)) : percentText(gate.value);
}

} // namespace collscope
