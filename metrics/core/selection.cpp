// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/selection.h"

namespace collscope {

std::int64_t RankWindows::stepCount() const
{
    std::int64_t count = 0;
    for (const Part& part : parts)
        count += static_cast<std::int64_t>(part.steps.size());
    return count;
}

std::int64_t RankWindows::windowNs() const
{
    std::int64_t sum = 0;
    for (const Part& part : parts) {
        for (const Step& step : part.steps)
            sum += step.range.lengthNs();
    }
    return sum;
}

std::string scopeOf(const std::vector<RankWindows>& ranks)
{
    return ranks.size() == 1 ? "rank " + std::to_string(ranks.front().rank)
                             : std::to_string(ranks.size()) + " ranks";
}

} // namespace collscope
