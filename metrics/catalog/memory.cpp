// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Device memory from CUDA memory snapshots or the profiler's `[memory]` events. Without either, no value is
// estimated.

#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "metrics/memory/allocations.h"
#include "metrics/memory/profiled.h"
#include "metrics/memory/replay.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

/// One GPU of one rank.
struct RankDevice
{
    const MemorySnapshot* snapshot = nullptr;
    const MemoryDevice* device = nullptr;
};

std::string ranksText(const std::vector<const MemorySnapshot*>& snapshots)
{
    std::string text;
    for (const MemorySnapshot* snapshot : snapshots)
        text.append(text.empty() ? "" : ", ").append(std::to_string(snapshot->rank));
    return text;
}

std::string bytesText(std::int64_t bytes)
{
    constexpr double mebibyte = 1024.0 * 1024.0;
    constexpr double hundredths = 100;
    return numberText(std::round(static_cast<double>(bytes) / mebibyte * hundredths) / hundredths) + " MiB";
}

/// Why no snapshot can be read, for the run or for the selected rank.
MetricResult noSnapshot(Analysis& analysis)
{
    const auto others = memorySnapshots(analysis.model());
    if (!others.empty())
        return MetricResult::missingInput(
            "No memory snapshot of rank " + std::to_string(analysis.options().rank.value_or(0))
            + " was found; snapshots exist for " + (others.size() == 1 ? "rank " : "ranks ")
            + ranksText(others) + ".");
    for (const Diagnostic& problem : analysis.model().problems.entries()) {
        if (problem.code == "unreadable" && problem.file.find(".pickle") != std::string::npos)
            return MetricResult::missingInput("The CUDA memory snapshot " + problem.file
                                              + " could not be read: " + problem.explanation);
    }
    const auto host = profiledPeak(analysis) ? std::nullopt : profiledHostPeak(analysis);
    if (host) {
        const std::string found
            = "The profiler's [memory] events (profile_memory=True) cover host memory only"
            + (*host > 0 ? ": a rank had at most " + bytesText(static_cast<std::int64_t>(*host))
                       + " of host memory allocated"
                         : std::string())
            + ". This metric covers GPU memory, which requires a CUDA memory snapshot.";
        return isCpuRun(analysis.model(), analysis.allRanks().ranks) ? MetricResult::notApplicable(found)
                                                                     : MetricResult::missingInput(found);
    }
    if (isCpuRun(analysis.model(), analysis.allRanks().ranks))
        return withoutGpuWork(analysis.model(), analysis.allRanks().ranks);
    return MetricResult::missingInput(
        "No CUDA memory snapshot was found. This metric needs "
        "memory_snapshot/iteration_<n>/rank<r>_memory_snapshot.pickle, as written by "
        "torch.cuda.memory._dump_snapshot. Peak memory, reserved memory and fragmentation are also available "
        "if the profiler ran with profile_memory=True.");
}

std::string nameOf(const RankDevice& own)
{
    return "rank " + std::to_string(own.snapshot->rank) + ", GPU " + std::to_string(own.device->device);
}

std::vector<RankDevice> devicesOf(Analysis& analysis)
{
    std::vector<RankDevice> devices;
    for (const MemorySnapshot* snapshot : memorySnapshots(analysis.model(), analysis.options().rank)) {
        for (const MemoryDevice& device : snapshot->devices)
            devices.push_back({snapshot, &device});
    }
    return devices;
}

