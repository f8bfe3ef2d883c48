// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/slowdown.h"

#include "metrics/core/statistics.h"

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
    std::array<std::vector<double>, operationRoleCount> all;
    for (const OperationStep& step : steps) {
        for (const Operation& operation : step.operations)
            all[static_cast<std::size_t>(operation.role)].push_back(
                static_cast<double>(operation.range.lengthNs()));
    }
    UsualDurations usual{};
    for (std::size_t role = 0; role < operationRoleCount; ++role) {
        if (!all[role].empty())
            usual[role] = std::llround(operationTraits(static_cast<OperationRole>(role)).isCompute
                                           ? meanOf(all[role])
                                           : medianOf(std::move(all[role])));
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

/// Replays the steps as recorded and as usual, and compares them with the file.
std::vector<StepSlowdown> replaySteps(const std::vector<OperationStep>& steps, const Replays& replays)
{
    const std::vector<std::int64_t> replayed = replays.with([](const Operation&) { return true; });
    const std::vector<std::int64_t> ideal = replays.with([](const Operation&) { return false; });
    std::vector<StepSlowdown> result;
    result.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        result.push_back({steps[i].number, steps[i].measuredNs(), replayed[i], ideal[i]});
    return result;
}

/// The mean of the steps in which something took time.
double replayErrorOf(const std::vector<StepSlowdown>& steps)
{
    std::vector<double> errors;
    for (const StepSlowdown& step : steps) {
        if (step.measuredNs > 0)
            errors.push_back(static_cast<double>(std::abs(step.replayedNs - step.measuredNs))
                             / static_cast<double>(step.measuredNs));
    }
    return errors.empty() ? 0 : meanOf(errors);
}

/// What each data-parallel rank, stage and type of operation alone is responsible for, and the worst workers.
void addParts(const std::vector<OperationStep>& steps, const Replays& replays, double idealSum,
              Slowdown& result)
{
    std::set<PipelineWorker> workers;
    std::set<std::string_view> types;
    for (const OperationStep& step : steps) {
        for (const Operation& operation : step.operations) {
            workers.insert(operation.worker);
            types.insert(operationTraits(operation.role).type);
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
        result.byType[type]
            = alone([&](const Operation& own) { return operationTraits(own.role).type == type; });
    result.worst = worstOf(workers, result);
}

} // namespace

Slowdown slowdownOf(const std::vector<OperationStep>& steps, const Parallel& parallel,
                    const std::function<bool()>& cancelled)
{
    const Replays replays(steps, parallel, cancelled);
    Slowdown result;
    result.steps = replaySteps(steps, replays);
    result.replayError = replayErrorOf(result.steps);
    double replayedSum = 0;
    double idealSum = 0;
    for (const StepSlowdown& step : result.steps) {
        replayedSum += static_cast<double>(step.replayedNs);
        idealSum += static_cast<double>(step.idealNs);
    }
    if (cancelled() || idealSum <= 0)
        return result;
    result.slowdown = replayedSum / idealSum;
    addParts(steps, replays, idealSum, result);
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
