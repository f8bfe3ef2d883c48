// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/hang_text.h"

#include "model/text/capitalised.h"
#include "model/text/rank_ranges.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace {

/// "0-3, 7", without the word.
std::string rankListText(const HangJob& job, const std::vector<std::uint32_t>& ranks)
{
    std::string list = rankRangesText(job.numbersOf(ranks));
    return list.erase(0, list.find_first_of("0123456789"));
}

/// The operation of a point, as those who called it say.
std::string operationAt(const HangJob& job, const WaitGraph& graph, std::uint32_t index)
{
    const WaitPoint& point = graph.points[index];
    for (const std::uint32_t rank : point.waiting) {
        const CallHead* const head = graph.heads[rank].at(index);
        if (head && head->call != CallHead::noCall)
            return std::string(job.operationOf(*job.recordOf(rank), head->call));
    }
    return {};
}

class FindingText
{
public:
    FindingText(const HangJob& job, const WaitGraph& graph, const HangFinding& finding)
        : m_job(job)
        , m_graph(graph)
        , m_finding(finding)
        , m_point(finding.point == WaitGraph::noPoint ? nullptr : &graph.points[finding.point])
        , m_call(m_point ? callText(job, graph, finding.point) : "a call")
    { }

    std::string text() const
    {
        if (m_finding.isByRing)
            return byRingText();
        switch (m_finding.hangClass) {
        case HangClass::Cpu:
            return m_finding.isInside ? insideText() : cpuText() + victimsText();
        case HangClass::Gpu:
            return m_finding.accused.empty() ? joinedText() : gpuText() + victimsText();
        case HangClass::CpuOrGpu:
            return capitalised(accused()) + " did not start " + m_call
                + ", which the other members have started. This version of the dump does not say whether the "
                  "CPU is still inside the call or the GPU is busy with something before it."
                + victimsText();
        case HangClass::Dead:
            return deadText();
        case HangClass::PeerOrder:
            return capitalised(named())
                + " wait for each other: each of them has a call first that the other one "
                  "makes only later, in "
                + groupText(m_job, m_point->group) + "." + victimsText();
        case HangClass::Order:
            return orderText() + victimsText();
        default:
            return mismatchText() + victimsText();
        }
    }

private:
    std::string accused() const { return ranksText(m_job, m_finding.accused); }
    std::string named() const { return ranksText(m_job, m_finding.named()); }
    bool isOne() const { return m_finding.accused.size() == 1; }

    std::string cpuText() const
    {
        const std::string who = capitalised(accused());
        if (m_point->kind != CallHead::Kind::Collective) {
            return who + " stopped on the CPU: " + ranksText(m_job, m_point->waiting) + " "
                + (m_point->waiting.size() == 1 ? "waits" : "wait") + " for a send or a receive that "
                + (isOne() ? "it has" : "they have") + " not called, in " + groupText(m_job, m_point->group)
                + "." + idleText();
        }
        return who + " stopped on the CPU: " + (isOne() ? "it" : "they") + " never made " + m_call + "; "
            + ranksText(m_job, m_point->waiting) + " " + (m_point->waiting.size() == 1 ? "waits" : "wait")
            + " there." + idleText();
    }

    std::string byRingText() const
    {
        const bool isSingle = m_finding.candidates.size() == 1;
        const bool areOutdated = m_finding.hangClass == HangClass::CpuOrGpu;
        return capitalised(named()) + (isSingle ? " is the only rank" : " are the ranks") + " whose part in "
            + m_call + " is not known by " + (isSingle ? "its dump" : "their dumps")
            + (areOutdated ? ", older than calls that others have finished" : "")
            + ". The others are in order." + victimsText();
    }

    std::string idleText() const
    {
        const bool areIdle
            = std::all_of(m_finding.accused.begin(), m_finding.accused.end(), [&](std::uint32_t rank) {
                  return m_job.recordOf(rank) && m_graph.heads[rank].unfinished.empty()
                      && m_graph.heads[rank].heads.empty();
              });
        if (!areIdle)
            return {};
        return isOne() ? " It has finished everything that it called."
                       : " They have finished everything that they called.";
    }

    std::string insideText() const
    {
        const std::string who = capitalised(named());
        const bool isSingle = m_finding.named().size() == 1;
        std::string text = who + (isSingle ? " is" : " are") + " inside " + m_call
            + " on the CPU: the call is recorded, but the library has not returned from it.";
        if (m_finding.accused.empty())
            text += " These are all members: the dumps do not say who keeps the others.";
        return text + victimsText();
    }

