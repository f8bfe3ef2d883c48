// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a run consists of. Of folders with several runs: the list of the runs.

#include "app/agents/agent_query.h"
#include "app/agents/folder_fence.h"
#include "app/cli/command_interrupts.h"
#include "app/files/batch_io.h"
#include "app/files/run_folders.h"
#include "model/text/rank_ranges.h"

#include <filesystem>
#include <map>

namespace collscope {

namespace {

class OpenQuery : public AgentQuery
{
    int measure(const HardwareDatabasePtr& hardware) const override;
    RunContents contents() const override { return RunContents::EventsOrSums; }
    Result<std::string> answer(Analysis& analysis) const override;
};

/// Steps of one rank, marked in its file or found in it; they may differ between ranks.
Value stepsValue(const TraceModel& model)
{
    const Timeline* most = nullptr;
    for (const Timeline& timeline : model.timelines) {
        if (!most || timeline.steps.size() > most->steps.size())
            most = &timeline;
    }
    if (!most || most->steps.empty() || most->stepSource == StepSource::WholeTrace)
        return {};
    return Value::Object{{"of_rank", most->rank},
                         {"count", static_cast<std::int64_t>(most->steps.size())},
                         {"first", most->steps.front().number},
                         {"last", most->steps.back().number},
                         {"marked_by", stepSourceName(most->stepSource)}};
}

/// Files by kind.
Value filesValue(const TraceModel& model)
{
    std::map<std::string, std::int64_t> counts;
    for (const SourceInfo& source : model.sources)
        ++counts[std::string(sourceKindName(source.kind))];
    Value::Object value;
    for (const auto& [kind, count] : counts)
        value.emplace_back(kind, count);
    return value;
}

Result<std::string> OpenQuery::answer(Analysis& analysis) const
{
    const TraceModel& model = analysis.model();
    const Selection& selection = analysis.selection();
    const std::vector<std::int32_t> ranks = model.ranks();
    Value::Object summary{
        {"title", model.title},
        {"files", filesValue(model)},
        {"ranks", static_cast<std::int64_t>(ranks.size())},
        {"rank_list", ranks.empty() ? Value() : Value(rankRangesText(ranks))},
        {"world_size", orNull(model.worldSize)},
        {"world_size_source", model.worldSizeSource},
        {"steps", stepsValue(model)},
        {"measured_window", selection.failure ? Value() : Value(selection.window)},
        {"not_measurable", selection.failure ? Value(selection.failure->reason) : Value()},
        {"begin_ns", model.range.beginNs},
        {"end_ns", model.range.endNs},
        {"events", static_cast<std::int64_t>(model.eventCount())},
        {"has_hang_evidence", static_cast<bool>(model.hang)},
        {"location", model.timelines.empty() ? Value() : Value(locationOn(model, model.range))}};
    return jsonText(Value::Object{{"schema", "collscope.mcp.open/1"},
                                  {"summary", std::move(summary)},
                                  {"problems", problemsValue(model.problems)},
                                  {"run", runValue(model)}});
}

/// The paths that are below one of the folders, links followed: what lies elsewhere is not told.
Value::Array pathsInside(const FolderFence& fence, const std::vector<std::string>& paths)
{
    Value::Array inside;
    for (const std::string& path : paths) {
        if (fence.inside(path))
            inside.emplace_back(path);
    }
    return inside;
}

/// The runs that folders contain.
std::string runsText(const FolderFence& fence, const std::vector<std::string>& paths)
{
    Value::Array folders;
    for (const std::string& path : paths) {
        const RunList list = runsIn(path, interruptToken());
        Value::Array runs;
        for (const ListedRun& run : list.runs) {
            Value::Array inside = pathsInside(fence, run.paths);
            if (inside.size() == run.paths.size())
                runs.emplace_back(Value::Object{{"name", run.label}, {"paths", std::move(inside)}});
        }
        folders.emplace_back(Value::Object{
            {"folder", path}, {"runs", std::move(runs)}, {"without_runs", pathsInside(fence, list.others)}});
    }
    return jsonText(Value::Object{{"schema", "collscope.mcp.runs/1"},
                                  {"note", "Name one of these paths as the run of the other tools."},
                                  {"folders", std::move(folders)}});
}

int OpenQuery::measure(const HardwareDatabasePtr& hardware) const
{
    bool areFolders = true;
    for (const std::string& path : input.paths) {
        std::error_code error;
        areFolders = areFolders && std::filesystem::is_directory(path, error);
    }
    const bool isOne = input.paths.size() == 1
        && (!areFolders || runsIn(input.paths.front(), interruptToken()).runs.size() <= 1);
    if (isOne)
        return AgentQuery::measure(hardware);
    const Result<FolderFence> fence = FolderFence::around(input.paths);
    if (!fence)
        return sayNotLoaded(fence.error());
    const std::string text = runsText(*fence, input.paths);
    if (isInterrupted())
        return Cancelled;
    return print(text) ? Done : NotWritten;
}

} // namespace

std::unique_ptr<ProgramCommand> openQuery()
{
    return std::make_unique<OpenQuery>();
}

} // namespace collscope