/// Result with the parts that the memory metrics share: window, source, scope, reduction and warnings.
MetricResult resultOf(Analysis& analysis, const std::vector<RankDevice>& devices, bool isMost)
{
    const auto snapshots = memorySnapshots(analysis.model(), analysis.options().rank);
    MetricResult result;
    result.state = MetricState::Value;
    result.window = "snapshot";
    result.source = "pickle";
    result.scope = snapshots.size() == 1 ? "rank " + std::to_string(snapshots.front()->rank)
                                         : std::to_string(snapshots.size()) + " ranks";
    result.reduction = snapshots.size() == 1 ? "one rank" : isMost ? "max of ranks" : "min of ranks";
    if (devices.size() > snapshots.size())
        result.reduction += isMost ? ", max of its GPUs" : ", min of its GPUs";
    const auto rank = analysis.options().rank;
    const std::vector<MemorySnapshot>& all = analysis.model().memory;
    const auto ofRanks = static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(),
                      [rank](const MemorySnapshot& snapshot) { return !rank || snapshot.rank == *rank; }));
    if (const std::size_t skipped = ofRanks - snapshots.size(); skipped > 0)
        result.warnings.push_back(countText(static_cast<std::int64_t>(skipped), "more snapshot")
                                  + " of the same ranks found: the last one of each rank is used.");
    for (const MemorySnapshot* snapshot : snapshots) {
        if (snapshot->isCutOff)
            result.warnings.push_back("The snapshot of rank " + std::to_string(snapshot->rank)
                                      + " is truncated: its events do not reach its end, so peaks are lower "
                                        "bounds (memory allocated at the snapshot).");
    }
    return result;
}

/// Sets the value of each rank and of the run: the worst GPU determines its rank's value, the worst rank the
/// run's.
void setWorst(MetricResult& result, const std::vector<RankDevice>& devices,
              const std::vector<std::optional<double>>& values, bool isMost)
{
    Value::Object perDevice;
    const RankDevice* worst = nullptr;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        if (!values[i])
            continue;
        perDevice.emplace_back(nameOf(devices[i]), *values[i]);
        const auto isWorse = [&](double other) { return isMost ? *values[i] > other : *values[i] < other; };
        if (!result.rows.empty() && result.rows.back().rank == devices[i].snapshot->rank) {
            if (isWorse(result.rows.back().value))
                result.rows.back().value = *values[i];
        } else {
            result.rows.push_back({devices[i].snapshot->rank, std::nullopt, *values[i]});
        }
        if (!result.value || isWorse(*result.value)) {
            result.value = *values[i];
            worst = &devices[i];
        }
    }
    if (worst && devices.size() > 1)
        result.inputs.push_back("The worst of " + std::to_string(devices.size()) + " GPUs is "
                                + nameOf(*worst) + ".");
    result.details.emplace_back("per_device", std::move(perDevice));
}

/// The five call stacks with the most allocated bytes at a place, for output without a GUI.
Value::Array topAt(const TraceModel& model, const RankDevice& own, std::size_t place)
{
    constexpr std::size_t most = 5;
    Value::Array top;
    for (const StackUse& use : usesAt(allocationsOf(*own.snapshot, *own.device), place)) {
        if (top.size() == most)
            break;
        top.emplace_back(Value::Object{{"bytes", use.bytes},
                                       {"allocations", static_cast<std::int64_t>(use.count)},
                                       {"where", stackText(model, *own.snapshot, use.stack)}});
    }
    return top;
}

MetricResult memoryPeak(Analysis& analysis)
{
    const std::vector<RankDevice> devices = devicesOf(analysis);
    if (devices.empty())
        return profiledPeak(analysis).value_or(noSnapshot(analysis));
    MetricResult result = resultOf(analysis, devices, true);
    std::vector<std::optional<double>> values;
    std::optional<RankDevice> worst;
    std::size_t worstPlace = 0;
    std::int64_t most = -1;
    std::int64_t active = 0, reserved = 0;
    for (const RankDevice& own : devices) {
        const MemoryLevels levels = memoryLevels(*own.device, !own.snapshot->isCutOff);
        const std::size_t place = peakOf(levels.allocated);
        const std::int64_t peak = levels.allocated[place];
        values.emplace_back(static_cast<double>(peak));
        active = std::max(active, levels.active[peakOf(levels.active)]);
        reserved = std::max(reserved, levels.reserved[peakOf(levels.reserved)]);
        if (*std::min_element(levels.allocated.begin(), levels.allocated.end()) < 0)
            result.warnings.push_back("The events of " + nameOf(own)
                                      + " free more memory than was allocated: some events are missing, and "
                                        "the peak may be too low.");
        if (own.device->events.size() == 0)
            result.warnings.push_back("The snapshot of " + nameOf(own)
                                      + " has no events (memory history was not recorded): its peak is a "
                                        "lower bound, the memory allocated at the snapshot.");
        if (peak > most) {
            most = peak;
            worst = own;
            worstPlace = place;
        }
    }
    setWorst(result, devices, values, true);
    const MemoryEvents& events = worst->device->events;
    result.details.emplace_back("peak_active_bytes", active);
    result.details.emplace_back("peak_reserved_bytes", reserved);
    result.details.emplace_back("allocated_at_snapshot_bytes", worst->device->allocatedBytes());
    result.details.emplace_back("events", static_cast<std::int64_t>(events.size()));
    result.details.emplace_back("alive_at_peak", topAt(analysis.model(), *worst, worstPlace));
    result.inputs.push_back(
        bytesText(most) + " of " + nameOf(*worst) + " "
        + (worst->snapshot->isCutOff                  ? "at the snapshot"
               : worstPlace == 0 && events.size() > 0 ? "before the first recorded event"
               : worstPlace == events.size()
               ? "at the snapshot"
               : "after event " + std::to_string(worstPlace) + " of " + std::to_string(events.size()))
        + ", replayed backwards from " + bytesText(worst->device->allocatedBytes()) + " at the snapshot.");
    if (worst->snapshot->isOnAxis && worstPlace > 0 && worstPlace < events.size())
        result.evidenceRanges.push_back({events.timeNs[worstPlace - 1], events.timeNs[worstPlace]});
    return result;
}

