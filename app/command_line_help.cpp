// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/command_line_help.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <string_view>

namespace collscope {

namespace {

constexpr std::size_t lineLength = 100;
constexpr std::size_t textColumn = 30;

std::vector<std::string> splitAt(std::string_view text, char separator)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return parts;
}

/// Parses CLI11's type names, such as "TEXT:{tx,rx}", "INT:INT in [0 - 1024]" or "DIR:FILE": a type and its
/// checks.
void readType(const std::string& type, OptionHelp& option)
{
    const std::vector<std::string> parts = splitAt(type, ':');
    option.argument = parts.empty() ? std::string() : parts.front();
    for (const std::string& part : parts) {
        if (part.size() > 2 && part.front() == '{' && part.back() == '}')
            option.choices = splitAt(std::string_view(part).substr(1, part.size() - 2), ',');
        else if (part == "FILE" && option.argument == "TEXT")
            option.argument = part;
    }
    if (option.argument == "INT" || option.argument == "UINT")
        option.argument = "N";
    else if (option.argument == "FLOAT")
        option.argument = "NUMBER";
}

OptionHelp optionHelp(const CLI::Option& option)
{
    OptionHelp help;
    for (const std::string& name : option.get_snames())
        help.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        help.names.push_back("--" + name);
    if (help.names.empty())
        help.names.push_back(option.get_name());
    help.description = option.get_description();
    if (option.get_items_expected_max() > 0)
        readType(option.get_type_name(), help);
    return help;
}

/// Wraps the words of `text` into lines. The first line continues an existing line at `column`; the others
/// are indented.
std::string wrapped(const std::string& text, std::size_t column, std::size_t indent)
{
    std::string lines;
    bool isFirst = true;
    for (const std::string& word : splitAt(text, ' ')) {
        if (!isFirst && column + 1 + word.size() > lineLength) {
            lines.append("\n").append(indent, ' ');
            column = indent;
        } else if (!isFirst) {
            lines += ' ';
            ++column;
        }
        lines += word;
        column += word.size();
        isFirst = false;
    }
    return lines;
}

std::string line(const OptionHelp& option)
{
    std::string head = "  " + joined(option.names, ", ");
    if (!option.argument.empty())
        head.append(" ").append(option.choices.empty() ? option.argument : joined(option.choices, "|"));
    if (head.size() + 2 > textColumn)
        head.append("\n").append(textColumn, ' ');
    else
        head.append(textColumn - head.size(), ' ');
    return head + wrapped(option.description, textColumn, textColumn) + "\n";
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

CommandHelp commandHelp(const CLI::App& app)
{
    CommandHelp help;
    help.name = app.get_name();
    help.description = app.get_description();
    help.footer = app.get_footer();
    std::vector<std::string> required;
    for (const CLI::Option* option : app.get_options()) {
        OptionHelp own = optionHelp(*option);
        if (option->get_positional()) {
            required.push_back(option->get_required() ? own.names.front()
                                                      : "[" + own.names.front() + " ...]");
            help.positionals.push_back(std::move(own));
            continue;
        }
        if (option->get_required())
            required.push_back(own.names.back() + " " + own.argument);
        const auto known
            = std::find_if(help.groups.begin(), help.groups.end(),
                           [&](const OptionGroup& group) { return group.title == option->get_group(); });
        if (known != help.groups.end())
            known->options.push_back(std::move(own));
        else
            help.groups.push_back({option->get_group(), {std::move(own)}});
    }
    // Required arguments read best in this order: collscope --batch plan PATH --tasks N
    help.usage = joined(required, " ") + " [OPTIONS]";
    return help;
}

std::string helpText(const CommandHelp& command)
{
    std::string text
        = wrapped(command.description, 0, 0) + "\nUsage: " + command.name + " " + command.usage + "\n\n";
    for (const OptionHelp& positional : command.positionals)
        text += line(positional);
    for (const OptionGroup& group : command.groups) {
        text += "\n" + group.title + ":\n";
        for (const OptionHelp& option : group.options)
            text += line(option);
    }
    return command.footer.empty() ? text : text + "\n" + command.footer + "\n";
}

} // namespace collscope
