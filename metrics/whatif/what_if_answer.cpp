// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/what_if_answer.h"

#include <algorithm>

namespace collscope {

namespace {

std::vector<ScenarioAnswer> answersOf(const WhatIfReplay& replay, const std::vector<Scenario>& scenarios,
                                      const MetricOptions& options)
{
    std::vector<ScenarioAnswer> answers(scenarios.size());
    const auto threads = static_cast<std::size_t>(std::max(options.parallel.threads(), 1));
    options.parallel.forEach(std::min(threads, scenarios.size()), [&](std::size_t first) {
        ReplayBuffers buffers;
        for (std::size_t i = first; i < scenarios.size() && !options.cancelled(); i += threads)
            answers[i] = replay.answer(scenarios[i], buffers);
    });
    return answers;
}

/// The work of the CPU and communication take some time on any machine.
bool isLimit(const Scenario& scenario)
{
    return std::any_of(scenario.changes.begin(), scenario.changes.end(), [](const Change& change) {
        return change.kind == ChangeKind::Communication || change.kind == ChangeKind::Launches;
    });
}

void sortByGain(std::vector<ScenarioAnswer>& answers)
{
    std::stable_sort(answers.begin(), answers.end(),
                     [](const ScenarioAnswer& a, const ScenarioAnswer& b) { return a.gainNs > b.gainNs; });
}

/// What helps most once the best one is done, and after that.
void addAfter(WhatIfAnswer& answer, const MetricOptions& options)
{
    constexpr int rounds = 2;
    if (answer.scenarios.empty())
        return;
    ScenarioAnswer best = answer.scenarios.front();
    for (int round = 0; round < rounds; ++round) {
        std::vector<Scenario> scenarios;
        for (const ScenarioAnswer& other : answer.scenarios) {
            if (best.scenario.spec.find(other.scenario.spec) == std::string::npos)
                scenarios.push_back(joined(best.scenario, other.scenario));
        }
        std::vector<ScenarioAnswer> both = answersOf(*answer.replay, scenarios, options);
        std::erase_if(both, [](const ScenarioAnswer& own) { return !own.basis.refused.empty(); });
        sortByGain(both);
        if (both.empty() || both.front().gainNs < best.gainNs + answer.replay->barNs())
            return;
        best = both.front();
        answer.after.push_back(std::move(both.front()));
    }
}

} // namespace

std::variant<Slowdown, std::string> slowdownOf(Analysis& analysis)
{
    const MetricOptions& options = analysis.options();
    if (!showsOperations(analysis.allRanks()))
        return "The timelines show kernels and calls, not the operations of the workers of a training job.";
    OperationRun run = operationsOf(analysis.model(), analysis.allRanks(), options.cancelled);
    if (!run.refused.empty())
        return std::move(run.refused);
    if (run.steps.empty())
        return "No step of operations lies in the window.";
    return slowdownOf(run.steps, options.parallel, options.cancelled);
}

WhatIfAnswer answerWhatIf(Analysis& analysis, const std::vector<Scenario>& asked)
{
    WhatIfAnswer answer;
    answer.replay = std::make_shared<const WhatIfReplay>(analysis);
    if (answer.isRefused()) {
        std::variant<Slowdown, std::string> slowdown = slowdownOf(analysis);
        if (Slowdown* const found = std::get_if<Slowdown>(&slowdown))
            answer.slowdown = std::move(*found);
        return answer;
    }
    const MetricOptions& options = analysis.options();
    if (!asked.empty()) {
        answer.scenarios = answersOf(*answer.replay, asked, options);
        return answer;
    }
    for (ScenarioAnswer& own : answersOf(*answer.replay, answer.replay->suggestions(), options)) {
        if (!own.basis.refused.empty())
            continue;
        if (isLimit(own.scenario))
            answer.limits.push_back(std::move(own));
        else if (own.gainNs >= answer.replay->barNs())
            answer.scenarios.push_back(std::move(own));
        else
            ++answer.small;
    }
    sortByGain(answer.scenarios);
    addAfter(answer, options);
    return answer;
}

} // namespace collscope
