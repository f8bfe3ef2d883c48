// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/straggler_rows.h"

namespace collscope {

std::vector<MetricRow> stragglerRows(const StragglerSums& sums, const std::vector<RankWindows>& windows,
                                     double windowNs)
{
    std::vector<MetricRow> rows;
    for (const auto& [rank, ns] : sums.behindNs)
        rows.push_back({rank, std::nullopt, static_cast<double>(ns) / windowNs});
    struct Length
    {
        std::int64_t sumNs = 0, ranks = 0;
    };
    std::map<std::int64_t, Length> lengthOfStep;
    for (const RankWindows& rank : windows) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps) {
                lengthOfStep[step.number].sumNs += step.range.lengthNs();
                ++lengthOfStep[step.number].ranks;
            }
        }
    }
    for (const auto& [number, length] : lengthOfStep) {
        if (length.sumNs <= 0)
            continue;
        const auto skew = sums.skewOfStep.find(number);
        const std::int64_t skewNs = skew == sums.skewOfStep.end() ? 0 : skew->second;
        rows.push_back({std::nullopt, number,
                        static_cast<double>(skewNs) * static_cast<double>(length.ranks)
                            / static_cast<double>(length.sumNs)});
    }
    return rows;
}

} // namespace collscope
