// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/definitions/reference.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

bool agrees(const MetricResult& ours, const Reference::Number& theirs)
{
    if (ours.state != MetricState::Value || !ours.value || !theirs.value)
        return false;
    const double scale = std::max(std::abs(*ours.value), std::abs(*theirs.value));
    return std::abs(*ours.value - *theirs.value) <= 1e-9 * scale;
}

} // namespace

void addReferences(Analysis& analysis, std::string_view metric, MetricResult& result)
{
    const MetricOptions& options = analysis.options();
    if (options.range)
        return;
    const bool asked = options.definition == MetricOptions::Definition::Reference;
    for (const ReferenceSet* set : allReferences()) {
        for (const Reference& reference : set->entries) {
            if (reference.metric != metric || options.cancelled())
                continue;
            auto number = reference.compute(analysis);
            if (!number || options.cancelled())
                continue;
            std::string why(number->why.empty() ? reference.whyDifferent : number->why);
            if (agrees(result, *number)) {
                if (!asked)
                    continue;
                why = "for this run both values agree; in general " + why;
            }
            result.references.push_back({std::string(reference.tool), number->value, std::move(why),
                                         std::string(reference.forName), std::move(number->details),
                                         number->isSentinel});
        }
    }
}

} // namespace collscope
