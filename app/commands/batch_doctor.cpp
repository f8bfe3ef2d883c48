// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command doctor: finds damage in the files of a run, verifies that every event is accounted for, and
// writes clean copies for other tools.

#include "app/commands/batch_doctor.h"

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/files/protected_files.h"
#include "app/files/whole_file.h"
#include "app/runtime/memory_policy.h"
#include "model/source_traits.h"
#include "model/text/lower_case.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

namespace collscope {

namespace fs = std::filesystem;

namespace {

Value::Object findingValue(const Diagnostic& finding)
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
                                      {"format", file.format.empty() ? Value() : Value(file.format)},
                                      {"read", file.isRead},
                                      {"events_in_file", static_cast<std::int64_t>(file.eventsInFile)},
                                      {"shown", static_cast<std::int64_t>(file.shown)},
                                      {"excluded", static_cast<std::int64_t>(file.excluded)},
                                      {"findings", std::move(findings)}});
    }
    Value::Array aboutRun;
    for (const Diagnostic& finding : examination.findings) {
        Value::Object value = findingValue(finding);
        value.emplace(value.begin(), "path", finding.file);
        aboutRun.push_back(std::move(value));
    }
    return Value::Object{{"conserved", examination.isConserved()},
                         {"files", std::move(files)},
                         {"findings", std::move(aboutRun)}};
}

/// Formats a finding as one line each for code and explanation, whatever names the explanation contains. A
/// list of runs has one line per run.
std::string findingText(const Diagnostic& finding)
{
    std::string text = "  " + finding.code;
    if (finding.count > 1)
        text += " (" + std::to_string(finding.count) + " times)";
    if (finding.firstOffset > 0)
        text += " at byte " + std::to_string(finding.firstOffset);
    if (finding.excludedEvents > 0)
        text += ", events excluded: " + std::to_string(finding.excludedEvents);
    if (finding.code != "several_runs") // its lines are generated here, and the names in them are printable
        return text + "\n    " + printableLine(finding.explanation) + "\n";
    std::istringstream lines(finding.explanation);
    for (std::string line; std::getline(lines, line);)
        text += "\n    " + printableLine(line);
    return text + "\n";
}

/// Returns how a file was read, with its event counts.
std::string outcomeOf(const ExaminedFile& file)
{
    if (!file.isRead)
        return "not read";
    const SourceKind kind = file.reader ? file.reader->kind : SourceKind::Nsys;
    const bool holdsEvents = sourceTraits(kind).countsEvents;
    if (!holdsEvents && file.eventsInFile == 0)
        return "read";
    return std::to_string(file.eventsInFile) + " events = " + std::to_string(file.shown) + " shown + "
        + std::to_string(file.excluded) + " excluded";
}

std::string examinationText(const Examination& examination)
{
    std::string text;
    std::uint64_t events = 0;
    std::uint64_t shown = 0;
    std::size_t unread = 0; // that are, or may be, traces
    for (const ExaminedFile& file : examination.files) {
        events += file.eventsInFile;
        shown += file.shown;
        unread += !file.isRead && !file.format.empty() ? 1u : 0u;
        text += printableLine(file.path) + ": " + (file.format.empty() ? "" : file.format + ", ")
            + outcomeOf(file);
        text += file.findings.empty() ? ", no findings\n" : "\n";
        for (const Diagnostic& finding : file.findings)
            text += findingText(finding);
    }
    for (const Diagnostic& finding : examination.findings)
        text += "the run" + (finding.file.empty() ? "" : " in " + printableLine(finding.file)) + ":\n"
            + findingText(finding);
    if (!examination.isConserved())
        return text + "Not all events are accounted for: " + std::to_string(events) + " events, "
            + std::to_string(shown)
            + " of them shown, and the findings do not account for the rest. This is a bug in Collscope.\n";
    text += "All " + std::to_string(events) + " events are accounted for.";
    if (unread > 0)
        text += " Not read: " + std::to_string(unread) + (unread == 1 ? " file." : " files.");
    text += "\n";
    return text;
}

fs::path resolved(const fs::path& path)
{
    std::error_code error;
    const fs::path whole = fs::absolute(path, error); // canonical() keeps the path of a missing file relative
    const fs::path target = fs::weakly_canonical(whole, error);
    return error ? whole.lexically_normal() : target;
}

bool liesIn(const fs::path& path, const fs::path& folder)
{
    const fs::path inside = path.lexically_relative(folder);
    return !inside.empty() && *inside.begin() != "..";
}

/// Returns the folders that the user opened: nothing is written there.
std::set<fs::path> runFolders(const BatchRun& run)
{
    std::set<fs::path> folders;
    for (const std::string& path : run.paths) {
        const fs::path opened = resolved(path);
        std::error_code error;
        folders.insert(fs::is_directory(opened, error) ? opened : opened.parent_path());
    }
    return folders;
}

bool liesInAny(const fs::path& path, const std::set<fs::path>& folders)
{
    return std::any_of(folders.begin(), folders.end(),
                       [&](const fs::path& folder) { return liesIn(path, folder); });
}

/// A damaged file and the path of its copy.
struct Copy
{
    const ExaminedFile* file;
    fs::path target;
};

/// Returns the path of the copy, uncompressed: the path of the file within the run, below `folder`.
fs::path copyOf(const std::string& path, const BatchRun& run, const std::string& folder)
{
    fs::path inside = fs::path(path).filename();
    for (const std::string& opened : run.paths) {
        const fs::path relative = fs::path(path).lexically_relative(opened);
        if (!relative.empty() && relative != "." && *relative.begin() != "..")
            inside = relative;
    }
    if (lowered(inside.extension().string()) == ".gz")
        inside.replace_extension();
    return fs::path(folder) / inside;
}

