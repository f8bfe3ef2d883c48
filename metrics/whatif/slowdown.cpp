// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/slowdown.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

namespace collscope {

namespace {

using UsualDurations = std::array<std::int64_t, operationRoleCount>; ///< in ns

/// The mean of a computation, the median of a transfer: over all workers and steps.
UsualDurations usualDurations(const std::vector<OperationStep>& steps)
{
    std::array<std::vector<std::int64_t>, operationRoleCount> all;
    for (const OperationStep& step : steps) {
        for (const Operation& operation : step.operations)
            all[static_cast<std::size_t>(operation.role)].push_back(operation.range.lengthNs());
    }
    UsualDurations usual{};
    for (std::size_t role = 0; role < operationRoleCount; ++role) {
        std::vector<std::int64_t>& own = all[role];
        if (own.empty())
            continue;
        if (isCompute(static_cast<OperationRole>(role))) {
            double sum = 0;
            for (const std::int64_t ns : own)
                sum += static_cast<double>(ns);
            usual[role] = std::llround(sum / static_cast<double>(own.size()));
            continue;
        }
        const auto middle = own.begin() + static_cast<std::ptrdiff_t>(own.size() / 2);
        std::nth_element(own.begin(), middle, own.end());
        const std::int64_t below = own.size() % 2 == 0 ? *std::max_element(own.begin(), middle) : *middle;
        usual[role] = (*middle + below) / 2;
    }
    return usual;
}

using IsRecorded = std::function<bool(const Operation&)>;

/// Replays the steps with some operations as recorded and the others as usual.
class Replays
{
public:
    Replays(const std::vector<OperationStep>& steps, const Parallel& parallel,
            const std::function<bool()>& cancelled)
        : m_steps(steps)
        , m_usual(usualDurations(steps))
        , m_parallel(parallel)
        , m_cancelled(cancelled)
    { }

    /// By step, in ns.
    std::vector<std::int64_t> with(const IsRecorded& isRecorded) const
    {
        std::vector<std::int64_t> stepNs(m_steps.size());
        m_parallel.forEach(m_steps.size(), [&](std::size_t step) {
            if (m_cancelled())
                return;
            stepNs[step] = m_steps[step].replayedNs([&](const Operation& operation) {
                return isRecorded(operation) ? operation.range.lengthNs()
                                             : m_usual[static_cast<std::size_t>(operation.role)];
            });
        });
        return stepNs;
    }
    double sumWith(const IsRecorded& isRecorded) const
    {
        double sum = 0;
        for (const std::int64_t ns : with(isRecorded))
            sum += static_cast<double>(ns);
        return sum;
    }

private:
    const std::vector<OperationStep>& m_steps;
    UsualDurations m_usual;
    const Parallel& m_parallel;
    const std::function<bool()>& m_cancelled;
};

/// The slowest 3 % of the workers; of equally slow ones, the first.
std::vector<PipelineWorker> worstOf(const std::set<PipelineWorker>& workers, const Slowdown& slowdown)
{
    std::vector<std::pair<double, PipelineWorker>> slow;
    slow.reserve(workers.size());
    for (const PipelineWorker& worker : workers)
        slow.emplace_back(-std::min(slowdown.byDp.at(worker.dp), slowdown.byStage.at(worker.stage)), worker);
    std::sort(slow.begin(), slow.end());
    constexpr std::size_t percent = 3;
    slow.resize((percent * slow.size() + 99) / 100);
    std::vector<PipelineWorker> worst;
    worst.reserve(slow.size());
    for (const auto& [order, worker] : slow)
        worst.push_back(worker);
    std::sort(worst.begin(), worst.end());
    return worst;
}

} // namespace

Slowdown slowdownOf(const std::vector<OperationStep>& steps, const Parallel& parallel,
                    const std::function<bool()>& cancelled)
{
    const Replays replays(steps, parallel, cancelled);
    Slowdown result;
    const std::vector<std::int64_t> replayed = replays.with([](const Operation&) { return true; });
    const std::vector<std::int64_t> ideal = replays.with([](const Operation&) { return false; });
    double replayedSum = 0;
    double idealSum = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::int64_t measuredNs = steps[i].measuredNs();
        result.steps.push_back({steps[i].number, measuredNs, replayed[i], ideal[i]});
        replayedSum += static_cast<double>(replayed[i]);
        idealSum += static_cast<double>(ideal[i]);
        if (measuredNs > 0)
            result.replayError += static_cast<double>(std::abs(replayed[i] - measuredNs))
                / static_cast<double>(measuredNs) / static_cast<double>(steps.size());
    }
    if (idealSum <= 0)
        return result;
    result.slowdown = replayedSum / idealSum;
    std::set<PipelineWorker> workers;
    std::set<std::string_view> types;
    for (const OperationStep& step : steps) {
        for (const Operation& operation : step.operations) {
            workers.insert(operation.worker);
            types.insert(operationType(operation.role));
        }
    }
    const auto alone = [&](const IsRecorded& isRecorded) { return replays.sumWith(isRecorded) / idealSum; };
    for (const PipelineWorker& worker : workers) {
        if (!result.byDp.contains(worker.dp))
            result.byDp[worker.dp] = alone([&](const Operation& own) { return own.worker.dp == worker.dp; });
        if (!result.byStage.contains(worker.stage))
            result.byStage[worker.stage]
                = alone([&](const Operation& own) { return own.worker.stage == worker.stage; });
    }
    for (const std::string_view type : types)
        result.byType[type] = alone([&](const Operation& own) { return operationType(own.role) == type; });
    result.worst = worstOf(workers, result);
    if (replayedSum <= idealSum)
        return result;
    const auto shareWithout = [&](const IsRecorded& isUsual) {
        const double sum = replays.sumWith([&](const Operation& own) { return !isUsual(own); });
        return (replayedSum - sum) / (replayedSum - idealSum);
    };
    result.worstShare = shareWithout([&](const Operation& own) {
        return std::binary_search(result.worst.begin(), result.worst.end(), own.worker);
    });
    const std::int32_t lastStage = result.byStage.rbegin()->first;
    result.lastStageShare = shareWithout([&](const Operation& own) { return own.worker.stage == lastStage; });
    return result;
}

} // namespace collscope
