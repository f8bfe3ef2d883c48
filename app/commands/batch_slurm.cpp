// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command slurm: the job array that reduces a run and the job that merges its parts.

#include "app/cli/command_interrupts.h"
#include "app/commands/batch_run.h"
#include "app/commands/command_plan.h"
#include "app/files/batch_io.h"
#include "app/files/resources.h"
#include "app/runtime/environment.h"
#include "model/readers/started_program.h"
#include "model/text/trimmed.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

class SlurmCommand : public BatchCommand
{
public:
    PlanInput input;
    std::string output; ///< folder of the jobs
    std::string account, qos, partition, constraint, time = "00:30:00", mergeTime = "00:30:00";
    std::vector<std::string> sbatchOptions; ///< additional options for both jobs
    int cpus = 16; ///< per task
    int running = 0; ///< concurrent tasks, 0 = no limit
    bool allowMissing = false, dryRun = false;
    std::vector<std::string> mergeArguments; ///< options passed to the merge

    void declare() override;

protected:
    bool startsPrograms() const override { return true; }
    int execute() const override;
};

void SlurmCommand::declare()
{
    input.declare(options);
    options
        .output("-o,--output", output, OptionSpec::Place::OutputFolder, "DIR",
                "New folder for the plan, the job scripts, their logs and the parts")
        .isRequired
        = true;
    options.text("--account", account, "NAME", "sbatch -A");
    options.text("--qos", qos, "NAME", "sbatch -q");
    options.text("--partition", partition, "NAME", "sbatch -p");
    options.text("--constraint", constraint, "LIST", "sbatch -C");
    options.text("--time", time, "TIME", "Time limit per task (default: 00:30:00)");
    options.text("--merge-time", mergeTime, "TIME", "Time limit of the merge (default: 00:30:00)");
    options.number("--cpus", cpus, 1, 1024, "CPUs per task (default: 16)");
    options.number("--running", running, 0, std::numeric_limits<std::int32_t>::max(),
                   "Maximum number of tasks running at the same time; 0 = no limit");
    options.texts("--sbatch", sbatchOptions, OptionSpec::Takes::Each, "OPTION",
                  "Additional sbatch option for both jobs, e.g. --sbatch=--mem=64G; can be repeated");
    options.flag("--allow-missing", allowMissing, "Merge the available parts even if tasks failed");
    declareNsysExport(options, input.load.exportsReports);
    options.flag("--dry-run", dryRun, "Write the job scripts and print the commands that submit them");
    options.texts("--", mergeArguments, OptionSpec::Takes::Rest, "OPTIONS",
                  "Options of the merge, as for --batch merge");
}

/// Quotes text as one shell word, whatever it contains.
std::string quoted(const std::string& text)
{
    std::string word = "'";
    for (const char c : text) {
        if (c == '\'')
            word.append("'\\''");
        else
            word.append(1, c);
    }
    word.append(1, '\'');
    return word;
}

/// Returns a path for an #SBATCH line, where % starts a pattern.
std::string logPath(const std::string& folder, const std::string& pattern)
{
    std::string path = "\"";
    for (const char c : folder) {
        if (c == '%')
            path += '%';
        if (c == '"' || c == '\\')
            path += '\\';
        path += c;
    }
    return path.append("/logs/").append(pattern).append(1, '"');
}

std::string header(const SlurmCommand& own, const std::string& name, const std::string& time)
{
    std::string text
        = "#!/bin/bash\n# Written by collscope --batch slurm.\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n";
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty())
            text.append("#SBATCH ").append(option).append(value).append(1, '\n');
    };
    add("--job-name=", name);
    add("--time=", time);
    add("--cpus-per-task=", std::to_string(own.cpus));
    add("--account=", own.account);
    add("--qos=", own.qos);
    add("--partition=", own.partition);
    add("--constraint=", own.constraint);
    for (const std::string& option : own.sbatchOptions)
        add("", option);
    return text;
}

/// Returns the command of a job up to its arguments. COLLSCOPE in the job's environment overrides the
/// program.
std::string programText()
{
    return "program=" + quoted(programFile()) + "\nexec \"${COLLSCOPE:-$program}\"";
}

/// Returns the sbatch script of the task array. `folder` is absolute and contains plan.json, parts and logs.
std::string reduceJob(const SlurmCommand& own, const std::string& folder, std::uint32_t tasks)
{
    std::string text = header(own, "collscope-reduce", own.time);
    text.append("#SBATCH --array=0-").append(std::to_string(tasks - 1));
    if (own.running > 0)
        text.append("%").append(std::to_string(own.running));
    text.append("\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output=")
        .append(logPath(folder, "reduce-%A_%a.log"))
        .append("\n\n")
        .append(programText())
        .append(" --batch reduce ")
        .append(quoted(folder + "/plan.json"))
        .append(" --task \"$SLURM_ARRAY_TASK_ID\" -j \"${SLURM_CPUS_PER_TASK:-1}\" -o ")
        .append(quoted(folder + "/parts"))
        .append(own.input.load.exportsReports ? " --export-nsys\n" : "\n");
    return text;
}