MetricResult memoryReserved(Analysis& analysis)
{
    const std::vector<RankDevice> devices = devicesOf(analysis);
    if (devices.empty())
        return profiledReserved(analysis).value_or(noSnapshot(analysis));
    MetricResult result = resultOf(analysis, devices, true);
    std::vector<std::optional<double>> values;
    MemoryUse all;
    std::int64_t peak = 0;
    for (const RankDevice& own : devices) {
        values.emplace_back(static_cast<double>(own.device->reservedBytes()));
        all += memoryUse(*own.device);
        const MemoryLevels levels = memoryLevels(*own.device, !own.snapshot->isCutOff);
        peak = std::max(peak, levels.reserved[peakOf(levels.reserved)]);
    }
    setWorst(result, devices, values, true);
    result.details.emplace_back("peak_reserved_bytes", peak);
    result.details.emplace_back("segments", static_cast<std::int64_t>(all.segments));
    result.details.emplace_back("private_pool_bytes", all.privatePools);
    result.details.emplace_back("expandable_segment_bytes", all.expandable);
    result.inputs.push_back(std::to_string(all.segments) + " segments with " + bytesText(all.reserved)
                            + " in total; the maximum reserved at one time on one GPU is " + bytesText(peak)
                            + ".");
    return result;
}

/// part / total of each GPU.
template<typename Part>
MetricResult shareOfReserved(Analysis& analysis, bool isMost, Part part, const char* what)
{
    const std::vector<RankDevice> devices = devicesOf(analysis);
    if (devices.empty())
        return noSnapshot(analysis);
    MetricResult result = resultOf(analysis, devices, isMost);
    std::vector<std::optional<double>> values;
    std::map<std::int32_t, MemoryUse> ofRank;
    MemoryUse all;
    const auto share = [&](const MemoryUse& use) {
        return use.reserved > 0
            ? std::optional(static_cast<double>(part(use)) / static_cast<double>(use.reserved))
            : std::nullopt;
    };
    for (const RankDevice& own : devices) {
        const MemoryUse use = memoryUse(*own.device);
        all += use;
        ofRank[own.snapshot->rank] += use;
        values.push_back(share(use));
    }
    if (all.reserved == 0)
        return MetricResult::notApplicable("The snapshot contains no segments: nothing was reserved.");
    setWorst(result, devices, values, isMost);
    // The ratio for several GPUs or ranks is the ratio of their sums; the worst GPU's ratio is a separate
    // detail.
    result.details.emplace_back("worst_gpu", *result.value);
    result.value = share(all);
    if (devices.size() > 1)
        result.reduction = ofRank.size() > 1 ? "pooled over ranks" : "one rank, pooled over its GPUs";
    result.rows.clear();
    for (const auto& [rank, use] : ofRank) {
        if (const auto own = share(use))
            result.rows.push_back({rank, std::nullopt, *own});
    }
    result.details.emplace_back("pooled_over_ranks", *result.value);
    result.details.emplace_back("reserved_bytes", all.reserved);
    result.details.emplace_back("active_bytes", all.active);
    result.details.emplace_back("allocated_bytes", all.allocated);
    if (all.inactive > 0)
        result.details.emplace_back(
            "external_fragmentation",
            1.0 - static_cast<double>(all.largestInactive) / static_cast<double>(all.inactive));
    if (all.allocated > 0)
        result.details.emplace_back("internal_fragmentation",
                                    static_cast<double>(all.allocated - all.requested)
                                        / static_cast<double>(all.allocated));
    result.details.emplace_back("inactive_split_bytes", all.inactiveSplit);
    result.inputs.push_back(bytesText(part(all)) + " " + what + " of " + bytesText(all.reserved)
                            + " reserved, on all GPUs.");
    return result;
}

