// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/window_agreement.h"

#include <algorithm>

namespace collscope {

namespace {

/// Collectives of a rank with known partners, by whether they lie in the same step on all ranks.
struct AgreedSteps
{
    std::int64_t same = 0;
    std::int64_t other = 0;
    CallRef own; ///< the first call in a different step, and the call of another rank
    CallRef against;
};

const Step* stepAt(Analysis& analysis, CallRef call)
{
    return stepOf(analysis.communicating().ranks[call.rank], analysis.callOf(call));
}

std::vector<AgreedSteps> sharedSteps(Analysis& analysis)
{
    std::vector<AgreedSteps> ranks(analysis.calls().size());
    for (const CollectiveInstance& instance : analysis.matching().instances) {
        const auto members = analysis.matching().membersOf(instance);
        if (members.size() < 2)
            continue;
        const Step* const step = stepAt(analysis, members[0]);
        const auto differs = std::find_if(members.begin() + 1, members.end(), [&](CallRef member) {
            const Step* const own = stepAt(analysis, member);
            return !step != !own || (step && own->number != step->number);
        });
        for (const CallRef member : members) {
            AgreedSteps& rank = ranks[member.rank];
            if (differs == members.end()) {
                rank.same += step ? 1 : 0;
            } else if (rank.other++ == 0) {
                rank.own = members[0];
                rank.against = *differs;
            }
        }
    }
    return ranks;
}

} // namespace

std::optional<MetricResult> needsSameSteps(Analysis& analysis)
{
    const Selection& selection = analysis.communicating();
    if (analysis.options().range || hasNoSteps(selection))
        return std::nullopt;
    const std::vector<AgreedSteps> ranks = sharedSteps(analysis);
    const auto worst = std::max_element(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) {
        return a.other - a.same < b.other - b.same;
    });
    if (worst == ranks.end() || worst->other <= worst->same)
        return std::nullopt;
    const auto place = [&](CallRef call) {
        const std::string rank = "rank " + std::to_string(analysis.callOf(call).timeline->rank);
        const Step* const step = stepAt(analysis, call);
        return step ? "step " + std::to_string(step->number) + " of " + rank
                    : "no step of the window on " + rank;
    };
    const std::int32_t rank = analysis.calls()[static_cast<std::size_t>(worst - ranks.begin())].rank;
    return noValue(
        selection, MetricState::NotApplicable,
        "The ends of the ranks' windows (" + selection.window
            + ") cannot be compared: calls of one collective lie in different steps on different ranks, "
              "because steps are numbered differently or one CPU runs further ahead of its GPU than another ("
            + std::to_string(worst->other) + " of " + countText(worst->same + worst->other, "call")
            + " of rank " + std::to_string(rank) + "; the first lies in " + place(worst->own) + " and in "
            + place(worst->against) + ").");
}

} // namespace collscope
