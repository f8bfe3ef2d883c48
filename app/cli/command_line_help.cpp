// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command_line_help.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t lineLength = 100;
constexpr std::size_t textColumn = 30;
constexpr std::ptrdiff_t screenHeight = 40;

/// Wraps the words of `text` into lines. The first line continues an existing line at `column`; the others
/// are indented.
std::string wrapped(std::string_view text, std::size_t column, std::size_t indent)
{
    std::string lines;
    for (bool isFirst = true; !text.empty(); isFirst = false) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (!isFirst && column + 1 + word.size() > lineLength) {
            lines.append("\n").append(indent, ' ');
            column = indent;
        } else if (!isFirst) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += word.size();
    }
    return lines;
}

std::string headOf(const OptionSpec& spec)
{
    const std::string argument = argumentText(spec);
    const char* const separator = spec.takes == OptionSpec::Takes::Optional ? "[=" : " ";
    return joined(spec.names, ", ") + (argument.empty() ? "" : separator + argument)
        + (spec.takes == OptionSpec::Takes::Optional ? "]" : "");
}

std::string line(std::string head, std::string_view description)
{
    head.insert(0, "  ");
    if (head.size() + 2 > textColumn)
        head.append("\n").append(textColumn, ' ');
    else
        head.append(textColumn - head.size(), ' ');
    return head + wrapped(description, textColumn, textColumn) + "\n";
}

/// Returns the options in sections. `isBrief`: shared options are only named.
std::string optionsText(const CommandOptions& options, bool isBrief)
{
    std::string text, group, names;
    for (const OptionSpec& spec : options.all()) {
        if (spec.isPositional() && spec.isShared)
            continue; // the usage shows it
        if (isBrief && spec.isShared) {
            // No break within an option.
            std::string head = headOf(spec);
            std::replace(head.begin(), head.end(), ' ', '\t');
            names += (names.empty() ? "" : ", ") + head;
            continue;
        }
        if (spec.group != group || text.empty())
            text += "\n" + (spec.group.empty() ? "Options" : spec.group) + ":\n";
        group = spec.group;
        text += line(headOf(spec), spec.description);
    }
    if (names.empty())
        return text;
    names = wrapped(names, 2, 2);
    std::replace(names.begin(), names.end(), '\t', ' ');
    return text + "\nRun and selection (--help-all describes them):\n  " + names + "\n";
}

} // namespace

std::string joined(const std::vector<std::string>& texts, std::string_view separator)
{
    std::string all;
    for (const std::string& text : texts) {
        if (!all.empty())
            all += separator;
        all += text;
    }
    return all;
}

std::string argumentText(const OptionSpec& spec)
{
    return spec.choices.empty() ? spec.argument : joined(spec.choices, "|");
}

std::string helpText(const CommandRow& row, bool isWhole)
{
    const std::unique_ptr<ProgramCommand> command = makeCommand(row);
    const std::string head = wrapped(row.description, 0, 0) + "\nUsage: collscope " + commandText(row) + " "
        + std::string(row.usage) + "\n";
    const std::string foot = row.footer.empty() ? std::string() : "\n" + std::string(row.footer) + "\n";
    std::string text = head + optionsText(command->options, false) + foot;
    if (isWhole || std::count(text.begin(), text.end(), '\n') <= screenHeight)
        return text;
    return head + optionsText(command->options, true) + foot;
}

std::string overviewText()
{
    const CommandRow& window = allCommands().front();
    std::string text = std::string(window.description)
        + "\nUsage: collscope [PATH ...] [OPTIONS]               the window\n"
          "       collscope --batch COMMAND RUN [OPTIONS]     numbers and files, without a display\n"
          "       collscope mcp [FOLDER ...]                  the same answers for agents\n"
          "\nCommands, each with its own --help:\n";
    for (const CommandRow& row : allCommands()) {
        if (!row.name.empty() && row.isBatch && !row.isForm())
            text += "  " + std::string(row.name) + std::string(12 - row.name.size(), ' ')
                + std::string(row.description) + "\n";
    }
    return text
        + "\nExamples: collscope RUN opens a folder of traces, --demo an example;\n"
          "  collscope --batch metrics RUN --metric all --json --csv x.csv --clocks raw --rank 0 --steps "
          "all\n"
          "\nOptions choose the command where none is named, as in version 1: --metric, --explain METRIC,\n"
          "--explain-step N, --report KIND, --baseline A --test B, --doctor, --write-kit DIR,\n"
          "--screenshot FILE.png. A folder that has the name of a command is written ./NAME.\n"
          "Options of the window: --goto LOCATION, --theme light|dark|system, --baseline A --test B.\n"
          "Options of the program: --version, --man-page, --completion bash|zsh.\n"
          "\nExit codes: 0 success, 1 usage error, 2 no readable input, 3 requested metric has no value, "
          "or ranks\nare missing from a merge, 4 output not written, or no display for the window, 5 "
          "cancelled,\n6 a limit of gate is exceeded, 7 event counts of --doctor do not add up.\n";
}

} // namespace collscope
