// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cli/command_line.h"

#include "app/cli/command_line_help.h"
#include "app/cli/command_old_lines.h"
#include "app/files/version.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace {

/// Removes the command that the words name, if they name one, and returns it. A folder of the same name is
/// written ./plan.
const CommandRow* takeCommand(std::vector<std::string>& words)
{
    const std::size_t before = !words.empty() && words[0] == "--batch" ? 1 : 0;
    if (words.size() <= before || words[before].empty())
        return nullptr;
    const CommandRow* const named = findCommand(words[before]);
    if (!named || named->isBatch != (before == 1))
        return nullptr;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(before) + 1);
    for (auto word = words.begin(); word != words.end() && *word != "--"; ++word) {
        if (const CommandRow* const form = findCommand(std::string(named->name) + " " + *word)) {
            words.erase(word);
            return form;
        }
    }
    return named;
}

ParsedLine usageMistake(const Error& error)
{
    return {nullptr, "collscope: " + error.message + "\n", 1};
}

/// Answers --help and the other options that print a text; nullopt if none is given.
std::optional<ParsedLine> answer(const CommandRow* named, const std::vector<GivenOption>& given)
{
    const auto find = [&](std::initializer_list<std::string_view> names) {
        return std::find_if(given.begin(), given.end(), [&](const GivenOption& option) {
            return std::find(names.begin(), names.end(), option.name) != names.end();
        });
    };
    const bool wantsAll = find({"--help-all"}) != given.end();
    if (wantsAll || find({"-h", "--help"}) != given.end())
        return ParsedLine{nullptr, named ? helpText(*named, wantsAll) : overviewText()};
    if (named)
        return std::nullopt;
    if (find({"--version"}) != given.end())
        return ParsedLine{nullptr, versionText() + "\n"};
    if (find({"--man-page"}) != given.end())
        return ParsedLine{nullptr, manualPage()};
    const auto completion = find({"--completion"});
    if (completion == given.end())
        return std::nullopt;
    const std::string& shell = completion->values.front();
    if (shell == "bash" || shell == "zsh")
        return ParsedLine{nullptr, shell == "zsh" ? zshCompletion() : bashCompletion()};
    return usageMistake(usageError("--completion takes bash or zsh, not '" + shell + "'."));
}

} // namespace

ParsedLine parseCommandLine(const std::string& programName, const std::vector<std::string>& arguments)
{
    std::vector<std::string> words = arguments;
    const bool asMetricsTool = std::filesystem::path(programName).filename() == "ccl-metrics";
    if (asMetricsTool && (words.empty() || words.front() != "--batch"))
        words.insert(words.begin(), "--batch");
    const std::vector<std::string> allWords = words;
    const CommandRow* const named = takeCommand(words);
    const auto mistake = [named](const Error& error) {
        ParsedLine line = usageMistake(error);
        if (std::error_code ignored; named && std::filesystem::exists(named->name, ignored))
            line.message
                += "The folder or file of this name is written ./" + std::string(named->name) + ".\n";
        return line;
    };
    // The merge, too, takes the options of all commands.
    const bool isMerge = named && named->name == "merge";
    const bool isOldLine = !named || isMerge;
    const auto given = splitWords(isOldLine ? oldLineOptions() : makeCommand(*named)->options, words);
    if (!given)
        return mistake(given.error());
    if (auto answered = answer(named, *given))
        return std::move(*answered);
    const auto call
        = isOldLine ? translateOldLine(*given, isMerge) : Result<CommandCall>(CommandCall{named, *given});
    if (!call)
        return mistake(call.error());
    std::unique_ptr<ProgramCommand> command = makeCommand(*call->row);
    command->words = arguments;
    if (const Status stored = storeValues(command->options, call->given, commandText(*call->row)); !stored)
        return mistake(stored.error());
    if (const Status checked = command->check(); !checked)
        return mistake(checked.error());
    return {std::move(command), {}, 0, allWords};
}

} // namespace collscope
