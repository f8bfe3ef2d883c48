// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/load_trace.h"

#include "model/readers/run/file_reading.h"
#include "model/readers/run/found_runs.h"
#include "model/readers/run/plan_choices.h"
#include "model/readers/run/trace_processes.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

/// A run that loads almost instantly needs no preview.
constexpr std::uint64_t previewBytes = std::uint64_t{48} << 20;

/// Files that all threads read together, one by one, and files that are distributed over the threads.
struct Division
{
    std::vector<std::size_t> oneByOne, together;
};

/// A file with more than one thread's share of the bytes would keep the other threads waiting, so all threads
/// read it together. The other files are sorted longest first, so that the threads finish at about the same
/// time.
Division divide(const LoadPlan& plan, int threads)
{
    std::uint64_t total = 0;
    for (const PlannedFile& planned : plan.files)
        total += planned.file.bytes;
    Division division;
    for (std::size_t i = 0; i < plan.files.size(); ++i) {
        const bool aShare = plan.files[i].file.bytes * static_cast<std::uint64_t>(threads) > total;
        (aShare && threads > 1 ? division.oneByOne : division.together).push_back(i);
    }
    std::stable_sort(division.together.begin(), division.together.end(), [&](std::size_t a, std::size_t b) {
        return plan.files[a].file.bytes > plan.files[b].file.bytes;
    });
    return division;
}

Error nothingReadable(const LoadPlan& plan, const Diagnostics& problems)
{
    std::string message = "Nothing readable was found in " + plan.path
        + ". A run needs at least one of: " + knownFormats()
        + ". Of these, a workload card, a configuration and a number of GPUs only describe the run.";
    int told = 0;
    for (const Diagnostic& problem : problems.entries()) {
        if (problem.severity == Severity::Error || problem.code == "not_recognised"
            || problem.code == "empty_file" || problem.code == "only_zeros" || problem.code == "packed"
            || problem.code == "too_deep") {
            if (++told > 3)
                return {Error::Kind::NotFound, message + " (and more)", plan.path};
            message
                += " " + (problem.file.empty() ? problem.file : problem.file + ": ") + problem.explanation;
        }
    }
    return {Error::Kind::NotFound, message, plan.path};
}

void settleRank(TraceFragment& fragment, const SourceFile& file)
{
    fragment.nameRank = file.nameRank;
    fragment.process = file.process;
    if (!file.chosenRank)
        return;
    fragment.contentRank = file.chosenRank;
    for (Timeline& timeline : fragment.timelines)
        timeline.isRankAssumed = true;
}

/// Records a rank whose file could not be used, and the reason.
void noteWreck(AssembleOptions& options, const PlannedFile& planned, const char* why)
{
    if (const auto rank = rankSaid(planned); rank && isIterated(planned))
        options.wrecks.try_emplace(*rank, why);
}

} // namespace

Status checkOneRun(const LoadPlan& plan)
{
    if (plan.runs.size() < 2)
        return {};
    return Error{Error::Kind::Unsupported, severalRunsText(plan.path, plan.runs), plan.path};
}

