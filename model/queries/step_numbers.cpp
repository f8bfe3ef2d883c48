// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/step_numbers.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace collscope {

bool areNumbered(StepSource source)
{
    return source == StepSource::ProfilerStep || source == StepSource::NvtxStep;
}

std::vector<StepKey> commonKeys(std::vector<std::vector<StepKey>> lists)
{
    std::vector<StepKey> common;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        std::sort(lists[i].begin(), lists[i].end());
        lists[i].erase(std::unique(lists[i].begin(), lists[i].end()), lists[i].end());
        if (i == 0) {
            common = std::move(lists[i]);
            continue;
        }
        std::vector<StepKey> shared;
        std::set_intersection(common.begin(), common.end(), lists[i].begin(), lists[i].end(),
                              std::back_inserter(shared));
        common = std::move(shared);
    }
    return common;
}

StepNumbers stepNumbers(const TraceModel& model)
{
    StepNumbers result;
    std::map<std::int32_t, std::vector<const Timeline*>> byRank; // timelines are sorted, Kineto first
    for (const Timeline& timeline : model.timelines) {
        std::vector<const Timeline*>& own = byRank[timeline.rank];
        if (own.empty() || own.front()->kind == timeline.kind)
            own.push_back(&timeline);
    }
    std::vector<std::vector<StepKey>> lists;
    bool numbered = true;
    for (const auto& [rank, timelines] : byRank) {
        std::vector<StepKey> keys;
        for (const Timeline* timeline : timelines) {
            if (timeline->stepSource == StepSource::WholeTrace)
                continue;
            numbered &= areNumbered(timeline->stepSource);
            for (const Step& step : timeline->steps)
                keys.emplace_back(timeline->iteration, step.number);
        }
        (keys.empty() ? result.unmarked : result.marked).push_back(rank);
        if (!keys.empty())
            lists.push_back(std::move(keys));
    }
    if (lists.size() < 2 || !numbered)
        return result;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const std::size_t count = lists[i].size();
        for (const bool isFewest : {true, false}) {
            StepNumbers::Ranks& extreme = isFewest ? result.fewest : result.most;
            const bool isMore = isFewest ? count < extreme.count : count > extreme.count;
            if (extreme.ranks.empty() || isMore)
                extreme = {{}, count};
            if (count == extreme.count)
                extreme.ranks.push_back(result.marked[i]);
        }
    }
    const std::size_t most = result.most.count;
    result.common = commonKeys(std::move(lists)).size();
    result.differ = result.common < most;
    return result;
}

} // namespace collscope