    std::string gpuText() const
    {
        std::string text = capitalised(accused()) + " stopped on the GPU: ";
        if (m_finding.standing != WaitGraph::noPoint) {
            const WaitPoint& standing = m_graph.points[m_finding.standing];
            std::vector<std::uint32_t> finished;
            const std::vector<std::uint32_t>& members = m_job.groups()[standing.group].members;
            for (std::size_t i = 0; i < members.size(); ++i) {
                if (standing.stages[i] == CallStage::Completed)
                    finished.push_back(members[i]);
            }
            return text + (isOne() ? "it has" : "they have") + " not finished "
                + callText(m_job, m_graph, m_finding.standing) + ", which " + ranksText(m_job, finished)
                + " finished. A CUDA error looks like this.";
        }
        return text + (isOne() ? "it has" : "they have") + " called " + m_call
            + ", but not started it, while the other members have. Work before it does not end.";
    }

    std::string joinedText() const
    {
        if (m_point->kind != CallHead::Kind::Collective)
            return capitalised(named()) + " have both called their part of " + m_call
                + ", and it does not end. The dumps do not say which GPU or link." + victimsText();
        return "All " + std::to_string(m_finding.candidates.size()) + " ranks of "
            + groupText(m_job, m_point->group) + " are in " + shortCall()
            + ", and none has finished it. The dumps do not say which GPU or link"
            + (haveStartTimes() ? "." : ": they have no start times. Set TORCH_NCCL_ENABLE_TIMING=1.")
            + victimsText();
    }

    bool haveStartTimes() const
    {
        return std::all_of(m_finding.candidates.begin(), m_finding.candidates.end(), [&](std::uint32_t rank) {
            const FlightRecord* const record = m_job.recordOf(rank);
            return record && !record->calls.startedNs.empty();
        });
    }

    std::string shortCall() const
    {
        const std::string operation = operationAt(m_job, m_graph, m_finding.point);
        return "call " + std::to_string(m_point->number) + (operation.empty() ? "" : " (" + operation + ")");
    }

    std::string deadText() const
    {
        if (!m_finding.accused.empty())
            return m_finding.death + " "
                + (isOne() ? std::string("It left no dump.")
                           : capitalised(accused()) + " ended, and left no dump.")
                + victimsText();
        if (m_finding.candidates.size() == 1)
            return capitalised(named()) + " left no dump and is the only rank whose part in " + m_call
                + " is not known; the others are in order. "
                + (m_job.isAliveByLog(m_finding.named().front())
                       ? "It printed a line later, so its process was alive: the dump is lost."
                       : "Its process is gone, it could not write, or the dump was lost.")
                + victimsText();
        const bool haveDumps
            = std::any_of(m_finding.candidates.begin(), m_finding.candidates.end(),
                          [&](std::uint32_t rank) { return m_job.recordOf(rank) != nullptr; });
        return (haveDumps ? "What " + named() + " did in " + m_call + " is not known."
                          : capitalised(named()) + " left no dump.")
            + " Others may wait for some of them; the files do not say for which." + victimsText();
    }

    std::string orderText() const
    {
        std::string groups;
        std::vector<std::uint32_t> seen;
        for (const std::uint32_t point : m_finding.points) {
            const std::uint32_t group = m_graph.points[point].group;
            if (std::find(seen.begin(), seen.end(), group) != seen.end())
                continue;
            seen.push_back(group);
            groups += (groups.empty() ? "" : " and ") + groupText(m_job, group);
        }
        if (m_finding.accused.empty())
            return capitalised(named()) + " wait for each other: they call " + groups
                + " in different orders.";
        return capitalised(accused()) + (isOne() ? " calls " : " call ") + groups
            + " in another order than the other ranks that are in both: each side waits for the other.";
    }

    std::string mismatchText() const
    {
        const ArgumentMismatch& mismatch = *m_finding.mismatch;
        if (mismatch.kind == ArgumentMismatch::Kind::Splits)
            return "The parts of " + m_call + " do not fit together: " + mismatch.sides.front().value
                + " by all members. The dumps have the totals of each rank, not its splits, so they do not "
                  "say which rank is wrong.";
        std::string text;
        constexpr std::size_t mostSides = 4;
        const std::size_t shown = std::min(mostSides, mismatch.sides.size());
        for (std::size_t i = 0; i < shown; ++i) {
            const ArgumentMismatch::Side& side = mismatch.sides[i];
            const bool isFirst = i == 0;
            const auto call = m_job.callOf(side.ranks.front(), m_point->group, m_point->number);
            const std::string site = call ? siteOf(m_job, side.ranks.front(), *call) : std::string();
            text
                += (isFirst ? capitalised(ranksText(m_job, side.ranks)) : ", " + ranksText(m_job, side.ranks))
                + (mismatch.kind == ArgumentMismatch::Kind::Operation ? " called " : " gave ") + side.value
                + (site.empty() ? "" : " (" + site + ")");
        }
        if (shown < mismatch.sides.size())
            text += ", and other ranks gave " + std::to_string(mismatch.sides.size() - shown)
                + " other values";
        return text + ": " + m_call + ".";
    }

