// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/load_trace.h"

#include "model/readers/nsys_rep.h"

#include <algorithm>

namespace collscope {

namespace {

const ReaderDescriptor* readerOf(SourceKind kind)
{
    for (const ReaderDescriptor* reader : allReaders()) {
        if (reader->kind == kind)
            return reader;
    }
    return nullptr;
}

/// A run that loads in the blink of an eye needs no preview.
constexpr std::uint64_t previewBytes = std::uint64_t{48} << 20;

/// Files that all threads read one after the other, and files of which each thread reads some.
struct Division
{
    std::vector<std::size_t> oneByOne, together;
};

/// A file that is more than one thread's share of the bytes would keep the others waiting. Of the rest, the
/// longest come first, so that the threads end at about the same time.
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
    std::string message = "Nothing readable in " + plan.path
        + ": looked for PyTorch profiler JSON (also .gz), Nsight Systems .sqlite, NVF1 .bin files, benchmark "
          "JSON, "
          "gate logs and training logs.";
    int told = 0;
    for (const Diagnostic& problem : problems.entries()) {
        if (problem.severity == Severity::Error || problem.code == "not_recognised"
            || problem.code == "empty_file") {
            if (++told > 3)
                return {Error::Kind::NotFound, message + " (and more)", plan.path};
            message += " " + problem.file + ": " + problem.explanation;
        }
    }
    return {Error::Kind::NotFound, message, plan.path};
}

void settleRank(TraceFragment& fragment, const SourceFile& file)
{
    fragment.nameRank = file.nameRank;
    if (file.chosenRank)
        fragment.contentRank = file.chosenRank;
}

} // namespace

Result<TraceFragment> readPlanned(const PlannedFile& planned, const ReadContext& context)
{
    if (planned.reader)
        return planned.reader->read(planned.file, context);
    auto database = sqliteForNsysReport(planned.file.path, context.cacheFolder, context.cancelled);
    if (!database)
        return database.error();
    SourceFile file = planned.file;
    file.path = *database;
    return readerOf(SourceKind::Nsys)->read(file, context);
}

Result<TraceModelPtr> loadTrace(const LoadPlan& plan, const LoadContext& context)
{
    std::vector<std::optional<Result<TraceFragment>>> results(plan.files.size());
    const auto show = [&](TraceFragment&& fragment, std::size_t i) {
        settleRank(fragment, plan.files[i].file);
        std::vector<TraceFragment> first;
        first.push_back(std::move(fragment));
        context.preview(assemble(std::move(first), Diagnostics(), {plan.paths, plan.iterationsOffered}));
    };
    bool previewed = !context.preview;
    const auto read = [&](std::size_t i, const Parallel& parallel) {
        ReadContext reading;
        reading.cancelled = context.cancelled;
        reading.cacheFolder = context.cacheFolder;
        reading.parallel = parallel;
        if (!previewed && parallel.threads() > 1) {
            reading.firstLook = [&, i](TraceFragment&& fragment) {
                previewed = true;
                show(std::move(fragment), i);
            };
        }
        reading.progress = [&context, i](std::uint64_t done) { context.progress(i, done); };
        if (!context.cancelled())
            results[i] = readPlanned(plan.files[i], reading);
    };
    const Division division = divide(plan, context.parallel.threads());
    for (const std::size_t i : division.oneByOne)
        read(i, context.parallel);
    // The first file of those that are read together is the one to look at; only its body touches
    // `previewed`.
    std::uint64_t bytes = 0;
    for (const std::size_t i : division.together)
        bytes += plan.files[i].file.bytes;
    const bool worthAPreview = bytes >= previewBytes
        && division.together.size() > static_cast<std::size_t>(context.parallel.threads());
    context.parallel.forEach(division.together.size(), [&](std::size_t i) {
        const std::size_t file = division.together[i];
        read(file, Parallel());
        if (i == 0 && worthAPreview && !previewed && results[file] && *results[file]
            && !(*results[file])->timelines.empty())
            show((*results[file])->clone(), file);
    });
    if (context.cancelled())
        return Error{Error::Kind::Cancelled, "Loading was cancelled.", plan.path};

    Diagnostics problems = plan.problems;
    std::vector<TraceFragment> fragments;
    bool readable = plan.recognised;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const PlannedFile& planned = plan.files[i];
        if (!results[i] || !*results[i]) {
            const Error error
                = results[i] ? results[i]->error() : Error{Error::Kind::Internal, "The file was not read."};
            problems.add(Severity::Error, "unreadable", planned.file.path, error.offset, error.message);
            continue;
        }
        TraceFragment& fragment = **results[i];
        settleRank(fragment, planned.file);
        readable |= !fragment.timelines.empty() || !fragment.nvlink.empty()
            || fragment.measurements.measuresAnything();
        fragments.push_back(std::move(fragment));
    }
    if (!readable)
        return nothingReadable(plan, problems);
    return assemble(std::move(fragments), std::move(problems), {plan.paths, plan.iterationsOffered});
}

} // namespace collscope
