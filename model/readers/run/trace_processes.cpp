// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/trace_processes.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace collscope {

namespace {

/// A worker's name and a process id may recur in the next job: a file that is this much later, and whose
/// steps start again, belongs to another job.
constexpr std::int64_t nextJobNs = 15LL * 60 * 1'000'000'000;

/// Files with the same key may belong to one process.
std::string processKey(const PlannedFile& planned)
{
    const TraceFacts& facts = planned.facts;
    const std::string folder = std::filesystem::path(planned.file.path).parent_path().string();
    if (!facts.process.empty())
        return folder + "/" + facts.process;
    if (facts.rank && facts.pid && facts.firstStep && facts.beginNs)
        return folder + "/rank" + std::to_string(*facts.rank) + " pid" + std::to_string(*facts.pid);
    return planned.file.path;
}

/// Whether `next`, later than `before` and of the same key, was written by the same process.
bool goesOn(const PlannedFile& before, const PlannedFile& next)
{
    const TraceFacts& a = before.facts;
    const TraceFacts& b = next.facts;
    if (a.isHostAndPid)
        return true;
    const bool stepsGoOn = a.firstStep && b.firstStep && *a.firstStep < *b.firstStep;
    if (a.process.empty())
        return stepsGoOn;
    const bool stepsAreKnown = a.firstStep && b.firstStep;
    return stepsGoOn || (!stepsAreKnown || b.anyTime().value_or(0) - a.anyTime().value_or(0) <= nextJobNs);
}

void add(TraceProcess& process, const PlannedFile& planned, std::size_t file)
{
    process.files.push_back(file);
    process.rank = rankSaid(planned);
    process.host = planned.facts.host;
    for (const auto& time : {planned.facts.beginNs, planned.facts.writtenNs}) {
        process.beginNs = time ? std::min(process.beginNs, *time) : process.beginNs;
        process.endNs = time ? std::max(process.endNs, *time) : process.endNs;
    }
}

/// Index of the nearest time in `times`.
std::size_t nearest(const std::vector<std::int64_t>& times, std::int64_t time)
{
    std::size_t best = 0;
    for (std::size_t i = 1; i < times.size(); ++i)
        best = std::abs(times[i] - time) < std::abs(times[best] - time) ? i : best;
    return best;
}

} // namespace

std::optional<std::int32_t> rankSaid(const PlannedFile& planned)
{
    if (planned.file.chosenRank)
        return planned.file.chosenRank;
    return planned.facts.rank ? planned.facts.rank : planned.file.nameRank;
}

bool areCopies(const PlannedFile& a, const PlannedFile& b)
{
    return a.file.bytes == b.file.bytes && a.facts.hash == b.facts.hash;
}

std::vector<TraceProcess> traceProcesses(const std::vector<PlannedFile>& files,
                                         const std::vector<std::size_t>& which)
{
    std::map<std::string, std::vector<std::size_t>> byKey;
    for (const std::size_t file : which)
        byKey[processKey(files[file])].push_back(file);
    std::vector<TraceProcess> processes;
    for (auto& [key, own] : byKey) {
        std::stable_sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
            return files[a].facts.anyTime().value_or(0) < files[b].facts.anyTime().value_or(0);
        });
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (i == 0 || !goesOn(files[own[i - 1]], files[own[i]]))
                processes.emplace_back();
            add(processes.back(), files[own[i]], own[i]);
        }
    }
    return processes;
}

void numberCycles(LoadPlan& plan)
{
    std::vector<std::size_t> kineto;
    for (std::size_t i = 0; i < plan.files.size(); ++i) {
        const PlannedFile& planned = plan.files[i];
        if (planned.reader && planned.reader->kind == SourceKind::Kineto && planned.file.iteration < 0)
            kineto.push_back(i);
    }
    std::vector<TraceProcess> processes = traceProcesses(plan.files, kineto);
    for (TraceProcess& process : processes) {
        // A copy is not a cycle.
        const auto isCopy
            = [&](std::size_t a, std::size_t b) { return areCopies(plan.files[a], plan.files[b]); };
        process.files.erase(std::unique(process.files.begin(), process.files.end(), isCopy),
                            process.files.end());
    }
    const auto longest = std::max_element(
        processes.begin(), processes.end(),
        [](const TraceProcess& a, const TraceProcess& b) { return a.files.size() < b.files.size(); });
    if (longest == processes.end() || longest->files.size() < 2)
        return;
    std::vector<std::int64_t> times;
    for (const std::size_t file : longest->files)
        times.push_back(plan.files[file].facts.anyTime().value_or(0));
    std::size_t written = 0;
    std::size_t writers = 0;
    for (const TraceProcess& process : processes) {
        const bool isComplete = process.files.size() == times.size();
        std::size_t next = 0;
        for (const std::size_t file : process.files) {
            if (!plan.files[file].facts.process.empty())
                plan.files[file].file.process = processKey(plan.files[file]);
            const auto time = plan.files[file].facts.anyTime();
            if (!time)
                continue; // the file competes for the iteration that is loaded
            const std::size_t cycle = isComplete ? next : std::max(next, nearest(times, *time));
            next = cycle + 1;
            plan.files[file].file.iteration = static_cast<std::int64_t>(cycle) + 1;
        }
        if (process.files.size() > 1) {
            written += process.files.size();
            ++writers;
        }
    }
    plan.problems.add(
        Severity::Info, "profiler_cycles", plan.path, 0,
        std::to_string(written) + " files are profiler cycles of "
            + (writers == 1 ? std::string("one process") : std::to_string(writers) + " processes")
            + ": they are treated as iterations of their ranks, numbered from 1, and not as ranks.");
}

} // namespace collscope
