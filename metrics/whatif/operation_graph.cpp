// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/operation_graph.h"

#include "metrics/core/step_rows.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

namespace collscope {

namespace {

using Indices = std::vector<std::uint32_t>; ///< into the operations of a step

/// Collects the edges of one step.
class StepBuilder
{
public:
    explicit StepBuilder(std::vector<Operation>&& operations);

    std::size_t workers() const { return m_workers.size(); }

    /// Returns why it cannot; empty if it could.
    std::string connect();
    OperationStep finish(std::int64_t number);

private:
    using ByRole = std::array<Indices, operationRoleCount>; ///< each in time order

    void inOrder(const Indices& operations);
    bool connectPasses(const ByRole& own, OperationRole receive, OperationRole compute, OperationRole send);
    void connectCompute(const ByRole& own);
    bool meetNeighbours(OperationRole send, OperationRole receive, std::int32_t direction);
    bool meetInGroups();
    static const Indices& of(const ByRole& own, OperationRole role)
    {
        return own[static_cast<std::size_t>(role)];
    }

    std::vector<Operation> m_operations;
    std::map<PipelineWorker, ByRole> m_workers;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_edges;
    std::vector<Indices> m_meetings;
};

StepBuilder::StepBuilder(std::vector<Operation>&& operations)
    : m_operations(std::move(operations))
{
    std::sort(m_operations.begin(), m_operations.end(), [](const Operation& a, const Operation& b) {
        return std::tie(a.worker, a.range.beginNs, a.range.endNs, a.slice)
            < std::tie(b.worker, b.range.beginNs, b.range.endNs, b.slice);
    });
    for (std::uint32_t i = 0; i < m_operations.size(); ++i)
        m_workers[m_operations[i].worker][static_cast<std::size_t>(m_operations[i].role)].push_back(i);
}

/// Each after the one before.
void StepBuilder::inOrder(const Indices& operations)
{
    for (std::size_t i = 1; i < operations.size(); ++i)
        m_edges.emplace_back(operations[i - 1], operations[i]);
}

/// A pass computes what it has received, and sends what it has computed. It receives after the pass before
/// has computed. Returns false where the passes do not correspond one by one.
bool StepBuilder::connectPasses(const ByRole& own, OperationRole receive, OperationRole compute,
                                OperationRole send)
{
    const Indices& computes = of(own, compute);
    for (const OperationRole role : {receive, send}) {
        const Indices& transfers = of(own, role);
        if (!transfers.empty() && transfers.size() != computes.size())
            return false;
        inOrder(transfers);
        for (std::size_t i = 0; i < transfers.size(); ++i) {
            if (role == send) {
                m_edges.emplace_back(computes[i], transfers[i]);
                continue;
            }
            m_edges.emplace_back(transfers[i], computes[i]);
            if (i > 0)
                m_edges.emplace_back(computes[i - 1], transfers[i]);
        }
    }
    return true;
}

void StepBuilder::connectCompute(const ByRole& own)
{
    const Indices& forward = of(own, OperationRole::Forward);
    const Indices& backward = of(own, OperationRole::Backward);
    Indices all;
    std::merge(forward.begin(), forward.end(), backward.begin(), backward.end(), std::back_inserter(all));
    inOrder(all);
    // While the last pass of the warm-up computes, the first gradients may arrive already.
    const auto first = backward.empty() ? all.end() : std::find(all.begin(), all.end(), backward.front());
    if (first != all.end() && first - all.begin() >= 2) {
        for (const OperationRole role : {OperationRole::BackwardReceive, OperationRole::BackwardSend}) {
            if (!of(own, role).empty())
                m_edges.emplace_back(*(first - 2), of(own, role).front());
        }
    }
    const Indices& gathers = of(own, OperationRole::GatherParameters);
    inOrder(gathers);
    if (!gathers.empty() && !forward.empty())
        m_edges.emplace_back(gathers.back(), forward.front());
    // The end of a step, one after the other.
    Indices end(all.empty() ? all.end() : all.end() - 1, all.end());
    for (auto role = static_cast<std::size_t>(OperationRole::CollectGarbage); role < operationRoleCount;
         ++role)
        end.insert(end.end(), own[role].begin(), own[role].end());
    inOrder(end);
}

/// Each send of a stage meets the receive of a neighbour that has the same place in its order. Returns false
/// where one has no partner: with several parts of the model on a stage, the last one sends to the first.
bool StepBuilder::meetNeighbours(OperationRole send, OperationRole receive, std::int32_t direction)
{
    std::size_t met = 0;
    std::size_t receives = 0;
    for (const auto& [worker, own] : m_workers) {
        receives += of(own, receive).size();
        const Indices& sends = of(own, send);
        const auto next = m_workers.find({worker.dp, worker.stage + direction, worker.tp});
        if (sends.empty())
            continue;
        if (next == m_workers.end() || of(next->second, receive).size() != sends.size())
            return false;
        met += sends.size();
        for (std::size_t i = 0; i < sends.size(); ++i)
            m_meetings.push_back({sends[i], of(next->second, receive)[i]});
    }
    return met == receives;
}

/// The operations of a role that meet: those with the same place in the order of their workers. Returns false
/// where a worker of a group has none.
bool StepBuilder::meetInGroups()
{
    const std::int32_t lastStage
        = std::max_element(m_workers.begin(), m_workers.end(), [](const auto& a, const auto& b) {
              return a.first.stage < b.first.stage;
          })->first.stage;
    struct Group
    {
        std::size_t workers = 0;
        std::vector<Indices> meetings; ///< by place
    };
    std::map<std::tuple<std::size_t, std::int32_t, std::int32_t>, Group> groups; // role, which, tp
    for (const auto& [worker, own] : m_workers) {
        for (std::size_t role = 0; role < operationRoleCount; ++role) {
            const OperationPartners partners = operationTraits(static_cast<OperationRole>(role)).partners;
            const bool isOfStage = partners == OperationPartners::DataParallel;
            const bool isOfEnds = partners == OperationPartners::FirstAndLastStage
                && (worker.stage == 0 || worker.stage == lastStage);
            const bool isOfAll = partners == OperationPartners::AllWorkers;
            if (!isOfStage && !isOfEnds && !isOfAll)
                continue;
            const std::int32_t which = isOfStage ? worker.stage : isOfEnds ? worker.dp : 0;
            Group& group = groups[{role, which, isOfAll ? 0 : worker.tp}];
            ++group.workers;
            group.meetings.resize(std::max(group.meetings.size(), own[role].size()));
            for (std::size_t place = 0; place < own[role].size(); ++place)
                group.meetings[place].push_back(own[role][place]);
        }
    }
    for (auto& [key, group] : groups) {
        for (Indices& members : group.meetings) {
            if (members.size() != group.workers)
                return false;
            m_meetings.push_back(std::move(members));
        }
    }
    return true;
}

std::string StepBuilder::connect()
{
    for (const auto& [worker, own] : m_workers) {
        if (!connectPasses(own, OperationRole::ForwardReceive, OperationRole::Forward,
                           OperationRole::ForwardSend)
            || !connectPasses(own, OperationRole::BackwardReceive, OperationRole::Backward,
                              OperationRole::BackwardSend))
            return "a stage sends or receives another number of times than it computes, so that it is not "
                   "known "
                   "what waits for what (several parts of the model on a stage?)";
        connectCompute(own);
    }
    if (!meetNeighbours(OperationRole::ForwardSend, OperationRole::ForwardReceive, 1)
        || !meetNeighbours(OperationRole::BackwardSend, OperationRole::BackwardReceive, -1))
        return "sends of a stage and receives of its neighbour do not correspond (is a stage missing?)";
    if (!meetInGroups())
        return "workers that meet do not meet equally often (is a part of the file missing?)";
    return {};
}

OperationStep StepBuilder::finish(std::int64_t number)
{
    // Operations that meet start together: what one of them waits for, all wait for.
    const auto count = static_cast<std::uint32_t>(m_operations.size());
    std::vector<std::uint32_t> start(count);
    for (std::uint32_t i = 0; i < count; ++i)
        start[i] = i;
    std::vector<ReplayEdge> edges;
    for (std::uint32_t meeting = 0; meeting < m_meetings.size(); ++meeting) {
        for (const std::uint32_t member : m_meetings[meeting]) {
            start[member] = count + meeting;
            edges.push_back({.from = count + meeting, .to = member, .kind = EdgeKind::Meet});
        }
    }
    for (const auto& [from, to] : m_edges)
        edges.push_back({.from = from, .to = start[to]});
    const std::size_t nodes = count + m_meetings.size();
    return {number, std::move(m_operations), ReplayGraph(nodes, std::move(edges))};
}

/// The operations of a timeline that begin in one of the steps, by the step's number. Returns a name that it
/// does not know.
std::optional<std::string_view> readOperations(const TraceModel& model, const RankWindows::Part& part,
                                               std::map<std::int64_t, std::vector<Operation>>& steps)
{
    const StepFinder finder(part.steps);
    for (const TrackId id : part.timeline->tracks) {
        const SliceColumns& slices = model.track(id).slices;
        for (std::uint32_t row = 0; row < slices.size(); ++row) {
            const std::int32_t step = finder.at(slices.startNs[row]);
            if (step < 0)
                continue;
            const std::optional<OperationRole> role = operationRole(model.text(slices.name[row]));
            if (!role)
                return model.text(slices.name[row]);
            steps[part.steps[static_cast<std::size_t>(step)].number].push_back(
                {*part.timeline->worker, *role, {id, row}, slices.range(row)});
        }
    }
    return std::nullopt;
}

} // namespace

std::int64_t OperationStep::measuredNs() const
{
    TimeRange all = operations.front().range;
    for (const Operation& operation : operations)
        all = all.united(operation.range);
    return all.lengthNs();
}

std::int64_t OperationStep::replayedNs(const std::function<std::int64_t(const Operation&)>& durationNs) const
{
    std::vector<std::int64_t> durations(graph.nodeCount());
    for (std::uint32_t i = 0; i < operations.size(); ++i)
        durations[graph.placeOf(i)] = durationNs(operations[i]);
    const std::vector<std::int64_t> ends = graph.endsOf(durations);
    return *std::max_element(ends.begin(), ends.end());
}

bool showsOperations(const Selection& selection)
{
    return !selection.ranks.empty()
        && std::all_of(selection.ranks.begin(), selection.ranks.end(), [](const RankWindows& rank) {
               return std::all_of(rank.parts.begin(), rank.parts.end(), [](const RankWindows::Part& part) {
                   return part.timeline->worker.has_value();
               });
           });
}

OperationRun operationsOf(const TraceModel& model, const Selection& selection,
                          const std::function<bool()>& cancelled)
{
    OperationRun run;
    if (!showsOperations(selection)) {
        run.refused = "the timelines do not show operations of several workers";
        return run;
    }
    std::map<std::int64_t, std::vector<Operation>> steps;
    for (const RankWindows& rank : selection.ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            if (const auto unknown = readOperations(model, part, steps)) {
                run.refused = "what \"" + std::string(*unknown) + "\" waits for is not known";
                return run;
            }
        }
    }
    for (auto& [number, operations] : steps) {
        if (cancelled())
            return {};
        StepBuilder builder(std::move(operations));
        run.refused
            = builder.workers() == selection.ranks.size() ? builder.connect() : "some workers do nothing";
        if (run.refused.empty())
            run.steps.push_back(builder.finish(number));
        if (run.refused.empty() && !run.steps.back().graph.isWhole())
            run.refused = "operations wait for each other in a circle";
        if (!run.refused.empty()) {
            run.refused = "In step " + std::to_string(number) + ", " + run.refused;
            return run;
        }
    }
    return run;
}

} // namespace collscope
