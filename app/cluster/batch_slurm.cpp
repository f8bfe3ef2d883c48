// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command slurm: the job array that reduces a run and the job that merges its parts.

#include "app/cli/command_interrupts.h"
#include "app/cluster/command_plan.h"
#include "app/cluster/job_folder.h"
#include "app/commands/batch_run.h"
#include "app/files/batch_io.h"
#include "app/files/resources.h"
#include "app/runtime/environment.h"
#include "model/readers/started_program.h"
#include "model/text/shell_word.h"
#include "model/text/trimmed.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// Consecutive tasks that are submitted as one job array.
struct TaskArray
{
    std::uint32_t first = 0, count = 0;
    std::string script; ///< path
};

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

private:
    /// The job for which the next array waits: with --running, which limits a single array, the one before.
    std::vector<std::string> arraysBefore(const std::vector<std::string>& jobs) const;
    std::string commandsText(const std::vector<TaskArray>& arrays, const std::string& merge) const;
    /// `record`: file that gets the numbers of the jobs. Without it, a second try in the same folder would
    /// submit jobs twice.
    int submitAll(const std::vector<TaskArray>& arrays, const std::string& merge,
                  const std::string& record) const;
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
    return "program=" + shellWord(programFile()) + "\nexec \"${COLLSCOPE:-$program}\"";
}

/// Slurm's arrays have indexes below its MaxArraySize.
std::vector<TaskArray> arraysOf(std::uint32_t tasks, std::uint32_t mostInArray, const std::string& folder)
{
    std::vector<TaskArray> arrays;
    for (std::uint32_t first = 0; first < tasks; first += arrays.back().count)
        arrays.push_back({first, std::min(mostInArray, tasks - first), {}});
    for (std::size_t i = 0; i < arrays.size(); ++i)
        arrays[i].script
            = folder + "/reduce" + (arrays.size() > 1 ? "-" + std::to_string(i + 1) : "") + ".sbatch";
    return arrays;
}

