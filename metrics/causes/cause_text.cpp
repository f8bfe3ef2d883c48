// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/causes/cause_text.h"

#include "metrics/matching/collective_times.h"
#include "model/kernels/kernel_names.h"

#include <cassert>
#include <cmath>
#include <cstdlib>

namespace collscope {

std::string collectiveText(Analysis& analysis, std::uint32_t instance)
{
    const RunCollectives& run = analysis.run();
    const CollectiveInstance& of = run.matching.instances[instance];
    const Call& call = run.callOf(run.matching.membersOf(of).front());
    std::string text(kernelClassName(call.kind));
    const bool isNumbered = call.meta && call.meta->sequence.has_value();
    if (isNumbered)
        text += " #" + std::to_string(*call.meta->sequence);
    // "#2 of 6" would read as the second of six: the names of most groups are numbers.
    if (const std::string& group = run.matching.groupOf(of).text; !group.empty())
        text += (group[0] >= '0' && group[0] <= '9' ? " of group " : " of ") + shortened(group);
    if (!isNumbered) {
        const CollectiveTimes times = run.timer(analysis.model(), analysis.clocks()).of(of);
        text += " at " + numberText(std::round(nsToUs(times.arrivals.beginNs)) / 1000) + " ms";
    }
    return text;
}

std::string alsoLateText(const std::vector<std::int32_t>& ranks)
{
    assert(!ranks.empty());
    constexpr std::size_t mostNamed = 3;
    if (ranks.size() == 1)
        return "rank " + std::to_string(ranks.front());
    std::string text = "ranks ";
    for (std::size_t i = 0; i < std::min(ranks.size(), mostNamed); ++i)
        text += (i > 0 ? ", " : "") + std::to_string(ranks[i]);
    return text
        + (ranks.size() > mostNamed ? " and " + std::to_string(ranks.size() - mostNamed) + " more" : "");
}

} // namespace collscope
