// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/agent_tools.h"

#include "app/agents/agent_query.h"

#include <algorithm>

namespace collscope {

namespace {

using Makes = std::unique_ptr<ProgramCommand> (*)();

/// A command that only agents have.
CommandRow ownCommand(std::string_view name, Makes make)
{
    return {.name = name, .usage = {}, .description = {}, .make = make, .footer = {}, .isBatch = false};
}

CommandRow batchCommand(std::string_view name)
{
    return *findCommand(name);
}

std::vector<AgentTool> allTools()
{
    return {
        {"open",
         "What a run consists of",
         "Loads a run and says what it is: ranks, steps, files, problems found while reading. Of a folder "
         "with "
         "several runs it lists the runs. Without a run it lists those of all folders of this server. Start "
         "here.",
         ownCommand("open", openQuery),
         {"PATH"},
         {},
         {},
         true},
        {"findings",
         "What costs time",
         "What costs time in the steps of a run, the largest cost first, with parts of the step that add up "
         "to it, "
         "places (location), advice and confidence. Times in ns per step. A cost is not a saving: ask "
         "what_if.",
         batchCommand("findings"),
         {"PATH", "--top", "--rank", "--steps", "--range", "--clocks"},
         {},
         {"--json", "--without-run"}},
        {"metrics",
         "Values of metrics",
         "Values of metrics by id, as --batch metrics RUN --metric ID,... --json prints them. status says "
         "whether "
         "there is a value; otherwise reason says why not, and null is not zero. Up to 8 metrics at once "
         "also have "
         "a location. metric=auto gives all of them.",
         batchCommand("metrics"),
         {"PATH", "--metric", "--rank", "--steps", "--range", "--clocks", "--top", "--link", "--direction",
          "--definition", "--profile-mode"},
         {"--metric"},
         {"--json"}},
        {"list_metrics",
         "Which metrics exist",
         "Ids, aliases, units and meanings of all metrics; needs no run.",
         batchCommand("metrics"),
         {},
         {},
         {"--list-metrics", "--json"}},
        {"explain",
         "Why a metric or a step is as it is",
         "Either metric: its value, formula, inputs, warnings and what other tools print for it. Or step (a "
         "number): "
         "why this step took as long as it did, as a chain of measured facts, each with a location. An "
         "inconclusive "
         "verdict is an answer: do not replace it by a guess.",
         batchCommand("explain"),
         {"PATH", "--metric", "--step", "--rank", "--steps", "--range", "--clocks"},
         {},
         {"--json"}},
        {"collectives",
         "Collectives as rows",
         "Collectives of several ranks as rows, those with the longest waits first: operation, group, bytes, "
         "skew, "
         "waits, who was awaited. The first line is a head with meanings and counts. null: cannot be told.",
         ownCommand("collectives", collectivesQuery),
         {"PATH", "--order", "--operation", "--group", "--step", "--awaited-rank", "--limit", "--clocks"}},
        {"stragglers",
         "Who makes the others wait",
         "The verdict whether a rank makes the others wait, the waits of each rank, the metric straggler, "
         "then the "
         "collectives in which a rank was last, the largest wait first. Times of ranks are compared only as "
         "far as "
         "clocks tells.",
         ownCommand("stragglers", stragglersQuery),
         {"PATH", "--steps", "--range", "--clocks", "--limit"}},
        {"gaps",
         "When and why GPUs were idle",
         "Idle time of the GPUs by cause, then the longest gaps with the operator or call to blame. The head "
         "has "
         "the sums over all gaps; the rows are the longest ones.",
         ownCommand("gaps", gapsQuery),
         {"PATH", "--cause", "--rank", "--steps", "--range", "--clocks", "--limit"}},
        {"slices",
         "What ran at a place",
         "Kernels, copies and CPU events at a place: of a location that another answer gave, of a rank, or "
         "of a time "
         "range in ms; the longest first, or in order of time.",
         ownCommand("slices", slicesQuery),
         {"PATH", "--location", "--rank", "--range", "--named", "--order", "--limit", "--clocks"}},
        {"compare",
         "Two runs side by side",
         "Compares a test with a baseline: a headline, where to look in both runs, then the sheets of "
         "comparison_report as JSON. A status of noise is not a change. Differences are test - baseline.",
         ownCommand("compare", compareQuery),
         {"--baseline", "--test", "--threshold", "--steps", "--clocks"},
         {"--baseline", "--test"}},
        {"gate",
         "Whether a run is slower than another, beyond the noise",
         "Judges limits on how far metrics of test may change from baseline, by a stated test on the steps "
         "of "
         "both. verdict: passed, regression or undecided; undecided (too little data) is not a pass. Of an "
         "exceeded "
         "limit it says which part of the step is to blame.",
         batchCommand("gate"),
         {"--max", "--rank", "--steps", "--clocks"},
         {"--max"},
         {"--json"},
         false,
         {"baseline", "test"}},
        {"what_if",
         "What would make a step shorter",
         "Replays the run with other durations: without scenario, those that would help most; else the given "
         "ones. "
         "gates say how well the replay fits; a refused scenario has no number. The gain is an estimate with "
         "a range.",
         batchCommand("what-if"),
         {"PATH", "--scenario", "--steps", "--range", "--clocks"},
         {},
         {"--json"}},
        {"hang",
         "Why a job hung",
         "Of Flight Recorder dumps, watchdog lines, RAS snapshots or stacks of a job that hung: which rank "
         "did not "
         "go on, where, and how far the files tell. inconclusive and unproven are answers. A hang has no "
         "timeline, and so no locations.",
         batchCommand("hang"),
         {"PATH", "--hung"},
         {},
         {"--json"}},
        {"network",
         "How the GPUs are connected",
         "Of logs of NCCL and output of nccl-tests beside the traces: what is different on some nodes "
         "(sockets, "
         "missing cards, no GPUDirect), all connections and settings, and how much of the measured bandwidth "
         "is "
         "reached. conditional: it may be how the machines are built.",
         batchCommand("network"),
         {"PATH", "--steps", "--range"},
         {},
         {"--json"}},
        {"history",
         "Since when a job is slower",
         "Of logs with times of steps and files of the NCCL Inspector: times of the whole job, since which "
         "step it "
         "is slower or faster, and where. What cannot be told is said.",
         batchCommand("history"),
         {"PATH"},
         {},
         {"--json"}}};
}

/// What the value of an option is in JSON.
Value::Object typeOf(const OptionSpec& spec)
{
    using Takes = OptionSpec::Takes;
    if (spec.takes == Takes::Nothing)
        return {{"type", "boolean"}};
    if (spec.takes == Takes::Each)
        return {{"type", "array"}, {"items", Value::Object{{"type", "string"}}}};
    if (spec.argument == "N")
        return {{"type", "integer"}};
    if (spec.argument == "NUMBER")
        return {{"type", "number"}};
    Value::Object type{{"type", "string"}};
    if (!spec.choices.empty())
        type.emplace_back("enum", Value::Array(spec.choices.begin(), spec.choices.end()));
    return type;
}

std::string descriptionOf(const OptionSpec& spec)
{
    if (spec.isPositional())
        return "Path of a run: a folder or a trace file in the folders of this server. Default: the only "
               "such "
               "folder.";
    const bool hasForm = spec.argument.size() > 1 && spec.argument != "NUMBER" && spec.choices.empty();
    return spec.description + (hasForm ? " (" + spec.argument + ")" : "");
}

} // namespace

std::span<const AgentTool> agentTools()
{
    static const std::vector<AgentTool> tools = allTools();
    return tools;
}

const AgentTool* findTool(std::string_view name)
{
    const std::span<const AgentTool> tools = agentTools();
    const auto found
        = std::find_if(tools.begin(), tools.end(), [&](const AgentTool& tool) { return tool.name == name; });
    return found == tools.end() ? nullptr : &*found;
}

std::string argumentName(std::string_view option)
{
    if (option == "PATH")
        return "run";
    std::string name(option.substr(option.find_first_not_of('-')));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

bool isRunPath(const OptionSpec& spec)
{
    return spec.isPositional() || spec.place == OptionSpec::Place::Input;
}

Value toolValue(const AgentTool& tool)
{
    const std::unique_ptr<ProgramCommand> command = makeCommand(tool.command);
    Value::Object properties;
    Value::Array required(tool.runs.begin(), tool.runs.end());
    for (const std::string_view run : tool.runs)
        properties.emplace_back(
            run,
            Value::Object{
                {"type", "string"},
                {"description", "Path of a run: a folder or a trace file in the folders of this server."}});
    for (const std::string_view option : tool.arguments) {
        const OptionSpec& spec = *command->options.find(option);
        Value::Object property = typeOf(spec);
        if (spec.isPositional())
            property = {{"type", "string"}};
        property.emplace_back("description", descriptionOf(spec));
        properties.emplace_back(argumentName(option), std::move(property));
    }
    properties.emplace_back(
        "cursor",
        Value::Object{{"type", "string"},
                      {"description", "next_cursor of the page before, with the same other arguments"}});
    for (const std::string_view option : tool.required)
        required.emplace_back(argumentName(option));
    return Value::Object{
        {"name", tool.name},
        {"title", tool.title},
        {"description", tool.description},
        {"inputSchema",
         Value::Object{{"type", "object"},
                       {"properties", std::move(properties)},
                       {"required", std::move(required)},
                       {"additionalProperties", false}}},
        {"annotations",
         Value::Object{{"readOnlyHint", true}, {"idempotentHint", true}, {"openWorldHint", false}}}};
}

} // namespace collscope
