// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One GPU in ranges of time, as its samples show it.

#include "model/units.h"
#include "model/witnesses/hardware_record.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace collscope {

/// Samples at fewer different times in a range say nothing about it.
constexpr std::int64_t fewestSamples = 3;

struct GpuState
{
    std::int64_t samples = 0;
    std::int64_t moments = 0; ///< different times of the samples: some tools print whole seconds
    std::int64_t loaded = 0; ///< not known to be idle
    bool isLoadKnown = false; ///< utilisation was sampled
    std::optional<double> clockMhz; ///< median of the loaded samples
    bool areReasonsKnown = false;
    std::int64_t troubled = 0; ///< throttled by heat, hardware or for an unknown reason
    std::int64_t capped = 0; ///< by a power limit
    std::int64_t chosen = 0; ///< clocks that the user set
    std::vector<std::pair<ThrottleReason, std::int64_t>> reasons; ///< and in how many samples, most first
    std::optional<double> temperature; ///< the highest
    std::optional<double> power, powerLimit; ///< median, last

    bool isEnough() const { return moments >= fewestSamples; }
};

/// Rows of a device whose stamps plus `toUtcNs` lie in one of the ranges (ns since the epoch, ascending).
/// O(samples in the ranges + changes).
GpuState gpuStateIn(const HardwareDevice& device, std::int64_t toUtcNs, std::span<const TimeRange> ranges);
/// Over the whole record. Without times, each sample counts as a moment.
GpuState gpuStateOf(const HardwareDevice& device);

/// ", 1 s apart", ", their times 1 s apart" where several samples have the same time; empty if not known.
std::string apartText(const GpuState& state, std::int64_t periodNs);

/// How often a counter rose; a counter that fell started again from 0. nullopt with fewer than two samples of
/// it.
std::optional<double> increaseOf(const HardwareDevice& device, const HardwareSeries& counter);
struct CounterRise
{
    double by = 0;
    /// Set if a sample beside the range is far from it, so that the counter may have risen outside: the times
    /// of the samples compared, in ns since the epoch.
    std::optional<TimeRange> between;
};
/// Likewise between the last sample before the range and the first one after it, or the outermost ones.
/// `isStrict`: samples far from the range are left out.
std::optional<CounterRise> increaseIn(const HardwareDevice& device, const HardwareSeries& counter,
                                      std::int64_t toUtcNs, TimeRange range, bool isStrict);
/// Whether a counter fell more than once: it does not count one device then, or it does not only grow.
/// O(changes).
bool fallsRepeatedly(const HardwareSeries& counter);

/// Reasons that are trouble wherever they appear, as bits.
constexpr std::uint32_t troubleReasons = static_cast<std::uint32_t>(ThrottleReason::HardwareSlowdown)
    | static_cast<std::uint32_t>(ThrottleReason::SoftwareThermal)
    | static_cast<std::uint32_t>(ThrottleReason::HardwareThermal)
    | static_cast<std::uint32_t>(ThrottleReason::PowerBrake)
    | static_cast<std::uint32_t>(ThrottleReason::SomeThermal)
    | static_cast<std::uint32_t>(ThrottleReason::Unnamed);
/// Reasons that most GPUs have under load.
constexpr std::uint32_t powerReasons = static_cast<std::uint32_t>(ThrottleReason::PowerCap)
    | static_cast<std::uint32_t>(ThrottleReason::SomePower);

/// "power cap", "hardware thermal slowdown": for sentences. Names: nvidia-smi --help-query-gpu.
std::string_view reasonText(ThrottleReason reason);

} // namespace collscope
