// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --batch slurm: the array that reduces a run and the job that merges its parts.

#include "app/batch_io.h"
#include "app/batch_jobs.h"
#include "app/resources.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>

#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// One word for a shell, whatever it holds.
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

/// A path in a line of #SBATCH, where % begins a pattern.
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

std::string header(const Distributed& own, const std::string& name, const std::string& time)
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

/// The line of a job up to the arguments; COLLSCOPE in its environment names another program.
std::string programText()
{
    return "program=" + quoted(programFile().toStdString()) + "\nexec \"${COLLSCOPE:-$program}\"";
}

/// The array of tasks as a script for sbatch; `folder` is absolute and holds plan.json, parts and logs.
std::string reduceJob(const CommandLine& command, const std::string& folder, std::uint32_t tasks)
{
    const Distributed& own = command.distributed;
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
        .append(command.load.exportsReports ? " --export-nsys\n" : "\n");
    return text;
}

/// The job behind it.
std::string mergeJob(const Distributed& own, const std::string& folder)
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

/// The environment for programs that this one starts: that of the machine, without what the wrapper of the
/// archive added.
QProcessEnvironment environmentForOthers()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QString wrapper = qEnvironmentVariable("COLLSCOPE_PROGRAM");
    if (wrapper.isEmpty())
        return environment;
    // What it says lies in its package; fonts and keyboards that a user chose lie elsewhere.
    const QString package = QFileInfo(wrapper).path() + QStringLiteral("/../");
    for (const QStringList names = environment.keys(); const QString& name : names)
        if (environment.value(name).startsWith(package))
            environment.remove(name);
    environment.remove(QStringLiteral("COLLSCOPE_PROGRAM"));
    return environment;
}

/// The number that Slurm gives a job; nullopt, with a sentence on stderr, if it takes none.
std::optional<std::string> submit(const QString& sbatch, const std::string& script,
                                  const QStringList& options = {})
{
    QProcess process;
    process.setProcessEnvironment(environmentForOthers());
    process.start(sbatch,
                  QStringList{QStringLiteral("--parsable")} + options
                      + QStringList{QString::fromLocal8Bit(script.c_str())});
    if (!process.waitForFinished(-1) || process.exitStatus() != QProcess::NormalExit
        || process.exitCode() != 0) {
        const QByteArray message = process.readAllStandardError().trimmed();
        say("sbatch " + script + " failed: "
            + (message.isEmpty() ? process.errorString().toStdString() : message.toStdString()));
        return std::nullopt;
    }
    const std::string job = process.readAllStandardOutput().trimmed().toStdString();
    return job.substr(0, job.find(';')); // "job;cluster"
}

} // namespace

int runSlurm(const CommandLine& command)
{
    const Distributed& own = command.distributed;
    const auto plan = makePlan(command);
    if (!plan)
        return sayNotLoaded(plan.error());
    std::error_code error;
    const std::string folder = fs::absolute(own.output, error).lexically_normal().string();
    const std::string reduceFile = folder + "/reduce.sbatch", mergeFile = folder + "/merge.sbatch";
    // Parts of another plan in there would be merged as if they were this run's.
    if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
        say(folder + " holds something already: give the jobs a new folder.");
        return NotWritten;
    }
    // Slurm does not make the folder of the logs.
    if (!makeFolder(folder + "/logs") || !makeFolder(folder + "/parts")
        || !writeFile(folder + "/" + std::string(planName), planText(*plan))
        || !writeFile(reduceFile, reduceJob(command, folder, plan->tasks), true)
        || !writeFile(mergeFile, mergeJob(own, folder), true))
        return NotWritten;
    // afterany: one bad rank must not keep the others from being merged, and a task that is requeued repairs
    // no afterok. The merge says itself what is missing.
    if (own.dryRun)
        return print("sbatch --parsable " + quoted(reduceFile) + "\nsbatch --dependency=afterany:<job> "
                     + quoted(mergeFile) + "\n")
            ? Done
            : NotWritten;
    const QString sbatch = QStandardPaths::findExecutable(QStringLiteral("sbatch"));
    if (sbatch.isEmpty()) {
        say("There is no sbatch on this machine: submit " + reduceFile + " and, behind it (afterany), "
            + mergeFile + ".");
        return NotAvailable;
    }
    const auto reduce = submit(sbatch, reduceFile);
    if (!reduce)
        return NotAvailable;
    if (!print("reduce " + *reduce + "\n"))
        return NotWritten;
    const auto merge = submit(sbatch, mergeFile,
                              {QStringLiteral("--dependency=afterany:") + QString::fromStdString(*reduce)});
    if (!merge)
        return NotAvailable;
    return print("merge " + *merge + "\n") ? Done : NotWritten;
}

} // namespace collscope