MetricResult memoryEfficiency(Analysis& analysis)
{
    return shareOfReserved(
        analysis, false, [](const MemoryUse& use) { return use.active; }, "active");
}

MetricResult memoryFragmentation(Analysis& analysis)
{
    if (devicesOf(analysis).empty()) {
        if (auto profiled = profiledFragmentation(analysis))
            return std::move(*profiled);
    }
    return shareOfReserved(
        analysis, true, [](const MemoryUse& use) { return use.reserved - use.allocated; }, "unused");
}

/// Mean number of allocations of the rank's first GPU that start in a counted step; nullopt if the clocks do
/// not allow assigning events to steps.
std::optional<double> allocationsPerStep(Analysis& analysis, const RankDevice& own)
{
    if (!own.snapshot->isOnAxis)
        return std::nullopt;
    std::int64_t steps = 0, found = 0;
    const MemoryEvents& events = own.device->events;
    for (const RankWindows& rank : analysis.selection().ranks) {
        if (rank.rank != own.snapshot->rank)
            continue;
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps) {
                if (step.range.beginNs < events.timeNs.front() || step.range.endNs > events.timeNs.back())
                    continue; // only partly covered by the record
                ++steps;
                for (std::size_t i = placeAt(events, step.range.beginNs);
                     i < placeAt(events, step.range.endNs); ++i)
                    found += events.action[i] == MemoryAction::Alloc ? 1 : 0;
            }
        }
    }
    return steps > 0 ? std::optional(static_cast<double>(found) / static_cast<double>(steps)) : std::nullopt;
}

MetricResult memoryAllocationPattern(Analysis& analysis)
{
    std::vector<RankDevice> devices = devicesOf(analysis);
    if (devices.empty())
        return noSnapshot(analysis);
    std::erase_if(devices, [](const RankDevice& own) {
        const MemoryEvents& events = own.device->events;
        return !own.snapshot->hasTimes || events.size() < 2 || events.timeNs.back() == events.timeNs.front();
    });
    if (devices.empty())
        return MetricResult::notApplicable("The snapshot has no events with times: record them with "
                                           "torch.cuda.memory._record_memory_history().");
    constexpr std::int64_t largestSmall = std::int64_t{1} << 20;
    MetricResult result = resultOf(analysis, devices, true);
    std::vector<std::optional<double>> values;
    std::int64_t allocations = 0, frees = 0, smallOnes = 0;
    std::vector<double> lifetimes, perStep;
    for (const RankDevice& own : devices) {
        const MemoryEvents& events = own.device->events;
        std::int64_t count = 0;
        for (std::size_t i = 0; i < events.size(); ++i) {
            const bool isAlloc = events.action[i] == MemoryAction::Alloc;
            count += isAlloc ? 1 : 0;
            smallOnes += isAlloc && events.bytes[i] <= largestSmall ? 1 : 0;
            frees += events.action[i] == MemoryAction::FreeRequested ? 1 : 0;
        }
        allocations += count;
        values.emplace_back(static_cast<double>(count)
                            / nsToSeconds(events.timeNs.back() - events.timeNs.front()));
        for (const MemoryAllocation& one : allocationsOf(*own.device)) {
            if (one.begin != MemoryAllocation::before && one.freed != MemoryAllocation::never)
                lifetimes.push_back(nsToMs(events.timeNs[one.freed - 1] - events.timeNs[one.begin - 1]));
        }
        if (const auto own1 = allocationsPerStep(analysis, own))
            perStep.push_back(*own1);
    }
    setWorst(result, devices, values, true);
    result.details.emplace_back("allocations", allocations);
    result.details.emplace_back("frees", frees);
    result.details.emplace_back("small_allocations", smallOnes);
    result.details.emplace_back("large_allocations", allocations - smallOnes);
    if (!lifetimes.empty())
        result.details.emplace_back("lifetime_p50_ms", medianOf(std::move(lifetimes)));
    if (!perStep.empty())
        result.details.emplace_back("allocations_per_step", meanOf(perStep));
    result.inputs.push_back(countText(allocations, "allocation") + " and " + countText(frees, "free")
                            + " in the record; " + std::to_string(smallOnes)
                            + " of the allocations are up to 1 MiB.");
    return result;
}

