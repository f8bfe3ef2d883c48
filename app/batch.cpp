// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch.h"

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "app/command_line_outputs.h"
#include "app/confinement.h"
#include "app/hardware_files.h"
#include "app/protected_files.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string_view>

namespace collscope {

namespace {

/// Protects the files named by options. The files of the run itself are not known yet.
void protectNamedInputs(const CommandLine& command)
{
    for (const std::string* const path : {&command.load.cardPath, &command.load.configPath,
                                          &command.hardwareFile, &command.distributed.planFile})
        protectInput(*path);
    for (const std::string& path : command.definitionFiles)
        protectInput(path);
}

/// Returns the files that the command names as outputs; "" and "-" for outputs without a file.
std::vector<std::string> outputFiles(const CommandLine& command)
{
    const BatchOutputs& outputs = command.outputs;
    const bool isPlan = command.distributed.verb == Distributed::Verb::Plan;
    return {command.csvFile,
            command.outputJsonFile,
            outputs.leaderboardFile,
            outputs.kernelSummaryFile,
            isPng(outputs.plotPath) ? outputs.plotPath : std::string(), // otherwise a folder
            isPlan ? command.distributed.output : std::string()};
}

/// Checks, before hours are spent on a run, that no output would replace an input or a trace. Returns false
/// with the reason on stderr otherwise. Each file is checked again when it is written.
bool canWriteOutputs(const CommandLine& command)
{
    for (const std::string& path : outputFiles(command)) {
        if (const Status replaceable = checkReplaceable(path); !replaceable) {
            say(replaceable.error().message);
            return false;
        }
    }
    return true;
}

/// Whether the command starts other programs: sbatch, or nsys, which fills the cache folder.
bool startsPrograms(const CommandLine& command)
{
    return command.distributed.verb == Distributed::Verb::Slurm || command.load.exportsReports;
}

/// Whether COLLSCOPE_CONFINE=off: needed by sanitizers, which start a process at exit, and by tools that the
/// user loads into the program.
bool isConfinementOff()
{
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the environment is not modified here
    const char* const value = std::getenv("COLLSCOPE_CONFINE");
    return value && std::string_view(value) == "off";
}

/// Drops the privileges that the command does not need, before a trace is opened.
void confineTo(const CommandLine& command)
{
    if (startsPrograms(command) || isConfinementOff())
        return;
    std::vector<std::string> outputs = outputFiles(command);
    outputs.insert(outputs.end(),
                   {command.outputs.folder, command.outputs.cleanFolder, command.outputs.plotPath,
                    command.distributed.output});
    std::erase_if(outputs, [](const std::string& path) { return path.empty() || path == "-"; });
    const std::vector<std::filesystem::path> places(outputs.begin(), outputs.end());
    const Confinement result = confine(places);
    if (command.verbose && !result.status)
        say(result.status.error().message);
}

int runJob(const CommandLine& command)
{
    protectNamedInputs(command);
    if (!canWriteOutputs(command))
        return NotWritten;
    confineTo(command);
    switch (command.distributed.verb) {
    case Distributed::Verb::Plan:
        return runPlan(command);
    case Distributed::Verb::Reduce:
        return runReduce(command);
    case Distributed::Verb::Slurm:
        return runSlurm(command);
    case Distributed::Verb::Merge:
    case Distributed::Verb::None:
        break;
    }
    if (command.listMetrics) {
        std::string list = metricListText(command.catalog);
        if (command.json)
            list = metricListJson(command.catalog);
        else if (command.markdown)
            list = metricListMarkdown(command.catalog);
        return print(list) ? Done : NotWritten;
    }
    if (command.outputs.job != BatchOutputs::Job::Comparison
        && command.names.size() > std::max<std::size_t>(runsOf(command).size(), 1)) {
        say("There are more --name options than runs.");
        return WrongUsage;
    }
    const auto hardware = loadHardwareDatabase(command.hardwareFile);
    if (!hardware) {
        say(hardware.error().message);
        return WrongUsage;
    }
    if (command.outputs.show)
        say("--show has no effect: --batch has no display. The plot is only written to its file.");
    using Job = BatchOutputs::Job;
    switch (command.outputs.job) {
    case Job::Values:
        return runValues(command, *hardware);
    case Job::Tools:
        return runTools(command, *hardware);
    case Job::TextReport:
        return runTextReports(command, *hardware);
    case Job::NvlinkReport:
        return runNvlinkReports(command, *hardware);
    case Job::KernelSummary:
        return runKernelSummary(command, *hardware);
    case Job::Iterations:
        return runIterations(command, *hardware);
    case Job::ExplainStep:
        return runExplainStep(command, *hardware);
    case Job::Reports:
        return runReports(command, *hardware);
    case Job::Comparison:
        return runComparison(command, *hardware);
    case Job::Doctor:
        return runDoctor(command);
    case Job::Scripts:
        return writeScripts(command);
    case Job::Kit:
        return writeKit(command);
    }
    return WrongUsage;
}

} // namespace

int runBatch(const CommandLine& command)
{
    watchInterrupts();
    // Readers skip files that do not fit into memory; this handles the data derived from the others.
    try {
        return runJob(command);
    } catch (const std::bad_alloc&) {
        say("Not enough memory for this run: load fewer ranks (--max-ranks) or use more machines (--batch "
            "plan).");
        return NothingReadable;
    }
}

} // namespace collscope
