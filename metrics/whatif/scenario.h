// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What may take another time in a replay, as the user writes it: "rank=5", "kernels=.*gemm.*:50%",
// "late+bandwidth=2".

#include "metrics/core/event_filter.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace collscope {

enum class ChangeKind : std::uint8_t
{
    Rank, ///< works as fast as its peers
    Late, ///< no rank is slower than usual
    Stages, ///< the stages of the pipeline compute equally long
    Kernels, ///< take another time
    Input, ///< loading takes no time
    Launches, ///< the CPU's work takes no time
    Bandwidth,
    Communication, ///< takes no time
    Overlapped ///< communication is hidden as far as it can be
};
constexpr std::size_t changeKindCount = static_cast<std::size_t>(ChangeKind::Overlapped) + 1;

/// How the user writes a change.
struct ChangeWord
{
    ChangeKind kind;
    std::string_view word; ///< "rank"
    std::string_view form; ///< "rank=R"
    std::string_view meaning; ///< one line
};
/// All of them, for help texts.
std::span<const ChangeWord> changeWords();

struct Change
{
    ChangeKind kind = ChangeKind::Late;
    std::vector<std::int32_t> ranks = {}; ///< Rank: sorted
    std::string host = {}; ///< Rank: all of this host
    EventFilter kernels = {}; ///< Kernels: by their names
    std::string label = {}; ///< Kernels: the one name that the pattern stands for; empty: the user wrote it
    double factor = 1; ///< Kernels: of their duration. Bandwidth: of the bandwidth
    /// Bandwidth, Communication, Overlapped: "tp", "dp", ..., "inside", "across"; empty: everywhere.
    std::string scope = {};
};

struct Scenario
{
    std::string spec; ///< as the user wrote it
    std::vector<Change> changes; ///< in the order of ChangeKind: that of the user does not matter
};

/// A scenario of all changes of several.
Scenario joined(const Scenario& first, const Scenario& second);
/// Kernels of exactly this name in a share of their time. nullopt if the name is too long for a pattern.
std::optional<Scenario> scenarioOfKernel(std::string_view name, int percent);

/// Reads what the user wrote; else what is wrong with it, as a sentence.
std::variant<Scenario, std::string> parseScenario(std::string_view spec);

} // namespace collscope
