// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What existing tools print for the same metric, computed the way they do, errors included, so that somebody
// who knows that number can see where ours differs (metrics.md 7 "Parity").

#include "metrics/analysis.h"

namespace collscope {

/// One tool's number for one metric.
struct Reference
{
    std::string_view metric; ///< id in our catalogue
    std::string_view forName; ///< the alias under which that tool knows it; empty = the id itself
    std::string_view tool;
    std::string_view whyDifferent; ///< one sentence
    struct Number
    {
        std::optional<double> value; ///< none: the tool prints an object
        Value::Object details;
    };
    /// nullopt where the tool says nothing about such a run.
    std::optional<Number> (*compute)(Analysis& analysis);
};

/// The numbers of one tool.
struct ReferenceSet
{
    std::span<const Reference> entries;
};

/// All tools. Generated from the list in metrics/CMakeLists.txt.
std::span<const ReferenceSet* const> allReferences();

/// Appends the reference values of a metric that differ from ours.
void addReferences(Analysis& analysis, std::string_view metric, MetricResult& result);

} // namespace collscope
