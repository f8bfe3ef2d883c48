// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch.h"

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "app/knowledge.h"

#include <new>

namespace collscope {

namespace {

int runJob(const CommandLine& command)
{
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
