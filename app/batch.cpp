// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch.h"

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "app/command_line_outputs.h"
#include "app/knowledge.h"
#include "app/protected_files.h"

#include <algorithm>
#include <new>

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

/// Before hours go into a run: false, with the reason on stderr, if an output would replace an input or a
/// trace. Each file is looked at again when it is written.
bool canWriteOutputs(const CommandLine& command)
{
    const BatchOutputs& outputs = command.outputs;
    const bool isPlan = command.distributed.verb == Distributed::Verb::Plan;
    for (const std::string& path :
         {command.csvFile, command.outputJsonFile, outputs.leaderboardFile, outputs.kernelSummaryFile,
          isPng(outputs.plotPath) ? outputs.plotPath : std::string(),
          isPlan ? command.distributed.output : std::string()}) {
        if (const std::string why = whyProtected(path); !why.empty()) {
            say(why);
            return false;
        }
    }
    return true;
}

int runJob(const CommandLine& command)
{
    protectNamedInputs(command);
    if (!canWriteOutputs(command))
        return NotWritten;
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
    const auto knowledge = loadKnowledge(command.hardwareFile);
    if (!knowledge) {
        say(knowledge.error().message);
        return WrongUsage;
    }
    if (command.outputs.show)
        say("--show has no effect: batch has no display. The plot is in its file.");
    using Job = BatchOutputs::Job;
    switch (command.outputs.job) {
    case Job::Values:
        return runValues(command, *knowledge);
    case Job::Tools:
        return runTools(command, *knowledge);
    case Job::TextReport:
        return runTextReports(command, *knowledge);
    case Job::NvlinkReport:
        return runNvlinkReports(command, *knowledge);
    case Job::KernelSummary:
        return runKernelSummary(command, *knowledge);
    case Job::Iterations:
        return runIterations(command, *knowledge);
    case Job::ExplainStep:
        return runExplainStep(command, *knowledge);
    case Job::Reports:
        return runReports(command, *knowledge);
    case Job::Comparison:
        return runComparison(command, *knowledge);
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
