// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/source_traits.h"

#include <algorithm>
#include <iterator>

namespace collscope {

namespace {

constexpr SourceTraits sourceRows[] = {
    {.kind = SourceKind::Kineto,
     .name = "kineto",
     .endings = {".json"},
     .holdsTimeline = true,
     .holdsEventObjects = true,
     .countsEvents = true,
     .isRanked = true,
     .isIterated = true},
    {.kind = SourceKind::Nsys,
     .name = "nsys",
     .endings = {".sqlite", ".nsys-rep", ".json"},
     .holdsTimeline = true,
     .countsEvents = true,
     .isRanked = true},
    {.kind = SourceKind::Nvf1,
     .name = "nvf1",
     .endings = {".bin"},
     .countsEvents = true,
     .accompaniesRanks = true},
    {.kind = SourceKind::WorkloadCard, .name = "card", .endings = {".yaml", ".yml"}, .describesJob = true},
    {.kind = SourceKind::TorchTitan, .name = "torchtitan", .endings = {".toml"}, .describesJob = true},
    {.kind = SourceKind::Benchmark, .name = "benchmark", .endings = {".json", ".jsonl"}},
    {.kind = SourceKind::TrainingLog, .name = "training log", .endings = {".log", ".out", ".err"}},
    {.kind = SourceKind::GateLog, .name = "gate log", .endings = {".json"}},
    {.kind = SourceKind::GpuCount, .name = "gpu count", .endings = {"gpu_count.txt"}, .isFigure = true},
    {.kind = SourceKind::MemorySnapshot,
     .name = "pickle",
     .endings = {".pickle"},
     .countsEvents = true,
     .isRanked = true,
     .accompaniesRanks = true},
    {.kind = SourceKind::ExecutionTrace,
     .name = "et",
     .endings = {".json"},
     .countsEvents = true,
     .isRanked = true,
     .accompaniesRanks = true},
    {.kind = SourceKind::Xplane,
     .name = "xplane",
     .endings = {".pb"},
     .holdsTimeline = true,
     .countsEvents = true,
     .isRanked = true},
    {.kind = SourceKind::FlightRecorder,
     .name = "flight recorder",
     .endings = {".pickle", ".pkl", ".json"},
     .numbered = {"rank", "dump_", "fr_trace"},
     .countsEvents = true,
     .tellsOfHang = true},
    {.kind = SourceKind::WatchdogLog,
     .name = "watchdog log",
     .endings = {".log", ".out", ".err", ".txt"},
     .tellsOfHang = true},
    {.kind = SourceKind::NcclRas, .name = "nccl ras", .endings = {".json"}, .tellsOfHang = true},
    {.kind = SourceKind::StackDump, .name = "stack dump", .endings = {".txt", ".log"}, .tellsOfHang = true},
    {.kind = SourceKind::NcclInspector,
     .name = "nccl inspector",
     .endings = {".log", ".jsonl", ".json", ".prom"},
     .countsEvents = true,
     .isWitness = true},
    {.kind = SourceKind::StepLog,
     .name = "step log",
     .endings = {".log", ".out", ".err", ".txt"},
     .countsEvents = true,
     .isWitness = true},
    {.kind = SourceKind::HardwareSamples,
     .name = "hardware samples",
     .endings = {".csv", ".txt", ".log", ".prom"},
     .countsEvents = true,
     .isWitness = true},
    {.kind = SourceKind::SystemLog,
     .name = "system log",
     .endings = {".log", ".txt"},
     .countsEvents = true,
     .isWitness = true},
    {.kind = SourceKind::NcclLog,
     .name = "nccl log",
     .endings = {".log", ".out", ".err", ".txt"},
     .countsEvents = true,
     .isWitness = true},
    {.kind = SourceKind::NcclTests,
     .name = "nccl tests",
     .endings = {".txt", ".log", ".out", ".json"},
     .countsEvents = true,
     .isWitness = true},
    {.kind = SourceKind::Rocprof,
     .name = "rocprof",
     .endings = {".json", ".db"},
     .holdsTimeline = true,
     .countsEvents = true,
     .isRanked = true},
    {.kind = SourceKind::Perfetto,
     .name = "perfetto",
     .endings = {".pftrace", ".perfetto-trace", ".perfetto"},
     .holdsTimeline = true,
     .countsEvents = true,
     .isRanked = true},
};

constexpr bool areSourcesInOrder()
{
    for (std::size_t i = 0; i < std::size(sourceRows); ++i) {
        if (static_cast<std::size_t>(sourceRows[i].kind) != i)
            return false;
    }
    return std::size(sourceRows) == static_cast<std::size_t>(lastSourceKind) + 1;
}
static_assert(areSourcesInOrder(), "each SourceKind has a row, in the order of the enumeration");

} // namespace

std::span<const SourceTraits> allSourceTraits()
{
    return sourceRows;
}

const SourceTraits& sourceTraits(SourceKind kind)
{
    return sourceRows[static_cast<std::size_t>(kind)];
}

std::string_view sourceKindName(SourceKind kind)
{
    return sourceTraits(kind).name;
}

bool isNamedAsInput(std::string_view lowerName)
{
    const std::size_t digits = lowerName.size() - 1 - lowerName.find_last_not_of("0123456789");
    const std::string_view stem = lowerName.substr(0, lowerName.size() - digits);
    const auto endsName = [&](std::string_view ending) {
        return ending.starts_with('.') ? lowerName.ends_with(ending) : !ending.empty() && lowerName == ending;
    };
    const auto isInStem
        = [&](std::string_view part) { return !part.empty() && stem.find(part) != std::string_view::npos; };
    return std::any_of(std::begin(sourceRows), std::end(sourceRows), [&](const SourceTraits& format) {
        const auto& numbered = format.numbered;
        const bool isNumbered = digits > 0 && !numbered.front().empty()
            && (stem.empty() || std::any_of(numbered.begin(), numbered.end(), isInStem));
        return isNumbered || std::any_of(format.endings.begin(), format.endings.end(), endsName);
    });
}

} // namespace collscope