MetricResult memoryAll(Analysis& analysis)
{
    MetricResult result = memoryPeak(analysis);
    if (result.state != MetricState::Value)
        return result;
    Value::Object details;
    const auto add = [&](const char* key, const MetricResult& part) {
        Value::Object own{{"value", orNull(part.value)}};
        own.insert(own.end(), part.details.begin(), part.details.end());
        details.emplace_back(key, std::move(own));
        result.inputs.insert(result.inputs.end(), part.inputs.begin(), part.inputs.end());
    };
    const std::vector<std::string> inputs = std::move(result.inputs);
    result.inputs.clear();
    add("memory_peak", result);
    result.inputs = inputs;
    add("memory_reserved", memoryReserved(analysis));
    add("memory_efficiency", memoryEfficiency(analysis));
    add("memory_fragmentation", memoryFragmentation(analysis));
    add("memory_allocation_pattern", memoryAllocationPattern(analysis));
    result.details = std::move(details);
    return result;
}

constexpr MetricPart memoryParts[] = {
    {.id = "memory_peak",
     .title = "Peak memory",
     .direction = MetricDirection::LowerIsBetter,
     .meaning = "Maximum device memory that tensors occupied at one time.",
     .definition = "maximum of the allocated bytes while replaying the snapshot's trace backwards from its "
                   "end, maximum over ranks",
     .compute = memoryPeak},
    {.id = "memory_reserved",
     .title = "Reserved memory",
     .direction = MetricDirection::LowerIsBetter,
     .meaning = "Device memory reserved by the allocator, used or not.",
     .definition = "sum of total_size of the snapshot's segments, maximum over ranks",
     .compute = memoryReserved},
    {.id = "memory_efficiency",
     .title = "Memory efficiency",
     .unit = "ratio",
     .direction = MetricDirection::HigherIsBetter,
     .meaning = "Share of the reserved memory that is in use.",
     .definition = "active bytes / reserved bytes of the snapshot's segments, as sums over GPUs and ranks; "
                   "details: the worst GPU",
     .compute = memoryEfficiency},
    {.id = "memory_fragmentation",
     .title = "Memory fragmentation",
     .unit = "ratio",
     .direction = MetricDirection::LowerIsBetter,
     .meaning = "Share of the reserved memory that tensors do not use.",
     .definition = "(reserved - allocated bytes) / reserved bytes of the snapshot's segments, as sums over "
                   "GPUs and ranks; details: the worst GPU",
     .compute = memoryFragmentation},
    {.id = "memory_allocation_pattern",
     .title = "Memory allocation pattern",
     .unit = "per second",
     .meaning = "How often memory is allocated and freed, with sizes and lifetimes.",
     .definition = "allocations / time from the first to the last event of the snapshot, maximum over ranks; "
                   "details: frees, sizes (small: up to 1 MiB), median lifetime and allocations per step",
     .compute = memoryAllocationPattern},
};

} // namespace

const MetricDescriptor memoryMetric{
    .id = "memory",
    .title = "Device memory summary",
    .group = "Memory",
    .unit = "bytes",
    .needs = "a CUDA memory snapshot (*.pickle)",
    .meaning
    = "Peak memory, reserved memory, efficiency, fragmentation and allocation pattern in one result.",
    .definition = "the value of memory_peak; the five memory metrics of the snapshots as one object",
    .parts = memoryParts,
    .compute = memoryAll,
};

} // namespace collscope
