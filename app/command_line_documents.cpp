// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The options as a manual page (roff) and as completions of shells.

#include "app/command_line_help.h"

#include <algorithm>
#include <string_view>

namespace collscope {

namespace {

using Texts = std::vector<std::string>;

std::string replaced(std::string text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// Text as roff shows it: a backslash, a hyphen, and a point or quote that begins a line mean something to
/// it.
std::string roff(const std::string& text)
{
    std::string safe = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
    return !safe.empty() && (safe.front() == '.' || safe.front() == '\'') ? "\\&" + safe : safe;
}

bool isFile(const OptionHelp& option)
{
    return option.argument == "FILE" || option.argument == "PATH" || option.argument == "FILE|-";
}

bool isMetric(const OptionHelp& option)
{
    return option.argument == "METRIC,..." || option.argument == "METRIC";
}

void addOptions(std::string& page, const CommandHelp& command)
{
    for (const OptionGroup& group : command.groups) {
        page += ".SS " + roff(group.title) + "\n";
        for (const OptionHelp& option : group.options) {
            page += ".TP\n\\fB" + roff(joined(option.names, ", ")) + "\\fR";
            if (!option.choices.empty())
                page += " " + roff(joined(option.choices, "|"));
            else if (!option.argument.empty())
                page += " \\fI" + roff(option.argument) + "\\fR";
            page += "\n" + roff(option.description) + "\n";
        }
    }
}

/// "collscope --batch plan" -> "plan"
std::string verbOf(const CommandHelp& command)
{
    const std::size_t space = command.name.rfind(' ');
    return space == std::string::npos ? std::string() : command.name.substr(space + 1);
}

/// Values of an option in bash: a command that fills COMPREPLY; empty where it takes anything.
std::string bashValues(const OptionHelp& option)
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

std::string bashCase(const CommandHelp& command)
{
    Texts names;
    std::string cases;
    for (const OptionGroup& group : command.groups) {
        for (const OptionHelp& option : group.options) {
            names.insert(names.end(), option.names.begin(), option.names.end());
            if (option.argument.empty())
                continue;
            const std::string values = bashValues(option);
            cases += "        " + joined(option.names, " | ") + ") " + values + (values.empty() ? "" : "; ")
                + "return ;;\n";
        }
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

std::string zshAction(const OptionHelp& option)
{
    if (!option.choices.empty())
        return "(" + joined(option.choices, " ") + ")";
    if (isMetric(option))
        return "_sequence compadd - $metrics";
    return option.argument == "DIR" ? "_files -/" : isFile(option) ? "_files" : "";
}

std::string zshArguments(const CommandHelp& command, const std::string& indent)
{
    std::string text;
    for (const OptionGroup& group : command.groups) {
        for (const OptionHelp& option : group.options) {
            // Given once, whichever of its names it was given by.
            std::string spec = option.names.size() == 1
                ? "'" + option.names.front()
                : "'(" + joined(option.names, " ") + ")'{" + joined(option.names, ",") + "}'";
            spec += "[" + zshText(option.description) + "]";
            if (!option.argument.empty())
                spec += ":" + zshText(option.argument) + ":" + zshAction(option);
            text += " \\\n" + indent + spec + "'";
        }
    }
    return text + " \\\n" + indent + "'*:trace:_files'\n";
}

} // namespace

std::string manualPage(const std::vector<CommandHelp>& commands)
{
    const CommandHelp& main = commands.front();
    std::string page = ".\\\" Made by collscope --man-page.\n"
                       ".TH COLLSCOPE 1 \"\" \"Collscope " COLLSCOPE_VERSION "\" \"User Commands\"\n"
                       ".SH NAME\n"
                       "collscope \\- trace explorer for the communication of distributed LLM jobs\n"
                       ".SH SYNOPSIS\n"
                       ".B collscope\n"
                       "[\\fIOPTIONS\\fR] [\\fIPATH\\fR ...]\n"
                       ".br\n"
                       ".B collscope \\-\\-demo\n"
                       ".br\n"
                       ".B collscope \\-\\-batch\n"
                       "[\\fIOPTIONS\\fR] \\fIPATH\\fR ...\n"
                       ".br\n"
                       ".B ccl\\-metrics\n"
                       "[\\fIOPTIONS\\fR] \\fIPATH\\fR ...\n";
    for (std::size_t i = 1; i < commands.size(); ++i)
        page += ".br\n.B " + roff(commands[i].name) + "\n" + roff(commands[i].usage) + "\n";
    page += ".br\n.B collscope \\-\\-batch merge\n\\fIDIR\\fR [\\-\\-allow\\-missing] [\\fIOPTIONS\\fR]\n"
            ".SH DESCRIPTION\n"
        + roff(main.parallelismKind)
        + "\n.PP\n"
          "\\fIPATH\\fR is a folder of traces, or files: PyTorch profiler traces (.json, .json.gz), Nsight "
          "Systems exports (.sqlite), NVLink samples (.bin), execution traces, memory snapshots, workload "
          "cards, TorchTitan configurations. Contents decide, not names. Without \\fB\\-\\-batch\\fR a "
          "window "
          "opens; F1 in it shows the guide.\n"
          ".PP\n"
          "A link named \\fBccl\\-metrics\\fR means \\fBcollscope \\-\\-batch\\fR.\n"
          ".SH OPTIONS\n";
    addOptions(page, main);
    for (std::size_t i = 1; i < commands.size(); ++i) {
        page += ".SH " + roff(commands[i].name) + "\n" + roff(commands[i].parallelismKind) + "\n";
        addOptions(page, commands[i]);
    }
    page += ".SH EXIT STATUS\n"
            ".TP\n0\nDone.\n"
            ".TP\n1\nWrong usage.\n"
            ".TP\n2\nNothing readable.\n"
            ".TP\n3\nThe one thing that was asked for, or ranks of a merge, are not available; the reason is "
            "on standard error.\n"
            ".TP\n4\nOutput not written.\n"
            ".TP\n5\nCancelled.\n"
            ".TP\n7\nA ledger of \\fB\\-\\-doctor\\fR does not add up: a defect of the program.\n"
            ".SH FILES\n"
            ".TP\n\\fI~/.config/collscope/collscope/metrics.toml\\fR\nMetrics of your own, as "
            "\\fB\\-\\-define\\fR "
            "reads them; \\fIcommunication.toml\\fR beside it: rules for kernel names.\n"
            ".TP\n\\fI~/.local/share/collscope/collscope\\fR\nHow runs were left in the window. Nothing is "
            "written "
            "beside "
            "the traces.\n"
            ".SH EXAMPLES\n"
            ".nf\n"
            "collscope --batch RUN --metric comm_comp_overlap\n"
            "collscope --batch RUN --metric all --json >metrics.json\n"
            "collscope --batch --doctor RUN\n"
            "collscope --batch --baseline A --test B --output OUT\n"
            ".fi\n";
    return page;
}

std::string bashCompletion(const std::vector<CommandHelp>& commands, const std::vector<std::string>& metrics)
{
    std::string script = "# bash completion of collscope, made by collscope --completion bash\n"
                         "\n"
                         "# After the last comma of a list.\n"
                         "_collscope_metrics()\n"
                         "{\n"
                         "    local list=''\n"
                         "    [[ $cur == *,* ]] && list=${cur%,*},\n"
                         "    COMPREPLY=($(compgen -P \"$list\" -W '"
        + joined(metrics, " ")
        + "' -- \"${cur##*,}\"))\n"
          "}\n"
          "\n"
          "_collscope()\n"
          "{\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} options\n"
          "    COMPREPLY=()\n"
          "    # bash takes --option=value apart at the sign.\n"
          "    if [[ $cur == = ]]; then\n"
          "        cur=''\n"
          "    elif [[ $prev == = ]]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    case \"${COMP_WORDS[1]} ${COMP_WORDS[2]:-}\" in\n";
    for (std::size_t i = 1; i < commands.size(); ++i) {
        if (verbOf(commands[i]).empty())
            continue;
        script += "    '--batch " + verbOf(commands[i]) + "')\n" + bashCase(commands[i]) + "        ;;\n";
    }
    script += "    *)\n" + bashCase(commands.front())
        + "        ;;\n"
          "    esac\n"
          "    if [[ $cur == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
          "    else\n"
          "        compopt -o filenames\n"
          "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
          "    fi\n"
          "}\n"
          "complete -F _collscope collscope ccl-metrics\n";
    return script;
}

std::string zshCompletion(const std::vector<CommandHelp>& commands, const std::vector<std::string>& metrics)
{
    std::string script = "#compdef collscope ccl-metrics\n"
                         "# zsh completion of collscope, made by collscope --completion zsh\n"
                         "\n"
                         "local -a metrics=("
        + joined(metrics, " ") + ")\n\ncase \"$words[2] $words[3]\" in\n";
    for (std::size_t i = 1; i < commands.size(); ++i)
        script += "'--batch " + verbOf(commands[i]) + "')\n    _arguments -s"
            + zshArguments(commands[i], "        ") + "    ;;\n";
    return script + "*)\n    _arguments -s" + zshArguments(commands.front(), "        ") + "    ;;\nesac\n";
}

} // namespace collscope
