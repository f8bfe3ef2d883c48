// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The ranks, timelines and windows that a metric counts.

#include "metrics/core/metric.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// One rank for a metric: its timelines (one per iteration) and the windows to count in each.
struct RankWindows
{
    std::int32_t rank = 0;
    struct Part
    {
        const Timeline* timeline = nullptr;
        std::vector<Step> steps; ///< the steps (or the range) to count
    };
    std::vector<Part> parts;

    std::int64_t stepCount() const;
    std::int64_t windowNs() const; ///< sum of the windows' lengths
};

/// Window name of runs without step markers.
constexpr std::string_view wholeTraceWindowName = "whole trace";
/// Warning about runs without step markers.
constexpr std::string_view noStepsWarning = "No step markers were found: the window is the whole trace.";
/// Warning if some files have step markers and others do not.
constexpr std::string_view unmarkedFilesWarning
    = "Some files have no step markers: each of them counts as one step.";

/// The selection for a timeline metric, or the result to return instead (with a reason).
struct Selection
{
    std::vector<RankWindows> ranks;
    std::string source; ///< "kineto", "nsys", "kineto+nsys"
    std::string window; ///< "inner steps", ...
    std::string scope;
    std::vector<std::string> warnings;
    std::optional<MetricResult> failure;
    bool isOfCpu = false; ///< withCalls() of a run on CPUs: a CPU backend ran the collectives

    /// Noun for its calls in sentences.
    std::string_view callsText() const
    {
        return isOfCpu ? "collectives on the CPU" : "communication kernels";
    }
};
/// "rank 3", "8 ranks".
std::string scopeOf(const std::vector<RankWindows>& ranks);

} // namespace collscope
