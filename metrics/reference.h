// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What existing tools print for the same metric, computed the way they do, errors included, so that somebody
// who knows that number can see where ours differs. Computed only when asked for.

#include "metrics/analysis.h"

namespace collscope {

/// One tool's number for one metric.
struct Reference
{
    std::string_view metric; ///< id in our catalogue
    std::string_view forName; ///< the alias under which that tool knows it; empty = the id itself
    std::string_view tool;
    std::string_view whyDifferent; ///< one sentence, without a capital and a full stop
    struct Number
    {
        /// In the unit of the metric's id, whatever the unit of `forName`: evaluate() converts. None: the
        /// tool prints an object, or "nan".
        std::optional<double> value;
        Value::Object details; ///< what else the tool prints, under its own keys and in its own units
        std::string_view why = {}; ///< in place of whyDifferent where the run decides the reason
        bool isSentinel = false; ///< the tool's sign for "nothing found": in no unit, so never converted

        /// What prints -1 where it finds nothing.
        static Number nothing(std::string_view why = {}) { return {-1.0, {}, why, true}; }
    };
    /// nullopt where the tool says nothing about such a run, or where the trace as it was loaded no longer
    /// says what the tool would have read.
    std::optional<Number> (*compute)(Analysis& analysis);
};

/// The numbers of one tool.
struct ReferenceSet
{
    std::span<const Reference> entries;
};

/// All tools. Generated from the list in metrics/CMakeLists.txt.
std::span<const ReferenceSet* const> allReferences();

/// Appends what the tools print for a metric. `result` is ours, in the metric's own unit. A number equal to
/// ours is left out, unless the options ask for the reference in the place of our value. No tool knows a
/// selected range: with one, nothing is added.
void addReferences(Analysis& analysis, std::string_view metric, MetricResult& result);

} // namespace collscope
