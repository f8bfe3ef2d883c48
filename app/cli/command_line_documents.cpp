// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Renders the commands as a manual page (roff) and as shell completions.

#include "app/cli/command_line_help.h"
#include "app/cli/command_old_lines.h"
#include "metrics/core/metric.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace collscope {

namespace {

using Texts = std::vector<std::string>;

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// Escapes text for roff, which interprets backslashes, hyphens, and a period or quote at the start of a
/// line.
std::string roff(const std::string& text)
{
    std::string safe = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
    return !safe.empty() && (safe.front() == '.' || safe.front() == '\'') ? "\\&" + safe : safe;
}

bool isFile(const OptionSpec& option)
{
    return option.argument == "FILE" || option.argument == "PATH" || option.argument == "FILE|-";
}

bool isMetric(const OptionSpec& option)
{
    return option.argument == "METRIC,..." || option.argument == "METRIC";
}

/// Adds a section per group. `isShared`: only the options that many commands have, or only the others.
void addOptions(std::string& page, const CommandOptions& options, bool isShared)
{
    std::string group;
    for (const OptionSpec& option : options.all()) {
        if (option.isShared != isShared || option.isPositional())
            continue;
        if (option.group != group)
            page += ".SS " + roff(option.group) + "\n";
        group = option.group;
        page += ".TP\n\\fB" + roff(joined(option.names, ", ")) + "\\fR";
        if (!option.choices.empty())
            page += " " + roff(joined(option.choices, "|"));
        else if (!option.argument.empty())
            page += " \\fI" + roff(option.argument) + "\\fR";
        page += "\n" + roff(option.description) + "\n";
    }
}

/// Returns the sections of the shared options that a command has: "Run" and "Selection".
Texts sharedGroups(const CommandOptions& options)
{
    Texts groups;
    for (const OptionSpec& option : options.all()) {
        if (option.isShared && (groups.empty() || groups.back() != option.group))
            groups.push_back(option.group);
    }
    return groups;
}

/// `isBatch`: those after --batch, else those that are the first word.
std::vector<std::string> commandNames(bool isBatch)
{
    std::vector<std::string> names;
    for (const CommandRow& row : allCommands().subspan(1)) {
        if (row.isBatch == isBatch && !row.isForm())
            names.emplace_back(row.name);
    }
    return names;
}

/// The options that make another command of this one: "--partial" of merge.
Texts formOptions(const CommandRow& row)
{
    const std::string begin = std::string(row.name) + " ";
    Texts options;
    for (const CommandRow& other : allCommands()) {
        if (other.isForm() && other.name.starts_with(begin))
            options.emplace_back(other.name.substr(begin.size()));
    }
    return options;
}

/// The commands in the order in which completions compare a line with them: forms first, which have one word
/// more.
std::vector<const CommandRow*> commandsToMatch()
{
    std::vector<const CommandRow*> rows;
    for (const CommandRow& row : allCommands().subspan(1))
        rows.push_back(&row);
    std::stable_partition(rows.begin(), rows.end(), [](const CommandRow* row) { return row->isForm(); });
    return rows;
}

/// The pattern that matches the first three words of a line with this command.
std::string casePattern(const CommandRow& row)
{
    return "'" + commandText(row) + (row.isForm() ? "'" : " '*");
}

std::vector<std::string> metricNames()
{
    std::vector<std::string> names{"all", "auto"};
    for (const MetricDescriptor& metric : allMetrics()) {
        names.emplace_back(metric.id);
        for (const MetricAlias& alias : metric.aliases)
            names.emplace_back(alias.id);
    }
    return names;
}

/// Returns the bash command that fills COMPREPLY with the values of an option; empty if any value is allowed.
std::string bashValues(const OptionSpec& option)
{
    if (!option.choices.empty())
        return "COMPREPLY=($(compgen -W '" + joined(option.choices, " ") + "' -- \"$cur\"))";
    if (isMetric(option))
        return "_collscope_metrics";
    if (option.argument == "DIR")
        return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")";
    if (isFile(option))
        return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")";
    return {};
}

/// `helpNames`: the help options, which every command has without declaring them.
std::string bashCase(const CommandOptions& options, Texts helpNames = {})
{
    Texts names = std::move(helpNames);
    std::string cases;
    for (const OptionSpec& option : options.all()) {
        if (option.isPositional())
            continue;
        names.insert(names.end(), option.names.begin(), option.names.end());
        if (option.argument.empty())
            continue;
        const std::string values = bashValues(option);
        cases += "        " + joined(option.names, " | ") + ") " + values + (values.empty() ? "" : "; ")
            + "return ;;\n";
    }
    return "        options='" + joined(names, " ") + "'\n        case $prev in\n" + cases + "        esac\n";
}

std::string zshText(const std::string& text)
{
    std::string safe;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\')
            safe += '\\';
        safe += c;
    }
    return replaced(safe, "'", "'\\''");
}

