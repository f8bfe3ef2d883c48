// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/examine.h"

#include "model/readers/kineto/kineto_envelope.h"
#include "model/readers/kineto/kineto_file.h"
#include "model/readers/run/file_reading.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <set>
#include <unordered_map>

namespace collscope {

namespace {

/// Findings about the text of a file: with any of them, the text is not valid JSON.
constexpr std::array<std::string_view, 20> textDamage{
    "bad_escape",      "bad_metadata", "byte_order_mark",   "control_character",   "damaged_gzip",
    "extra_comma",     "interleaved",  "invalid_utf8",      "invalid_value",       "malformed_event",
    "missing_comma",   "not_a_number", "several_documents", "text_between_events", "trailing_comma",
    "unescaped_quote", "early_end",    "lone_surrogate",    "several_lists",       "text_after_end"};
constexpr std::array<std::string_view, 2> endDamage{"repaired_metadata", "truncated"};

bool isTextDamage(const Diagnostic& finding)
{
    const auto isIn = [&](const auto& codes) {
        return std::find(codes.begin(), codes.end(), finding.code) != codes.end();
    };
    return isIn(textDamage) || isIn(endDamage);
}

/// Findings of a plan about the run, although they may name one of its files.
constexpr std::array<std::string_view, 3> runFindings{"max_ranks", "several_cards", "several_configs"};

bool isAboutRun(const Diagnostic& finding)
{
    std::error_code unknown;
    return finding.file.empty() || std::filesystem::is_directory(finding.file, unknown)
        || std::find(runFindings.begin(), runFindings.end(), finding.code) != runFindings.end();
}

/// `result`: nullptr if the file was refused because memory is insufficient.
ExaminedFile examinedOf(const PlannedFile& planned, const Result<TraceFragment>* result)
{
    ExaminedFile examined;
    examined.path = planned.file.path;
    examined.reader = planned.reader;
    examined.format = planned.reader ? std::string(planned.reader->title) : "Nsight Systems report";
    examined.isRead = result && *result;
    if (result && !*result) {
        const Error& error = result->error();
        examined.findings.push_back(
            {severityOfUnread(planned), "unreadable", planned.file.path, error.offset, 1, 0, error.message});
    }
    if (!examined.isRead)
        return examined;
    const SourceInfo& source = (*result)->source;
    examined.eventsInFile = source.eventsInFile;
    examined.shown = source.shown;
    examined.excluded = source.excluded;
    examined.findings = (*result)->problems.entries();
    return examined;
}

Error noMemoryFor(const SourceFile& file)
{
    return {Error::Kind::TooLarge, "Not enough memory to copy " + file.path + "; allow more (--max-memory).",
            file.path};
}

} // namespace

bool ExaminedFile::isConserved() const
{
    std::uint64_t listed = 0;
    for (const Diagnostic& finding : findings)
        listed += finding.excludedEvents;
    return eventsInFile == shown + excluded && listed == excluded;
}

bool ExaminedFile::isDamaged() const
{
    return std::any_of(findings.begin(), findings.end(), isTextDamage);
}

bool Examination::isConserved() const
{
    return std::all_of(files.begin(), files.end(),
                       [](const ExaminedFile& file) { return file.isConserved(); });
}

bool Examination::isReadable() const
{
    return std::any_of(files.begin(), files.end(), [](const ExaminedFile& file) {
        if (!file.isRead)
            return false;
        const SourceKind kind = file.reader ? file.reader->kind : SourceKind::Nsys;
        return !sourceTraits(kind).describesJob && !sourceTraits(kind).isFigure;
    });
}

Result<Examination> examine(const LoadPlan& plan, const LoadContext& context)
{
    Examination examination;
    examination.files.resize(plan.files.size());
    FileReading files(plan, context, FileReading::ParallelismKind::Examine);
    const auto note = [&](std::size_t i) {
        examination.files[i] = examinedOf(plan.files[i], files.result(i));
        files.forget(i);
    };
    context.parallel.forEach(plan.files.size(), [&](std::size_t i) {
        files.read(i, Parallel());
        note(i);
    });
    files.readRefusedAgain(note);
    if (context.stop.stop_requested())
        return Error{Error::Kind::Cancelled, "Reading was cancelled.", plan.path};
    for (std::size_t i = 0; i < plan.files.size(); ++i) {
        const std::string& path = plan.files[i].file.path;
        if (files.wasRefused(i))
            examination.files[i].findings.push_back(
                {Severity::Error, "memory_limit", path, 0, 1, 0, files.refusal()});
    }
    if (const Status oneRun = checkOneRun(plan); !oneRun)
        examination.findings.push_back(
            {Severity::Error, "several_runs", plan.path, 0, 1, 0, oneRun.error().message});
    std::unordered_map<std::string, std::size_t> placeOf; // a folder may contain any number of unrelated
                                                          // files
    for (std::size_t i = 0; i < examination.files.size(); ++i)
        placeOf.try_emplace(examination.files[i].path, i);
    for (const Diagnostic& finding : plan.problems.entries()) {
        if (isAboutRun(finding)) {
            examination.findings.push_back(finding);
            continue;
        }
        const auto [place, isNew] = placeOf.try_emplace(finding.file, examination.files.size());
        if (isNew)
            examination.files.push_back({finding.file, nullptr, {}, false, 0, 0, 0, {finding}});
        else
            examination.files[place->second].findings.push_back(finding);
    }
    return examination;
}

void addRunFindings(Examination& examination, const TraceModel& run, bool all)
{
    for (const Diagnostic& problem : run.problems.entries()) {
        if (problem.severity == Severity::Info && !all)
            continue;
        const auto isSame = [&](const Diagnostic& known) {
            return known.code == problem.code && known.file == problem.file;
        };
        const auto file = std::find_if(examination.files.begin(), examination.files.end(),
                                       [&](const ExaminedFile& known) { return known.path == problem.file; });
        std::vector<Diagnostic>& findings
            = file == examination.files.end() ? examination.findings : file->findings;
        if (std::any_of(findings.begin(), findings.end(), isSame))
            continue;
        findings.push_back(problem);
        findings.back().excludedEvents = 0;
    }
    std::set<std::int32_t> ranks;
    for (const Timeline& timeline : run.timelines) {
        if (timeline.kind == SourceKind::Kineto)
            ranks.insert(timeline.rank);
    }
    const bool none = run.executionTraces.empty();
    for (const ExecutionTrace& trace : run.executionTraces)
        ranks.erase(trace.rank);
    if (ranks.empty() || run.isReduced())
        return;
    std::string missing;
    for (const std::int32_t rank : ranks)
        missing += (missing.empty() ? "" : ", ") + std::to_string(rank);
    examination.findings.push_back(
        {none ? Severity::Info : Severity::Notice, "execution_traces_missing", "", 0, 1, 0,
         none ? std::string(
             "No execution traces (torch_et_<rank>.json) were found. They are needed only if the profiler's "
             "files do not contain the message sizes and process groups of the calls.")
              : "Execution traces (torch_et_<rank>.json) are missing for rank " + missing + "."});
}

Result<CleanCopy> writeCleanCopy(const SourceFile& file, const ReadContext& context,
                                 const MemoryLimit& memory,
                                 const std::function<bool(std::string_view text)>& write)
try {
    CleanCopy copy;
    bool isWritten = write("{\n\"traceEvents\": [\n");
    bool isRefused = false; // because memory is insufficient
    const auto& inUse = memory.inUseLately ? memory.inUseLately : memory.inUse;
    ReadContext reading = context;
    reading.isThorough = true;
    reading.keepsEvents = false;
    reading.isExhausted = [&] {
        isRefused = isRefused || (memory.bytes > 0 && inUse() > memory.bytes);
        return isRefused || !isWritten || context.isExhausted();
    };
    reading.eventText = [&](std::string_view json) {
        isWritten = isWritten && (copy.events == 0 || write(",\n")) && write(json);
        ++copy.events;
    };
    const auto contents = readKinetoFile(file, reading, {});
    if (isRefused)
        return noMemoryFor(file);
    if (!contents && isWritten)
        return contents.error();
    if (isWritten) {
        copy.leftOut = (*contents)->fragment.source.eventsInFile
            + ((*contents)->parser.hasOpenEvent() ? 1 : 0) - copy.events;
        const std::string members = cleanEnvelopeMembers((*contents)->parser.document().envelope());
        isWritten = write("\n]" + (members.empty() ? "" : ",\n" + members) + "\n}\n");
    }
    if (!isWritten)
        return Error{Error::Kind::Io, "The copy of " + file.path + " cannot be written.", file.path};
    return copy;
} catch (const std::bad_alloc&) {
    return noMemoryFor(file);
}

} // namespace collscope
