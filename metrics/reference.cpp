// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reference.h"

namespace collscope {

void addReferences(Analysis& analysis, std::string_view metric, MetricResult& result)
{
    for (const ReferenceSet* set : allReferences()) {
        for (const Reference& reference : set->entries) {
            if (reference.metric != metric || analysis.options().cancelled())
                continue;
            auto number = reference.compute(analysis);
            if (!number)
                continue;
            result.references.push_back({std::string(reference.tool), number->value,
                                         std::string(reference.whyDifferent), std::string(reference.forName),
                                         std::move(number->details)});
        }
    }
}

} // namespace collscope
