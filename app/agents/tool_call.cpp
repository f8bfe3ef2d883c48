// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/tool_call.h"

#include "app/agents/agent_query.h"
#include "app/agents/json_reading.h"
#include "app/cli/command_words.h"
#include "app/commands/command_metrics.h"
#include "app/files/batch_io.h"
#include "model/text/valid_text.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostKept = 4;
constexpr std::size_t mostMessages = 10;
constexpr std::size_t longestMessage = 400;
/// Of more metrics, the slices that show them would take too much memory.
constexpr std::size_t mostLocatedMetrics = 8;

Value textContent(std::string text)
{
    return Value::Object{{"type", "text"}, {"text", std::move(text)}};
}

ToolAnswer failed(std::string sentence)
{
    return {std::move(sentence), {}, true};
}

/// The command with its values, checked.
Result<std::unique_ptr<ProgramCommand>> commandOf(const AgentTool& tool,
                                                  const std::vector<std::string>& words)
{
    std::unique_ptr<ProgramCommand> command = makeCommand(tool.command);
    const auto given = splitWords(command->options, words);
    if (!given)
        return given.error();
    if (const Status stored = storeValues(command->options, *given, tool.name); !stored)
        return stored.error();
    if (const Status checked = command->check(); !checked)
        return checked.error();
    command->words = words;
    return command;
}

/// Where the longest slice is that a metric counts; none if it does not count slices.
Value locationOfResult(const TraceModel& model, const MetricResult& result)
{
    SliceRef longest;
    for (const SliceRef slice : result.evidence) {
        if (!longest || model.rangeOf(slice).lengthNs() > model.rangeOf(longest).lengthNs())
            longest = slice;
    }
    if (longest)
        return locationOf(model, longest, model.rangeOf(longest));
    return {};
}

Value::Array messagesValue(const std::vector<std::string>& said)
{
    Value::Array messages;
    for (std::size_t i = 0; i < std::min(said.size(), mostMessages); ++i) {
        const bool isLong = said[i].size() > longestMessage;
        messages.emplace_back(std::string(textFront(said[i], longestMessage)) + (isLong ? "..." : ""));
    }
    if (said.size() > mostMessages)
        messages.emplace_back("and " + std::to_string(said.size() - mostMessages)
                              + " more: open lists the problems");
    return messages;
}

} // namespace

ToolAnswer ToolCaller::answerOf(const AgentTool& tool, const Value& arguments) const
{
    const auto words = wordsOfCall(tool, arguments, m_fence);
    if (!words)
        return failed(words.error().message);
    const auto made = commandOf(tool, *words);
    if (!made)
        return failed(made.error().message);
    auto& command = dynamic_cast<RunCommand&>(**made);
    command.input.threads = m_threads;
    command.input.source = [this](const std::vector<std::string>& paths, const LoadOptions& load) {
        return m_runs.get(paths, load);
    };
    Value::Object locations;
    if (auto* values = dynamic_cast<ValuesCommand*>(&command);
        values && !values->requests.empty() && values->requests.size() <= mostLocatedMetrics)
        values->seeResults = [&](const TraceModel& model, const std::vector<NamedResult>& results) {
            for (const NamedResult& named : results)
                locations.emplace_back(named.request.name, locationOfResult(model, named.result));
        };
    CapturedOutput captured;
    const int code = command.runInside();
    ToolAnswer answer;
    if (captured.printed.empty() && code != Done) {
        for (const std::string& sentence : captured.said)
            answer.text += (answer.text.empty() ? "" : "\n") + sentence;
        answer.isError = true;
        return answer;
    }
    answer.text = std::move(captured.printed);
    if (const std::string line = lineOfCall(tool, *words); !line.empty())
        answer.note.emplace_back("same_as", line);
    if (code != Done)
        answer.note.emplace_back("exit_code", code);
    if (!captured.said.empty())
        answer.note.emplace_back("messages", messagesValue(captured.said));
    if (!locations.empty())
        answer.note.emplace_back("locations", std::move(locations));
    return answer;
}

const ToolAnswer* ToolCaller::keptAnswer(const std::string& key) const
{
    const auto found
        = std::find_if(m_kept.begin(), m_kept.end(), [&](const Kept& kept) { return kept.key == key; });
    return found == m_kept.end() ? nullptr : &found->answer;
}

const ToolAnswer& ToolCaller::keep(std::string key, ToolAnswer answer)
{
    std::erase_if(m_kept, [&](const Kept& kept) { return kept.key == key; });
    m_kept.push_front({std::move(key), std::move(answer)});
    if (m_kept.size() > mostKept)
        m_kept.pop_back();
    return m_kept.front().answer;
}

Value ToolCaller::pageValue(const ToolAnswer& answer, const std::string& cursor) const
{
    Value::Object note = answer.note;
    if (jsonLine(note).size() > m_mostBytes / 2)
        note = {{"left_out", "the notes are longer than half of an answer"}};
    // What the page adds to the note, at most.
    constexpr std::size_t placeBytes = 200 + longestCursor;
    const Result<PageOfAnswer> page
        = pageOf(answer.text, cursor, m_mostBytes - jsonLine(note).size() - placeBytes);
    if (!page)
        return Value::Object{{"content", Value::Array{textContent(page.error().message)}}, {"isError", true}};
    Value::Array content{textContent(std::string(page->text))};
    const bool isWhole = page->text.size() == answer.text.size();
    if (!isWhole) {
        note.emplace_back("page",
                          Value::Object{{"first_byte", static_cast<std::int64_t>(page->begin)},
                                        {"bytes", static_cast<std::int64_t>(page->text.size())},
                                        {"of_bytes", static_cast<std::int64_t>(answer.text.size())}});
        note.emplace_back("next_cursor", page->next.empty() ? Value() : Value(page->next));
    }
    if (!note.empty())
        content.push_back(textContent(jsonLine(note)));
    return Value::Object{{"content", std::move(content)}, {"isError", answer.isError}};
}

Value ToolCaller::call(const AgentTool& tool, const Value& arguments)
{
    const Value* const given = memberOf(arguments, "cursor");
    const auto* cursor = given ? given->as<std::string>() : nullptr;
    if (given && !cursor && !given->as<std::nullptr_t>())
        return pageValue(failed("cursor must be text."), {});
    Value::Object others;
    for (const auto& [name, value] : *arguments.as<Value::Object>()) {
        if (name != "cursor")
            others.emplace_back(name, value);
    }
    std::string key = std::string(tool.name) + jsonLine(others);
    const std::string from = cursor ? *cursor : std::string();
    if (!from.empty()) {
        if (const ToolAnswer* const kept = keptAnswer(key))
            return pageValue(*kept, from);
    }
    ToolAnswer answer = answerOf(tool, others);
    // A later page is not that of a failure, which the agent must see.
    if (answer.isError)
        return pageValue(answer, {});
    return pageValue(keep(std::move(key), std::move(answer)), from);
}

} // namespace collscope
