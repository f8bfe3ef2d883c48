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

/// Files that options name: of the run nobody knows yet what belongs to it.
void protectNamedInputs(const CommandLine& command)
{
    for (const std::string* const path : {&command.load.cardPath, &command.load.configPath,
                                          &command.hardwareFile, &command.distributed.planFile})
        protectInput(*path);
    for (const std::string& path : command.definitionFiles)
        protectInput(path);
}

/// Files that the command names as outputs; "" and "-" for those that it does not.
std::vector<std::string> outputFiles(const CommandLine& command)
{
    const BatchOutputs& outputs = command.outputs;
    const bool isPlan = command.distributed.verb == Distributed::Verb::Plan;
    return {command.csvFile,
            command.outputJsonFile,
            outputs.leaderboardFile,
            outputs.kernelSummaryFile,
            isPng(outputs.plotPath) ? outputs.plotPath : std::string(), // else a folder
            isPlan ? command.distributed.output : std::string()};
}

/// Before hours go into a run: false, with the reason on stderr, if an output would replace an input or a
/// trace. Each file is looked at again when it is written.
bool canWriteOutputs(const CommandLine& command)
{
    for (const std::string& path : outputFiles(command)) {
        if (const std::string why = whyProtected(path); !why.empty()) {
            say(why);
            return false;
        }
    }
    return true;
}

/// Whether the command is to start other programs: sbatch, or nsys, which fills the cache folder.
bool startsPrograms(const CommandLine& command)
{
    return command.distributed.verb == Distributed::Verb::Slurm || command.load.exportsReports;
}

/// COLLSCOPE_CONFINE=off: for sanitizers, which start a process when the program ends, and for tools that a
/// person loads into it.
bool isConfinementOff()
{
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
    const char* const value = std::getenv("COLLSCOPE_CONFINE");
    return value && std::string_view(value) == "off";
}

/// Gives up what the command does not need, before a trace is opened.
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
    if (command.verbose && !result.missing.empty())
        say(result.missing);
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
    if (command.listMetrics)
        return print(command.json           ? metricListJson(command.catalog)
                         : command.markdown ? metricListMarkdown(command.catalog)
                                            : metricListText(command.catalog))
            ? Done
            : NotWritten;
    if (command.outputs.job != BatchOutputs::Job::Comparison
        && command.names.size() > std::max<std::size_t>(runsOf(command).size(), 1)) {
        say("There are more --name than runs.");
        return WrongUsage;
    }
    const auto hardware = loadHardwareDatabase(command.hardwareFile);
    if (!hardware) {
        say(hardware.error().message);
        return WrongUsage;
    }
    if (command.outputs.show)
        say("--show has no effect: batch has no display. The plot is in its file.");
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
    // Readers leave out files that do not fit; this is for what is made of those that did.
    try {
        return runJob(command);
    } catch (const std::bad_alloc&) {
        say("There is not enough memory for this run: give it fewer ranks (--max-ranks), or more machines "
            "(--batch plan).");
        return NothingReadable;
    }
}

} // namespace collscope
