// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/hang_stacks.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostWitnesses = 8;

/// The row of a rank's own call of a point.
std::optional<std::size_t> callAt(const HangJob& job, const WaitGraph& graph, std::uint32_t rank,
                                  std::uint32_t index)
{
    const WaitPoint& point = graph.points[index];
    if (!job.recordOf(rank))
        return std::nullopt;
    if (point.kind == CallHead::Kind::Collective)
        return job.callOf(rank, point.group, point.number);
    const CallHead* const head = graph.heads[rank].at(index);
    return head ? std::optional(head->call) : std::nullopt;
}

std::string_view stageText(const HangJob& job, const WaitPoint& point, std::uint32_t rank)
{
    if (!job.recordOf(rank))
        return "left no dump";
    if (point.kind != CallHead::Kind::Collective)
        return "waits";
    switch (job.stageOf(rank, point.group, point.number)) {
    case CallStage::NotCalled:
        return "not called";
    case CallStage::Inside:
        return "inside the call";
    case CallStage::Pending:
        return "called, not finished";
    case CallStage::Completed:
        return "finished";
    case CallStage::Unknown:
        break;
    }
    return "not known";
}

std::string frameText(const HangJob& job, const StackFrame& frame)
{
    return std::string(job.text(frame.function)) + " (" + std::string(job.text(frame.file)) + ":"
        + std::to_string(frame.line) + ")";
}

ReportedFinding::Stack stackOfCall(const HangJob& job, std::uint32_t rank, std::size_t call)
{
    ReportedFinding::Stack stack{job.ranks()[rank], "flight recorder", {}};
    const FlightRecord& record = *job.recordOf(rank);
    for (const StackFrame* frame : record.stacks.framesOf(record.calls.stack[call]))
        stack.frames.push_back(frameText(job, *frame));
    return stack;
}

std::optional<ReportedFinding::Stack> pythonStack(const HangJob& job, std::uint32_t rank)
{
    for (const PythonStacks& own : job.evidence().stacks) {
        if (own.rank != job.ranks()[rank])
            continue;
        const auto main = std::find_if(own.threads.begin(), own.threads.end(),
                                       [](const auto& thread) { return thread.name == "MainThread"; });
        const auto thread = main == own.threads.end() ? own.threads.begin() : main;
        if (thread == own.threads.end())
            return std::nullopt;
        ReportedFinding::Stack stack{job.ranks()[rank], "py-spy", {}};
        for (const PythonStacks::Frame& frame : thread->frames)
            stack.frames.push_back(frame.function + " (" + frame.file + ":" + std::to_string(frame.line)
                                   + ")");
        return stack;
    }
    return std::nullopt;
}

/// A frame without the folder of its file: py-spy shortens paths.
std::string withoutFolder(const std::string& frame)
{
    const std::size_t file = frame.rfind(" (");
    const std::size_t folder = frame.rfind('/');
    if (file == std::string::npos || folder == std::string::npos || folder < file)
        return frame;
    return frame.substr(0, file + 2) + frame.substr(folder + 1);
}

/// The first frame from the outermost that is not the same on both.
std::optional<std::size_t> firstDifference(const std::vector<std::string>& a,
                                           const std::vector<std::string>& b)
{
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < common; ++i) {
        if (withoutFolder(a[a.size() - 1 - i]) != withoutFolder(b[b.size() - 1 - i]))
            return i;
    }
    return a.size() == b.size() ? std::nullopt : std::optional(common);
}

/// Who is accused, then who waits, then who is on another side.
std::vector<std::uint32_t> shownRanks(const WaitGraph& graph, const HangFinding& finding)
{
    std::vector<std::uint32_t> shown = finding.named();
    const WaitPoint& point = graph.points[finding.point];
    if (finding.mismatch && finding.mismatch->sides.size() > 1)
        shown.push_back(finding.mismatch->sides.front().ranks.front());
    shown.insert(shown.end(), point.waiting.begin(), point.waiting.end());
    std::vector<std::uint32_t> unique;
    for (const std::uint32_t rank : shown) {
        if (std::find(unique.begin(), unique.end(), rank) == unique.end())
            unique.push_back(rank);
        if (unique.size() == mostWitnesses)
            break;
    }
    return unique;
}

} // namespace

void addWitnesses(const HangJob& job, const WaitGraph& graph, const HangFinding& finding,
                  ReportedFinding& reported)
{
    if (finding.point == WaitGraph::noPoint)
        return;
    const WaitPoint& point = graph.points[finding.point];
    for (const std::uint32_t rank : shownRanks(graph, finding)) {
        ReportedFinding::Witness witness;
        witness.rank = job.ranks()[rank];
        witness.text = stageText(job, point, rank);
        if (const FlightRecord* const record = job.recordOf(rank)) {
            witness.file = record->file;
            if (const auto call = callAt(job, graph, rank, finding.point))
                witness.record = record->calls.record[*call];
        }
        reported.witnesses.push_back(std::move(witness));
    }
}

void addStacks(const HangJob& job, const WaitGraph& graph, const HangFinding& finding,
               ReportedFinding& reported)
{
    if (finding.point == WaitGraph::noPoint || finding.named().empty())
        return;
    const std::uint32_t first = finding.named().front();
    if (auto python = pythonStack(job, first)) {
        reported.stacks.push_back(std::move(*python));
    } else if (const FlightRecord* const record = job.recordOf(first); record && record->calls.size() > 0) {
        const std::size_t last = record->calls.size() - 1;
        reported.stacks.push_back(
            stackOfCall(job, first, callAt(job, graph, first, finding.point).value_or(last)));
    }
    for (const std::uint32_t rank : shownRanks(graph, finding)) {
        const bool isOther = rank != first
            && std::find(finding.accused.begin(), finding.accused.end(), rank) == finding.accused.end();
        const auto call = isOther ? callAt(job, graph, rank, finding.point) : std::nullopt;
        if (!call)
            continue;
        reported.stacks.push_back(stackOfCall(job, rank, *call));
        break;
    }
    if (reported.stacks.size() == 2)
        reported.firstDifference
            = firstDifference(reported.stacks.front().frames, reported.stacks.back().frames);
    std::erase_if(reported.stacks, [](const auto& stack) { return stack.frames.empty(); });
    if (reported.stacks.size() < 2)
        reported.firstDifference.reset();
}

} // namespace collscope