std::string zshAction(const OptionSpec& option)
{
    if (!option.choices.empty())
        return "(" + joined(option.choices, " ") + ")";
    if (isMetric(option))
        return "_sequence compadd - $metrics";
    return option.argument == "DIR" ? "_files -/" : isFile(option) ? "_files" : "";
}

std::string zshArguments(const CommandOptions& options, const std::string& helpArguments = {})
{
    std::string text = "    _arguments -s" + helpArguments;
    for (const OptionSpec& option : options.all()) {
        if (option.isPositional())
            continue;
        // The option is offered only once, under any of its names.
        std::string spec = option.names.size() == 1
            ? "'" + option.names.front()
            : "'(" + joined(option.names, " ") + ")'{" + joined(option.names, ",") + "}'";
        spec += "[" + zshText(option.description) + "]";
        if (!option.argument.empty())
            spec += ":" + zshText(option.argument) + ":" + zshAction(option);
        text += " \\\n        " + spec + "'";
    }
    return text + " \\\n        '*:trace:_files'\n    ;;\n";
}

} // namespace

std::string manualPage()
{
    std::string page = ".\\\" Generated by collscope --man-page.\n"
                       ".TH COLLSCOPE 1 \"\" \"Collscope " COLLSCOPE_VERSION "\" \"User Commands\"\n"
                       ".SH NAME\n"
                       "collscope \\- trace explorer for the communication of distributed LLM jobs\n"
                       ".SH SYNOPSIS\n"
                       ".B collscope\n"
                       "[\\fIOPTIONS\\fR] [\\fIPATH\\fR ...]\n"
                       ".br\n"
                       ".B collscope \\-\\-demo\n";
    for (const CommandRow& row : allCommands().subspan(1))
        page += ".br\n.B collscope " + roff(commandText(row)) + "\n" + roff(std::string(row.usage)) + "\n";
    page += ".br\n.B collscope \\-\\-batch\n[\\fIOPTIONS\\fR] \\fIPATH\\fR ...\n"
            ".br\n.B ccl\\-metrics\n[\\fIOPTIONS\\fR] \\fIPATH\\fR ...\n"
            ".SH DESCRIPTION\n"
        + roff(std::string(allCommands().front().description))
        + "\n.PP\n"
          "\\fIPATH\\fR is a folder of traces, or files: PyTorch profiler traces (.json, .json.gz), Nsight "
          "Systems exports (.sqlite), NVLink samples (.bin), execution traces, memory snapshots, workload "
          "cards, TorchTitan configurations. Files are recognised by content, not by name. Without "
          "\\fB\\-\\-batch\\fR a window opens; press F1 in it for the guide.\n"
          ".PP\n"
          "A word after \\fB\\-\\-batch\\fR is a command. A folder of the same name is written "
          "\\fI./NAME\\fR. A link named \\fBccl\\-metrics\\fR runs \\fBcollscope \\-\\-batch\\fR.\n";
    for (const CommandRow& row : allCommands()) {
        const std::unique_ptr<ProgramCommand> command = makeCommand(row);
        page += ".SH " + (row.name.empty() ? "WINDOW" : roff(std::string(row.name))) + "\n"
            + roff(std::string(row.description)) + "\n";
        if (const Texts shared = sharedGroups(command->options); !shared.empty())
            page += "It also takes the options below OPTIONS OF RUNS: " + joined(shared, " and ") + ".\n";
        addOptions(page, command->options, false);
    }
    page += ".SH OPTIONS OF RUNS\n";
    addOptions(page, makeCommand(*findCommand("metrics"))->options, true);
    page += ".SH OPTIONS WITHOUT A COMMAND\n"
            "Without a command, options choose what is done: all of the above, and these.\n";
    CommandOptions old;
    for (const OptionSpec& option : oldLineOptions().all()) {
        if (option.group == oldLineGroup)
            old.adopt(option);
    }
    addOptions(page, old, false);
    page += ".SH EXIT STATUS\n"
            ".TP\n0\nSuccess.\n"
            ".TP\n1\nUsage error.\n"
            ".TP\n2\nNo readable input.\n"
            ".TP\n3\nThe requested metric has no value, or ranks are missing from a merge; the reason is on "
            "standard error.\n"
            ".TP\n4\nOutput not written, or no display for the window.\n"
            ".TP\n5\nCancelled.\n"
            ".TP\n6\nA limit of \\fBgate\\fR is exceeded beyond the noise.\n"
            ".TP\n7\nThe event counts of \\fB\\-\\-doctor\\fR do not add up: a bug in the program.\n"
            ".SH FILES\n"
            ".TP\n\\fI~/.config/collscope/collscope/metrics.toml\\fR\nUser-defined metrics, in the format "
            "that \\fB\\-\\-define\\fR reads; \\fIcommunication.toml\\fR in the same folder contains rules "
            "for kernel names.\n"
            ".TP\n\\fI~/.local/share/collscope/collscope\\fR\nSessions: the saved window state of each run. "
            "Nothing is written next to the traces unless the user saves a session there.\n"
            ".SH EXAMPLES\n"
            ".nf\n"
            "collscope --batch metrics RUN --metric comm_comp_overlap\n"
            "collscope --batch metrics RUN --metric all --json >metrics.json\n"
            "collscope --batch doctor RUN\n"
            "collscope --batch compare A B --output OUT\n"
            ".fi\n";
    return page;
}

