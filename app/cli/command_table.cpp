// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command.h"

#include <algorithm>

namespace collscope {

// Each is defined in app/commands.
std::unique_ptr<ProgramCommand> windowCommand();
std::unique_ptr<ProgramCommand> metricsCommand();
std::unique_ptr<ProgramCommand> explainCommand();
std::unique_ptr<ProgramCommand> findingsCommand();
std::unique_ptr<ProgramCommand> networkCommand();
std::unique_ptr<ProgramCommand> exportCommand();
std::unique_ptr<ProgramCommand> whatIfCommand();
std::unique_ptr<ProgramCommand> hangCommand();
std::unique_ptr<ProgramCommand> historyCommand();
std::unique_ptr<ProgramCommand> pageCommand();
std::unique_ptr<ProgramCommand> reportCommand();
std::unique_ptr<ProgramCommand> compareCommand();
std::unique_ptr<ProgramCommand> gateCommand();
std::unique_ptr<ProgramCommand> doctorCommand();
std::unique_ptr<ProgramCommand> screenshotCommand();
std::unique_ptr<ProgramCommand> planCommand();
std::unique_ptr<ProgramCommand> reduceCommand();
std::unique_ptr<ProgramCommand> mergeCommand();
std::unique_ptr<ProgramCommand> joinCommand();
std::unique_ptr<ProgramCommand> sendCommand();
std::unique_ptr<ProgramCommand> slurmCommand();
std::unique_ptr<ProgramCommand> kubernetesCommand();
std::unique_ptr<ProgramCommand> kitCommand();
std::unique_ptr<ProgramCommand> mcpCommand(); // in app/agents

namespace {

constexpr CommandRow rows[]
    = {{"", "[PATH ...] [OPTIONS]",
        "Shows and measures the communication of distributed LLM training and inference.", windowCommand},
       {"metrics", "RUN ... [OPTIONS]", "Prints, writes and plots the metrics of runs.", metricsCommand},
       {"explain", "RUN (--metric METRIC | --step N) [OPTIONS]",
        "Explains the value of a metric, or why a step took as long as it did.", explainCommand},
       {"findings", "RUN [--json] [--top K] [OPTIONS]",
        "Says what costs time in a run, how much and where, the largest cost first.", findingsCommand},
       {"what-if", "RUN [--scenario SCENARIO ...] [--json] [OPTIONS]",
        "Says what would make a step shorter, by how much, and how sure that is.", whatIfCommand},
       {"hang", "DIR [--hung] [--json] [OPTIONS]",
        "Says of a job that hung which rank did not go on, where, and how far the files tell.", hangCommand},
       {"network", "RUN [--json] [OPTIONS]",
        "Says what NCCL's logs show of the network of a job, and what nccl-tests measured.", networkCommand},
       {"history", "PATH ... [--json] [OPTIONS]",
        "Says since when a job is slower, and where, by its logs and NCCL Inspector files.", historyCommand,
        "Exit code 3: too little was recorded to see a change."},
       {"export", "RUN -o FILE.db [--csv DIR] [--slices] [OPTIONS]",
        "Writes a run as tables for SQL: an SQLite file, or CSV files.", exportCommand},
       {"page", "RUN [TEST ...] -o FILE.html [OPTIONS]",
        "Writes what is known of a run, of a comparison or of a hang as one HTML file to send.", pageCommand},
       {"report", "RUN ... --kind KIND,... [OPTIONS]", "Writes text reports, workbooks and tables of runs.",
        reportCommand},
       {"compare", "BASELINE TEST ... --output DIR [OPTIONS]",
        "Writes workbooks, plots and a page that compare runs.", compareCommand},
       {"gate", "BASELINE TEST --max METRIC=+X% [--max ...] [--json] [OPTIONS]",
        "Says whether a run exceeds limits on its change from a baseline, beyond the noise.", gateCommand,
        "Exit code 0: within the limits; 6: a limit is exceeded beyond the noise; 3: the steps do not tell."},
       {"doctor", "RUN [OPTIONS]",
        "Checks the files for damage and accounts for every event; reads every value.", doctorCommand},
       {"screenshot", "[RUN] --output FILE.png [OPTIONS]",
        "Saves a picture of the window, without a display.", screenshotCommand},
       {"plan", "RUN --tasks N [OPTIONS]", "Divides the files of a run into tasks.", planCommand},
       {"reduce", "PLAN --task I (--output DIR | --list-files) [OPTIONS]",
        "Reads the files of one task and writes a part.", reduceCommand},
       {"merge", "DIR [--allow-missing] [OPTIONS]",
        "Merges the parts that reduce wrote into DIR, then does what the other options ask for.",
        mergeCommand, "Options are those of commands that read runs. merge --partial --help: joins parts."},
       {"merge --partial", "DIR ... [--tasks A-B] [--allow-missing] --output DIR",
        "Joins the parts of many tasks into one file, of which merge makes the same numbers.", joinCommand,
        "Joined parts can be joined again: they are copies of what reduce wrote, checked and without loss."},
       {"slurm", "RUN --tasks N --output DIR [OPTIONS] [-- OPTIONS OF THE MERGE]",
        "Reduces a run with a Slurm job array, then merges the parts.", slurmCommand,
        "Options after -- are passed to the merge, as for --batch merge:\n"
        "  collscope --batch slurm RUN --tasks 16 -o OUT -- --metric all --json\n"
        "By default the merge writes OUT/report.json and OUT/metrics.csv."},
       {"kubernetes", "RUN --tasks N --image IMAGE --claim NAME:PATH -o DIR [OPTIONS]",
        "Writes Kubernetes jobs that reduce a run and merge the parts.", kubernetesCommand,
        "Options after -- are passed to the merge, as for --batch merge."},
       {"send", "RUN [OPTIONS]",
        "Writes a run as a stream of parts, for a window that opened ssh://HOST/RUN.", sendCommand},
       {"kit", "DIR", "Writes the trace collection kit for Slurm clusters into a new folder.", kitCommand},
       {"mcp", "[FOLDER ...] [OPTIONS]",
        "Answers the questions of agents about the runs in these folders, on standard input and output.",
        mcpCommand,
        "It speaks the Model Context Protocol: one JSON-RPC 2.0 message a line. Nothing is written, and\n"
        "it answers about runs in these folders only.",
        false}};

} // namespace

std::span<const CommandRow> allCommands()
{
    return rows;
}

const CommandRow* findCommand(std::string_view name)
{
    const auto* const found = std::find_if(std::begin(rows), std::end(rows),
                                           [&](const CommandRow& row) { return row.name == name; });
    return found == std::end(rows) ? nullptr : found;
}

std::unique_ptr<ProgramCommand> makeCommand(const CommandRow& row)
{
    std::unique_ptr<ProgramCommand> command = row.make();
    command->declare();
    return command;
}

std::string commandText(const CommandRow& row)
{
    return (row.isBatch && !row.name.empty() ? "--batch " : "") + std::string(row.name);
}

} // namespace collscope
