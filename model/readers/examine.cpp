// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/examine.h"

#include "model/readers/file_reading.h"
#include "model/readers/kineto_envelope.h"
#include "model/readers/kineto_file.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

/// Findings about the text of a file: any of them makes it something else than JSON.
constexpr std::array<std::string_view, 15> textDamage{
    "bad_escape",   "bad_metadata",      "control_character",   "damaged_gzip",    "extra_comma",
    "interleaved",  "invalid_utf8",      "invalid_value",       "malformed_event", "missing_comma",
    "not_a_number", "several_documents", "text_between_events", "trailing_comma",  "unescaped_quote"};
constexpr std::array<std::string_view, 2> endDamage{"repaired_metadata", "truncated"};

bool isTextDamage(const Diagnostic& finding)
{
    const auto isIn = [&](const auto& codes) {
        return std::find(codes.begin(), codes.end(), finding.code) != codes.end();
    };
    return isIn(textDamage) || isIn(endDamage);
}

ExaminedFile examinedOf(const PlannedFile& planned, Result<TraceFragment>& result)
{
    ExaminedFile examined;
    examined.path = planned.file.path;
    examined.reader = planned.reader;
    if (!result) {
        const Error& error = result.error();
        examined.findings.push_back(
            {Severity::Error, "unreadable", planned.file.path, error.offset, 1, 0, error.message});
        return examined;
    }
    const SourceInfo& source = result->source;
    examined.eventsInFile = source.eventsInFile;
    examined.shown = source.shown;
    examined.excluded = source.excluded;
    examined.findings = result->problems.entries();
    return examined;
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

Result<Examination> examine(const LoadPlan& plan, const LoadContext& context)
{
    Examination examination;
    examination.files.resize(plan.files.size());
    context.parallel.forEach(plan.files.size(), [&](std::size_t i) {
        if (context.cancelled())
            return;
        ReadContext reading;
        reading.isThorough = true;
        reading.cancelled = context.cancelled;
        reading.cacheFolder = context.cacheFolder;
        reading.progress = [&context, i](std::uint64_t done) { context.progress(i, done); };
        Result<TraceFragment> result = readPlanned(plan.files[i], reading);
        examination.files[i] = examinedOf(plan.files[i], result);
    });
    if (context.cancelled())
        return Error{Error::Kind::Cancelled, "Reading was cancelled.", plan.path};
    for (const Diagnostic& finding : plan.problems.entries()) {
        const auto file = std::find_if(examination.files.begin(), examination.files.end(),
                                       [&](const ExaminedFile& known) { return known.path == finding.file; });
        if (file != examination.files.end())
            file->findings.push_back(finding);
        else
            examination.files.push_back({finding.file, nullptr, 0, 0, 0, {finding}});
    }
    return examination;
}

Result<CleanCopy> writeCleanCopy(const SourceFile& file, const ReadContext& context,
                                 const std::function<bool(std::string_view text)>& write)
{
    CleanCopy copy;
    bool isWritten = write("{\n\"traceEvents\": [\n");
    ReadContext reading = context;
    reading.isThorough = true;
    reading.cancelled = [&] { return !isWritten || context.cancelled(); };
    reading.eventText = [&](std::string_view json) {
        isWritten = isWritten && (copy.events == 0 || write(",\n")) && write(json);
        ++copy.events;
    };
    const auto contents = readKinetoFile(file, reading, {});
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
}

} // namespace collscope