namespace {

/// Reads every file of the plan; shows a part of the run early if reading takes a while.
void readAll(const LoadPlan& plan, const LoadContext& context, FileReading& files)
{
    const auto show = [&](TraceFragment&& fragment, std::size_t i) {
        settleRank(fragment, plan.files[i].file);
        applyKernelRules(plan.kernelRules, fragment);
        std::vector<TraceFragment> first;
        first.push_back(std::move(fragment));
        AssembleOptions own{plan.paths, plan.iterationsOffered};
        own.given = plan.given;
        context.preview(assemble(std::move(first), Diagnostics(), own));
    };
    bool previewed = !context.preview;
    const Division division = divide(plan, context.parallel.threads());
    for (const std::size_t i : division.oneByOne) {
        const auto firstLook = [&, i](TraceFragment&& fragment) {
            previewed = true;
            show(std::move(fragment), i);
        };
        files.read(i, context.parallel, previewed ? nullptr : std::function(firstLook));
    }
    // The preview shows the first of the files that are distributed; only its task accesses `previewed`.
    std::uint64_t bytes = 0;
    for (const std::size_t i : division.together)
        bytes += plan.files[i].file.bytes;
    const bool worthAPreview = bytes >= previewBytes
        && division.together.size() > static_cast<std::size_t>(context.parallel.threads());
    context.parallel.forEach(division.together.size(), [&](std::size_t i) {
        const std::size_t file = division.together[i];
        files.read(file, Parallel());
        const Result<TraceFragment>* read = files.result(file);
        if (i == 0 && worthAPreview && !previewed && read && *read && !(*read)->timelines.empty())
            show((*read)->clone(), file);
    });
    files.readRefusedAgain();
}

bool holdsMeasurements(const TraceFragment& fragment)
{
    return !fragment.timelines.empty() || !fragment.nvlink.empty() || !fragment.memory.empty()
        || !fragment.executionTraces.empty() || fragment.hang || fragment.history || fragment.hardware
        || fragment.network || fragment.measurements.measuresAnything();
}

/// The contents of a plan's files.
struct Gathered
{
    std::vector<TraceFragment> fragments;
    bool isReadable = false; ///< at least one file can be shown
    std::uint64_t ruled = 0; ///< kernels classified by the user's rules
};

Gathered gather(const LoadPlan& plan, FileReading& files, AssembleOptions& options, Diagnostics& problems)
{
    Gathered gathered;
    gathered.isReadable = plan.recognised;
    std::string refusal;
    for (std::size_t i = 0; i < plan.files.size(); ++i) {
        const PlannedFile& planned = plan.files[i];
        if (files.wasRefused(i)) {
            refusal = refusal.empty() ? files.refusal() : refusal;
            problems.add(Severity::Error, "memory_limit", planned.file.path, 0, refusal);
            noteWreck(options, planned, "its file did not fit into memory");
            continue;
        }
        Result<TraceFragment>* const read = files.result(i);
        if (!read || !*read) {
            const Error error = read ? read->error() : Error{Error::Kind::Internal, "The file was not read."};
            problems.add(severityOfUnread(planned), "unreadable", planned.file.path, error.offset,
                         error.message);
            if (!planned.isSpare)
                noteWreck(options, planned, "its file cannot be read");
            continue;
        }
        TraceFragment& fragment = **read;
        settleRank(fragment, planned.file);
        gathered.ruled += applyKernelRules(plan.kernelRules, fragment);
        gathered.isReadable |= holdsMeasurements(fragment);
        gathered.fragments.push_back(std::move(fragment));
    }
    return gathered;
}

} // namespace

Result<TraceModelPtr> loadTrace(const LoadPlan& plan, const LoadContext& context)
{
    if (const Status oneRun = checkOneRun(plan); !oneRun)
        return oneRun.error();
    FileReading files(plan, context);
    readAll(plan, context, files);
    if (context.stop.stop_requested())
        return Error{Error::Kind::Cancelled, "Loading was cancelled.", plan.path};

    Diagnostics problems = plan.problems;
    AssembleOptions options{plan.paths, plan.iterationsOffered, true, plan.isFolder, plan.isLimited};
    options.given = plan.given;
    for (const WreckedFile& wreck : plan.wrecks) {
        if (wreck.rank)
            options.wrecks.try_emplace(*wreck.rank, wreck.why);
    }
    Gathered gathered = gather(plan, files, options, problems);
    if (!gathered.isReadable)
        return nothingReadable(plan, problems);
    if (gathered.ruled > 0)
        problems.add(Severity::Info, "kernel_rules", "", 0,
                     std::to_string(gathered.ruled) + " kernels were classified by your kernel name rules.");
    return assemble(std::move(gathered.fragments), std::move(problems), options);
}

} // namespace collscope