    std::string victimsText() const
    {
        std::size_t others = 0;
        for (const std::uint32_t rank : m_finding.victims) {
            const bool isThere = m_point
                && std::find(m_point->waiting.begin(), m_point->waiting.end(), rank)
                    != m_point->waiting.end();
            others += isThere ? 0u : 1u;
        }
        if (others == 0)
            return {};
        return " " + std::to_string(others) + (others == 1 ? " other rank waits" : " other ranks wait")
            + " for that"
            + (m_finding.mostGroups > 1
                   ? ", through up to " + std::to_string(m_finding.mostGroups) + " groups."
                   : ".");
    }

    const HangJob& m_job;
    const WaitGraph& m_graph;
    const HangFinding& m_finding;
    const WaitPoint* m_point;
    std::string m_call;
};

} // namespace

std::string ranksText(const HangJob& job, const std::vector<std::uint32_t>& ranks)
{
    if (ranks.size() == 1)
        return "rank " + std::to_string(job.ranks()[ranks.front()]);
    std::string list = rankListText(job, ranks);
    constexpr std::size_t longest = 120;
    if (list.size() > longest)
        return std::to_string(ranks.size()) + " ranks";
    const std::size_t last = list.rfind(", ");
    if (last != std::string::npos)
        list.replace(last, 2, " and ");
    return "ranks " + list;
}

std::string groupText(const HangJob& job, std::uint32_t group)
{
    const HangGroup& own = job.groups()[group];
    const std::string_view description = job.text(own.description);
    std::string text(!description.empty() && description != "undefined" ? description : std::string_view());
    if (text.empty())
        text = "group " + job.nameOf(group);
    std::string ranks = rankListText(job, own.members);
    constexpr std::size_t longest = 60;
    if (ranks.size() > longest)
        ranks = std::to_string(own.members.size()) + " ranks, " + ranks.substr(0, ranks.find(", ")) + " to "
            + std::to_string(job.numbersOf(own.members).back());
    return text + " (" + ranks + ")";
}

std::string callText(const HangJob& job, const WaitGraph& graph, std::uint32_t point)
{
    const WaitPoint& own = graph.points[point];
    const std::string operation = operationAt(job, graph, point);
    if (own.kind != CallHead::Kind::Collective)
        return (operation.empty() ? std::string("a transfer") : "a " + operation) + " in "
            + groupText(job, own.group);
    return "call " + std::to_string(own.number) + (operation.empty() ? "" : " (" + operation + ")") + " of "
        + groupText(job, own.group);
}

std::string siteOf(const HangJob& job, std::uint32_t rank, std::size_t call)
{
    const FlightRecord& record = *job.recordOf(rank);
    for (const StackFrame* frame : record.stacks.framesOf(record.calls.stack[call])) {
        const std::string_view file = job.text(frame->file);
        const bool isOfTorch = file.find("/torch/") != std::string_view::npos;
        if (!isOfTorch && file.ends_with(".py"))
            return std::filesystem::path(file).filename().string() + ":" + std::to_string(frame->line);
    }
    return {};
}

std::string findingText(const HangJob& job, const WaitGraph& graph, const HangFinding& finding)
{
    return FindingText(job, graph, finding).text();
}

std::string firstStep(const HangJob& job, const HangFinding& finding)
{
    const std::string who = ranksText(job, finding.named());
    switch (finding.hangClass) {
    case HangClass::Cpu:
        return "Look at what " + who + " did on the CPU: py-spy dump --pid PID shows the line.";
    case HangClass::Gpu:
        return finding.accused.empty()
            ? "Set TORCH_NCCL_ENABLE_TIMING=1 for the next run, and look for XID lines and link errors now."
            : "Go to the node of " + who + ": nvidia-smi -q and the kernel log (XID) tell of the GPU.";
    case HangClass::CpuOrGpu:
        return "Go to the node of " + who + ": py-spy tells of the CPU, nvidia-smi -q of the GPU.";
    case HangClass::Dead:
        return "Look for the end of " + who + ": exit code, kernel log (out of memory), its own log.";
    case HangClass::Splits:
        return "Compare the totals of each rank with those of the step before.";
    case HangClass::PeerOrder:
        return "Let one of " + who + " send first, or batch the calls (batch_isend_irecv).";
    case HangClass::Order:
        return "Make all ranks call these groups in the same order.";
    default:
        return "Compare the code that makes the two calls.";
    }
}

} // namespace collscope
