// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command_old_lines.h"

#include <algorithm>
#include <iterator>

namespace collscope {

namespace {

using Takes = OptionSpec::Takes;

/// An option that means something else, or more, without a command than it means in a command.
struct OldOption
{
    std::string_view name; ///< names, separated by commas
    std::string_view command; ///< the command that the option chooses; "" = none
    std::string_view option; ///< its name in that command; "" = the positional, "-" = nothing else to say
    Takes takes = Takes::Nothing; ///< if no command has an option of this name
    std::string_view argument = {};
    std::string_view description = {}; ///< if it chooses no command
};

/// The order is that in which a message about two jobs names them.
constexpr OldOption oldOptions[]
    = {{"--batch", "", "-", Takes::Nothing, "", "Print metrics without a window or a display"},
       {"--format", "", "--json", Takes::One, "json|table", "json: same as --json; table: the default"},
       {"--trace-base", "", "", Takes::One, "DIR",
        "Folder that contains iteration_<n>: same as PATH --iteration all"},
       {"--screenshot", "screenshot", "--output", Takes::One, "FILE"},
       {"--tools", "metrics", "--tools"},
       {"--report", "report", "--kind", Takes::Each, "KIND,..."},
       {"--baseline", "compare", "--baseline"},
       {"--test", "compare", "--test"},
       {"--doctor", "doctor", "-"},
       {"--explain-step", "explain", "--step", Takes::One, "N"},
       {"--kernel-summary", "report", "--kernel-summary"},
       {"--write-scripts", "metrics", "--write-scripts"},
       {"--write-kit", "kit", "", Takes::One, "DIR"},
       {"--summary", "metrics", "--summary"},
       {"--explain", "explain", "--metric", Takes::One, "METRIC"}};

/// Options of the program itself.
constexpr OldOption programOptions[]
    = {{"-h,--help", "", "-", Takes::Nothing, "", "Print the help and exit"},
       {"--help-all", "", "-", Takes::Nothing, "", "Print the help of a command with all options"},
       {"--version", "", "-", Takes::Nothing, "", "Print the version and build information"},
       {"--man-page", "", "-", Takes::Nothing, "", "Print the manual page"},
       {"--completion", "", "-", Takes::One, "bash|zsh", "Print the completion script for a shell"}};

const OldOption* findOld(std::string_view name)
{
    const auto* const found = std::find_if(std::begin(oldOptions), std::end(oldOptions),
                                           [&](const OldOption& old) { return old.name == name; });
    return found == std::end(oldOptions) ? nullptr : found;
}

bool has(const std::vector<GivenOption>& given, std::string_view name)
{
    return std::any_of(given.begin(), given.end(),
                       [&](const GivenOption& option) { return option.name == name; });
}

void drop(std::vector<GivenOption>& given, std::initializer_list<std::string_view> names)
{
    std::erase_if(given, [&](const GivenOption& option) {
        return std::find(names.begin(), names.end(), option.name) != names.end();
    });
}

/// Returns the name of the command that the options choose.
Result<std::string> chooseCommand(const std::vector<GivenOption>& given, bool isMerge)
{
    if (has(given, "--screenshot"))
        return std::string("screenshot");
    if (!isMerge && !has(given, "--batch"))
        return std::string(); // the window
    if (has(given, "--list-metrics") || has(given, "--list"))
        return std::string("metrics");
    const OldOption* chosen = nullptr;
    for (const OldOption& old : oldOptions) {
        if (old.command.empty() || !has(given, old.name))
            continue;
        const bool isSameJob = chosen && chosen->name == "--baseline" && old.name == "--test";
        if (chosen && !isSameJob)
            return usageError(std::string(chosen->name) + " and " + std::string(old.name)
                              + " are separate jobs; run them in separate calls.");
        if (!chosen)
            chosen = &old;
    }
    return std::string(chosen ? chosen->command : "metrics");
}

/// Returns what an option is in the command that was chosen: nothing, one option, or two.
Result<std::vector<GivenOption>> translated(const GivenOption& option)
{
    const OldOption* const old = findOld(option.name);
    if (!old)
        return std::vector{option};
    if (old->option == "-")
        return std::vector<GivenOption>();
    if (old->name == "--trace-base")
        return std::vector<GivenOption>{{"", option.values}, {"--iteration", {"all"}}};
    if (old->name != "--format")
        return std::vector<GivenOption>{{std::string(old->option), option.values}};
    const std::string& format = option.values.front();
    if (format == "json")
        return std::vector<GivenOption>{{"--json", {}}};
    if (format == "table")
        return std::vector<GivenOption>();
    return usageError("--format takes json or table, not '" + format + "'.");
}

/// Returns "A", "A and B", "A, B and C".
std::string listText(const std::vector<std::string>& names)
{
    std::string text = names.front();
    for (std::size_t i = 1; i < names.size(); ++i)
        text += (i + 1 < names.size() ? ", " : " and ") + names[i];
    return text;
}

/// Returns a sentence about an option that the chosen command does not have.
Error misplaced(const GivenOption& option, const CommandRow& chosen)
{
    std::vector<std::string> others; // that have the option
    bool isOfPicture = false;
    for (const CommandRow& row : allCommands()) {
        if (row.name.empty() || row.name == "merge" || !makeCommand(row)->options.find(option.name))
            continue;
        isOfPicture = others.empty() && row.name == "screenshot";
        others.push_back(commandText(row));
    }
    if (chosen.name.empty() && isOfPicture)
        return usageError(option.name + " requires --screenshot.");
    if (chosen.name.empty() || chosen.name == "screenshot")
        return usageError(option.name + " needs --batch.");
    return usageError(option.name + " applies to " + (others.empty() ? "the window" : listText(others))
                      + ", not to " + commandText(chosen) + ".");
}

/// Whether the window and its pictures do not have an option that is translated.
bool needsBatch(std::string_view name)
{
    return findOld(name) && name != "--batch" && name != "--screenshot" && name != "--baseline"
        && name != "--test";
}

void addOld(CommandOptions& options, const OldOption& old)
{
    std::string description = "Same as --batch " + std::string(old.command);
    if (old.option.starts_with("--"))
        description += " " + std::string(old.option);
    OptionSpec& spec = options.custom(old.name, std::string(old.argument),
                                      old.command.empty() ? std::string(old.description) : description, {});
    spec.takes = old.takes;
    if (const std::size_t bar = old.argument.find('|'); bar != std::string_view::npos)
        spec.choices = {std::string(old.argument.substr(0, bar)), std::string(old.argument.substr(bar + 1))};
}

CommandOptions allOptions()
{
    CommandOptions options;
    options.group(oldLineGroup);
    for (const OldOption& own : programOptions)
        addOld(options, own);
    for (const CommandRow& row : allCommands()) {
        const bool isChosen = std::any_of(std::begin(oldOptions), std::end(oldOptions),
                                          [&](const OldOption& old) { return old.command == row.name; });
        if (!isChosen)
            continue; // commands that came later are always named
        const std::unique_ptr<ProgramCommand> command = makeCommand(row);
        for (const OptionSpec& spec : command->options.all()) {
            if (!spec.isPositional() && !options.find(spec.names.back()))
                options.adopt(spec);
        }
    }
    options.group(oldLineGroup);
    for (const OldOption& old : oldOptions) {
        if (!options.find(old.name))
            addOld(options, old);
    }
    return options;
}

} // namespace

const CommandOptions& oldLineOptions()
{
    static const CommandOptions options = allOptions();
    return options;
}

Result<CommandCall> translateOldLine(std::vector<GivenOption> given, bool isMerge)
{
    const auto name = chooseCommand(given, isMerge);
    if (!name)
        return name.error();
    const bool isBatch = !name->empty() && *name != "screenshot";
    CommandCall call;
    call.row = findCommand(isMerge && *name == "metrics" ? "merge" : *name);
    if (has(given, "--trace-base"))
        drop(given, {"--iteration"}); // it means all of them
    if (*name == "explain" && has(given, "--explain"))
        drop(given, {"--metric", "--metrics"}); // it names the metric
    const std::unique_ptr<ProgramCommand> command = makeCommand(*call.row);
    for (const GivenOption& option : given) {
        if (!isBatch && needsBatch(option.name))
            return misplaced(option, *call.row);
        const auto parts = translated(option);
        if (!parts)
            return parts.error();
        for (const GivenOption& part : *parts) {
            const OptionSpec* const spec = oldLineOptions().find(option.name);
            if (part.name.empty() || command->options.find(part.name) || !spec)
                call.given.push_back(part);
            else if (!isBatch || !spec->isShared)
                return misplaced(isBatch ? part : option, *call.row);
            // A selection that the command does not have has always been ignored.
        }
    }
    if (isMerge && call.row->name != "merge" && command->options.find("--parts"))
        call.given.push_back({"--parts", {}});
    return call;
}

std::string wordsOf(const CommandCall& call)
{
    std::string text(call.row->name);
    for (const auto& [name, values] : call.given) {
        if (!name.empty())
            text += " " + name;
        for (const std::string& value : values)
            text += " " + value;
    }
    return text;
}

} // namespace collscope
