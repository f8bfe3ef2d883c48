// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/reduced_run.h"

#include "model/partial/fragment_archive.h"
#include "model/readers/run/delivered_parts.h"
#include "model/readers/run/file_identity.h"
#include "model/readers/run/reduced_task.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace collscope {

namespace fs = std::filesystem;

namespace {

Sniff never(std::string_view, std::string_view)
{
    return Sniff::No;
}

Result<TraceFragment> readSection(const SourceFile& file, const ReadContext& context)
try {
    const PartLocation& place = *file.part;
    if (!place.failure.empty())
        return Error{Error::Kind::Io, place.failure, file.path, place.failureOffset};
    const auto bytes = readPartSection(place, context.memoryLeft());
    if (!bytes)
        return bytes.error();
    context.progress(file.bytes);
    if (context.mustStop())
        return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
    auto fragment = unpackFragment(*bytes, storedBytesOf(place), context.memoryLeft());
    if (!fragment)
        return Error{Error::Kind::Format, fragment.error().message, place.file->path()};
    return fragment;
} catch (const LostBytes& lost) {
    return Error{Error::Kind::Io, std::string(lost.what()) + ".", file.path};
}

/// The kind is arbitrary: a section may be of any kind of file.
const ReaderDescriptor sectionReader{"part", "Part of a reduced run", SourceKind::Kineto, never, readSection};

/// Files that are not part of a reduced run.
struct NotReduced
{
    bool (*isMeant)(SourceKind kind);
    Severity severity;
    std::string_view code, text; ///< the text follows their number
};
constexpr NotReduced notReduced[] = {
    {[](SourceKind kind) { return kind == SourceKind::MemorySnapshot; }, Severity::Info,
     "snapshots_not_reduced", " memory snapshots are not part of the reduced run: open them separately."},
    {[](SourceKind kind) { return sourceTraits(kind).tellsOfHang; }, Severity::Info, "hang_not_reduced",
     " files of a job that hung are not part of the reduced run: --batch hang reads them."},
    {[](SourceKind kind) { return sourceTraits(kind).isWitness; }, Severity::Notice, "witnesses_not_reduced",
     " files about the job, its hardware or its network are not part of the reduced run: open them "
     "separately."}};

} // namespace

ReducePlan reducePlan(const LoadPlan& plan, std::uint32_t tasks, Kept kept, std::string version,
                      const Parallel& parallel, const std::stop_token& stop)
{
    ReducePlan run;
    run.version = std::move(version);
    run.paths = plan.paths;
    run.iterationsOffered = plan.iterationsOffered;
    run.problems = plan.problems;
    run.kept = kept;
    run.tasks = tasks;
    std::array<std::size_t, std::size(notReduced)> leftOut{};
    for (const PlannedFile& planned : plan.files) {
        const auto* const row
            = std::find_if(std::begin(notReduced), std::end(notReduced), [&](const auto& kind) {
                  return planned.reader && kind.isMeant(planned.reader->kind);
              });
        if (row != std::end(notReduced)) {
            ++leftOut[static_cast<std::size_t>(row - notReduced)];
            continue;
        }
        ReducePlan::File file;
        file.path = planned.file.path;
        file.identity.bytes = planned.file.bytes;
        file.iteration = planned.file.iteration;
        file.nameRank = planned.file.nameRank;
        file.chosenRank = planned.file.chosenRank;
        file.process = planned.file.process;
        file.isSpare = planned.isSpare;
        file.reader = planned.reader ? planned.reader->id : std::string_view();
        run.files.push_back(std::move(file));
    }
    for (const WreckedFile& wreck : plan.wrecks)
        run.wrecks.push_back({wreck.path, wreck.rank, wreck.why});
    for (std::size_t i = 0; i < leftOut.size(); ++i) {
        if (leftOut[i] > 0)
            run.problems.add(notReduced[i].severity, notReduced[i].code, plan.path, 0,
                             std::to_string(leftOut[i]) + std::string(notReduced[i].text));
    }
    parallel.forEach(run.files.size(), [&](std::size_t file) {
        if (stop.stop_requested())
            return;
        // A file that cannot be read now is refused by its task, with the reason.
        if (auto identity = identityOf(run.files[file].path))
            run.files[file].identity = *identity;
    });
    divideByRank(run);
    return run;
}