/// Returns the sbatch script of a task array. `folder` is absolute and contains plan.json, parts and logs.
std::string reduceJob(const SlurmCommand& own, const std::string& folder, const TaskArray& array)
{
    std::string text = header(own, "collscope-reduce", own.time);
    text.append("#SBATCH --array=0-").append(std::to_string(array.count - 1));
    if (own.running > 0)
        text.append("%").append(std::to_string(own.running));
    const std::string task = array.first == 0
        ? "\"$SLURM_ARRAY_TASK_ID\""
        : "\"$((" + std::to_string(array.first) + " + SLURM_ARRAY_TASK_ID))\"";
    text.append("\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output=")
        .append(logPath(folder, "reduce-%A_%a.log"))
        .append("\n\n")
        .append(programText())
        .append(" --batch reduce ")
        .append(shellWord(folder + "/plan.json"))
        .append(" --task ")
        .append(task)
        .append(" -j \"${SLURM_CPUS_PER_TASK:-1}\" -o ")
        .append(shellWord(folder + "/parts"))
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
        .append(shellWord(folder + "/parts"))
        .append(" --threads \"${SLURM_CPUS_PER_TASK:-1}\"");
    for (const std::string& argument : own.mergeArguments)
        text.append(" ").append(shellWord(argument));
    if (own.mergeArguments.empty())
        text.append(" --output-json ")
            .append(shellWord(folder + "/report.json"))
            .append(" --csv ")
            .append(shellWord(folder + "/metrics.csv"));
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

/// Asks Slurm for the largest array that it accepts; nullopt where it does not answer.
std::optional<std::uint32_t> mostTasksInArray()
{
    const auto scontrol = programOnPath("scontrol");
    if (!scontrol)
        return std::nullopt;
    const auto end = runProgram({{*scontrol, "show", "config"}, environmentForOthers(), true}, isInterrupted);
    if (!end || end->exitCode != 0)
        return std::nullopt;
    constexpr std::string_view key = "MaxArraySize";
    const std::string_view config = end->out;
    const std::size_t line = config.find(key);
    if (line == std::string_view::npos)
        return std::nullopt;
    std::string_view value = config.substr(line + key.size());
    value = value.substr(0, value.find('\n'));
    value = trimmed(value.substr(std::min(value.find('=') + 1, value.size())));
    const auto size = numberOf<std::uint32_t>(value);
    return size && *size > 0 ? size : std::nullopt;
}

std::string joinedBy(const std::vector<std::string>& words, char separator)
{
    std::string text;
    for (const std::string& word : words)
        text.append(text.empty() ? "" : std::string(1, separator)).append(word);
    return text;
}

/// The options that let a job wait for others. afterany: a bad rank must not prevent merging the
/// others, and requeueing a task does not repair a failed afterok dependency. The merge itself reports
/// missing parts.
std::vector<std::string> afterJobs(const std::vector<std::string>& jobs)
{
    if (jobs.empty())
        return {};
    return {"--dependency=afterany:" + joinedBy(jobs, ':')};
}

std::vector<std::string> SlurmCommand::arraysBefore(const std::vector<std::string>& jobs) const
{
    if (running == 0 || jobs.empty())
        return {};
    return {jobs.back()};
}

/// The commands that submit everything. Jobs are called <job1>, <job2>, ...
std::string SlurmCommand::commandsText(const std::vector<TaskArray>& arrays, const std::string& merge) const
{
    std::string text;
    std::vector<std::string> jobs;
    const auto add
        = [&](const char* options, const std::vector<std::string>& after, const std::string& script) {
              text.append("sbatch ").append(options);
              for (const std::string& option : after)
                  text.append(option).append(" ");
              text.append(shellWord(script)).append("\n");
          };
    for (const TaskArray& array : arrays) {
        add("--parsable ", afterJobs(arraysBefore(jobs)), array.script);
        jobs.push_back(arrays.size() > 1 ? "<job" + std::to_string(jobs.size() + 1) + ">" : "<job>");
    }
    add("", afterJobs(jobs), merge);
    return text;
}

int SlurmCommand::submitAll(const std::vector<TaskArray>& arrays, const std::string& merge,
                            const std::string& record) const
{
    const auto sbatch = programOnPath("sbatch");
    if (!sbatch) {
        say("sbatch was not found on this machine: submit " + arrays.front().script
            + (arrays.size() > 1 ? " and the other arrays" : "") + " and then, with --dependency=afterany, "
            + merge + ".");
        return NotAvailable;
    }
    std::vector<std::string> jobs;
    std::string submitted;
    const auto submitOne
        = [&](const char* what, const std::string& script, const std::vector<std::string>& after) {
              const auto job = submit(*sbatch, script, afterJobs(after));
              if (!job) {
                  if (!jobs.empty())
                      say("These jobs were submitted: " + joinedBy(jobs, ' ') + ". Cancel them (scancel "
                          + joinedBy(jobs, ' ') + ") before you try again in a new folder.");
                  return NotAvailable;
              }
              jobs.push_back(*job);
              const std::string line = std::string(what) + " " + *job + "\n";
              submitted += line;
              return writeFile(record, submitted) && print(line) ? Done : NotWritten;
          };
    for (const TaskArray& array : arrays) {
        if (const int code = submitOne("reduce", array.script, arraysBefore(jobs)); code != Done)
            return code;
    }
    return submitOne("merge", merge, std::vector(jobs));
}

int SlurmCommand::execute() const
{
    const auto plan = makePlan(input);
    if (!plan)
        return sayNotLoaded(plan.error());
    std::error_code error;
    const std::string folder = fs::absolute(output, error).lexically_normal().string();
    constexpr std::uint32_t usual = 1001;
    const auto most = mostTasksInArray();
    const std::vector<TaskArray> arrays = arraysOf(plan->tasks, most.value_or(usual), folder);
    if (arrays.size() > 1)
        say((most ? "Slurm accepts " : "Slurm does not say how many tasks an array may have; usual are ")
            + std::to_string(arrays.front().count)
            + (most ? " tasks in an array here (MaxArraySize): " : ": ") + std::to_string(plan->tasks)
            + " tasks are " + std::to_string(arrays.size()) + " arrays"
            + (running > 0 ? ", one after the other because of --running." : "."));
    const std::string merge = folder + "/merge.sbatch";
    std::vector<JobFile> files{{std::string(planName), planText(*plan)},
                               {"merge.sbatch", mergeJob(*this, folder), true}};
    for (const TaskArray& array : arrays)
        files.push_back({fs::path(array.script).filename().string(), reduceJob(*this, folder, array), true});
    // Slurm does not create the log folder.
    if (!writeJobFolder(folder, files, {"logs", "parts"}))
        return NotWritten;
    if (dryRun)
        return print(commandsText(arrays, merge)) ? Done : NotWritten;
    return submitAll(arrays, merge, pathIn(folder, std::string(submittedName)));
}

} // namespace

std::unique_ptr<ProgramCommand> slurmCommand()
{
    return std::make_unique<SlurmCommand>();
}

} // namespace collscope
