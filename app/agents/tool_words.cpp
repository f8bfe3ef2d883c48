// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/tool_words.h"

#include "app/agents/json_reading.h"
#include "model/text/shell_word.h"

#include <algorithm>

namespace collscope {

namespace {

/// Text or a number as typed; nullopt for anything else.
std::optional<std::string> textOf(const Value& value)
{
    if (const auto* text = value.as<std::string>())
        return *text;
    const std::string number = numberTextOf(value);
    return number.empty() ? std::nullopt : std::optional(number);
}

Error wrongForm(const std::string& name, const char* wanted)
{
    return {Error::Kind::Usage, name + " must be " + wanted + "."};
}

/// The value of an argument; nullptr if it is not given, or null.
const Value* givenArgument(const Value& arguments, std::string_view name)
{
    const Value* const value = memberOf(arguments, name);
    return value && !value->as<std::nullptr_t>() ? value : nullptr;
}

Error missingArgument(const AgentTool& tool, const std::string& name)
{
    return {Error::Kind::Usage, std::string(tool.name) + " needs the argument " + name + "."};
}

Error unknownArgument(const AgentTool& tool, const std::string& name)
{
    std::string known;
    for (const std::string_view run : tool.runs)
        known += std::string(run) + ", ";
    for (const std::string_view option : tool.arguments)
        known += argumentName(option) + ", ";
    return {Error::Kind::Usage,
            std::string(tool.name) + " has no argument " + name + ". Its arguments: " + known + "cursor."};
}

/// The path of an argument that must lie in the folders of the server.
Result<std::string> pathOf(const std::string& name, const Value& value, const FolderFence& fence)
{
    const auto* path = value.as<std::string>();
    return path ? fence.inside(*path) : wrongForm(name, "the path of a run");
}

/// Makes the words of one argument.
class WordMaker
{
public:
    WordMaker(const OptionSpec& spec, std::string name, const FolderFence& fence)
        : m_spec(spec)
        , m_name(std::move(name))
        , m_fence(fence)
    { }

    Status add(const Value& value, std::vector<std::string>& words) const
    {
        if (value.as<std::nullptr_t>())
            return {};
        if (m_spec.takes == OptionSpec::Takes::Nothing) {
            const auto* flag = value.as<bool>();
            if (!flag)
                return wrongForm(m_name, "true or false");
            if (*flag)
                words.push_back(m_spec.names.back());
            return {};
        }
        const auto* list = m_spec.takes == OptionSpec::Takes::Each ? value.as<Value::Array>() : nullptr;
        if (!list)
            return addOne(value, words);
        for (const Value& item : *list) {
            if (Status added = addOne(item, words); !added)
                return added;
        }
        return {};
    }

private:
    Status addOne(const Value& value, std::vector<std::string>& words) const
    {
        auto text = textOf(value);
        if (!text)
            return wrongForm(
                m_name, m_spec.takes == OptionSpec::Takes::Each ? "a list of texts" : "text or a number");
        if (text->empty())
            return {};
        if (text->find('\0') != std::string::npos)
            return wrongForm(m_name, "text without a NUL");
        if (isRunPath(m_spec)) {
            auto inside = m_fence.inside(*text);
            if (!inside)
                return inside.error();
            text = std::move(*inside);
        }
        words.push_back(m_spec.isPositional() ? *text : m_spec.names.back() + "=" + *text);
        return {};
    }

    const OptionSpec& m_spec;
    std::string m_name;
    const FolderFence& m_fence;
};

} // namespace

Result<std::vector<std::string>> wordsOfCall(const AgentTool& tool, const Value& arguments,
                                             const FolderFence& fence)
{
    const std::unique_ptr<ProgramCommand> command = makeCommand(tool.command);
    std::vector<std::string> words;
    for (const std::string_view run : tool.runs) {
        const Value* const given = givenArgument(arguments, run);
        if (!given)
            return missingArgument(tool, std::string(run));
        auto path = pathOf(std::string(run), *given, fence);
        if (!path)
            return path.error();
        words.push_back(std::move(*path));
    }
    const auto* object = arguments.as<Value::Object>();
    for (const auto& [name, value] : *object) {
        if (std::find(tool.runs.begin(), tool.runs.end(), name) != tool.runs.end())
            continue;
        const auto option
            = std::find_if(tool.arguments.begin(), tool.arguments.end(),
                           [&name = name](std::string_view own) { return argumentName(own) == name; });
        if (option == tool.arguments.end())
            return unknownArgument(tool, name);
        const WordMaker maker(*command->options.find(*option), name, fence);
        if (const Status added = maker.add(value, words); !added)
            return added.error();
    }
    for (const std::string_view option : tool.required) {
        if (const std::string name = argumentName(option); !givenArgument(arguments, name))
            return missingArgument(tool, name);
    }
    const bool takesRun
        = std::find(tool.arguments.begin(), tool.arguments.end(), "PATH") != tool.arguments.end();
    if (takesRun && !givenArgument(arguments, "run")) {
        const std::vector<std::string>& folders = fence.folders();
        if (folders.size() > 1 && !tool.takesAllFolders)
            return Error{Error::Kind::Usage,
                         "Give the run: this server has several folders. The tool open lists them."};
        words.insert(words.end(), folders.begin(), folders.end());
    }
    words.insert(words.end(), tool.fixed.begin(), tool.fixed.end());
    return words;
}

std::string lineOfCall(const AgentTool& tool, const std::vector<std::string>& words)
{
    if (!tool.isOfBatch())
        return {};
    std::string line = "collscope " + commandText(tool.command);
    for (const std::string& word : words)
        line += " " + shellWord(word);
    return line;
}

} // namespace collscope