std::string bashCompletion()
{
    std::string script = "# bash completion for collscope, generated by collscope --completion bash\n"
                         "\n"
                         "# Completes the word after the last comma of a list.\n"
                         "_collscope_metrics()\n"
                         "{\n"
                         "    local list=''\n"
                         "    [[ $cur == *,* ]] && list=${cur%,*},\n"
                         "    COMPREPLY=($(compgen -P \"$list\" -W '"
        + joined(metricNames(), " ")
        + "' -- \"${cur##*,}\"))\n"
          "}\n"
          "\n"
          "_collscope()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} options\n"
          "    local commands='"
        + joined(commandNames(true), " ") + "'\n    local words='" + joined(commandNames(false), " ")
        + "'\n"
          "    COMPREPLY=()\n"
          "    # bash splits --option=value at the equals sign.\n"
          "    if [[ $cur == = ]]; then\n"
          "        cur=''\n"
          "    elif [[ $prev == = ]]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    case \"${COMP_WORDS[1]} ${COMP_WORDS[2]:-} ${COMP_WORDS[3]:-}\" in\n";
    for (const CommandRow* row : commandsToMatch()) {
        Texts names{"-h", "--help", "--help-all"};
        for (std::string& option : formOptions(*row))
            names.push_back(std::move(option));
        script += "    " + casePattern(*row) + ")\n" + bashCase(makeCommand(*row)->options, std::move(names))
            + "        ;;\n";
    }
    script += "    *)\n" + bashCase(oldLineOptions())
        + "        ;;\n"
          "    esac\n"
          "    if [[ $cur == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
          "    else\n"
          "        compopt -o filenames\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "        [[ $COMP_CWORD -eq 2 && $prev == --batch ]] && COMPREPLY+=($(compgen -W \"$commands\" -- "
          "\"$cur\"))\n"
          "        [[ $COMP_CWORD -eq 1 ]] && COMPREPLY+=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "    fi\n"
          "}\n"
          "complete -F _collscope collscope ccl-metrics\n";
    return script;
}

std::string zshCompletion()
{
    std::string script = "#compdef collscope ccl-metrics\n"
                         "# zsh completion for collscope, generated by collscope --completion zsh\n"
                         "\n"
                         "local -a metrics=("
        + joined(metricNames(), " ") + ")\n\ncase \"$words[2] $words[3] $words[4]\" in\n";
    for (const CommandRow* row : commandsToMatch()) {
        std::string forms;
        for (const std::string& option : formOptions(*row))
            forms += " '" + option + "[Another command: see its help]'";
        script += casePattern(*row) + ")\n"
            + zshArguments(makeCommand(*row)->options,
                           " '(-h --help)'{-h,--help}'[Print the help of the command]'"
                           " '--help-all[Print its help with all options]'"
                               + forms);
    }
    return script + "*)\n" + zshArguments(oldLineOptions()) + "esac\n";
}

} // namespace collscope