/// Returns the sbatch script of the merge job that follows the array.
std::string mergeJob(const SlurmCommand& own, const std::string& folder)
{
    std::string text = header(own, "collscope-merge", own.mergeTime);
    text.append("#SBATCH --output=")
        .append(logPath(folder, "merge-%j.log"))
        .append("\n\n")
        .append(programText())
        .append(" --batch merge ")
        .append(quoted(folder + "/parts"))
        .append(" --threads \"${SLURM_CPUS_PER_TASK:-1}\"");
    for (const std::string& argument : own.mergeArguments)
        text.append(" ").append(quoted(argument));
    if (own.mergeArguments.empty())
        text.append(" --output-json ")
            .append(quoted(folder + "/report.json"))
            .append(" --csv ")
            .append(quoted(folder + "/metrics.csv"));
    text.append(own.allowMissing ? " --allow-missing\n" : "\n");
    return text;
}

/// Returns the environment for child processes: that of the machine, without the variables that the wrapper
/// of the relocatable archive added.
std::vector<std::string> environmentForOthers()
{
    // The wrapper's variables point into its package; fonts and keyboards chosen by the user are elsewhere.
    const std::string wrapper = environmentVariable("COLLSCOPE_PROGRAM");
    const std::string package
        = wrapper.empty() ? std::string() : fs::path(wrapper).parent_path().string() + "/../";
    std::vector<std::string> kept;
    for (char** entry = environ; *entry; ++entry) {
        const std::string_view text(*entry);
        const std::string_view value = text.substr(std::min(text.find('=') + 1, text.size()));
        const bool isOfWrapper = text.starts_with("COLLSCOPE_PROGRAM=") || value.starts_with(package);
        if (wrapper.empty() || !isOfWrapper)
            kept.emplace_back(text);
    }
    return kept;
}

/// Submits a job and returns its number; nullopt, with a sentence on stderr, if sbatch fails.
std::optional<std::string> submit(const std::string& sbatch, const std::string& script,
                                  const std::vector<std::string>& options = {})
{
    ProgramStart start{{sbatch, "--parsable"}, environmentForOthers(), true};
    start.arguments.insert(start.arguments.end(), options.begin(), options.end());
    start.arguments.push_back(script);
    const auto end = runProgram(std::move(start), isInterrupted);
    if (!end || end->exitCode != 0) {
        std::string reason = end ? std::string(trimmed(end->err)) : end.error().message;
        if (reason.empty())
            reason
                = end->exitCode < 0 ? "it was killed." : "exit code " + std::to_string(end->exitCode) + ".";
        say("sbatch " + script + " failed: " + reason);
        return std::nullopt;
    }
    const std::string job(trimmed(end->out));
    return job.substr(0, job.find(';')); // the output is "job;cluster"
}

int SlurmCommand::execute() const
{
    const auto plan = makePlan(input);
    if (!plan)
        return sayNotLoaded(plan.error());
    std::error_code error;
    const std::string folder = fs::absolute(output, error).lexically_normal().string();
    const std::string reduceFile = folder + "/reduce.sbatch", mergeFile = folder + "/merge.sbatch";
    // Existing parts of another plan would be merged as if they belonged to this run.
    if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
        say(folder + " is not empty: give a new folder for the jobs.");
        return NotWritten;
    }
    // Slurm does not create the log folder.
    if (!makeFolder(folder + "/logs") || !makeFolder(folder + "/parts")
        || !writeFile(folder + "/" + std::string(planName), planText(*plan))
        || !writeFile(reduceFile, reduceJob(*this, folder, plan->tasks), true)
        || !writeFile(mergeFile, mergeJob(*this, folder), true))
        return NotWritten;
    // afterany: a bad rank must not prevent merging the others, and requeueing a task does not repair a
    // failed afterok dependency. The merge itself reports missing parts.
    if (dryRun)
        return print("sbatch --parsable " + quoted(reduceFile) + "\nsbatch --dependency=afterany:<job> "
                     + quoted(mergeFile) + "\n")
            ? Done
            : NotWritten;
    const auto sbatch = programOnPath("sbatch");
    if (!sbatch) {
        say("sbatch was not found on this machine: submit " + reduceFile
            + " and then, with --dependency=afterany, " + mergeFile + ".");
        return NotAvailable;
    }
    const auto reduce = submit(*sbatch, reduceFile);
    if (!reduce)
        return NotAvailable;
    if (!print("reduce " + *reduce + "\n"))
        return NotWritten;
    const auto merge = submit(*sbatch, mergeFile, {"--dependency=afterany:" + *reduce});
    if (!merge)
        return NotAvailable;
    return print("merge " + *merge + "\n") ? Done : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> slurmCommand()
{
    return std::make_unique<SlurmCommand>();
}

} // namespace collscope