bool isReducedRun(const std::string& folder)
{
    std::error_code error;
    if (!fs::is_regular_file(fs::path(folder) / planName, error))
        return false;
    return !partsIn({folder}).empty();
}

Result<LoadPlan> planReduced(const std::string& folder, const LoadOptions& options)
{
    const std::string planFile = (fs::path(folder) / planName).string();
    const auto text = readPlanText(planFile);
    if (!text)
        return Error{text.error().kind, planFile + " " + text.error().message + ".", folder};
    auto run = parsePlan(*text);
    if (!run)
        return Error{run.error().kind, planFile + ": " + run.error().message, folder};
    LoadPlan plan;
    plan.paths = run->paths;
    plan.path = run->paths.empty() ? folder : run->paths.front();
    plan.kernelRules = options.kernelRules;
    plan.given = options.given;
    if (run->version != COLLSCOPE_VERSION)
        return Error{Error::Kind::Format,
                     folder + " was reduced by version " + run->version
                         + " and this is " COLLSCOPE_VERSION ": reduce the run again.",
                     folder};
    std::set<std::int64_t> iterations;
    for (const ReducePlan::File& file : run->files) {
        if (file.iteration >= 0)
            iterations.insert(file.iteration);
    }
    plan.iterationsOffered.assign(iterations.begin(), iterations.end());
    const bool isOther = options.iteration.mode == IterationChoice::Mode::One
        ? iterations.size() != 1 || !iterations.contains(options.iteration.number)
        : options.iteration.mode == IterationChoice::Mode::All
            && iterations.size() < run->iterationsOffered.size();
    if (isOther || options.maxRanks || !options.cardPath.empty() || !options.configPath.empty())
        return Error{Error::Kind::NotFound,
                     "Iteration, ranks, card and configuration of " + folder
                         + " were fixed when it was planned: pass these options to --batch plan.",
                     folder};
    plan.problems = run->problems;
    for (const ReducePlan::Wreck& wreck : run->wrecks)
        plan.wrecks.push_back({wreck.path, wreck.rank, wreck.why});
    plan.recognised = true;
    plan.isFolder = std::none_of(run->files.begin(), run->files.end(), [&](const ReducePlan::File& file) {
        return std::find(run->paths.begin(), run->paths.end(), file.path) != run->paths.end();
    });
    const auto& told = plan.problems.entries();
    plan.isLimited = std::any_of(told.begin(), told.end(),
                                 [](const Diagnostic& problem) { return problem.code == "max_ranks"; });

    const std::uint64_t hash = planHash(*text);
    DeliveredParts delivered({folder}, *run, hash, plan.problems);
    for (auto& [place, section] : delivered.sections()) {
        const ReducePlan::File& file = run->files[place];
        PlannedFile planned{sourceOf(file), &sectionReader};
        planned.file.bytes = section.packedBytes;
        planned.isSpare = file.isSpare;
        planned.file.part = section;
        plan.files.push_back(std::move(planned));
    }
    delivered.reportMissing(plan.problems);
    if (run->kept == Kept::WhatMetricsRead)
        plan.problems.add(
            Severity::Info, "reduced", folder, 0,
            "Read from the parts of " + std::to_string(run->tasks)
                + " tasks, which contain only the data that metrics need: the outermost CPU operators, and "
                  "no arguments. The context menu of a rank's row opens its full trace.");
    if (run->kept == Kept::Summaries && !plan.kernelRules.empty())
        plan.problems.add(
            Severity::Notice, "rules_not_applied", folder, 0,
            "Your rules for kernels were not applied: summaries contain sums by kind of kernel. "
            "Plan the run with --keep metrics for them.");
    if (run->kept == Kept::Summaries) {
        plan.problems.add(Severity::Info, "summarized", folder, 0,
                          "Read from the summaries of " + std::to_string(run->tasks)
                              + " tasks: the sums of each rank and step, and no events. What needs events "
                                "(causes, ranges, bandwidths) is not available.");
    }
    if (plan.files.empty())
        return Error{Error::Kind::NotFound, "No part in " + folder + " belongs to its plan.", folder};
    return plan;
}

} // namespace collscope
