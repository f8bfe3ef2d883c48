// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --doctor: what is damaged in the files of a run, that no event of theirs is lost without a word, and clean
// copies for other tools.

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "app/whole_file.h"
#include "metrics/export/report.h"
#include "model/readers/examine.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

Value findingValue(const Diagnostic& finding)
{
    return Value::Object{{"code", finding.code},
                         {"severity", std::string(severityName(finding.severity))},
                         {"offset", static_cast<std::int64_t>(finding.firstOffset)},
                         {"count", static_cast<std::int64_t>(finding.count)},
                         {"excluded", static_cast<std::int64_t>(finding.excludedEvents)},
                         {"message", finding.explanation}};
}

Value examinationValue(const Examination& examination)
{
    Value::Array files;
    for (const ExaminedFile& file : examination.files) {
        Value::Array findings;
        for (const Diagnostic& finding : file.findings)
            findings.push_back(findingValue(finding));
        files.push_back(Value::Object{{"path", file.path},
                                      {"events_in_file", static_cast<std::int64_t>(file.eventsInFile)},
                                      {"shown", static_cast<std::int64_t>(file.shown)},
                                      {"excluded", static_cast<std::int64_t>(file.excluded)},
                                      {"findings", std::move(findings)}});
    }
    return Value::Object{{"conserved", examination.isConserved()}, {"files", std::move(files)}};
}

std::string findingText(const Diagnostic& finding)
{
    std::string text = "  " + finding.code;
    if (finding.count > 1)
        text += " (" + std::to_string(finding.count) + " times)";
    if (finding.firstOffset > 0)
        text += " at byte " + std::to_string(finding.firstOffset);
    if (finding.excludedEvents > 0)
        text += ", events left out: " + std::to_string(finding.excludedEvents);
    return text + "\n    " + finding.explanation + "\n";
}

std::string examinationText(const Examination& examination)
{
    std::string text;
    std::uint64_t events = 0;
    std::uint64_t shown = 0;
    for (const ExaminedFile& file : examination.files) {
        events += file.eventsInFile;
        shown += file.shown;
        text += file.path + ": ";
        if (file.reader || file.eventsInFile > 0)
            text += std::to_string(file.eventsInFile) + " events = " + std::to_string(file.shown)
                + " shown + " + std::to_string(file.excluded) + " left out";
        else
            text += "not read";
        text += file.findings.empty() ? ", no findings\n" : "\n";
        for (const Diagnostic& finding : file.findings)
            text += findingText(finding);
    }
    text += examination.isConserved()
        ? "Conserved: each of the " + std::to_string(events) + " events is shown or listed above.\n"
        : "Not conserved: " + std::to_string(events) + " events, " + std::to_string(shown)
            + " of them shown, and the findings do not account for the rest. This is a defect of "
              "Collscope.\n";
    return text;
}

/// Whether a folder is, or lies in, what the user opened: nothing is written there.
bool liesInRun(const std::string& folder, const BatchRun& run)
{
    std::error_code error;
    const fs::path wanted = fs::weakly_canonical(folder, error);
    return std::any_of(run.paths.begin(), run.paths.end(), [&](const std::string& path) {
        fs::path opened = fs::weakly_canonical(path, error);
        if (!fs::is_directory(opened, error))
            opened = opened.parent_path();
        const fs::path inside = wanted.lexically_relative(opened);
        return !inside.empty() && *inside.begin() != "..";
    });
}

/// Where the copy of a file goes: under its path in the run, as plain text.
fs::path copyOf(const std::string& path, const BatchRun& run, const std::string& folder)
{
    fs::path inside = fs::path(path).filename();
    for (const std::string& opened : run.paths) {
        const fs::path relative = fs::path(path).lexically_relative(opened);
        if (!relative.empty() && relative != "." && *relative.begin() != "..")
            inside = relative;
    }
    if (inside.extension() == ".gz")
        inside.replace_extension();
    return fs::path(folder) / inside;
}

/// Writes a valid copy of each damaged Kineto file; an exit code.
int writeClean(const Examination& examination, const BatchRun& run, const std::string& folder)
{
    for (const ExaminedFile& file : examination.files) {
        if (!file.isDamaged())
            continue;
        if (!file.reader || file.reader->kind != SourceKind::Kineto) {
            say(file.path + " is no trace in JSON; there is no clean copy of it.");
            continue;
        }
        const fs::path target = copyOf(file.path, run, folder);
        if (!makeFolder(target.parent_path().string()))
            return NotWritten;
        WholeFile out(target.string());
        std::error_code unknown;
        const std::uintmax_t bytes = fs::file_size(file.path, unknown); // for progress only
        ReadContext context;
        context.cancelled = isInterrupted;
        const auto copy = writeCleanCopy({file.path, unknown ? 0 : bytes, -1, std::nullopt}, context,
                                         [&](std::string_view text) { return out.write(text); });
        if (isInterrupted()) {
            say("cancelled.");
            return Cancelled;
        }
        if (!copy) {
            say(out.failure().empty() ? copy.error().message : out.failure());
            return NotWritten;
        }
        if (const std::string failure = out.commit(); !failure.empty()) {
            say(failure);
            return NotWritten;
        }
        say("wrote " + target.string() + ": " + std::to_string(copy->events) + " events, "
            + std::to_string(copy->leftOut) + " left out.");
    }
    return Done;
}

} // namespace

int runDoctor(const CommandLine& command)
{
    const std::vector<BatchRun> runs = runsOf(command);
    if (runs.size() > 1) {
        say("--doctor is of one run; several folders are several runs (--merge-paths makes them one).");
        return WrongUsage;
    }
    BatchRun run = runs.front();
    run.load.iteration.mode = IterationChoice::Mode::All;
    const std::string& folder = command.outputs.cleanFolder;
    if (!folder.empty() && liesInRun(folder, run)) {
        say("--write-clean takes a folder outside the run: " + folder + " lies in it.");
        return WrongUsage;
    }
    const auto examination = examineRun(command, run);
    if (!examination) {
        say(examination.error().message);
        return examination.error().kind == Error::Kind::Cancelled ? Cancelled : NothingReadable;
    }
    if (examination->files.empty()) {
        say("There is no trace in " + run.label + ", and nothing that looks like one.");
        return print(command.json ? jsonText(examinationValue(*examination)) : "") ? NothingReadable
                                                                                   : NotWritten;
    }
    if (command.json ? !print(jsonText(examinationValue(*examination)))
                     : !printLines(examinationText(*examination)))
        return NotWritten;
    return folder.empty() ? Done : writeClean(*examination, run, folder);
}

} // namespace collscope