bool hasEventObjects(const ExaminedFile& file)
{
    return file.reader && sourceTraits(file.reader->kind).holdsEventObjects;
}

/// Returns the files to copy, each with a unique name: files in several folders, or a.json next to a.json.gz,
/// may have the same name.
std::vector<Copy> copiesOf(const Examination& examination, const BatchRun& run, const std::string& folder)
{
    std::vector<Copy> copies;
    std::set<fs::path> taken; // the resolved targets
    for (const ExaminedFile& file : examination.files) {
        if (!file.isDamaged())
            continue;
        if (!hasEventObjects(file)) {
            say(file.path + " is not a JSON trace, so a clean copy cannot be written.");
            continue;
        }
        const fs::path wanted = copyOf(file.path, run, folder);
        fs::path target = wanted;
        for (int number = 2; !taken.insert(resolved(target)).second; ++number)
            target.replace_filename(wanted.stem().string() + "-" + std::to_string(number)
                                    + wanted.extension().string());
        copies.push_back({&file, target});
    }
    return copies;
}

/// Whether the copies may be written: a link in the folder may lead back to the traces.
Status checkTargets(const std::vector<Copy>& copies, const Examination& examination, const BatchRun& run)
{
    std::set<fs::path> folders = runFolders(run);
    for (const ExaminedFile& file : examination.files) {
        if (hasEventObjects(file))
            folders.insert(resolved(fs::path(file.path).parent_path())); // also through a linked folder
    }
    for (const Copy& copy : copies) {
        const fs::path target = resolved(copy.target);
        if (liesInAny(target, folders))
            return Error{Error::Kind::Io,
                         copy.target.string() + " points into the run, to " + target.string() + "."};
        if (Status replaceable = checkReplaceable(copy.target.string()); !replaceable)
            return replaceable;
    }
    return {};
}

/// Writes a valid copy of a damaged Kineto file. Returns an exit code.
int writeCopy(const Copy& copy, const MemoryLimit& memory)
{
    const std::string& path = copy.file->path;
    if (!makeFolder(copy.target.parent_path().string()))
        return NotWritten;
    WholeFile out(copy.target.string());
    std::error_code unknown;
    const std::uintmax_t bytes = fs::file_size(path, unknown); // for progress only
    ReadContext context;
    context.stop = interruptToken();
    const auto written = writeCleanCopy({path, unknown ? 0 : bytes, -1, std::nullopt}, context, memory,
                                        [&](std::string_view text) { return out.write(text); });
    if (isInterrupted()) {
        say("cancelled.");
        return Cancelled;
    }
    if (!written) {
        const Status output = out.status();
        say(output ? written.error().message : output.error().message);
        return NotWritten;
    }
    if (const Status committed = out.commit(); !committed) {
        say(committed.error().message);
        return NotWritten;
    }
    say("wrote " + copy.target.string() + ": " + std::to_string(written->events) + " events, "
        + std::to_string(written->leftOut) + " excluded.");
    return Done;
}

/// Writes copies of all damaged files, or none if one of them would be written into the run. Returns an exit
/// code.
int writeClean(const Examination& examination, const BatchRun& run, const std::string& folder)
{
    const std::vector<Copy> copies = copiesOf(examination, run, folder);
    if (const Status targets = checkTargets(copies, examination, run); !targets) {
        say("nothing was written: " + targets.error().message + " Choose another folder for --write-clean.");
        return NotWritten;
    }
    const MemoryLimit memory = memoryLimit(run.load.maxMemory);
    for (const Copy& copy : copies) {
        if (const int code = writeCopy(copy, memory); code != Done)
            return code;
    }
    return Done;
}

class DoctorCommand : public RunCommand
{
public:
    bool json = false;
    std::string cleanFolder; ///< "" = no clean copies

    void declare() override
    {
        options.group("Output");
        options.flag("--json", json, "Print JSON");
        options.output("--write-clean", cleanFolder, OptionSpec::Place::OutputFolder, "DIR",
                       "Write a valid copy of each damaged trace into a folder, for other tools");
        RunCommand::declare();
    }

protected:
    int executeOnRuns() const override;
};

int DoctorCommand::executeOnRuns() const
{
    const std::vector<BatchRun> runs = runsOf(input);
    if (!isOneRun(runs, "--doctor"))
        return WrongUsage;
    const BatchRun& run = runs.front();
    if (!cleanFolder.empty() && liesInAny(resolved(cleanFolder), runFolders(run))) {
        say("--write-clean needs a folder outside the run: " + cleanFolder + " is inside it.");
        return WrongUsage;
    }
    const auto examination = examineRun(input, run);
    if (!examination) {
        say(examination.error().message);
        return examination.error().kind == Error::Kind::Cancelled ? Cancelled : NothingReadable;
    }
    if (examination->files.empty() && examination->findings.empty()) {
        say(run.label + " contains no traces.");
        const bool isPrinted = print(json ? jsonText(examinationValue(*examination)) : "");
        return isPrinted ? NothingReadable : NotWritten;
    }
    const bool isPrinted
        = json ? print(jsonText(examinationValue(*examination))) : printLines(examinationText(*examination));
    if (!isPrinted)
        return NotWritten;
    if (!examination->isReadable())
        say("Nothing in " + run.label + " could be read.");
    const int written = cleanFolder.empty() ? Done : writeClean(*examination, run, cleanFolder);
    return written != Done ? written : doctorExitCode(*examination);
}

} // namespace

int doctorExitCode(const Examination& examination)
{
    if (!examination.isConserved())
        return NotConserved;
    return examination.isReadable() ? Done : NothingReadable;
}

std::unique_ptr<ProgramCommand> doctorCommand()
{
    return std::make_unique<DoctorCommand>();
}

} // namespace collscope
