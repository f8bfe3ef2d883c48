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

Result<TraceFragment> readOne(const PlannedFile& planned, const ReadContext& context)
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

Error nothingReadable(const LoadPlan& plan, const Diagnostics& problems)
{
    std::string message = "Nothing readable in " + plan.path
        + ": looked for PyTorch profiler JSON (also .gz), Nsight Systems .sqlite and NVF1 .bin files.";
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

} // namespace

void serialFor(std::size_t count, const std::function<void(std::size_t)>& body)
{
    for (std::size_t i = 0; i < count; ++i)
        body(i);
}

Result<TraceModelPtr> loadTrace(const LoadPlan& plan, const LoadContext& context)
{
    std::vector<std::optional<Result<TraceFragment>>> results(plan.files.size());
    context.parallelFor(plan.files.size(), [&](std::size_t i) {
        ReadContext reading;
        reading.cancelled = context.cancelled;
        reading.cacheFolder = context.cacheFolder;
        reading.progress = [&context, i](std::uint64_t done) { context.progress(i, done); };
        if (!context.cancelled())
            results[i] = readOne(plan.files[i], reading);
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
        fragment.nameRank = planned.file.nameRank;
        readable |= !fragment.timelines.empty() || !fragment.nvlink.empty();
        fragments.push_back(std::move(fragment));
    }
    if (!readable)
        return nothingReadable(plan, problems);
    return assemble(std::move(fragments), std::move(problems), {plan.paths, plan.iterationsOffered});
}

} // namespace collscope
