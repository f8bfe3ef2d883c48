// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/ordered_collectives.h"

#include <algorithm>

namespace collscope {

OrderedCollectives inAxisOrder(Analysis& analysis, bool isByDuration)
{
    CollectiveTimer timer = analysis.timer(isByDuration);
    using Arrived = std::pair<std::int64_t, const CollectiveInstance*>;
    std::vector<Arrived> order;
    const auto add = [&](const CollectiveInstance& instance) {
        if (instance.memberCount >= 2 || isLacking(instance))
            order.emplace_back(timer.withoutWaits(instance).arrivals.endNs, &instance);
    };
    const auto sorted = [&] {
        std::stable_sort(order.begin(), order.end(),
                         [](const Arrived& a, const Arrived& b) { return a.first < b.first; });
        std::vector<const CollectiveInstance*> instances;
        instances.reserve(order.size());
        for (const auto& [arrivedNs, instance] : order)
            instances.push_back(instance);
        return instances;
    };
    OrderedCollectives ordered;
    for (const CollectiveInstance* instance : analysis.instancesInWindow())
        add(*instance);
    ordered.inWindow = sorted();
    if (order.empty())
        return ordered;
    const std::int64_t beginNs = order.front().first;
    const std::int64_t lengthNs = order.back().first - beginNs;
    order.clear();
    for (const CollectiveInstance& instance : analysis.matching().instances) {
        // Most are far away: the first member shows that.
        const Call& any = analysis.callOf(analysis.matching().membersOf(instance).front());
        if (any.range.beginNs >= beginNs || any.range.endNs < beginNs - lengthNs)
            continue;
        const std::int64_t arrivedNs = timer.withoutWaits(instance).arrivals.endNs;
        if (arrivedNs < beginNs && arrivedNs >= beginNs - lengthNs)
            add(instance);
    }
    ordered.before = sorted();
    return ordered;
}

} // namespace collscope
